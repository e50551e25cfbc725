/** Every liquidation on Bybit. https://bybit-exchange.github.io/docs/v5/websocket/public/all-liquidation */
import { field, list, positive, text, time } from '../../read.ts';
import {
  type LiquidationReader,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
  openedBy,
  perpetualsOf,
} from '../liquidations.ts';
import { connection, isAbout, subscriptions } from './stream.ts';

const topics = 'allLiquidation.';

/** `S` is the side of the position, not of the order: Buy is a long. `v` is base, or USD for inverse contracts. */
const reader: LiquidationReader = {
  id: (row) => text(row.s),
  read: (row, market) => [
    liquidationOf(market, {
      side: openedBy(row.S),
      price: positive(row.p),
      price_kind: 'bankruptcy',
      quantity: positive(row.v),
      timestamp: time(row.T),
    }),
  ],
};

const stream = (category: 'linear' | 'inverse') =>
  liquidationStream({
    ...connection(category),
    channels: (instruments) =>
      subscriptions(perpetualsOf(instruments).map((market) => `${topics}${market}`)),
    parse(message, { instruments }) {
      if (!isAbout(message, topics)) return null;
      return liquidationsOf(list(field(message, 'data'), 'data'), instruments, reader);
    },
  });

export const liquidations = { linear: stream('linear'), inverse: stream('inverse') };
