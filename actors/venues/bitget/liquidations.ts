/** Liquidations of Bitget, of all contracts of a product type. https://www.bitget.com/api-doc/uta */
import { positive, time } from '../../read.ts';
import { closedBy, liquidationOf, liquidationStream, liquidationsOf } from '../liquidations.ts';
import { connection, idOf, rowsOf } from './stream.ts';

const opposite = { long: 'short', short: 'long' } as const;

/** `side` is the side of the position: buy is a long. `amount` is base everywhere. */
const stream = (instType: string) =>
  liquidationStream({
    ...connection,
    channels: () => [
      JSON.stringify({ op: 'subscribe', args: [{ instType, topic: 'liquidation' }] }),
    ],
    channelIn: /"action":"\w+".*"topic":"(liquidation)"/,
    parse(message, { instruments }) {
      const rows = rowsOf(message);
      if (rows === null) return null;
      return liquidationsOf(rows, instruments, {
        id: idOf,
        read(row, market) {
          const order = closedBy(row.side);
          if (!order) return [null];
          const [price, quantity] = [positive(row.price), positive(row.amount)];
          const forced = { price, price_kind: 'order', quantity, timestamp: time(row.ts) } as const;
          return [liquidationOf(market, { side: opposite[order], ...forced })];
        },
      });
    },
  });

export const liquidations = {
  'usdt-futures': stream('usdt-futures'),
  'usdc-futures': stream('usdc-futures'),
  'coin-futures': stream('coin-futures'),
};
