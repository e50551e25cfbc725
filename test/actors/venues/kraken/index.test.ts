import t from 'tap';
import { kraken } from '../../../../actors/venues/kraken/index.ts';
import { feedOf, subscriptions } from '../../../../actors/venues/kraken/stream.ts';
import { askFor, contextOf, fixture, instrumentOf, pricesOf } from '../fixtures.ts';
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

t.test('what is followed of the futures: perpetuals of coins that trade', async (t) => {
  const kinds = Object.fromEntries([...futures.instruments].map(([id, { kind }]) => [id, kind]));
  t.strictSame(kinds, {
    ...{ PI_XBTUSD: 'perpetual', PF_XBTUSD: 'perpetual', PF_XDGUSD: 'perpetual' },
    PF_PEPEUSD: 'perpetual',
    PF_OLDUSD: 'other', // not tradeable
    PF_AAPLXUSD: 'other', // tradfi
    PF_EURUSD: 'other', // a currency
    FI_XBTUSD_250926: 'other', // dated
  });
  t.strictSame(instrumentOf(kraken, 'futures', 'PI_XBTUSD'), {
    ...{ market: 'PI_XBTUSD', kind: 'perpetual', quote: 'USD', contract: 1, inverse: true },
    ...{ symbol: 'BTC', scale: 1, funding_hours: 1 },
  });
  t.match(instrumentOf(kraken, 'futures', 'PF_XDGUSD'), { symbol: 'DOGE', inverse: false });
});

t.test('PI_XBTUSD: contracts of one USD, funding in BTC per contract and hour', async (t) => {
  const [price] = pricesOf(kraken, 'futures').rows;
  t.strictSame(price, {
    ...{ market: 'PI_XBTUSD', kind: 'perpetual', symbol: 'BTC', quote: 'USD', price: 100000 },
    ...{ bid: 100000, ask: 100000, high: null, low: null, base: null },
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
  t.ok(Math.abs((row?.predicted_rate ?? 0) - 0.00001) < 1e-18, '1e-10 BTC x 100,000');
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

t.test('the next funding follows from our clock where the answer has no time', async (t) => {
  const body = { result: 'success', tickers: [{ symbol: 'PF_XBTUSD', markPrice: 1 }] };
  const received = Date.parse('2025-06-15T15:59:59Z');
  const [row] = derivatives.parts.futures.parse([body], { ...futures, received }).rows;
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

wholeVenue(kraken);
