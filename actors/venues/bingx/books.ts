/**
 * Order books of BingX: 100 levels.
 * https://bingx-api.github.io/docs-v3/#/en/Swap/Websocket%20Market%20Data/Partial%20Order%20Book%20Depth
 */
import { asRow, text, time } from '../../read.ts';
import { bookStream, changes, numberOf } from '../books.ts';
import { connection, dataIn, said } from './stream.ts';

/** The numbers of `incrDepth` skip, so that a missing message would not be noticed; here every message is a whole book. */
const stream = (part: 'spot' | 'linear', topic: string) =>
  bookStream({
    ...connection(part),
    ...{ rule: 'whole', most: 100, window: true },
    subscribe: ({ market }) => said('sub', market, topic),
    unsubscribe: ({ market }) => said('unsub', market, topic),
    parse(message) {
      const data = dataIn(message);
      if (data === null) return null;
      const { dataType, ts, timestamp } = asRow(message);
      const { bids, asks, lastUpdateId } = data;
      return {
        updates: [
          {
            ...{ kind: 'snapshot', market: text(dataType).split('@')[0] ?? '' },
            ...{ bids: changes(bids), asks: changes(asks) },
            ...(lastUpdateId !== undefined && { last: numberOf(lastUpdateId, 'lastUpdateId') }),
            stated: time(ts) ?? time(timestamp),
          },
        ],
      };
    },
  });

export const books = {
  spot: stream('spot', 'depth100'),
  linear: stream('linear', 'depth100@500ms'),
};
