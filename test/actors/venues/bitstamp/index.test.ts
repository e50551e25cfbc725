import t from 'tap';
import { bitstamp } from '../../../../actors/venues/bitstamp/index.ts';
import {
  askFor,
  bodiesOf,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = bitstamp.queries;
const stated = 1_750_000_000_000;

t.test('the markets that are followed', async (t) => {
  const { instruments } = contextOf(bitstamp, 'markets');
  t.strictSame(Object.fromEntries([...instruments].map(([id, { kind }]) => [id, kind])), {
    'btcusd-perp': 'perpetual', // without an asset class, as older markets are
    'ethusd-perp': 'perpetual',
    'newusd-perp': 'perpetual',
    'goldusd-perp': 'other', // a metal
    'bigusd-perp': 'other', // contracts of 10 coins
    'invusd-perp': 'other', // inverse
    btcusd: 'spot',
    etheur: 'spot',
    daiusd: 'spot',
    oldusd: 'other', // disabled
    eurusd: 'other', // a currency
    btcusdt: 'spot',
    qqqusd: 'other', // an index
    soonusd: 'spot',
  });
  t.equal(bitstamp.partOf(), 'markets');
});

t.test('instruments', async (t) => {
  t.strictSame(instrumentOf(bitstamp, 'markets', 'btcusd-perp'), {
    market: 'btcusd-perp',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 1,
    inverse: false,
    funding_hours: null,
  });
});

t.test('prices of spot and perpetuals out of one body', async (t) => {
  const { rows, dropped } = pricesOf(bitstamp, 'markets');
  t.strictSame(dropped, [], 'what was never traded is silent');
  t.strictSame(
    rows.map((row) => [row.market, row.stated]),
    [
      ['btcusd', stated],
      ['btcusdt', stated],
      ['daiusd', stated],
      ['btcusd-perp', stated],
      ['ethusd-perp', stated],
      ['newusd-perp', stated],
    ],
    'no euros, nothing disabled, no metal, no index, no currency',
  );
  const [btc, quiet, dai, perpetual, , idle] = rows;
  t.strictSame(rounded(btc), {
    market: 'btcusd',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USD',
    price: 104_000,
    bid: 103_999,
    ask: 104_002,
    high: 104_480.5,
    low: 99_875.5,
    base: 1000.5,
    volume: 103_051_500, // 1,000.5 BTC at 103,000 on average
    change: 4, // 104,000 / 100,000 of 24 h ago
    stated,
  });
  t.match(quiet, { volume: 0, high: null, low: null, change: null }, 'no trade for 24 h');
  t.match(dai, { price: 1.2, base: null, volume: null }, 'an empty volume is unknown');
  t.strictSame(rounded(perpetual), {
    market: 'btcusd-perp',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    price: 104_030,
    bid: 104_028.5,
    ask: 104_031.5,
    high: 104_511,
    low: 100_840.5,
    base: 20.25,
    volume: 2_095_875, // 20.25 BTC at 103,500 on average
    change: 3, // 104,030 / 101,000 of 24 h ago
    stated,
  });
  t.match(idle, { price: 3, volume: 0 });
});

t.test('marks out of the tickers, rates per 8 hours market by market', async (t) => {
  const { rows, dropped } = derivativesOf(bitstamp, 'markets');
  t.strictSame(dropped, []);
  t.strictSame(rows[0], {
    market: 'btcusd-perp',
    symbol: 'BTC',
    quote: 'USD',
    mark: 104_022.25,
    index: 104_011.5,
    funding_rate: 0.00013,
    funding_hours: 8,
    funding_rate_8h: 0.00013,
    next_funding: 1_750_003_200_000,
    stated: 1_750_000_001_000,
  });
  t.match(rows.slice(1), [
    { market: 'ethusd-perp', index: null, funding_rate: -0.0002, next_funding: null },
    { market: 'newusd-perp', mark: null, index: 3.01, funding_rate: null, funding_rate_8h: null },
  ]);
  const [tickers, btc] = bodiesOf(bitstamp, 'markets-derivatives');
  const { parse } = bitstamp.feeds.derivatives.parts.markets;
  const context = contextOf(bitstamp, 'markets');
  t.strictSame(
    parse([tickers, btc, undefined, undefined], context).derivatives.rows.map((row) => row.market),
    ['btcusd-perp'],
    'markets whose rate did not come are left out',
  );
  const { dropped: unreadable } = parse([tickers, btc, '<html>'], context).derivatives;
  t.strictSame(unreadable, [{ key: '', code: 'bad_row' }]);
});

t.test('open interest', async (t) => {
  const { rows, dropped } = openInterestOf(bitstamp, 'markets');
  t.strictSame(rows[0], {
    market: 'btcusd-perp',
    symbol: 'BTC',
    quote: 'USD',
    units: 9.5,
    value: 988_200.5,
    mark: 104_022.25,
    stated,
  });
  t.match(rows[1], { market: 'ethusd-perp', units: 100, value: 250_100 }, '100 x 2,501');
  t.strictSame(dropped, [{ key: 'newusd-perp', code: 'bad_row' }]);
  const { parse } = bitstamp.feeds.openInterest.parts.markets;
  const context = contextOf(bitstamp, 'markets');
  const instruments = new Map([...context.instruments].filter(([id]) => id !== 'btcusd'));
  const bodies = bodiesOf(bitstamp, 'markets-prices');
  const unlisted = parse(bodies, { ...context, instruments });
  t.strictSame(unlisted.prices.dropped, [{ key: 'btcusd', code: 'unknown_instrument' }]);
  t.strictSame(unlisted.openInterest.dropped, dropped, 'a spot market has none');
});

t.test('order books and candles', async (t) => {
  const ask = askFor(bitstamp, 'markets', 'btcusd-perp');
  t.strictSame(orderBook.parse(fixture(bitstamp, 'markets-order-book'), ask), {
    bids: [{ price: 104_000, quantity: 1.5 }],
    asks: [
      { price: 104_001, quantity: 0.25 },
      { price: 104_002, quantity: 1 },
    ],
    stated: 1_750_000_000_955,
  });
  const [first, quiet, ...more] = candles.parse(fixture(bitstamp, 'markets-candles'), ask);
  t.strictSame(first, {
    timestamp: 1_749_999_900_000,
    open: 104_000,
    high: 104_200,
    low: 103_900,
    close: 104_100,
    volume: 12.5,
    turnover: null,
  });
  t.match(quiet, { open: 104_100, volume: 0 });
  t.strictSame(more, [], 'a row without a high is left out');
});

wholeVenue(bitstamp);
