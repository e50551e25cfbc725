/** Order books of Deribit. https://docs.deribit.com/#book-instrument_name-interval */
import { asRow, field, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import type { Ask } from './api.ts';

const said = (method: string, market: string): string =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id: 2, method: `public/${method}` },
    params: { channels: [`book.${market}.100ms`] },
  });

/** `[action, price, amount]`; the amount of a deletion is 0. */
const form = { price: 1, quantity: 2, columns: 3 };

const heartbeat = { method: 'public/set_heartbeat', params: { interval: 30 } };
const test = '{"jsonrpc":"2.0","id":3,"method":"public/test","params":{}}';

/** A second subscription of a channel that is there brings no snapshot. Three subscriptions a second are within the credits. */
const stream = bookStream<Ask>({
  url: 'wss://streams.deribit.com/ws/api/v2',
  ...{ rule: 'chained', most: 1_000, window: false },
  pace: 400,
  silence: 60_000,
  opening: [JSON.stringify({ jsonrpc: '2.0', id: 1, ...heartbeat })],
  subscribe: ({ market }) => said('subscribe', market),
  unsubscribe: ({ market }) => said('unsubscribe', market),
  reply(message) {
    const { method, params } = asRow(message);
    return method === 'heartbeat' && asRow(params).type === 'test_request' ? test : null;
  },
  acknowledges(message) {
    const { id, result } = asRow(message);
    return id === 2 && Array.isArray(result) ? result.length : 0;
  },
  channelIn: /"channel":"book\.([^"]+)\.100ms"/,
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
