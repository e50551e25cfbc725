/** Order books of Hyperliquid: 20 levels. https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions */
import { asRow, field, text, time } from '../../read.ts';
import { bookStream, changes, refused } from '../books.ts';

const form = { price: 'px', quantity: 'sz' };

const said = (method: string, coin: string): string =>
  JSON.stringify({ method, subscription: { type: 'l2Book', coin } });

/** Every message is a whole book; one comes about every five seconds. An unknown coin ends the connection. */
const stream = bookStream({
  url: 'wss://api.hyperliquid.xyz/ws',
  ...{ rule: 'whole', most: 20, window: true },
  pace: 100,
  keepAlive: { every: 30_000, message: '{"method":"ping"}' },
  silence: 60_000,
  subscribe: ({ market }) => said('subscribe', market),
  unsubscribe: ({ market }) => said('unsubscribe', market),
  acknowledges: (message) => (asRow(message).channel === 'subscriptionResponse' ? 1 : 0),
  parse(message) {
    const { channel, data } = asRow(message);
    if (channel === 'error') throw refused(data);
    if (channel !== 'l2Book') return null;
    const sides = field(data, 'levels');
    return {
      updates: [
        {
          kind: 'snapshot',
          market: text(field(data, 'coin')),
          bids: changes(field(sides, 0), form),
          asks: changes(field(sides, 1), form),
          stated: time(field(data, 'time')),
        },
      ],
    };
  },
});

export const books = { spot: stream, perp: stream };
