import t from 'tap';
import { bitstamp } from '../../../../actors/venues/bitstamp/index.ts';
import { books, live } from '../../../../actors/venues/bitstamp/streams.ts';
import { sameRows } from '../../../support/table.ts';
import { bodiesOf, contextOf, derivativesOf, instrumentOf, openInterestOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

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
});

t.test('instruments', async (t) => {
  sameRows(t, instrumentOf(bitstamp, 'markets', 'btcusd-perp'))`
    market      kind      symbol quote scale contract inverse funding_hours tick
    btcusd-perp perpetual BTC    USD   1     1        false   - 0.01
  `;
});

t.test('marks out of the tickers, rates per 8 hours market by market', async (t) => {
  const { rows, dropped } = derivativesOf(bitstamp, 'markets');
  t.strictSame(dropped, []);
  sameRows(t, rows[0])`
    market      symbol quote mark       index     funding_rate funding_hours funding_rate_8h next_funding      stated
    btcusd-perp BTC    USD   104_022.25 104_011.5 0.00013      8             0.00013         1_750_003_200_000 1_750_000_001_000
  `;
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
  sameRows(t, rows[0])`
    market      symbol quote units value     mark       stated
    btcusd-perp BTC    USD   9.5   988_200.5 104_022.25 ${stated}
  `;
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

t.test('the connections of Bitstamp and their subscriptions', async (t) => {
  const [trades, book] = [live.prices.markets, books.markets];
  for (const { acknowledges, ...properties } of [trades, book]) {
    t.match(properties, {
      url: 'wss://ws.bitstamp.net',
      pace: 50,
      perConnection: 1_000,
      silence: 60_000,
      keepAlive: { every: 30_000, message: '{"event":"bts:heartbeat"}' },
    });
    const messages = ['bts:subscription_succeeded', 'data', ''].map((event) => ({ event }));
    t.strictSame(
      [...messages, {}].map((message) => acknowledges?.(message)),
      [1, 0, 0, 0],
    );
  }
  const { instruments } = contextOf(bitstamp, 'markets');
  t.equal(
    trades.channels(instruments).find((message) => message.includes('btcusd"')),
    '{"event":"bts:subscribe","data":{"channel":"live_trades_btcusd"}}',
  );
  const market = instrumentOf(bitstamp, 'markets', 'btcusd');
  t.strictSame(
    [book.subscribe(market), book.unsubscribe(market, {})],
    ['subscribe', 'unsubscribe'].map(
      (event) => `{"event":"bts:${event}","data":{"channel":"order_book_btcusd"}}`,
    ),
  );
});

wholeVenue(t, bitstamp);
