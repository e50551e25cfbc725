import t from 'tap';
import { kraken } from '../../../actors/venues/kraken.ts';
import { askFor, contextOf, fixture, instrumentOf, pricesOf } from './fixtures.ts';

const { orderBook, candles } = kraken.queries;
const { derivatives, openInterest } = kraken.feeds;
const everything = { markets: [] };
const futures = contextOf(kraken, 'futures');
const tickers = fixture(kraken, 'futures-prices');
const stated = Date.parse('2025-06-15T15:06:40.250Z');

t.test('what each refusal of spot means', async (t) => {
  const fault = (error: string, status = 200) =>
    kraken.apis.spot.fault(status, { error: [error] })?.code;
  t.equal(fault('EQuery:Unknown asset pair'), 'unknown_instrument');
  t.equal(fault('EQuery:Invalid asset pair'), 'unknown_instrument');
  t.equal(fault('EGeneral:Too many requests'), 'rate_limited');
  t.equal(fault('EAPI:Rate limit exceeded'), 'rate_limited');
  t.equal(fault('EGeneral:Temporary lockout'), 'rate_limited');
  t.equal(fault('EService:Unavailable'), 'unavailable');
  t.equal(fault('EService:Busy'), 'unavailable');
  t.equal(fault('EGeneral:Invalid arguments', 400), 'refused');
  t.strictSame(kraken.apis.spot.fault(200, { error: ['EGeneral:Invalid arguments:words'] }), {
    code: 'refused',
    message: 'EGeneral:Invalid arguments',
    status: 200,
  });
  for (const body of [{ error: [], result: {} }, { error: '' }, {}, [], null, '<html>', 7]) {
    for (const status of [200, 404, 503]) t.equal(kraken.apis.spot.fault(status, body), null);
  }
});

t.test('what each refusal of the futures means', async (t) => {
  const fault = (error: string, status = 200) =>
    kraken.apis.futures.fault(status, { result: 'error', error, serverTime: '' })?.code;
  t.equal(fault('apiLimitExceeded'), 'rate_limited');
  t.equal(fault('Unavailable'), 'unavailable');
  t.equal(fault('contractNotFound'), 'unknown_instrument');
  t.equal(fault('invalidArgument: symbol'), 'unknown_instrument');
  t.equal(fault('authenticationError'), 'refused');
  t.equal(fault('', 500), 'unavailable');
  t.equal(fault('', 429), 'rate_limited');
  t.equal(kraken.apis.futures.fault(404, { errors: [] })?.code, 'unknown_instrument');
  for (const body of [{ result: 'success' }, {}, [], null, '<html>']) {
    for (const status of [200, 503]) t.equal(kraken.apis.futures.fault(status, body), null);
  }
});

t.test('the requests', async (t) => {
  const { instruments, prices } = kraken.feeds;
  t.match(instruments.parts.spot.requests(everything), [
    { api: 'spot', path: '/0/public/AssetPairs' },
  ]);
  t.match(prices.parts.spot.requests(everything), [{ api: 'spot', path: '/0/public/Ticker' }]);
  t.match(prices.parts.futures.requests(everything), [
    { api: 'futures', path: '/derivatives/api/v3/tickers' },
  ]);
  t.equal(derivatives.parts.futures.bodiesOf, 'prices');
  t.equal(openInterest.parts.futures.bodiesOf, 'prices');
  const spot = { market: 'XBTUSD', part: 'spot', instrument: null };
  const future = { market: 'PF_XBTUSD', part: 'futures', instrument: null };
  t.strictSame(orderBook.request({ ...spot, depth: 37 }), {
    api: 'spot',
    path: '/0/public/Depth',
    query: { pair: 'XBTUSD', count: 37 },
  });
  t.match(orderBook.request({ ...future, depth: 37 }), { query: { symbol: 'PF_XBTUSD' } });
  const bar = { interval: '60', limit: 100 };
  t.strictSame(candles.request({ ...spot, ...bar, before: 1 }), {
    api: 'spot',
    path: '/0/public/OHLC',
    budget: 'ohlc',
    query: { pair: 'XBTUSD', interval: '60' },
  });
  const path = '/api/charts/v1/trade/PF_XBTUSD/1h';
  t.strictSame(candles.request({ ...future, ...bar }), { api: 'futures', path });
  t.strictSame(
    candles.request({ ...future, ...bar, before: 1_749_999_600_000 }),
    { api: 'futures', path, query: { from: 1_749_639_600, to: 1_749_999_599 } },
    '100 hours that end before 15:00',
  );
  t.match(candles.request({ ...future, ...bar, now: 1_749_999_700_500 }), {
    query: { to: 1_749_999_699 },
  });
});

