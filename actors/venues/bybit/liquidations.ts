/** Every liquidation on Bybit. https://bybit-exchange.github.io/docs/v5/websocket/public/all-liquidation */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, list, optional, positive, text, time } from '../../read.ts';
import {
  closedBy,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
  perpetualsOf,
  pieces,
} from '../liquidations.ts';

/** A refused topic may take the others of its request with it. */
const perRequest = 10;
/** The topics of a connection may have 21,000 characters. */
const requests = 40;

const opposite = { long: 'short', short: 'long' } as const;

/** The number of topics goes along as the id of the request, which the acknowledgement repeats. */
const subscription = (args: readonly string[]): string =>
  JSON.stringify({ op: 'subscribe', req_id: `${args.length}`, args });

/** `S` is the side of the position, not of the order: Buy is a long. `v` is base, or USD for inverse contracts. */
const stream = (category: 'linear' | 'inverse') =>
  liquidationStream({
    url: `wss://stream.bybit.com/v5/public/${category}`,
    channels(instruments) {
      const topics = perpetualsOf(instruments).map((market) => `allLiquidation.${market}`);
      return pieces(topics, perRequest).map(subscription);
    },
    perConnection: requests,
    keepAlive: { every: 20_000, message: '{"op":"ping"}' },
    silence: 60_000,
    acknowledges(message) {
      if (!isRecord(message) || message.op !== 'subscribe' || message.success !== true) return 0;
      return optional(message.req_id) ?? 1;
    },
    channelIn: /"topic":"allLiquidation\.([^"]+)"/,
    parse(message, { instruments }) {
      const topic = field(message, 'topic');
      if (topic === undefined && isRecord(message) && typeof message.op === 'string') {
        if (message.success === false) throw new ShapeError(`refused: ${text(message.ret_msg)}`);
        return null;
      }
      if (!text(topic).startsWith('allLiquidation.')) throw new ShapeError('topic: unknown');
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
