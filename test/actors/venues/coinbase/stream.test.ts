import t from 'tap';
import { connection, said } from '../../../../actors/venues/coinbase/stream.ts';

t.test('a connection of Coinbase and its subscriptions', async (t) => {
  t.strictSame(connection, {
    url: 'wss://advanced-trade-ws.coinbase.com',
    pace: 150,
    silence: 30_000,
    opening: ['{"type":"subscribe","channel":"heartbeats"}'],
  });
  t.equal(
    said('unsubscribe', 'ticker', ['BTC-USD']),
    '{"type":"unsubscribe","channel":"ticker","product_ids":["BTC-USD"]}',
  );
});
