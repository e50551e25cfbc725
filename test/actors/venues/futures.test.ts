/** Dated futures in recorded answers, and in lists that ccxt reads too. */
import type { Exchange } from 'ccxt';
import t from 'tap';
import type { Instrument } from '../../../actors/topics/index.ts';
import { bybit } from '../../../actors/venues/bybit/index.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { unifiedName } from '../../../indicators/market/market-names.ts';
import { instrument } from '../../support/makers.ts';
import { absent, recording } from '../../support/recordings.ts';
import { answered, offline } from './ccxt.ts';
import { ownPoll } from './fixtures.ts';

const context = (rows: readonly Instrument[]) => ({
  received: 1_750_000_000_000,
  instruments: new Map(rows.map((row) => [row.market, row])),
});

/** A dated future whose contract is one US dollar, or as many as `more` says. */
const future = (market: string, more: Partial<Instrument>): Instrument =>
  instrument({
    market,
    kind: 'future',
    quote: 'USD',
    inverse: true,
    expiry: 1_760_000_000_000,
    ...more,
  });

t.test(
  'recorded: COIN-M contracts of Binance count 10 US dollars, their own price turns them into coins',
  { skip: absent },
  async (t) => {
    const marks = recording('binance', 'inverse-premium-index')?.response;
    const days = [
      { symbol: 'LINKUSD_231229', lastPrice: '6.1', volume: '3000', baseVolume: '4918' },
    ];
    const interest = {
      symbol: 'LINKUSD_231229',
      openInterest: '61023.5122',
      time: 1_694_401_588_000,
    };
    const instruments = [future('LINKUSD_231229', { symbol: 'LINK', contract: 10 })];
    const poll = ownPoll(venues.binance, 'futures', 'inverse');
    const { rows } = poll.parse([marks, days, interest], context(instruments));
    const [row] = rows;
    t.equal(rows.length, 1, 'DOTUSD_230929 is in no list');
    t.match(row, { market: 'LINKUSD_231229', mark: 6.10235122, index: 5.99608046, volume: 30_000 });
    t.match(row, { value: 610_235.122, stated: 1_694_401_588_000 });
    t.ok(Math.abs((row?.units ?? 0) - 100_000) < 1e-6, 'value over mark');
  },
);

t.test(
  'recorded: fixed-maturity contracts of Kraken are one US dollar each',
  { skip: absent },
  async (t) => {
    const body = recording('kraken', 'futures-tickers')?.response;
    const poll = ownPoll(venues.kraken, 'futures', 'futures');
    const { rows } = poll.parse([body], context([future('FI_XBTUSD_211231', {})]));
    const one = { mark: 20_478.5, index: 21_087.8, value: 10_087, volume: 100 };
    t.match(rows, [{ market: 'FI_XBTUSD_211231', ...one, units: 10_087 / 20_478.5 }]);
  },
);

t.test(
  'recorded: a dated future among the instruments of Deribit has its expiry',
  { skip: absent },
  async (t) => {
    const body = recording('deribit', 'instruments')?.response;
    const poll = ownPoll(venues.deribit, 'instruments', 'inverse');
    const { rows } = poll.parse([body], context([]));
    const found = rows.find(({ market }) => market === 'BTC-27MAY22');
    t.match(found, { kind: 'future', symbol: 'BTC', quote: 'USD', inverse: true, contract: 1 });
    t.equal(found?.expiry, Date.UTC(2022, 4, 27, 8), 'expiration_timestamp 1653638400000');
  },
);

const delivery = {
  ...{ name: 'BTC_USDT_20200814', underlying: 'BTC_USDT', cycle: 'WEEKLY', type: 'direct' },
  ...{ quanto_multiplier: '0.0001', expire_time: 1_597_392_000, in_delisting: false },
};
const perpetual = { name: 'ETH_USDT', type: 'direct', quanto_multiplier: '0.01' };
const quarterly = {
  ...{ instType: 'FUTURES', instId: 'BTC-USD-260327', uly: 'BTC-USD', instFamily: 'BTC-USD' },
  ...{ settleCcy: 'BTC', ctVal: '100', ctMult: '1', ctValCcy: 'USD', ctType: 'inverse' },
  ...{ expTime: '1774598400000', state: 'live', ruleType: 'normal', tickSz: '0.1', lotSz: '1' },
};
const weekly = {
  ...{ symbol: 'BTC', contract_code: 'BTC211126', contract_type: 'this_week', contract_size: 100 },
  ...{ price_tick: 0.1, delivery_date: '20211126', delivery_time: '1637913600000' },
  ...{ create_date: '20211112', contract_status: 1, settlement_time: '1637481600000' },
};
const quarter = {
  ...{
    symbol: 'BTC',
    contract_code: 'BTC-USDT-211231',
    contract_type: 'quarter',
    contract_size: 0.001,
  },
  ...{
    price_tick: 0.1,
    delivery_date: '20211231',
    delivery_time: '1640937600000',
    pair: 'BTC-USDT',
  },
  ...{ create_date: '20211202', contract_status: 1, business_type: 'futures' },
};
const swap = { contract_code: 'ETH-USD', contract_size: 10, contract_status: 1 };

