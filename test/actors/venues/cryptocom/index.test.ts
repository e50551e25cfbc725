import t from 'tap';
import { cryptocom } from '../../../../actors/venues/cryptocom/index.ts';
import { connection, resultOf } from '../../../../actors/venues/cryptocom/stream.ts';
import {
  askFor,
  bodiesOf,
  contextOf,
  derivativesOf,
  fixture,
  openInterestOf,
  pricesOf,
  received,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds, queries } = cryptocom;

t.test('the markets that are followed', async (t) => {
  const kinds = Object.fromEntries(
    [...contextOf(cryptocom, 'all').instruments].map(([id, { kind }]) => [id, kind]),
  );
  t.strictSame(kinds, {
    BTC_USDT: 'spot',
    BTC_USD: 'spot', // an answer without product_type
    ...{ ETH_BTC: 'spot', IDLE_USD: 'spot' },
    OLD_USD: 'other', // not tradable
    ...{ 'BTCUSD-PERP': 'perpetual', '1000PEPEUSD-PERP': 'perpetual' },
    'SOLUSD-PERP': 'perpetual',
    'ODDUSD-PERP': 'other', // a contract size whose meaning is not known
    'TSLAUSD-PERP': 'other', // an equity
    'OLDUSD-PERP': 'other',
    'BTCUSD-250627': 'other', // dated
  });
  t.match(contextOf(cryptocom, 'all').instruments.get('1000PEPEUSD-PERP'), {
    ...{ symbol: 'PEPE', quote: 'USD', scale: 1000, contract: 1, inverse: false },
  });
});

t.test('prices', async (t) => {
  const { rows, dropped } = pricesOf(cryptocom, 'all');
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume, row.change]),
    [
      ['BTC_USDT', 104_000.5, 1_560_007.5, 0.0732 * 100], // a fraction on the wire
      ['BTC_USD', 104_000, 208_000, -1],
      ['BTCUSD-PERP', 104_010, 5_200_500, 0.0732 * 100],
      ['1000PEPEUSD-PERP', 0.0125 / 1000, 12_500, null],
    ],
  );
  t.strictSame(dropped, [{ key: 'SOLUSD-PERP', code: 'bad_row' }], 'what never traded is silent');
  t.equal(rows[0]?.stated, 1_750_000_000_321);
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
  t.strictSame(
    rows.map((row) => [row.market, row.units, row.value, row.mark]),
    [
      ['BTCUSD-PERP', 250.5, 250.5 * 104_010, 104_010],
      ['1000PEPEUSD-PERP', 2_000_000_000, 25_000, 0.0125 / 1000], // 2,000,000 x 1000; x 0.0125
    ],
  );
  t.strictSame(
    dropped,
    [{ key: 'SOLUSD-PERP', code: 'bad_row' }],
    'spot and the others are silent',
  );
});

t.test('derivatives: a fraction per hour, eight of them are 8 hours', async (t) => {
  const { rows, dropped } = derivativesOf(cryptocom, 'all');
  t.strictSame(dropped, []);
  t.strictSame(rows, [
    {
      ...{ market: 'BTCUSD-PERP', symbol: 'BTC', quote: 'USD', mark: 104_012.25 },
      index: 104_005.5, // answered as BTCUSD-INDEX
      ...{ funding_rate: -0.000001884, funding_hours: 1 },
      funding_rate_8h: -0.000015072, // -0.000001884 x 8
      next_funding: 1_750_003_200_000, // the hour after 1,750,000,001,000
      stated: 1_750_000_000_000, // the mark's time; the rate's is 1,749,999,600,000
    },
    {
      ...{ market: '1000PEPEUSD-PERP', symbol: 'PEPE', quote: 'USD' },
      mark: 0.0125 / 1000, // of 1000 PEPE
      index: 0.01248 / 1000,
      ...{ funding_rate: 0.0000125, funding_hours: 1, funding_rate_8h: 0.0001 },
      ...{ next_funding: 1_750_003_200_000, stated: 1_750_000_000_000 },
    },
    {
      ...{ market: 'SOLUSD-PERP', symbol: 'SOL', quote: 'USD', mark: 150.05, index: null },
      funding_rate: 0, // a real zero
      ...{ funding_hours: 1, funding_rate_8h: 0, next_funding: 1_750_003_200_000 },
      stated: 1_750_000_000_000,
    },
  ]);
});

t.test('what fails of a market costs neither its other numbers nor another market', async (t) => {
  const [funding, mark, index, ...others] = bodiesOf(cryptocom, 'all-derivatives');
  const context = { received, instruments: contextOf(cryptocom, 'all').instruments };
  const read = (...first: unknown[]) =>
    feeds.derivatives.parts.all.parse([...first, ...others], context);
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
    feeds.derivatives.parts.all.parse([...bodies, ...more], context).dropped;
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
  t.strictSame(
    queries.candles
      .parse(fixture(cryptocom, 'all-candles'), ask)
      .map((bar) => [
        bar.timestamp,
        bar.open,
        bar.high,
        bar.low,
        bar.close,
        bar.volume,
        bar.turnover,
      ]),
    [
      [1_749_996_000_000, 99_000, 100_500, 98_000, 100_000, 20.1, null],
      [1_749_999_600_000, 100_000, 100_100, 99_900, 100_050, 0, null],
    ],
  );
  for (const missing of ['3m', '2h', '8h', '3d', '1w'])
    t.notOk(missing in queries.candles.intervals);
});

t.test('the streams are on the connection of the exchange', async (t) => {
  t.equal(cryptocom.live.prices.all.url, connection.url);
  t.equal(resultOf({ id: 2, method: 'unsubscribe', code: 0 }), null, 'the end of a subscription');
});

wholeVenue(cryptocom);
