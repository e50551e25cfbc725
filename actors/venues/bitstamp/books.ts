/** Order books of Bitstamp: 100 levels. https://www.bitstamp.net/websocket/v2/ (Live order book) */
import { asRow, field, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';

const prefix = 'order_book_';

const said = (event: string, market: string): string =>
  JSON.stringify({ event: `bts:${event}`, data: { channel: `${prefix}${market}` } });

/** Every message is a whole book; the changes of all levels have no numbers that would tell that one is missing. */
const markets = bookStream({
  url: 'wss://ws.bitstamp.net',
  ...{ rule: 'whole', most: 100, window: true },
  pace: 50,
  keepAlive: { every: 30_000, message: '{"event":"bts:heartbeat"}' },
  silence: 60_000,
  subscribe: ({ market }) => said('subscribe', market),
  unsubscribe: ({ market }) => said('unsubscribe', market),
  acknowledges: (message) => (asRow(message).event === 'bts:subscription_succeeded' ? 1 : 0),
  channelIn: /"channel":"order_book_([^"]+)".*"event":"data"/,
  parse(message) {
    const { event, channel, data } = asRow(message);
    if (event === 'bts:error') throw refused(field(data, 'message'));
    if (event !== 'data' || !text(channel).startsWith(prefix)) return null;
    const { bids, asks, microtimestamp } = asRow(data);
    return {
      updates: [
        {
          ...{ kind: 'snapshot', market: text(channel).slice(prefix.length) },
          ...{ bids: changes(bids), asks: changes(asks) },
          last: numberOf(microtimestamp, 'microtimestamp'),
          stated: time(microtimestamp, 1e-3),
        },
      ],
    };
  },
});

export const books = { markets };