t.test('a symbol that no list holds goes by its form', async (t) => {
  for (const id of ['PF_XBTUSD', 'PI_XBTUSD', 'FI_XBTUSD_250926', 'FF_XBTUSD_250926']) {
    t.equal(kraken.partOf(id), 'futures', id);
  }
  for (const id of ['XXBTZUSD', 'XBTUSD', 'PEPEUSD', 'XBT/USD']) {
    t.equal(kraken.partOf(id), 'spot', id);
  }
});

t.test('XBT and the X and Z prefixes: ids keep them, symbols and quotes do not', async (t) => {
  const named = (id: string) => {
    const { symbol, quote, kind } = instrumentOf(kraken, 'spot', id);
    return [symbol, quote, kind];
  };
  t.strictSame(named('XXBTZUSD'), ['BTC', 'USD', 'spot']);
  t.strictSame(named('XBTUSDT'), ['BTC', 'USDT', 'spot']);
  t.strictSame(named('XDGUSD'), ['DOGE', 'USD', 'spot']);
  t.strictSame(named('XETHXXBT'), ['ETH', 'BTC', 'spot']);
  t.strictSame(named('XETHZEUR'), ['ETH', 'EUR', 'spot']);
  t.strictSame(named('USDTZUSD'), ['USDT', 'USD', 'spot']);
  t.strictSame(named('LUNAUSD'), ['LUNC', 'USD', 'spot'], 'the old LUNA');
  t.strictSame(named('OLDUSD'), ['OLD', 'USD', 'other'], 'cancel_only');
  t.strictSame(named('AAPLxUSD'), ['AAPLX', 'USD', 'other'], 'a share');
});

t.test('spot prices: volume in base times its mean price', async (t) => {
  const { rows, dropped } = pricesOf(kraken, 'spot');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.symbol, row.price, row.volume, row.change, row.stated]),
    [
      ['XXBTZUSD', 'BTC', 100000.5, 2000.25 * 99500.4, null, null], // the second of each pair
      ['XBTUSDT', 'BTC', 100010.1, 12.5 * 100100, null, null],
      ['XDGUSD', 'DOGE', 0.21, 5_000_000 * 0.2, null, null],
      ['USDTZUSD', 'USDT', 0.9999, 4_000_000 * 0.9998, null, null],
      ['PEPEUSD', 'PEPE', 0.000012, null, null, null], // '' is unknown, not 0
      ['LUNAUSD', 'LUNC', 0.00005, 0, null, null],
    ],
  );
});

t.test('a broken spot row is dropped, the others stay', async (t) => {
  const body = {
    error: [],
    result: {
      XXBTZUSD: { c: ['100'], v: ['1', '2'], p: ['1', '100'] },
      XBTUSDT: { c: ['0'], v: ['1', '2'], p: ['1', '100'] },
      XDGUSD: null,
      USDTZUSD: { c: '1', v: null },
      NEWUSD: { c: ['1'] },
    },
  };
  const parsed = kraken.feeds.prices.parts.spot.parse([body], contextOf(kraken, 'spot'));
  t.match(parsed.rows, [{ market: 'XXBTZUSD', price: 100, volume: 200 }]);
  t.equal(parsed.rows.length, 1);
  t.strictSame(parsed.dropped, [
    { key: 'XBTUSDT', code: 'bad_row' },
    { key: 'XDGUSD', code: 'bad_row' },
    { key: 'USDTZUSD', code: 'bad_row' },
    { key: 'NEWUSD', code: 'unknown_instrument' },
  ]);
});

t.test('what is followed of the futures: perpetuals of coins that trade', async (t) => {
  const kinds = Object.fromEntries([...futures.instruments].map(([id, { kind }]) => [id, kind]));
  t.strictSame(kinds, {
    PI_XBTUSD: 'perpetual',
    PF_XBTUSD: 'perpetual',
    PF_XDGUSD: 'perpetual',
    PF_PEPEUSD: 'perpetual',
    PF_OLDUSD: 'other', // not tradeable
    PF_AAPLXUSD: 'other', // tradfi
    PF_EURUSD: 'other', // a currency
    FI_XBTUSD_250926: 'other', // dated
  });
  t.strictSame(instrumentOf(kraken, 'futures', 'PI_XBTUSD'), {
    market: 'PI_XBTUSD',
    kind: 'perpetual',
    quote: 'USD',
    contract: 1,
    inverse: true,
    symbol: 'BTC',
    scale: 1,
    funding_hours: 1,
  });
  t.match(instrumentOf(kraken, 'futures', 'PF_XDGUSD'), { symbol: 'DOGE', inverse: false });
});

