/** The notification channels of HTX: one subscription brings the messages about all contracts. https://www.htx.com/en-us/opend (WebSocket notification) */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, list, required, text } from '../../read.ts';

const opOf = (message: unknown): string => (isRecord(message) ? text(message.op) : '');

/** The error code of an acknowledgement; NaN where there is none. */
const codeOf = (message: unknown): number => required(field(message, 'err-code'));

/** The channel of linear swaps also has dated contracts, which no instrument list of this service holds. */
export const isSwap = (row: unknown): boolean => !isRecord(row) || row.business_type !== 'futures';

/** A connection that subscribes to one topic. Frames are gzip, and pings have another form than those of market data. */
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
