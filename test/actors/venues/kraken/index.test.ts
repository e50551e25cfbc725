import t from 'tap';
import { kraken } from '../../../../actors/venues/kraken/index.ts';
import { feedOf, subscriptions } from '../../../../actors/venues/kraken/streams.ts';
import { askFor, contextOf, fixture, instrumentOf, pricesOf } from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = kraken.queries;
const { derivatives, openInterest } = kraken.feeds;
const futures = contextOf(kraken, 'futures');
const tickers = fixture(kraken, 'futures-prices');
const stated = Date.parse('2025-06-15T15:06:40.250Z');

t.test('XBT and the X and Z prefixes: ids keep them, symbols and quotes do not', async (t) => {
  const named = (id: string) => {
    const { symbol, quote, kind } = instrumentOf(kraken, 'spot', id);
    return [symbol, quote, kind];
  };
  t.strictSame(instrumentOf(kraken, 'spot', 'XXBTZUSD'), {
    market: 'XXBTZUSD',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 1,
    inverse: false,
    funding_hours: null,
    decimals: { price: 1, quantity: 8 },
  });
  t.strictSame(named('XBTUSDT'), ['BTC', 'USDT', 'spot']);
  t.strictSame(named('XDGUSD'), ['DOGE', 'USD', 'spot']);
  t.strictSame(named('XETHXXBT'), ['ETH', 'BTC', 'spot']);
  t.strictSame(named('XETHZEUR'), ['ETH', 'EUR', 'spot']);
  t.strictSame(named('USDTZUSD'), ['USDT', 'USD', 'spot']);
  t.strictSame(named('LUNAUSD'), ['LUNC', 'USD', 'spot'], 'the old LUNA');
  t.strictSame(named('OLDUSD'), ['OLD', 'USD', 'other'], 'cancel_only');
  t.strictSame(named('AAPLxUSD'), ['AAPLX', 'USD', 'other'], 'a share');
});

t.test('spot prices: the second of each pair; volume in base times its mean price', async (t) => {
  const { rows, dropped } = pricesOf(kraken, 'spot');
  t.strictSame(dropped, []);
  t.strictSame(rounded(rows[0]), {
    market: 'XXBTZUSD',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USD',
    price: 100_000.5,
    bid: 100_000.4,
    ask: 100_000.6,
    high: 100_900.8,
    low: 98_400.3,
    base: 2000.25,
    volume: 199_025_675.1, // 2,000.25 x 99,500.4
    change: null,
    stated: null,
  });
  t.strictSame(
    rounded(rows.slice(1).map((row) => [row.market, row.symbol, row.price, row.volume])),
    [
      ['XBTUSDT', 'BTC', 100_010.1, 1_251_250], // 12.5 x 100,100
      ['XDGUSD', 'DOGE', 0.21, 1_000_000], // 5,000,000 x 0.2
      ['USDTZUSD', 'USDT', 0.9999, 3_999_200], // 4,000,000 x 0.9998
      ['PEPEUSD', 'PEPE', 0.000012, null], // '' is unknown, not 0
      ['LUNAUSD', 'LUNC', 0.00005, 0],
    ],
  );
});

t.test('spot books and candles', async (t) => {
  const ask = askFor(kraken, 'spot', 'XXBTZUSD');
  t.strictSame(orderBook.parse(fixture(kraken, 'spot-order-book'), ask), {
    bids: [
      { price: 100_000, quantity: 0.75 },
      { price: 99_999.9, quantity: 2 },
    ],
    asks: [
      { price: 100_001, quantity: 0.5 },
      { price: 100_002.5, quantity: 1.25 },
    ],
    stated: null,
  });
  t.strictSame(candles.parse(fixture(kraken, 'spot-candles'), ask)[0], {
    timestamp: 1_749_992_400_000,
    open: 99_000,
    high: 100_100,
    low: 98_900,
    close: 100_000,
    volume: 10,
    turnover: 995_000, // 10 at 99,500 on average
  });
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
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 1,
    inverse: true,
    funding_hours: 1,
  });
  t.match(instrumentOf(kraken, 'futures', 'PF_XDGUSD'), { symbol: 'DOGE', inverse: false });
});

