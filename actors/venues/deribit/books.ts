/** Order books of Deribit. https://docs.deribit.com/#book-instrument_name-interval */
import { asRow, field, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import type { Ask } from './api.ts';
import { connection, subscription } from './stream.ts';

const channelOf = (market: string): string => `book.${market}.100ms`;

/** `[action, price, amount]`; the amount of a deletion is 0. */
const form = { price: 1, quantity: 2, columns: 3 };

/** A second subscription of a channel that is there brings no snapshot. */
const stream = bookStream<Ask>({
  ...connection,
  ...{ rule: 'chained', most: 1_000, window: false },
  subscribe: ({ market }) => subscription([channelOf(market)]),
  unsubscribe: ({ market }) => subscription([channelOf(market)], 'unsubscribe'),
  parse(message) {
    const { method, error, params } = asRow(message);
    if (error !== undefined) throw refused(field(error, 'message'));
    const isBook = method === 'subscription' && text(field(params, 'channel')).startsWith('book.');
    if (!isBook) return null;
    const book = asRow(field(params, 'data'));
    return {
      updates: [
        {
          kind: book.type === 'snapshot' ? 'snapshot' : 'update',
          market: text(book.instrument_name),
          bids: changes(book.bids, form),
          asks: changes(book.asks, form),
          last: numberOf(book.change_id, 'change_id'),
          previous:
            book.prev_change_id === undefined
              ? undefined
              : numberOf(book.prev_change_id, 'prev_change_id'),
          stated: time(book.timestamp),
        },
      ],
    };
  },
});

export const books = { spot: stream, linear: stream };
