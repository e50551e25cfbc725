/** Order books of Bitget, version 3 of the API. https://www.bitget.com/api-doc/uta/websocket/public/Depth-Channel */
import { asRow, field, list, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import type { Ask } from './api.ts';
import { connection } from './stream.ts';

const said = (op: string, instType: string, symbol: string): string =>
  JSON.stringify({ op, args: [{ instType, topic: 'books', symbol }] });

/** A message that names no predecessor (0) begins again. A message with many books is refused: one each, slowly. */
const stream = (instType: string) =>
  bookStream<Ask>({
    ...connection,
    ...{ rule: 'chained', most: 1_000, window: true },
    pace: 500,
    subscribe: ({ market }) => said('subscribe', instType, market),
    unsubscribe: ({ market }) => said('unsubscribe', instType, market),
    parse(message) {
      if (message === 'pong') return null;
      const { event, msg, arg, action, data } = asRow(message);
      if (event === 'error') throw refused(msg);
      if (event !== undefined) return null;
      const [book] = list(data, 'data');
      const previous = numberOf(field(book, 'pseq'), 'pseq');
      return {
        updates: [
          {
            kind: action === 'snapshot' ? 'snapshot' : 'update',
            market: text(field(arg, 'symbol')),
            bids: changes(field(book, 'b')),
            asks: changes(field(book, 'a')),
            last: numberOf(field(book, 'seq'), 'seq'),
            ...(previous > 0 && { previous }),
            stated: time(field(book, 'ts')),
          },
        ],
      };
    },
  });

export const books = {
  spot: stream('spot'),
  'usdt-futures': stream('usdt-futures'),
  'usdc-futures': stream('usdc-futures'),
};
