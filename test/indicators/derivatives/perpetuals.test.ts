import t from 'tap';
import { joinPerpetuals } from '../../../indicators/derivatives/perpetuals.ts';

const now = 1_750_000_000_000;
const ages = { derivatives: 100, openInterest: 200, prices: 300 };
type Readings = Parameters<typeof joinPerpetuals>[0];
const join = (more: { [K in keyof Readings]?: Readings[K] }) =>
  joinPerpetuals(
    { derivatives: [], openInterest: [], prices: [], instruments: [], ...more },
    { now, ages },
  );

const facts = (market: string, more: object = {}) => ({
  market,
  symbol: 'BTC',
  quote: 'USDT',
  mark: 100,
  index: 101,
  funding_rate: 0.0001,
  funding_hours: 8,
  next_funding: 5,
  ...more,
});
const reading = <Row>(rows: Row[], age = 0) => ({ received: now - age, rows });
const price = (kind: string, price: number) => ({
  market: 'P',
  kind,
  price,
  volume: 9,
  change: 1,
  high: 107,
  low: 97,
});
const listed = { market: 'P', kind: 'perpetual', inverse: true, max_leverage: 50 };

t.test('what the readings of an exchange state of one market', async (t) => {
  const derivatives = [reading([facts('P', { predicted_rate: 0.0002, premium: 0.01 })], 10)];
  const bare = join({ derivatives });
  const row = {
    contract: 'P',
    symbol: 'BTC',
    quote: 'USDT',
    asset_class: 'crypto' as const,
    inverse: null,
    max_leverage: null,
    isolated_only: false,
    mark: 100,
    index: 101,
    last: null,
    change: null,
    premium: 0.01,
    high: null,
    low: null,
    rate: 0.0001,
    predicted: 0.0002,
    hours: 8,
    next: 5,
    units: null,
    value: null,
    volume: null,
    received: now - 10,
    priced: null,
    valued: null,
  };
  t.strictSame(bare.rows, [row]);
  const prices = [reading([price('perpetual', 99), price('spot', 98)], 20)];
  const openInterest = [reading([{ market: 'P', units: 5, value: 500 }], 30)];
  const instruments = [
    reading([{ ...listed, isolated_only: true as const }], 1e9),
    reading([{ ...listed, kind: 'spot', inverse: false }]),
  ];
  const whole = join({ derivatives, prices, openInterest, instruments });
  t.strictSame(whole.rows, [
    {
      ...row,
      inverse: true,
      max_leverage: 50,
      isolated_only: true,
      last: 99,
      change: 1,
      volume: 9,
      units: 5,
      value: 500,
      high: 107,
      low: 97,
      priced: now - 20,
      valued: now - 30,
    },
  ]);
  t.same([whole.newest, whole.until], [now - 10, now - 10 + 100], 'the first that becomes too old');
  const old = join({
    derivatives: [reading([facts('P')])],
    prices: [reading(prices[0]?.rows ?? [], 300)],
  });
  t.same([old.rows[0]?.last, old.until], [99, now]);
});

t.test('rows that are too old, and rates that cannot be charged', async (t) => {
  const mixed = [
    reading([facts('A'), facts('B', { symbol: 'ETH', received: now - 101 })], 100),
    reading([facts('C', { symbol: 'SOL' }), facts('D', { received: now })], 101),
  ];
  const { rows, stale, newest, until } = join({ derivatives: mixed });
  t.same(
    rows.map(({ contract }) => contract),
    ['A', 'D'],
  );
  t.same([[...stale], newest, until], [['ETH', 'SOL'], now, now]);
  const both = [reading([facts('A')]), reading([facts('B')], 101)];
  t.same([...join({ derivatives: both }).stale], [], 'one of its markets is fresh');
  const frozen = join({ derivatives: [{ ...reading([facts('A')]), frozen: true as const }] });
  t.same([frozen.rows, [...frozen.stale], frozen.newest, frozen.until], [[], ['BTC'], 0, Infinity]);
  const late = join({
    derivatives: [reading([facts('P', { predicted_rate: 5 }), facts('Q')])],
    prices: [reading([price('perpetual', 99)], 301)],
    openInterest: [reading([{ market: 'P', units: 5, value: 500 }], 201)],
  });
  t.match(late.rows, [{ last: null, units: null, predicted: null }, { predicted: null }]);
  const interest = { ...reading([{ market: 'P', units: 5, value: 500 }], 201), maxAge: 201 };
  const slow = join({ derivatives: [reading([facts('P')])], openInterest: [interest] });
  t.match(slow.rows, [{ units: 5, valued: now - 201 }], 'its reading states another age');
});
