import t from 'tap';
import { connection, said } from '../../../../actors/venues/bitstamp/stream.ts';

t.test('a connection of Bitstamp and its subscriptions', async (t) => {
  const { acknowledges, ...properties } = connection;
  t.strictSame(properties, {
    url: 'wss://ws.bitstamp.net',
    pace: 50,
    perConnection: 1_000,
    silence: 60_000,
    keepAlive: { every: 30_000, message: '{"event":"bts:heartbeat"}' },
  });
  const messages = ['bts:subscription_succeeded', 'data', ''].map((event) => ({ event }));
  t.strictSame([...messages, {}].map(acknowledges), [1, 0, 0, 0]);
  t.strictSame(
    (['subscribe', 'unsubscribe'] as const).map((event) => said(event, 'live_trades_btcusd')),
    ['subscribe', 'unsubscribe'].map(
      (event) => `{"event":"bts:${event}","data":{"channel":"live_trades_btcusd"}}`,
    ),
  );
});
