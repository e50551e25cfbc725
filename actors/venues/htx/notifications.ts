/**
 * The notification channels of HTX, of which one subscription brings the messages about all contracts: funding, liquidations.
 * https://www.htx.com/en-us/opend (WebSocket notification)
 */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, list, positive, required, text } from '../../read.ts';
import type { PastEvents } from '../../sources/streams/stream.ts';
import type { Liquidation } from '../../topics/index.ts';
import {
  closedBy,
  largestOf,
  liquidationRows,
  liquidationStream,
  liquidationsOf,
} from '../liquidations.ts';
import { contracts } from './api.ts';
import { statedIn, streamed } from './markets.ts';

const opOf = (message: unknown): string => (isRecord(message) ? text(message.op) : '');

/** The error code of an acknowledgement; NaN where there is none. */
const codeOf = (message: unknown): number => required(field(message, 'err-code'));

/** The channel of linear swaps also has dated contracts, which no instrument list of this service holds. */
const isSwap = (row: unknown): boolean => !isRecord(row) || row.business_type !== 'futures';

/**
 * A connection that subscribes to one topic, whose messages are about all contracts. Frames are gzip, and pings have another form
 * than those of market data.
 */
export const notification = (path: string, topic: string) =>
  ({
    url: `wss://api.hbdm.com/${path}`,
    channels: () => [JSON.stringify({ op: 'sub', cid: '1', topic })],
    codec: 'gzip',
    reply: (message: unknown) =>
      isRecord(message) && message.op === 'ping'
        ? JSON.stringify({ op: 'pong', ts: message.ts })
        : null,
    silence: 30_000,
    acknowledges: (message: unknown) => (opOf(message) === 'sub' && codeOf(message) === 0 ? 1 : 0),
  }) as const;

/** The rows about swaps in a message with data; null for any other. ShapeError for a refusal and for anything that is not a notification. */
export function notified(message: unknown): readonly unknown[] | null {
  const op = opOf(message);
  if (op === '') throw new ShapeError('op: no text');
  if (codeOf(message) > 0) throw new ShapeError(`HTX error ${codeOf(message)}`);
  if (op !== 'notify') return null;
  return list(field(message, 'data'), 'data').filter(isSwap);
}

/** The funding of all contracts. https://www.htx.com/en-us/opend (funding rate) */
const fundings = (path: string) =>
  streamed.live({
    ...notification(path, 'public.*.funding_rate'),
    read(message) {
      const rows = notified(message);
      return rows && { rows, stated: statedIn(message) };
    },
  });

export const funding = {
  linear: fundings('linear-swap-notification'),
  inverse: fundings('swap-notification'),
};

/** `direction` is that of the order, `amount` is base, `trade_turnover` quote. */
const reader = liquidationRows({
  id: 'contract_code',
  side: ({ direction }) => closedBy(direction),
  price: 'price',
  price_kind: 'order',
  // Base already: the size of a contract is not needed.
  quantity: ({ amount }, { contract }) => positive(amount) / contract,
  value: 'trade_turnover',
  at: 'created_at',
});

/** The longest span of one question, ms. */
const window = 2 * 3_600_000;

/** Orders of large assets, a question a contract and two hours, in the form of the stream. */
const past: PastEvents<Liquidation> = {
  requests: (instruments, { from, to }) =>
    largestOf(instruments).flatMap((contract) =>
      Array.from({ length: Math.ceil((to - from + 1) / window) }, (_, at) =>
        contracts('/linear-swap-api/v3/swap_liquidation_orders', {
          contract,
          trade_type: 0,
          direct: 'prev',
          start_time: from + at * window,
          end_time: Math.min(to, from + (at + 1) * window - 1),
        }),
      ),
    ),
  parse: (body, { instruments }) =>
    liquidationsOf(list(field(body, 'data'), 'data').filter(isSwap), instruments, reader),
};

/** Every liquidation of linear swaps. https://www.htx.com/en-us/opend (subscribe liquidation order data) */
export const liquidations = {
  linear: liquidationStream({
    ...notification('linear-swap-notification', 'public.*.liquidation_orders'),
    past,
    rows: notified,
    reader,
  }),
};
