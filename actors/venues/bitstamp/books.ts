/** Order books of Bitstamp: 100 levels. https://www.bitstamp.net/websocket/v2/ (Live order book) */
import { asRow, field, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import { connection, said } from './stream.ts';

const prefix = 'order_book_';

/** Every message is a whole book; the changes of all levels have no numbers, so that a missing one would not be noticed. */
const markets = bookStream({
  ...connection,
  ...{ rule: 'whole', most: 100, window: true },
  subscribe: ({ market }) => said('subscribe', `${prefix}${market}`),
  unsubscribe: ({ market }) => said('unsubscribe', `${prefix}${market}`),
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
