import t from 'tap';
import { kraken } from '../../../../actors/venues/kraken/index.ts';
import { feedOf, subscriptions } from '../../../../actors/venues/kraken/streams.ts';
import { levels } from '../../../support/makers.ts';
import { sameRows } from '../../../support/table.ts';
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
    tick: 0.1,
    wire: 'BTC/USD',
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
  sameRows(t, instrumentOf(kraken, 'futures', 'PI_XBTUSD'))`
    market    kind      symbol quote scale contract inverse funding_hours tick
    PI_XBTUSD perpetual BTC    USD   1     1        true    1 0.5
  `;
  t.match(instrumentOf(kraken, 'futures', 'PF_XDGUSD'), { symbol: 'DOGE', inverse: false });
});

t.test('PI_XBTUSD: contracts of one USD, funding in BTC per contract and hour', async (t) => {
  sameRows(t, rounded(pricesOf(kraken, 'futures').rows[0]))`
    market    kind      symbol quote price  bid      ask      high      low      base volume    change stated
    // volume: contracts x 1 USD; change: from 98,000
    PI_XBTUSD perpetual BTC    USD   99_960 99_959.5 99_960.5 101_200.5 97_400.5 -    5_000_000 2      ${stated}
  `;
  sameRows(t, openInterest.parts.futures.parse([tickers], futures).openInterest.rows[0])`
    market    symbol quote units value      mark    stated
    PI_XBTUSD BTC    USD   201   20_100_000 100_000 ${stated} // units: 20,100,000 USD / 100,000
  `;
  sameRows(t, rounded(derivatives.parts.futures.parse([tickers], futures).derivatives.rows[0]))`
    market    symbol quote mark    index    funding_rate funding_hours funding_rate_8h next_funding                          stated    predicted_rate
    // funding_rate: 1.5e-10 BTC x 100,000; predicted_rate: 1e-10 BTC x 100,000
    PI_XBTUSD BTC    USD   100_000 99_990.5 0.000015     1             0.00012         ${Date.parse('2025-06-15T16:00:00Z')} ${stated} 0.00001
  `;
  const ask = askFor(kraken, 'futures', 'PI_XBTUSD');
  const book = orderBook.parse(fixture(kraken, 'futures-order-book'), ask);
  t.strictSame(book.bids[0], { price: 100000, quantity: 0.2 }, '20,000 USD / 100,000');
  t.strictSame(book.asks[0], { price: 100000.5, quantity: 0.25 }, '25,000.125 USD / 100,000.5');
  const [bar, ...more] = candles.parse(fixture(kraken, 'futures-candles'), ask);
  t.strictSame([bar?.volume, bar?.turnover], [5, 500_000], '500,000 USD / 100,000, the mean');
  t.equal(more.length, 1, 'a row without open is left out');
});

t.test('PF_XBTUSD: base units, funding in USD per BTC and hour', async (t) => {
  const [, price, doge, pepe] = pricesOf(kraken, 'futures').rows;
  sameRows(t, rounded(price))`
    market    kind      symbol quote price   bid     ask       high    low    base   volume        change stated
    PF_XBTUSD perpetual BTC    USD   100_040 100_039 100_041.5 101_250 97_450 1500.5 149_500_000.5 2.5    ${stated} // change: from 97,600
  `;
  t.match(doge, { symbol: 'DOGE', volume: 200_000, change: null }, '1,000,000 x 0.2');
  t.match(pepe, { price: 0.000012, volume: null });
  const interest = openInterest.parts.futures.parse([tickers], futures).openInterest;
  sameRows(t, interest.rows[1])`
    market    symbol quote units  value      mark    stated
    PF_XBTUSD BTC    USD   800.25 80_041_005 100_020 ${stated} // value: 800.25 x 100,020
  `;
  t.strictSame(interest.dropped, [{ key: 'PF_PEPEUSD', code: 'bad_row' }]);
  const { rows } = derivatives.parts.futures.parse([tickers], futures).derivatives;
  sameRows(t, rounded(rows[1]))`
    market    symbol quote mark    index     funding_rate funding_hours funding_rate_8h next_funding                          stated    predicted_rate
    // funding_rate: 1.25025 / 100,020; predicted_rate: 0.5001 / 100,020
    PF_XBTUSD BTC    USD   100_020 100_005.5 0.0000125    1             0.0001          ${Date.parse('2025-06-15T16:00:00Z')} ${stated} 0.000005
  `;
  t.match(rows[2], { mark: 0.2001, funding_rate: null, funding_rate_8h: null }, 'absent is not 0');
  t.match(rows[3], { mark: 0.00001205, funding_rate: null });
  const ask = askFor(kraken, 'futures', 'PF_XBTUSD');
  t.strictSame(orderBook.parse(fixture(kraken, 'futures-order-book'), ask), {
    bids: levels([100_000, 20_000], [99_999.5, 5000]),
    // A level without quantity is left out.
    asks: levels([100_000.5, 25_000.125], [100_002, 40_000]),
    stated,
  });
  sameRows(t, candles.parse(fixture(kraken, 'futures-candles'), ask)[0])`
    timestamp         open   high    low    close   volume  turnover
    1_749_992_400_000 99_400 101_000 99_000 100_600 500_000 -
  `;
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

wholeVenue(t, kraken);
