/** Order books of dYdX. https://docs.dydx.xyz/indexer-client/websockets#orders */
import { asRow, field, text } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';

/** Levels of the first message, and `[price, size]` after it. */
const form = { price: 'price', quantity: 'size' };

const channel = 'v4_orderbook';
const said = (type: string, id: string): string =>
  JSON.stringify({ type, channel, id, ...(type === 'subscribe' && { batched: false }) });

/** Every message of a connection has the number after that of the message before. It takes 32 subscriptions. */
const perp = bookStream({
  url: 'wss://indexer.dydx.trade/v4/ws',
  ...{ rule: 'none', most: 1_000, window: false, crosses: true },
  ...{ pace: 600, perConnection: 32, silence: 60_000 },
  subscribe: ({ market }) => said('subscribe', market),
  unsubscribe: ({ market }) => said('unsubscribe', market),
  acknowledges: (message) => (asRow(message).type === 'subscribed' ? 1 : 0),
  parse(message) {
    const { type, message_id, channel: of, id, contents, message: why } = asRow(message);
    if (type === 'error') throw refused(why);
    const count = numberOf(message_id, 'message_id');
    const whole = type === 'subscribed';
    if (of !== channel || (!whole && type !== 'channel_data')) return { updates: [], count };
    const side = (name: 'bids' | 'asks') =>
      whole ? changes(field(contents, name), form) : changes(field(contents, name) ?? []);
    const about = { kind: whole ? 'snapshot' : 'update', market: text(id) } as const;
    const sides = { bids: side('bids'), asks: side('asks') };
    return { updates: [{ ...about, ...sides, last: count, stated: null }], count };
  },
});

export const books = { perp };
