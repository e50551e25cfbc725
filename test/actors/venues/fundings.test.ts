import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { binance } from '../../../actors/venues/binance/index.ts';
import { bitfinex } from '../../../actors/venues/bitfinex/index.ts';
import { bitget } from '../../../actors/venues/bitget/index.ts';
import { bybit } from '../../../actors/venues/bybit/index.ts';
import { deribit } from '../../../actors/venues/deribit/index.ts';
import { gate } from '../../../actors/venues/gate/index.ts';
import { hyperliquid } from '../../../actors/venues/hyperliquid/index.ts';
import { okx } from '../../../actors/venues/okx/index.ts';

const hour = 3_600_000;
const now = 1_790_000_000_000;

const instrument: Instrument = {
  ...{ market: 'X', kind: 'perpetual', symbol: 'BTC', quote: 'USD', scale: 1, contract: 1 },
  ...{ inverse: false, funding_hours: null },
};

const asked = (market: string, part: string, more: object = {}) => ({
  ...{ market, part, instrument, now, limit: 100 },
  ...more,
});

t.test('a rate that charges the whole position is none', async (t) => {
  const rows = ['0.999', '1', '-1', '-0.999', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7'].map(
    (interest_1h, i) => ({ interest_1h, timestamp: now - i * hour }),
  );
  const { fundingHistory } = deribit.queries;
  t.equal(fundingHistory.ttl, 300_000);
  const { points } = fundingHistory.parse(
    [{ result: rows }],
    asked('BTC-PERPETUAL', 'inverse'),
    now,
  );
  t.strictSame(
    points.map(({ rate }) => rate),
    [0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, -0.999, 0.999],
  );
});

t.test('the premium of Hyperliquid, where it is stated', async (t) => {
  const rows = [
    { coin: 'BTC', fundingRate: '0.0000125', premium: '0.00029', time: now },
    { coin: 'BTC', fundingRate: '0.0000033', time: now + hour },
    { coin: 'BTC', fundingRate: '0.0000044', time: 'never' },
    { coin: 'BTC', fundingRate: '0.0000055', time: now + 2 * hour },
    { coin: 'BTC', fundingRate: '0.0000066', time: now + 3 * hour },
  ];
  const { fundingHistory } = hyperliquid.queries;
  t.strictSame(fundingHistory.parse([rows], asked('BTC', 'perp'), now).points, [
    { timestamp: now, rate: 0.0000125, hours: 1, premium: 0.00029 },
    { timestamp: now + hour, rate: 0.0000033, hours: 1 },
    { timestamp: now + 2 * hour, rate: 0.0000055, hours: 1 },
    { timestamp: now + 3 * hour, rate: 0.0000066, hours: 1 },
  ]);
});

t.test('Hyperliquid: funding was charged every 8 hours at first, then every hour', async (t) => {
  // Two of 8 hours, three of one hour, and one after a hole of two hours, which is of one hour.
  const rows = [0, 8, 16, 17, 18, 20].map((hours) => ({
    time: now + hours * hour + 13,
    fundingRate: '0.0008',
  }));
  const { fundingHistory } = hyperliquid.queries;
  t.strictSame(
    fundingHistory
      .parse([rows], asked('BTC', 'perp'), now)
      .points.map(({ timestamp, hours }) => [(timestamp - now - 13) / hour, hours]),
    [
      [0, 8],
      [8, 8],
      [16, 8],
      [17, 1],
      [18, 1],
      [20, 1],
    ],
  );
});

t.test('Bitfinex: one point of all rows before the same funding', async (t) => {
  const row = (at: number, next: number, charged: number) =>
    Array.from({ length: 23 }, (_, i) => ({ 0: at, 7: next, 11: charged })[i] ?? null);
  const next = 1_706_313_600_000;
  const body = [
    row(next + 60_000, next + 8 * hour, 0.0002),
    row(next - 60_000, next, 0.0001),
    row(next - 120_000, next, 0.0001),
  ];
  const { fundingHistory } = bitfinex.queries;
  t.strictSame(fundingHistory.parse([body], asked('tBTCF0:USTF0', 'all'), now).points, [
    { timestamp: next - 8 * hour, rate: 0.0001, hours: 8 },
    { timestamp: next, rate: 0.0002, hours: 8 },
  ]);
});

/** A full hour before now. */
const full = now - (now % hour) - hour;

t.test(
  'rows that are no settled rate are dropped, and refused where they are too many',
  async (t) => {
    const { fundingHistory } = hyperliquid.queries;
    const parse = (rows: unknown) => fundingHistory.parse([rows], asked('BTC', 'perp'), now).points;
    const good = { time: now, fundingRate: '0.0001' };
    const all = [good, good, { time: now + hour, fundingRate: '2' }, good];
    t.strictSame(parse(all), [{ timestamp: now, rate: 0.0001, hours: 1 }]);
    t.throws(() => parse([{}, { time: now }]), ShapeError);
    t.throws(() => parse({}), ShapeError);
    t.strictSame(parse([]), []);
  },
);

