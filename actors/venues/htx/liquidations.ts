/** Every liquidation of HTX's linear swaps. https://www.htx.com/en-us/opend (subscribe liquidation order data) */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, list, positive, required, text, time } from '../../read.ts';
import type { PastEvents } from '../../sources/stream.ts';
import type { Liquidation } from '../../topics/index.ts';
import {
  closedBy,
  type LiquidationReader,
  largestOf,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
} from '../liquidations.ts';

const opOf = (message: unknown): string => (isRecord(message) ? text(message.op) : '');

/** The error code of an acknowledgement; NaN where there is none. */
const codeOf = (message: unknown): number => required(field(message, 'err-code'));

/** The channel also has dated contracts, which no instrument list of this service holds. */
const isSwap = (row: unknown): boolean => !isRecord(row) || row.business_type !== 'futures';

/** `direction` is that of the order, `amount` is base, `trade_turnover` quote. */
const reader: LiquidationReader = {
  id: (row) => text(row.contract_code),
  read: (row, market) => [
    liquidationOf(market, {
      side: closedBy(row.direction),
      price: positive(row.price),
      price_kind: 'order',
      // Base already: the size of a contract is not needed.
      quantity: positive(row.amount) / market.contract,
      value: positive(row.trade_turnover),
      timestamp: time(row.created_at),
    }),
  ],
};

/** One question spans so long at most, ms. */
const window = 2 * 3_600_000;

/** Orders of large assets, a question a contract and two hours, in the form of the stream. */
const past: PastEvents<Liquidation> = {
  requests: (instruments, { from, to }) =>
    largestOf(instruments).flatMap((contract) =>
      Array.from({ length: Math.ceil((to - from + 1) / window) }, (_, at) => ({
        api: 'contracts',
        path: '/linear-swap-api/v3/swap_liquidation_orders',
        query: {
          ...{ contract, trade_type: 0, direct: 'prev' },
          start_time: from + at * window,
          end_time: Math.min(to, from + (at + 1) * window - 1),
        },
      })),
    ),
  parse: (body, { instruments }) =>
    liquidationsOf(list(field(body, 'data'), 'data').filter(isSwap), instruments, reader),
};

/** Frames are gzip. */
export const liquidations = {
  linear: liquidationStream({
    url: 'wss://api.hbdm.com/linear-swap-notification',
    channels: () => ['{"op":"sub","cid":"1","topic":"public.*.liquidation_orders"}'],
    codec: 'gzip',
    reply: (message) =>
      isRecord(message) && message.op === 'ping'
        ? JSON.stringify({ op: 'pong', ts: message.ts })
        : null,
    silence: 30_000,
    past,
    acknowledges: (message) => (opOf(message) === 'sub' && codeOf(message) === 0 ? 1 : 0),
    channelIn: /"op":"(notify)"/,
    parse(message, { instruments }) {
      const op = opOf(message);
      if (op === '') throw new ShapeError('op: no text');
      if (codeOf(message) > 0) throw new ShapeError(`HTX error ${codeOf(message)}`);
      if (op !== 'notify') return null;
      const rows = list(field(message, 'data'), 'data').filter(isSwap);
      return liquidationsOf(rows, instruments, reader);
    },
  }),
};