/** What ccxt makes of a row of a list of HTX. */
const htxReads = (margin: 'linear' | 'inverse', row: object) => async (exchange: Exchange) => {
  const body = { status: 'ok', data: [row] };
  const read = () =>
    Reflect.get(exchange, 'fetchMarketsByTypeAndSubType').call(exchange, 'future', margin);
  const found: unknown = await answered(exchange, body, read);
  return Object(Array.isArray(found) ? found[0] : null);
};

/** Rows as the documentation of the exchanges has them, and ccxt in its comments. */
const lists = [
  {
    id: 'gate',
    part: 'usdt',
    bodies: [[perpetual], [], [delivery]],
    theirs: (exchange: object) =>
      Reflect.get(exchange, 'parseContractMarket').call(exchange, delivery, 'usdt'),
  },
  {
    id: 'okx',
    part: 'swap',
    bodies: [{ code: '0', data: [quarterly] }],
    theirs: (exchange: object) => Reflect.get(exchange, 'parseMarket').call(exchange, quarterly),
  },
  {
    id: 'htx',
    part: 'inverse',
    bodies: [
      { status: 'ok', data: [swap] },
      { status: 'ok', data: [weekly] },
    ],
    theirs: htxReads('inverse', weekly),
  },
  {
    id: 'htx',
    part: 'linear',
    bodies: [{ status: 'ok', data: [quarter] }],
    theirs: htxReads('linear', quarter),
  },
] as const;

for (const { id, part, bodies, theirs } of lists) {
  t.test(`${id}: ccxt reads the same size, expiry and name in a list`, async (t) => {
    const { rows } = ownPoll(venues[id], 'instruments', part).parse(bodies, context([]));
    const ours = rows.find(({ kind }) => kind === 'future');
    const market = await theirs(await offline(id));
    t.match(ours, { market: market.id, contract: market.contractSize, expiry: market.expiry });
    t.equal(ours && unifiedName(ours), market.symbol);
    t.equal(ours?.inverse, market.inverse);
  });
}

t.test('a contract without an expiry or a mark price has no row', async (t) => {
  const row = (more: object) => ({ symbol: 'BTC-26JUN26', markPrice: '100', ...more });
  const poll = ownPoll(bybit, 'futures', 'linear');
  const instruments = [future('BTC-26JUN26', { quote: 'USDC', inverse: false })];
  const read = (more: object) =>
    poll.parse([{ result: { list: [row(more)] }, time: 1 }], context(instruments));
  t.match(read({ indexPrice: '99' }).rows, [{ mark: 100, index: 99, value: null, volume: null }]);
  t.match(read({ indexPrice: '' }).rows, [{ mark: 100, index: null }]);
  t.match(read({ markPrice: '' }), { rows: [], dropped: [{ code: 'bad_row' }] });
  const expired = instruments.map((one) => ({ ...one, expiry: context([]).received }));
  const after = poll.parse([{ result: { list: [row({})] }, time: 1 }], context(expired));
  t.strictSame(after, { rows: [], dropped: [] }, 'it has expired');
  const listed = ownPoll(bybit, 'instruments', 'linear').parse(
    [
      {
        result: {
          list: [
            {
              ...{ symbol: 'BTC-26JUN26', contractType: 'LinearFutures', status: 'Trading' },
              ...{ baseCoin: 'BTC', quoteCoin: 'USDC', deliveryTime: '' },
            },
          ],
        },
      },
    ],
    context([]),
  );
  t.match(listed, { rows: [{ market: 'BTC-26JUN26', kind: 'other' }], dropped: [] });
});