t.test('PI_XBTUSD: contracts of one USD, funding in BTC per contract and hour', async (t) => {
  t.strictSame(rounded(pricesOf(kraken, 'futures').rows[0]), {
    market: 'PI_XBTUSD',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    price: 99_960,
    bid: 99_959.5,
    ask: 99_960.5,
    high: 101_200.5,
    low: 97_400.5,
    base: null,
    volume: 5_000_000, // contracts x 1 USD
    change: 2, // from 98,000
    stated,
  });
  t.strictSame(openInterest.parts.futures.parse([tickers], futures).openInterest.rows[0], {
    market: 'PI_XBTUSD',
    symbol: 'BTC',
    quote: 'USD',
    units: 201, // 20,100,000 USD / 100,000
    value: 20_100_000,
    mark: 100_000,
    stated,
  });
  t.strictSame(rounded(derivatives.parts.futures.parse([tickers], futures).derivatives.rows[0]), {
    market: 'PI_XBTUSD',
    symbol: 'BTC',
    quote: 'USD',
    mark: 100_000,
    index: 99_990.5,
    funding_rate: 0.000015, // 1.5e-10 BTC x 100,000
    funding_hours: 1,
    funding_rate_8h: 0.00012,
    next_funding: Date.parse('2025-06-15T16:00:00Z'),
    stated,
    predicted_rate: 0.00001, // 1e-10 BTC x 100,000
  });
  const ask = askFor(kraken, 'futures', 'PI_XBTUSD');
  const book = orderBook.parse(fixture(kraken, 'futures-order-book'), ask);
  t.strictSame(book.bids[0], { price: 100000, quantity: 0.2 }, '20,000 USD / 100,000');
  t.strictSame(book.asks[0], { price: 100000.5, quantity: 0.25 }, '25,000.125 USD / 100,000.5');
  const [bar, ...more] = candles.parse(fixture(kraken, 'futures-candles'), ask);
  t.strictSame([bar?.volume, bar?.turnover], [5, 500_000], '500,000 USD / 100,000, the mean');
  t.equal(more.length, 1, 'a row without open is left out');
  const unlisted = { ...ask, instrument: null };
  t.strictSame(orderBook.parse(fixture(kraken, 'futures-order-book'), unlisted), book);
});

t.test('PF_XBTUSD: base units, funding in USD per BTC and hour', async (t) => {
  const [, price, doge, pepe] = pricesOf(kraken, 'futures').rows;
  t.strictSame(rounded(price), {
    market: 'PF_XBTUSD',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    price: 100_040,
    bid: 100_039,
    ask: 100_041.5,
    high: 101_250,
    low: 97_450,
    base: 1500.5,
    volume: 149_500_000.5,
    change: 2.5, // from 97,600
    stated,
  });
  t.match(doge, { symbol: 'DOGE', volume: 200_000, change: null }, '1,000,000 x 0.2');
  t.match(pepe, { price: 0.000012, volume: null });
  const interest = openInterest.parts.futures.parse([tickers], futures).openInterest;
  t.strictSame(interest.rows[1], {
    market: 'PF_XBTUSD',
    symbol: 'BTC',
    quote: 'USD',
    units: 800.25,
    value: 80_041_005, // 800.25 x 100,020
    mark: 100_020,
    stated,
  });
  t.strictSame(interest.dropped, [{ key: 'PF_PEPEUSD', code: 'bad_row' }]);
  const { rows } = derivatives.parts.futures.parse([tickers], futures).derivatives;
  t.strictSame(rounded(rows[1]), {
    market: 'PF_XBTUSD',
    symbol: 'BTC',
    quote: 'USD',
    mark: 100_020,
    index: 100_005.5,
    funding_rate: 0.0000125, // 1.25025 / 100,020
    funding_hours: 1,
    funding_rate_8h: 0.0001,
    next_funding: Date.parse('2025-06-15T16:00:00Z'),
    stated,
    predicted_rate: 0.000005, // 0.5001 / 100,020
  });
  t.match(rows[2], { mark: 0.2001, funding_rate: null, funding_rate_8h: null }, 'absent is not 0');
  t.match(rows[3], { mark: 0.00001205, funding_rate: null });
  const ask = askFor(kraken, 'futures', 'PF_XBTUSD');
  t.strictSame(orderBook.parse(fixture(kraken, 'futures-order-book'), ask), {
    bids: [
      { price: 100_000, quantity: 20_000 },
      { price: 99_999.5, quantity: 5000 },
    ],
    // A level without quantity is left out.
    asks: [
      { price: 100_000.5, quantity: 25_000.125 },
      { price: 100_002, quantity: 40_000 },
    ],
    stated,
  });
  t.strictSame(candles.parse(fixture(kraken, 'futures-candles'), ask)[0], {
    timestamp: 1_749_992_400_000,
    open: 99_400,
    high: 101_000,
    low: 99_000,
    close: 100_600,
    volume: 500_000,
    turnover: null,
  });
});

