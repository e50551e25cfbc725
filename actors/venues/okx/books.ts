/** Order books of OKX: 400 levels. https://www.okx.com/docs-v5/en/#order-book-trading-market-data-ws-order-book-channel */
import { asRow, field, list, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import type { Ask } from './api.ts';
import { connection } from './stream.ts';

const said = (op: string, instId: string): string =>
  JSON.stringify({ op, args: [{ channel: 'books', instId }] });

/** `[price, quantity, "0", orders]`. */
const form = { price: 0, quantity: 1, columns: 4 };

/** `checksum` is a constant 0 since June 2026. Of a message without changes both numbers are equal. */
const stream = bookStream<Ask>({
  ...connection,
  ...{ rule: 'chained', most: 400, window: true },
  pace: 100,
  subscribe: ({ market }) => said('subscribe', market),
  unsubscribe: ({ market }) => said('unsubscribe', market),
  parse(message) {
    if (message === 'pong') return null;
    const { event, code, arg, action, data } = asRow(message);
    if (event === 'error') throw refused(code);
    if (event !== undefined || field(arg, 'channel') !== 'books') return null;
    const [book] = list(data, 'data');
    return {
      updates: [
        {
          kind: action === 'snapshot' ? 'snapshot' : 'update',
          market: text(field(arg, 'instId')),
          bids: changes(field(book, 'bids'), form),
          asks: changes(field(book, 'asks'), form),
          last: numberOf(field(book, 'seqId'), 'seqId'),
          previous: numberOf(field(book, 'prevSeqId'), 'prevSeqId'),
          stated: time(field(book, 'ts')),
        },
      ],
    };
  },
});

export const books = { spot: stream, swap: stream };