t.test('PI_XBTUSD: contracts of one USD, funding in BTC per contract and hour', async (t) => {
  const [price] = pricesOf(kraken, 'futures').rows;
  t.strictSame(price, {
    market: 'PI_XBTUSD',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    price: 100000,
    volume: 5_000_000, // contracts x 1 USD
    change: (100000 / 98000 - 1) * 100,
    stated,
  });
  const [interest] = openInterest.parts.futures.parse([tickers], futures).rows;
  t.match(interest, { units: 200, value: 20_000_000, mark: 100000 }, '20,000,000 USD / 100,000');
  const [row] = derivatives.parts.futures.parse([tickers], futures).rows;
  t.match(row, { mark: 100000, index: 99990.5, funding_hours: 1, stated });
  t.ok(Math.abs((row?.funding_rate ?? 0) - 0.000015) < 1e-18, '1.5e-10 BTC x 100,000');
  t.ok(Math.abs((row?.funding_rate_8h ?? 0) - 0.00012) < 1e-17, '8 hours of it');
  t.equal(row?.next_funding, Date.parse('2025-06-15T16:00:00Z'));
  const ask = askFor(kraken, 'futures', 'PI_XBTUSD');
  const book = orderBook.parse(fixture(kraken, 'futures-order-book'), ask);
  t.strictSame(book.bids[0], { price: 100000, quantity: 0.2 }, '20,000 USD / 100,000');
  t.strictSame(book.asks[0], { price: 100000.5, quantity: 0.25 }, '25,000.125 USD / 100,000.5');
  t.equal(book.asks.length, 2, 'a level without quantity is left out');
  t.equal(book.stated, stated);
  const [bar, ...more] = candles.parse(fixture(kraken, 'futures-candles'), ask);
  t.strictSame([bar?.volume, bar?.turnover], [5, 500_000], '500,000 USD / 100,000, the mean');
  t.equal(more.length, 1, 'a row without open is left out');
  const unlisted = { ...ask, instrument: null };
  t.strictSame(orderBook.parse(fixture(kraken, 'futures-order-book'), unlisted), book);
});

t.test('PF_XBTUSD: base units, funding in USD per BTC and hour', async (t) => {
  const [, price, doge, pepe] = pricesOf(kraken, 'futures').rows;
  t.match(price, { market: 'PF_XBTUSD', price: 100010, volume: 150_000_000.5, change: 0 });
  t.match(doge, { symbol: 'DOGE', volume: 200_000, change: null }, '1,000,000 x 0.2');
  t.match(pepe, { price: 0.000012, volume: null });
  const interest = openInterest.parts.futures.parse([tickers], futures);
  t.match(interest.rows[1], { units: 800.25, value: 80_025_000 }, '800.25 x 100,000');
  t.strictSame(interest.dropped, [{ key: 'PF_PEPEUSD', code: 'bad_row' }]);
  const { rows } = derivatives.parts.futures.parse([tickers], futures);
  t.match(rows[1], { funding_rate: 0.0000125, funding_rate_8h: 0.0001 }, '1.25 / 100,000');
  t.match(rows[2], { mark: 0.2, funding_rate: null, funding_rate_8h: null }, 'absent is not 0');
  t.match(rows[3], { mark: 0.0000125, funding_rate: null });
  const ask = askFor(kraken, 'futures', 'PF_XBTUSD');
  const book = orderBook.parse(fixture(kraken, 'futures-order-book'), ask);
  t.strictSame(book.bids[0], { price: 100000, quantity: 20000 });
  const [bar] = candles.parse(fixture(kraken, 'futures-candles'), ask);
  t.strictSame([bar?.volume, bar?.turnover], [500_000, null]);
});

t.test('indices, dated and suspended contracts are silent', async (t) => {
  const { rows, dropped } = pricesOf(kraken, 'futures');
  t.strictSame(
    rows.map((row) => row.market),
    ['PI_XBTUSD', 'PF_XBTUSD', 'PF_XDGUSD', 'PF_PEPEUSD'],
  );
  t.strictSame(dropped, []);
});

t.test('the next funding follows from our clock where the answer has no time', async (t) => {
  const body = { result: 'success', tickers: [{ symbol: 'PF_XBTUSD', markPrice: 1 }] };
  const received = Date.parse('2025-06-15T15:59:59Z');
  const [row] = derivatives.parts.futures.parse([body], { ...futures, received }).rows;
  t.match(row, { next_funding: Date.parse('2025-06-15T16:00:00Z'), stated: null });
});

t.test('spot book and candles', async (t) => {
  const ask = askFor(kraken, 'spot', 'XXBTZUSD');
  t.strictSame(orderBook.parse(fixture(kraken, 'spot-order-book'), ask), {
    bids: [
      { price: 100000, quantity: 0.75 },
      { price: 99999.9, quantity: 2 },
    ],
    asks: [
      { price: 100001, quantity: 0.5 },
      { price: 100002.5, quantity: 1.25 },
    ],
    stated: null,
  });
  t.strictSame(
    candles
      .parse(fixture(kraken, 'spot-candles'), ask)
      .map((bar) => [bar.timestamp, bar.close, bar.volume, bar.turnover]),
    [
      [1749992400000, 100000, 10, 995_000], // 10 x 99,500
      [1749996000000, 100000.5, 0, 0],
      [1749999600000, 100000.5, 0.25, 25000.125],
    ],
  );
});
