import t from 'tap';
import { bitstamp } from '../../../../actors/venues/bitstamp/index.ts';
import { books, live } from '../../../../actors/venues/bitstamp/streams.ts';
import { contextOf, instrumentOf } from '../fixtures.ts';

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
