import t from 'tap';
import { cryptocom } from '../../../../actors/venues/cryptocom/index.ts';
import { resultOf } from '../../../../actors/venues/cryptocom/streams.ts';
import {
  askFor,
  bodiesOf,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
  received,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds, queries } = cryptocom;

t.test('the markets that are followed', async (t) => {
  const kinds = Object.fromEntries(
    [...contextOf(cryptocom, 'all').instruments].map(([id, { kind }]) => [id, kind]),
  );
  t.strictSame(kinds, {
    BTC_USDT: 'spot',
    BTC_USD: 'spot', // an answer without product_type
    ETH_BTC: 'spot',
    IDLE_USD: 'spot',
    OLD_USD: 'other', // not tradable
    'BTCUSD-PERP': 'perpetual',
    '1000PEPEUSD-PERP': 'perpetual',
    'SOLUSD-PERP': 'perpetual',
    'ODDUSD-PERP': 'other', // a contract size whose meaning is not known
    'TSLAUSD-PERP': 'other', // an equity
    'OLDUSD-PERP': 'other',
    'BTCUSD-250627': 'other', // dated
  });
});

t.test('instruments', async (t) => {
  t.strictSame(instrumentOf(cryptocom, 'all', 'BTC_USDT'), {
    market: 'BTC_USDT',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USDT',
    scale: 1,
    contract: 1,
    inverse: false,
    funding_hours: null,
  });
  t.strictSame(instrumentOf(cryptocom, 'all', '1000PEPEUSD-PERP'), {
    market: '1000PEPEUSD-PERP',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USD',
    scale: 1000,
    contract: 1,
    inverse: false,
    funding_hours: null, // not in the list: always 1
  });
});

t.test('prices', async (t) => {
  const { rows, dropped } = pricesOf(cryptocom, 'all');
  const [btc, usd, perpetual, pepe, ...none] = rows;
  t.strictSame(btc, {
    market: 'BTC_USDT',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USDT',
    price: 104_000.5,
    bid: 103_999.4,
    ask: 104_001.7,
    high: 104_488.8,
    low: 99_875.5,
    base: 15,
    volume: 1_543_807.5,
    change: 3.75, // a fraction on the wire
    stated: 1_750_000_000_321,
  });
  t.match(usd, { market: 'BTC_USD', volume: 208_600, change: -1 });
  t.strictSame(rounded(perpetual), {
    market: 'BTCUSD-PERP',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    price: 104_010,
    bid: 104_009.5,
    ask: 104_010.75,
    high: 104_511.5,
    low: 99_840.25,
    base: 50.25,
    volume: 5_169_300,
    change: 4.12,
    stated: 1_750_000_000_321,
  });
  t.match(rounded(pepe), {
    symbol: 'PEPE',
    price: 0.0000125, // 0.0125 / 1000
    bid: 0.00001249,
    ask: 0.00001252,
    high: 0.0000129,
    low: 0.0000121,
    base: 1_000_000_000, // 1,000,000 x 1000
    volume: 12_470,
    change: null,
  });
  t.strictSame(none, []);
  t.strictSame(dropped, [{ key: 'SOLUSD-PERP', code: 'bad_row' }], 'what never traded is silent');
  const idle = { result: { data: [{ i: 'BTC_USD', a: null, v: '0' }] } };
  const context = { received: 0, instruments: contextOf(cryptocom, 'all').instruments };
  t.throws(() => feeds.prices.parts.all.parse([idle], context), { name: 'ShapeError' });
});

t.test('before the list is there a spot id says all, a perpetual one not', async (t) => {
  const { rows, dropped } = pricesOf(cryptocom, 'all', { received, instruments: new Map() });
  t.match(rows[0], { market: 'BTC_USDT', kind: 'spot', symbol: 'BTC', quote: 'USDT' });
  t.ok(rows.every(({ kind }) => kind === 'spot'));
  t.ok(dropped.some(({ key, code }) => key === 'BTCUSD-PERP' && code === 'unknown_instrument'));
});

t.test('open interest: base, valued at the last price', async (t) => {
  const { rows, dropped } = openInterestOf(cryptocom, 'all');
  t.strictSame(rounded(rows), [
    {
      market: 'BTCUSD-PERP',
      symbol: 'BTC',
      quote: 'USD',
      units: 250.5,
      value: 26_054_505, // x 104,010
      mark: 104_010,
      stated: 1_750_000_000_321,
    },
    {
      market: '1000PEPEUSD-PERP',
      symbol: 'PEPE',
      quote: 'USD',
      units: 2_000_000_000, // 2,000,000 x 1000
      value: 25_000, // 2,000,000 x 0.0125
      mark: 0.0000125,
      stated: 1_750_000_000_321,
    },
  ]);
  t.strictSame(
    dropped,
    [{ key: 'SOLUSD-PERP', code: 'bad_row' }],
    'spot and the others are silent',
  );
});