t.test(
  'a funding that two pages bring is one, and the hours of others do not change',
  async (t) => {
    const row = (at: number) => ({ fundingTime: String(now + at * hour), fundingRate: '0.0001' });
    const pages = [{ data: [row(24), row(16), row(8)] }, { data: [row(8), row(0)] }];
    const { points } = bitget.queries.fundingHistory.parse(
      pages,
      asked('BTCUSDT', 'usdt-futures'),
      now,
    );
    t.strictSame(
      points.map(({ timestamp, hours }) => [(timestamp - now) / hour, hours]),
      [0, 8, 16, 24].map((at) => [at, 8]),
    );
  },
);

t.test('closes are found by time, in step with the rows or not', async (t) => {
  const times = [4, 3, 2, 1, 0].map((at) => now + at * hour);
  const body = {
    result: { list: times.map((at) => ({ openInterest: '4', timestamp: String(at) })) },
  };
  const candles = (of: readonly number[]) => ({
    result: { list: of.map((at) => [String(at), '1', '1', '1', String((at - now) / hour + 10)]) },
  });
  const dollars = (of: readonly number[]) =>
    bybit.queries.openInterestHistory
      .parse([body, candles(of)], { ...asked('BTCUSDT', 'linear'), interval: '1h' }, now)
      .points.map(({ usd }) => usd);
  t.strictSame(dollars(times), [20, 22, 24, 26, 28]);
  t.strictSame(dollars([now + 5 * hour, ...times]), [20, 22, 24, 26, 28], 'one is newer');
  t.strictSame(dollars(times.toReversed()), [20, 22, 24, 26, 28], 'the other order');
  t.strictSame(dollars(times.filter((_, i) => i !== 2)), [20, 22, null, 26, 28], 'one is missing');
});

t.test('the oldest funding has the hours of its neighbour', async (t) => {
  const rows = [13, 12, 8, 0].map((at) => ({ t: (now + at * hour) / 1000, r: '0.0001' }));
  const { fundingHistory } = gate.queries;
  const { points } = fundingHistory.parse([rows], asked('BTC_USDT', 'usdt'), now);
  t.strictSame(
    points.map(({ hours }) => hours),
    [8, 8, 4, 1],
  );
});

t.test('the hours of a settlement are not those that the market has today', async (t) => {
  const midnight = Date.UTC(2026, 8, 20);
  const asks = (market: string, part: string) => ({
    ...asked(market, part),
    instrument: { ...instrument, funding_hours: 1 },
  });
  const hoursOf = (points: readonly { hours: number | null }[]) => points.map(({ hours }) => hours);
  const rows = [0, 8, 16, 17, 18].map((at, i) => ({
    ...{ symbol: 'TUVUSDT', fundingTime: midnight + at * hour + i, fundingRate: `-0.00${9 - i}` },
    markPrice: `0.07${i}`,
  }));
  for (const [market, part] of [
    ['TUVUSDT', 'linear'],
    ['TUVUSD_PERP', 'inverse'],
  ] as const) {
    const { points } = binance.queries.fundingHistory.parse([rows], asks(market, part), now);
    t.strictSame(hoursOf(points), [8, 8, 8, 1, 1], market);
    t.match(points[1], { timestamp: midnight + 8 * hour, rate: -0.008, mark: 0.071 });
  }
  const six = [12, 6, 0].map((at) => ({
    fundingTime: `${midnight + at * hour}`,
    realizedRate: '4e-4',
  }));
  const found = okx.queries.fundingHistory.parse([{ data: six }], asks('TUV', 'swap'), now);
  t.strictSame(hoursOf(found.points), [6, 6, 6], 'OKX');
});

t.test(
  'the rows of a day before a range are asked for: the hours of its first one need them',
  async (t) => {
    const { fundingHistory } = binance.queries;
    const eight = { ...instrument, funding_hours: 8 };
    const range = { from: full - 80 * hour, to: full };
    const page = fundingHistory.page?.({ ...asked('TUVUSDT', 'linear', range), instrument: eight });
    const question = { ...asked('TUVUSDT', 'linear'), ...page, instrument: eight, now };
    t.match(fundingHistory.requests(question), [
      { query: { startTime: range.from - 24 * hour, endTime: full, limit: 1000 } },
    ]);
    // The last of 8 hours is the first of the range.
    const rows = [-8, 0, 1, 2].map((at) => ({
      fundingTime: range.from + at * hour,
      fundingRate: '0.0008',
    }));
    const whole = fundingHistory.parse([rows], question, now);
    t.strictSame(
      fundingHistory
        .slice?.(whole, { ...question, ...range, limit: 9 })
        ?.points.map(({ timestamp, hours }) => [(timestamp - range.from) / hour, hours]),
      [
        [0, 8],
        [1, 1],
        [2, 1],
      ],
    );
  },
);
