/** Order books of WhiteBIT: 100 levels. https://docs.whitebit.com/public/websocket/#depth */
import { asRow, isRecord, list, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';

const depth = 100;

/** The last parameter leaves other subscriptions as they are. The same again brings a whole book, as every ten seconds do. */
const stream = bookStream({
  url: 'wss://wss.whitebit.com/ws',
  ...{ rule: 'chained', most: depth, window: true },
  pace: 20,
  keepAlive: { every: 30_000, message: '{"id":0,"method":"ping","params":[]}' },
  silence: 30_000,
  subscribe: ({ market }) =>
    JSON.stringify({ id: 1, method: 'depth_subscribe', params: [market, depth, '0', true] }),
  unsubscribe: () => null,
  acknowledges: (message) =>
    isRecord(message) && message.id === 1 && isRecord(message.result) ? 1 : 0,
  parse(message) {
    const { error, method, params } = asRow(message);
    if (isRecord(error)) throw refused(error.message);
    if (method !== 'depth_update') return null;
    const [whole, book, market] = list(params, 'params');
    const { bids, asks, update_id, past_update_id, timestamp } = asRow(book);
    return {
      updates: [
        {
          ...{ kind: whole === true ? 'snapshot' : 'update', market: text(market) },
          // A side without changes is left out.
          ...{ bids: changes(bids ?? []), asks: changes(asks ?? []) },
          last: numberOf(update_id, 'update_id'),
          ...(whole !== true && { previous: numberOf(past_update_id, 'past_update_id') }),
          stated: time(timestamp, 1_000),
        },
      ],
    };
  },
});

export const books = { spot: stream, futures: stream };
