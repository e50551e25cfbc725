/** Liquidations of Bitget, of all contracts of a product type. https://www.bitget.com/api-doc/uta */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, list, positive, text, time, type WireRow } from '../../read.ts';
import { closedBy, liquidationOf, liquidationStream, liquidationsOf } from '../liquidations.ts';

const opposite = { long: 'short', short: 'long' } as const;

/** Version 3 of the API ends the ids of coin-margined contracts in `_CM`, the lists of version 2 do not. */
const idOf = (row: WireRow): string => text(row.symbol).replace(/_CM$/, '');

const eventOf = (message: unknown): string => (isRecord(message) ? text(message.event) : '');

/** `side` is the side of the position: buy is a long. `amount` is base everywhere. */
const stream = (instType: string) =>
  liquidationStream({
    url: 'wss://ws.bitget.com/v3/ws/public',
    channels: () => [
      JSON.stringify({ op: 'subscribe', args: [{ instType, topic: 'liquidation' }] }),
    ],
    keepAlive: { every: 25_000, message: 'ping' },
    silence: 60_000,
    acknowledges: (message) => (eventOf(message) === 'subscribe' ? 1 : 0),
    channelIn: /"action":"\w+".*"topic":"(liquidation)"/,
    parse(message, { instruments }) {
      if (message === 'pong') return null;
      const event = eventOf(message);
      if (event === 'error') throw new ShapeError(`refused: ${text(asRow(message).msg)}`);
      if (event !== '') return null;
      return liquidationsOf(list(field(message, 'data'), 'data'), instruments, {
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
