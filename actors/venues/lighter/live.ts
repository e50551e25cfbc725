/** Last prices of Lighter's perpetuals and spot pairs by stream. https://apidocs.lighter.xyz/docs/websocket-reference */
import { bulk, field, isRecord, time } from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import type { PriceRow } from '../../topics/index.ts';
import { changedRows } from '../rows.ts';
import { checkedType, connection, tickersAt, typeOf } from './rows.ts';

/** Where a message of a type has its map of markets by id: those that have changed, or all of them. */
const maps: Readonly<Record<string, string>> = {
  'subscribed/market_stats': 'market_stats',
  'update/market_stats': 'market_stats',
  'subscribed/spot_market_stats': 'spot_market_stats',
  'update/spot_market_stats': 'spot_market_stats',
};

const all: LatestStream<PriceRow> = {
  ...connection,
  channels: () =>
    ['market_stats/all', 'spot_market_stats/all'].map((channel) =>
      JSON.stringify({ type: 'subscribe', channel }),
    ),
  acknowledges: (message) => (/^subscribed\/(spot_)?market_stats$/.test(typeOf(message)) ? 1 : 0),
  collect: 'latest',
  parse(message, { instruments }) {
    const key = maps[checkedType(message)];
    if (key === undefined) return null;
    const stats = field(message, key);
    const rows = bulk(isRecord(stats) ? Object.values(stats) : null, key);
    return changedRows(rows, instruments, tickersAt(time(field(message, 'timestamp'))));
  },
};

export const livePrices = { all };