t.test('derivatives: a fraction per hour, eight of them are 8 hours', async (t) => {
  const { rows, dropped } = derivativesOf(cryptocom, 'all');
  t.strictSame(dropped, []);
  t.strictSame(rounded(rows), [
    {
      market: 'BTCUSD-PERP',
      symbol: 'BTC',
      quote: 'USD',
      mark: 104_012.25,
      index: 104_005.5, // answered as BTCUSD-INDEX
      funding_rate: -0.000001884,
      funding_hours: 1,
      funding_rate_8h: -0.000015072, // -0.000001884 x 8
      next_funding: 1_750_003_200_000, // the hour after 1,750,000,001,000
      stated: 1_750_000_000_000, // the mark's time; the rate's is 1,749,999,600,000
    },
    {
      market: '1000PEPEUSD-PERP',
      symbol: 'PEPE',
      quote: 'USD',
      mark: 0.0000125, // 0.0125 for a thousand
      index: 0.00001248,
      funding_rate: 0.0000125,
      funding_hours: 1,
      funding_rate_8h: 0.0001,
      next_funding: 1_750_003_200_000,
      stated: 1_750_000_000_000,
    },
    {
      market: 'SOLUSD-PERP',
      symbol: 'SOL',
      quote: 'USD',
      mark: 150.05,
      index: null,
      funding_rate: 0, // a real zero
      funding_hours: 1,
      funding_rate_8h: 0,
      next_funding: 1_750_003_200_000,
      stated: 1_750_000_000_000,
    },
  ]);
});

t.test('what fails of a market costs neither its other numbers nor another market', async (t) => {
  const [funding, mark, index, ...others] = bodiesOf(cryptocom, 'all-derivatives');
  const context = { received, instruments: contextOf(cryptocom, 'all').instruments };
  const read = (...first: unknown[]) =>
    feeds.derivatives.parts.all.parse([...first, ...others], context).derivatives;
  const numbers = (...first: unknown[]) => {
    const { rows, dropped } = read(...first);
    t.strictSame(dropped, []);
    t.strictSame(
      rows.slice(1).map((row) => row.market),
      ['1000PEPEUSD-PERP', 'SOLUSD-PERP'],
    );
    const [row] = rows;
    return [row?.market, row?.mark, row?.index, row?.funding_rate, row?.stated];
  };
  const market = 'BTCUSD-PERP';
  const [made, newest] = [1_749_999_600_000, 1_750_000_000_000];
  t.strictSame(
    numbers(undefined, mark, index),
    [market, 104_012.25, 104_005.5, null, newest],
    'no rate',
  );
  t.strictSame(
    numbers(funding, undefined, index),
    [market, null, 104_005.5, -0.000001884, newest],
    'no mark',
  );
  t.strictSame(
    numbers(funding, mark, undefined),
    [market, 104_012.25, null, -0.000001884, newest],
    'no index',
  );
  t.strictSame(
    numbers(funding, undefined, undefined),
    [market, null, null, -0.000001884, made],
    'the rate alone, with its own time',
  );
  t.strictSame(
    numbers(undefined, undefined, index),
    [market, null, 104_005.5, null, newest],
    'the index alone',
  );
  const none = read(undefined, undefined, undefined);
  t.strictSame([none.rows.length, none.dropped], [2, []], 'nothing: in silence');
});

t.test('what cannot be read is named', async (t) => {
  const bodies = bodiesOf(cryptocom, 'all-derivatives').slice(0, 3);
  const context = { received, instruments: contextOf(cryptocom, 'all').instruments };
  const dropped = (...more: unknown[]) =>
    feeds.derivatives.parts.all.parse([...bodies, ...more], context).derivatives.dropped;
  const empty = { result: { data: [], instrument_name: 'SOLUSD-PERP' } };
  t.strictSame(dropped(empty, undefined, empty), [{ key: 'SOLUSD-PERP', code: 'bad_row' }]);
  t.strictSame(dropped('<html>', '<html>', undefined), [{ key: '', code: 'bad_row' }]);
  const unknown = { result: { data: [{ v: '1', t: 1 }], instrument_name: 'NEWUSD-INDEX' } };
  t.strictSame(dropped(undefined, undefined, unknown), [
    { key: 'NEWUSD-PERP', code: 'unknown_instrument' },
  ]);
});

t.test('the order book', async (t) => {
  const ask = askFor(cryptocom, 'all', 'BTC_USDT');
  t.strictSame(queries.orderBook.parse(fixture(cryptocom, 'all-order-book'), ask), {
    bids: [
      { price: 104_000, quantity: 0.5 },
      { price: 103_999, quantity: 2 },
    ],
    asks: [{ price: 104_001, quantity: 0.25 }],
    stated: 1_750_000_000_340,
  });
  const scaled = askFor(cryptocom, 'all', '1000PEPEUSD-PERP');
  const body = { result: { data: [{ bids: [['0.0125', '40', '1']], asks: [], t: 0 }] } };
  for (const known of [scaled, { ...scaled, instrument: null }]) {
    t.strictSame(queries.orderBook.parse(body, known), {
      bids: [{ price: 0.0125 / 1000, quantity: 40_000 }],
      asks: [],
      stated: null,
    });
  }
});

t.test('candles', async (t) => {
  const ask = askFor(cryptocom, 'all', 'BTC_USDT');
  const bars = queries.candles.parse(fixture(cryptocom, 'all-candles'), ask);
  t.strictSame(bars[0], {
    timestamp: 1_749_996_000_000,
    open: 99_000,
    high: 100_500,
    low: 98_000,
    close: 100_000,
    volume: 20.1,
    turnover: null,
  });
  t.match(bars[1], { timestamp: 1_749_999_600_000, close: 100_050, volume: 0 });
  t.equal(bars.length, 2, 'a row without a close is left out');
});

t.test('the end of a subscription is no result', async (t) => {
  t.equal(resultOf({ id: 2, method: 'unsubscribe', code: 0 }), null);
});

wholeVenue(cryptocom);
