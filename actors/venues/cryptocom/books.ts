/** Order books of Crypto.com: 50 levels. https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html#book-instrument_name-depth */
import { asRow, field, list, text, time } from '../../read.ts';
import { bookStream, changes, numberOf } from '../books.ts';
import { connection, resultOf } from './stream.ts';

const depth = 50;

/** `[price, quantity, orders]`. */
const form = { price: 0, quantity: 1, columns: 3 };

const options = {
  book_subscription_type: 'SNAPSHOT_AND_UPDATE',
  book_update_frequency: 100,
};
const said = (method: string, market: string): string =>
  JSON.stringify({ id: 1, method, params: { channels: [`book.${market}.${depth}`], ...options } });

/** A market without changes has a message every five seconds, with the number that it had. */
const all = bookStream({
  ...connection,
  ...{ rule: 'chained', most: depth, window: true },
  subscribe: ({ market }) => said('subscribe', market),
  unsubscribe: ({ market }) => said('unsubscribe', market),
  parse(message) {
    const result = resultOf(message);
    const channel = field(result ?? {}, 'channel');
    if (result === null || (channel !== 'book' && channel !== 'book.update')) return null;
    const [book] = list(result.data, 'data').map(asRow);
    const whole = channel === 'book';
    const sides = whole ? book : field(book, 'update');
    return {
      updates: [
        {
          kind: whole ? 'snapshot' : 'update',
          market: text(result.instrument_name),
          bids: changes(field(sides, 'bids'), form),
          asks: changes(field(sides, 'asks'), form),
          last: numberOf(book?.u, 'u'),
          ...(!whole && { previous: numberOf(book?.pu, 'pu') }),
          stated: time(book?.t),
        },
      ],
    };
  },
});

export const books = { all };
