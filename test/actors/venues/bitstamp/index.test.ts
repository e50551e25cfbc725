import t from 'tap';
import { bitstamp } from '../../../../actors/venues/bitstamp/index.ts';
import {
  askFor,
  bodiesOf,
  contextOf,
  derivativesOf,
  fixture,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = bitstamp.queries;
const stated = 1_750_000_000_000;

t.test('the markets that are followed', async (t) => {
  const { instruments } = contextOf(bitstamp, 'markets');
  t.strictSame(Object.fromEntries([...instruments].map(([id, { kind }]) => [id, kind])), {
    'btcusd-perp': 'perpetual', // without an asset class, as older markets are
    ...{ 'ethusd-perp': 'perpetual', 'newusd-perp': 'perpetual' },
    'goldusd-perp': 'other', // a metal
    'bigusd-perp': 'other', // contracts of 10 coins
    'invusd-perp': 'other', // inverse
    ...{ btcusd: 'spot', etheur: 'spot', daiusd: 'spot' },
    oldusd: 'other', // disabled
    eurusd: 'other', // a currency
    btcusdt: 'spot',
    qqqusd: 'other', // an index
    soonusd: 'spot',
  });
  t.match(instruments.get('btcusd-perp'), { symbol: 'BTC', quote: 'USD', contract: 1, scale: 1 });
  t.equal(bitstamp.partOf(), 'markets');
});

t.test('prices of spot and perpetuals out of one body', async (t) => {
  const { rows, dropped } = pricesOf(bitstamp, 'markets');
  t.strictSame(dropped, [], 'what was never traded is silent');
  t.strictSame(
    rows.map((row) => [row.market, row.kind, row.price, row.volume]),
    [
      ['btcusd', 'spot', 104_000, 103_051_500], // 1,000.5 BTC at 103,000 on average
      ['btcusdt', 'spot', 104_050, 0],
      ['daiusd', 'spot', 1.2, null], // an empty volume is unknown
      ['btcusd-perp', 'perpetual', 104_010, 2_070_000],
      ['ethusd-perp', 'perpetual', 2500, 9800],
      ['newusd-perp', 'perpetual', 3, 0],
    ],
    'no euros, nothing disabled, no metal, no index, no currency',
  );
  t.strictSame(
    rows.map((row) => row.stated),
    rows.map(() => stated),
  );
  const [btc, quiet] = rows;
  t.ok(Math.abs((btc?.change ?? 0) - 4) < 1e-9, '104,000 / 100,000 of 24 h ago');
  t.equal(quiet?.change, null, 'no trade 24 h ago');
});

t.test('marks out of the tickers, rates per 8 hours market by market', async (t) => {
  const { rows, dropped } = derivativesOf(bitstamp, 'markets');
  t.strictSame(dropped, []);
  t.match(rows, [
    {
      ...{ market: 'btcusd-perp', mark: 104_002.25, index: 104_001.5 },
      ...{ funding_rate: 0.00013, funding_hours: 8, funding_rate_8h: 0.00013 },
      ...{ next_funding: 1_750_003_200_000, stated: 1_750_000_001_000 },
    },
    { market: 'ethusd-perp', index: null, funding_rate: -0.0002, next_funding: null },
    { market: 'newusd-perp', mark: null, index: 3, funding_rate: null, funding_rate_8h: null },
  ]);
  const [tickers, btc] = bodiesOf(bitstamp, 'markets-derivatives');
  const { parse } = bitstamp.feeds.derivatives.parts.markets;
  const context = contextOf(bitstamp, 'markets');
  t.strictSame(
    parse([tickers, btc, undefined, undefined], context).rows.map((row) => row.market),
    ['btcusd-perp'],
    'markets whose rate did not come are left out',
  );
  t.strictSame(parse([tickers, btc, '<html>'], context).dropped, [{ key: '', code: 'bad_row' }]);
});

t.test('open interest', async (t) => {
  const { rows, dropped } = openInterestOf(bitstamp, 'markets');
  t.match(rows, [
    { market: 'btcusd-perp', units: 9.5, value: 988_021.375, mark: 104_002.25 },
    { market: 'ethusd-perp', units: 100, value: 250_100 }, // 100 x 2,501 where the value is missing
  ]);
  t.strictSame(dropped, [{ key: 'newusd-perp', code: 'bad_row' }]);
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
  t.match(first, { timestamp: 1_749_999_900_000, open: 104_000, volume: 12.5, turnover: null });
  t.match(quiet, { open: 104_100, volume: 0 });
  t.strictSame(more, [], 'a row without a high is left out');
});

wholeVenue(bitstamp);
