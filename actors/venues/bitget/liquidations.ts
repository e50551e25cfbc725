/** Liquidations of Bitget, of all contracts of a product type. https://www.bitget.com/api-doc/uta */
import { positive, time } from '../../read.ts';
import {
  type LiquidationReader,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
  openedBy,
} from '../liquidations.ts';
import { connection, idOf, rowsOf } from './stream.ts';

/** `side` is the side of the position: buy is a long. `amount` is base everywhere. */
const reader: LiquidationReader = {
  id: idOf,
  read: (row, market) => [
    liquidationOf(market, {
      side: openedBy(row.side),
      price: positive(row.price),
      price_kind: 'order',
      quantity: positive(row.amount),
      timestamp: time(row.ts),
    }),
  ],
};

const stream = (instType: string) =>
  liquidationStream({
    ...connection,
    channels: () => [
      JSON.stringify({ op: 'subscribe', args: [{ instType, topic: 'liquidation' }] }),
    ],
    parse(message, { instruments }) {
      const rows = rowsOf(message);
      return rows && liquidationsOf(rows, instruments, reader);
    },
  });

export const liquidations = {
  'usdt-futures': stream('usdt-futures'),
  'usdc-futures': stream('usdc-futures'),
  'coin-futures': stream('coin-futures'),
};
