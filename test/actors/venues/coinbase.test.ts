import t from 'tap';
import { coinbase } from '../../../actors/venues/coinbase.ts';
import { askFor, contextOf, fixture, instrumentOf, pricesOf } from './fixtures.ts';

const { orderBook, candles } = coinbase.queries;
const { instruments, prices, derivatives, openInterest } = coinbase.feeds;
const { advanced, exchange, international } = coinbase.apis;
const nothing = { received: 0, instruments: new Map() };
const perpetual = contextOf(coinbase, 'perpetual');
const perpetuals = fixture(coinbase, 'perpetual-prices');
const stated = Date.parse('2025-06-15T15:06:40.454Z');

t.test('what each refusal means', async (t) => {
  const code = (status: number, error: string) => advanced.fault(status, { error })?.code;
  t.equal(code(404, 'NOT_FOUND'), 'unknown_instrument');
  t.equal(code(400, 'INVALID_ARGUMENT'), 'unknown_instrument');
  t.equal(code(429, 'rate_limit_exceeded'), 'rate_limited');
  t.equal(code(400, 'RESOURCE_EXHAUSTED'), 'rate_limited');
  t.equal(code(403, 'PERMISSION_DENIED'), 'blocked');
  t.equal(code(500, 'INTERNAL'), 'unavailable');
  t.equal(code(401, 'unauthorized'), 'refused');
  t.equal(exchange.fault(404, { message: 'NotFound' })?.code, 'unknown_instrument');
  t.equal(exchange.fault(429, { message: 'Public rate limit exceeded' })?.code, 'rate_limited');
  t.equal(exchange.fault(400, { message: 'Unsupported granularity' })?.code, 'refused');
  t.equal(exchange.fault(503, { message: 'maintenance' })?.code, 'unavailable');
  t.equal(exchange.fault(403, { message: 'Forbidden' })?.code, 'blocked');
  t.equal(international.fault(404, { title: 'x', status: 404 })?.code, 'unknown_instrument');
  t.equal(international.fault(400, { title: 'x', status: 400 })?.code, 'refused');
  for (const { fault } of [advanced, exchange, international]) {
    for (const body of [{}, [], null, '<html>', { error: '' }, { message: 7 }]) {
      for (const status of [404, 503]) t.equal(fault(status, body), null);
    }
  }
  const fine = { error: 'none', message: 'none', title: 'none' };
  for (const { fault } of [advanced, exchange, international]) t.equal(fault(200, fine), null);
  t.strictSame(exchange.fault(400, { message: 'secret words' }), {
    code: 'refused',
    message: 'Coinbase Exchange error',
    status: 400,
  });
});

t.test('the requests', async (t) => {
  const list = [
    { api: 'advanced', path: '/api/v3/brokerage/market/products', query: { product_type: 'SPOT' } },
  ];
  t.strictSame(instruments.parts.spot.requests({ markets: [] }), list);
  t.strictSame(prices.parts.spot.requests({ markets: [] }), list);
  const all = [{ api: 'international', path: '/api/v1/instruments' }];
  t.strictSame(prices.parts.perpetual.requests({ markets: [] }), all);
  t.equal(derivatives.parts.perpetual.bodiesOf, 'prices');
  t.equal(openInterest.parts.perpetual.bodiesOf, 'prices');
  const spot = { market: 'BTC-USD', part: 'spot', instrument: null };
  const perp = { market: 'BTC-PERP', part: 'perpetual', instrument: null };
  t.match(orderBook.request({ ...spot, depth: 37 }), {
    api: 'advanced',
    path: '/api/v3/brokerage/market/product_book',
    query: { product_id: 'BTC-USD', limit: 37 },
  });
  t.match(orderBook.request({ ...perp, depth: 5 }).query, { product_id: 'BTC-PERP-INTX' });
  const long = { ...perp, market: 'BTC-PERP-INTX', depth: 5 };
  t.match(orderBook.request(long).query, { product_id: 'BTC-PERP-INTX' });
  const bar = { interval: '3600', limit: 300 };
  const now = Date.parse('2025-06-15T15:06:40Z');
  const before = Date.parse('2025-06-15T15:00:00Z');
  const range = { start: '2025-06-03T03:00:00Z', end: '2025-06-15T14:59:59Z' };
  t.strictSame(candles.request({ ...spot, ...bar, now }), {
    api: 'exchange',
    path: '/products/BTC-USD/candles',
    query: { granularity: '3600' },
  });
  t.strictSame(candles.request({ ...spot, ...bar, before }).query, {
    granularity: '3600',
    ...range,
  });
  t.strictSame(candles.request({ ...perp, ...bar, before }), {
    api: 'international',
    path: '/api/v1/instruments/BTC-PERP/candles',
    query: { granularity: 'ONE_HOUR', ...range },
  });
  t.strictSame(
    candles.request({ ...perp, ...bar, limit: 2, now }).query,
    { granularity: 'ONE_HOUR', start: '2025-06-15T14:00:00Z', end: '2025-06-15T15:59:59Z' },
    'the running hour and the one before',
  );
  t.strictSame(candles.request({ ...perp, ...bar }).query, { granularity: 'ONE_HOUR' });
});

t.test('a symbol that no list holds goes by its form', async (t) => {
  t.equal(coinbase.partOf('BTC-USD'), 'spot');
  t.equal(coinbase.partOf('BTC-PERP'), 'perpetual');
  t.equal(coinbase.partOf('BTC-PERP-INTX'), 'perpetual');
});

t.test('what is followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(coinbase, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    'BTC-USD': 'spot',
    'BTC-USDC': 'spot',
    'USDT-USD': 'spot',
    'ETH-BTC': 'spot',
    'ETH-EUR': 'spot',
    'ONLY-USDC': 'spot',
    'NEVER-USD': 'other', // view only
    'OLD-USD': 'other', // delisted
    'AUCT-USD': 'other', // an auction
    'TSLA-USD': 'other', // a share
  });
  t.strictSame(kinds('perpetual'), {
    'BTC-PERP': 'perpetual',
    '1000PEPE-PERP': 'perpetual',
    'ETH-PERP': 'perpetual',
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
    { market: '1000PEPE-PERP', symbol: 'PEPE', price: 0.000012, volume: 5_000_000 }, // 0.012 / 1000
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

t.test('a broken row is dropped, the others stay', async (t) => {
  const good = { symbol: 'BTC-PERP', type: 'PERP', trading_state: 'TRADING' };
  const rows = [{ ...good, quote: { trade_price: '1' } }, { ...good, quote: null }, null, {}];
  const parsed = prices.parts.perpetual.parse([rows], perpetual);
  t.equal(parsed.rows.length, 1);
  t.strictSame(parsed.dropped, [
    { key: 'BTC-PERP', code: 'bad_row' },
    { key: '', code: 'bad_row' },
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
    volume: 2_000_000,
    turnover: null,
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
    timestamp: 1749999600000,
    open: 100000,
    high: 100200,
    low: 99900,
    close: 100100.5,
    volume: 12.5,
    turnover: null,
  });
  t.equal(bars.length, 2);
});
