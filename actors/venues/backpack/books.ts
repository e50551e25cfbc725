/** Order books of Backpack. https://docs.backpack.exchange/#tag/Streams/Public/Depth */
import { asRow, field, isRecord, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import { type Ask, get } from './api.ts';

/** Levels a side of a snapshot; the changes that come are those of all levels. */
const depth = 1_000;

const said = (method: string, market: string): string =>
  JSON.stringify({ method, params: [`depth.200ms.${market}`] });

/** Times are microseconds. */
const all = bookStream<Ask>({
  url: 'wss://ws.backpack.exchange',
  ...{ rule: 'counted', most: 2 * depth, window: false },
  pace: 50,
  silence: 60_000,
  subscribe: ({ market }) => said('SUBSCRIBE', market),
  unsubscribe: ({ market }) => said('UNSUBSCRIBE', market),
  snapshot: {
    request: (symbol) => get('/depth', { symbol, limit: depth }),
    parse(body) {
      const { bids, asks, lastUpdateId, timestamp } = asRow(body);
      return {
        ...{ bids: changes(bids), asks: changes(asks) },
        last: numberOf(lastUpdateId, 'lastUpdateId'),
        ...{ stated: time(timestamp, 1e-3), limited: true },
      };
    },
  },
  parse(message) {
    const { error, stream, data } = asRow(message);
    if (isRecord(error)) throw refused(error.message);
    if (!text(stream).startsWith('depth.')) return null;
    return {
      updates: [
        {
          ...{ kind: 'update', market: text(field(data, 's')) },
          bids: changes(field(data, 'b')),
          asks: changes(field(data, 'a')),
          first: numberOf(field(data, 'U'), 'U'),
          last: numberOf(field(data, 'u'), 'u'),
          stated: time(field(data, 'T'), 1e-3),
        },
      ],
    };
  },
});

export const books = { all };