t.test('the next funding follows from our clock where the answer has no time', async (t) => {
  const body = { result: 'success', tickers: [{ symbol: 'PF_XBTUSD', markPrice: 1 }] };
  const received = Date.parse('2025-06-15T15:59:59Z');
  const [row] = derivatives.parts.futures.parse([body], { ...futures, received }).derivatives.rows;
  t.match(row, { next_funding: Date.parse('2025-06-15T16:00:00Z'), stated: null });
});

t.test('a message names 200 products at most, an alert is a refusal', async (t) => {
  const products = Array.from({ length: 401 }, (_, i) => `PF_${i}`);
  const [heartbeat, ...messages] = subscriptions('ticker', products).map((one) => JSON.parse(one));
  t.match(heartbeat, { event: 'subscribe', feed: 'heartbeat' });
  t.strictSame(
    messages.map(({ product_ids }) => product_ids.length),
    [200, 200, 1],
  );
  t.throws(() => feedOf({ event: 'alert', message: 'no feed' }), { message: /refused: no feed/ });
});

t.test('older trades are asked for until the range begins', async (t) => {
  const past = kraken.events.liquidations.futures.past;
  const to = 1_750_000_000_000;
  const older = (history: object[], market?: string) => {
    const request = { api: 'futures', path: '/', ...(market && { market }) } as const;
    return past?.before?.(request, { history }, { from: to, to: to + 1 })?.query?.lastTime ?? null;
  };
  const trade = (at: number) => ({ time: new Date(at).toISOString() });
  t.equal(older([trade(to + 1), trade(to + 9_000)], 'PF_XBTUSD'), '2025-06-15T15:06:41Z');
  t.strictSame(
    [
      older([trade(to)], 'PF_XBTUSD'),
      older([], 'PF_XBTUSD'),
      older([{ time: 'x' }], 'PF_XBTUSD'),
      older([trade(to + 1)]),
    ],
    [null, null, null, null],
  );
});

// https://docs.kraken.com/api/docs/websocket-v2/ticker: an acknowledgement for each symbol of the request.
t.test('each pair of a subscription is acknowledged by itself', async (t) => {
  const { acknowledges } = kraken.live.prices.spot;
  const said = { method: 'subscribe', success: true, result: { channel: 'ticker' }, req_id: 1 };
  t.equal(acknowledges?.(said), 1);
  for (const other of [
    { ...said, success: false },
    { ...said, method: 'unsubscribe' },
    { method: 'pong' },
  ])
    t.equal(acknowledges?.(other), 0);
});

wholeVenue(kraken);
