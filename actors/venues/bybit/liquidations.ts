/** Every liquidation on Bybit. https://bybit-exchange.github.io/docs/v5/websocket/public/all-liquidation */
import { field, list, positive, text, time } from '../../read.ts';
import {
  closedBy,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
  perpetualsOf,
} from '../liquidations.ts';
import { connection, isAbout, subscriptions } from './stream.ts';

const topics = 'allLiquidation.';

const opposite = { long: 'short', short: 'long' } as const;

/** `S` is the side of the position, not of the order: Buy is a long. `v` is base, or USD for inverse contracts. */
const stream = (category: 'linear' | 'inverse') =>
  liquidationStream({
    ...connection(category),
    channels: (instruments) =>
      subscriptions(perpetualsOf(instruments).map((market) => `${topics}${market}`)),
    channelIn: /"topic":"allLiquidation\.([^"]+)"/,
    parse(message, { instruments }) {
      if (!isAbout(message, topics)) return null;
      return liquidationsOf(list(field(message, 'data'), 'data'), instruments, {
        id: (row) => text(row.s),
        read(row, market) {
          const order = closedBy(row.S);
          if (!order) return [null];
          const [price, quantity] = [positive(row.p), positive(row.v)];
          const timestamp = time(row.T);
          const forced = { price, price_kind: 'bankruptcy', quantity, timestamp } as const;
          return [liquidationOf(market, { side: opposite[order], ...forced })];
        },
      });
    },
  });

export const liquidations = { linear: stream('linear'), inverse: stream('inverse') };
