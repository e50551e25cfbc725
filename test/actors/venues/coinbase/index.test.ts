import t from 'tap';
import { coinbase } from '../../../../actors/venues/coinbase/index.ts';
import { askFor, contextOf, fixture, instrumentOf, pricesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = coinbase.queries;
const { prices, derivatives, openInterest } = coinbase.feeds;
const nothing = { received: 0, instruments: new Map() };
const perpetual = contextOf(coinbase, 'perpetual');
const perpetuals = fixture(coinbase, 'perpetual-prices');
const stated = Date.parse('2025-06-15T15:06:40.454Z');

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(coinbase, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    ...{ 'BTC-USD': 'spot', 'BTC-USDC': 'spot', 'USDT-USD': 'spot', 'ETH-BTC': 'spot' },
    ...{ 'ETH-EUR': 'spot', 'ONLY-USDC': 'spot' },
    'NEVER-USD': 'other', // view only
    'OLD-USD': 'other', // delisted
    'AUCT-USD': 'other', // an auction
    'TSLA-USD': 'other', // a share
  });
  t.strictSame(kinds('perpetual'), {
    ...{ 'BTC-PERP': 'perpetual', '1000PEPE-PERP': 'perpetual', 'ETH-PERP': 'perpetual' },
    'OLD-PERP': 'other',
    'BTC-USDC': 'other', // spot of the international venue
  });
  t.equal(instrumentOf(coinbase, 'perpetual', 'BTC-PERP').funding_hours, 1, '3.6e12 ns');
  t.equal(instrumentOf(coinbase, 'perpetual', 'ETH-PERP').funding_hours, null);
});

t.test('spot prices: the book that USD and USDC share counts once', async (t) => {
  const { rows, dropped } = pricesOf(coinbase, 'spot');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.symbol, row.price, row.volume, row.change]),
    [
      ['BTC-USD', 'BTC', 100000.5, 1100502587.5, -0.28],
      ['USDT-USD', 'USDT', 0.9999, 999.9, null], // '' is unknown, not 0
      ['ONLY-USDC', 'ONLY', 2.5, null, 1.5],
    ],
  );
  t.strictSame(pricesOf(coinbase, 'spot', nothing), { rows, dropped }, 'the ids say as much');
});

t.test('perpetual prices: turnover in USDC, 1000PEPE in PEPE', async (t) => {
  const { rows, dropped } = pricesOf(coinbase, 'perpetual');
  t.strictSame(dropped, []);
  t.match(rows, [
    { market: 'BTC-PERP', price: 100010.5, volume: 110943454.25, change: null, stated },
    { market: '1000PEPE-PERP', symbol: 'PEPE', price: 0.000012, volume: 5_000_000, base: 416e9 }, // 0.012 / 1000, 416,000,000 x 1000
    { market: 'ETH-PERP', quote: 'USDC', price: 2500, volume: null, stated: null },
  ]);
  t.equal(rows.length, 3);
  t.strictSame(pricesOf(coinbase, 'perpetual', nothing), { rows, dropped });
});

t.test('funding: a fraction an hour, until the next full hour', async (t) => {
  const { rows, dropped } = derivatives.parts.perpetual.parse([perpetuals], perpetual);
  t.strictSame(dropped, []);
  const next = Date.parse('2025-06-15T16:00:00Z');
  t.match(rows, [
    { mark: 100000, funding_rate: 0.000009, funding_hours: 1, next_funding: next, stated },
    { mark: 0.0000125, index: 0.0000125, funding_rate: -0.00002, next_funding: next },
    { mark: 2500, index: null, funding_rate: null, funding_hours: null, next_funding: null },
  ]);
  t.equal(rows[0]?.funding_rate_8h, 0.000072, '0.000009 x 8');
  t.equal(rows[1]?.funding_rate_8h, -0.00016);
});

t.test('open interest: base times mark', async (t) => {
  const { rows, dropped } = openInterest.parts.perpetual.parse([perpetuals], perpetual);
  t.strictSame(dropped, [{ key: 'ETH-PERP', code: 'bad_row' }], 'without a number');
  t.match(rows, [
    { market: 'BTC-PERP', units: 1270.75, value: 127_075_000, mark: 100000 },
    // 4,000,000 x 1000 PEPE; 4,000,000 x 0.0125 USDC
    { symbol: 'PEPE', units: 4_000_000_000, value: 50_000, mark: 0.0000125 },
  ]);
});

t.test('1000PEPE-PERP: book and candles in PEPE', async (t) => {
  const ask = askFor(coinbase, 'perpetual', '1000PEPE-PERP');
  const body = fixture(coinbase, 'perpetual-order-book');
  const book = orderBook.parse(body, ask);
  t.strictSame(book.bids, [{ price: 0.000012, quantity: 500_000 }], '0.012 / 1000, 500 x 1000');
  t.strictSame(orderBook.parse(body, { ...ask, instrument: null }), book);
  const bars = candles.parse(fixture(coinbase, 'perpetual-candles'), ask);
  t.equal(bars.length, 2);
  t.match(bars[0], {
    timestamp: Date.parse('2025-06-15T15:00:00Z'),
    high: 0.013 / 1000,
    ...{ volume: 2_000_000, turnover: null },
  });
});

t.test('spot book and candles: low stands before high, open after', async (t) => {
  const ask = askFor(coinbase, 'spot', 'BTC-USD');
  t.strictSame(orderBook.parse(fixture(coinbase, 'spot-order-book'), ask), {
    bids: [
      { price: 100000, quantity: 0.5 },
      { price: 99999.99, quantity: 0.25 },
    ],
    asks: [{ price: 100000.01, quantity: 1.5 }],
    stated: Date.parse('2025-06-15T15:06:40.662Z'),
  });
  const bars = candles.parse(fixture(coinbase, 'spot-candles'), ask);
  t.strictSame(bars[0], {
    ...{ timestamp: 1749999600000, open: 100000, high: 100200, low: 99900, close: 100100.5 },
    ...{ volume: 12.5, turnover: null },
  });
  t.equal(bars.length, 2);
});

t.test('perpetuals that all state a pause are closed, until one trades again', async (t) => {
  const states = (state: string) =>
    (perpetuals as Record<string, unknown>[]).map((row) => ({ ...row, trading_state: state }));
  const parts = [prices.parts, derivatives.parts, openInterest.parts].map((one) => one.perpetual);
  for (const { parse } of parts) {
    const closed = `every perpetual is ${'PAUSED'.padEnd(20, '_')}`;
    const paused = states('PAUSED'.padEnd(21, '_'));
    t.strictSame(parse([paused], perpetual), { rows: [], dropped: [], closed });
    t.notOk('closed' in parse([perpetuals], perpetual), 'some trade');
    const mixed = [...states('PAUSED').slice(1), ...states('HALTED').slice(0, 1)];
    t.equal(parse([mixed], perpetual).closed, 'every perpetual is PAUSED or HALTED');
    const spot = { symbol: 'BTC-USDC', type: 'SPOT', trading_state: 'TRADING' };
    t.equal(parse([[spot]], perpetual).closed, 'no perpetual is listed');
    t.notOk(
      'closed' in parse([[...states('PAUSED'), { symbol: 'X-PERP', type: 'PERP' }]], perpetual),
    );
    t.throws(() => parse([[]], perpetual), { name: 'ShapeError' }, 'an empty list states nothing');
  }
});

wholeVenue(coinbase);
