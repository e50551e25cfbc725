/** The public connections of OKX. https://www.okx.com/docs-v5/en/#overview-websocket */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, list, text } from '../../read.ts';

const eventOf = (message: unknown): string => (isRecord(message) ? text(message.event) : '');

/** The properties of every connection. One without a push is dropped after 30 s; `ping` and `pong` are texts. */
export const connection = {
  url: 'wss://ws.okx.com/ws/v5/public',
  keepAlive: { every: 20_000, message: 'ping' },
  silence: 60_000,
  acknowledges: (message: unknown) => (eventOf(message) === 'subscribe' ? 1 : 0),
  // About a minute before an upgrade of the service.
  ends: (message: unknown) =>
    isRecord(message) && message.event === 'notice' && message.code === '64008',
} as const;

/** The rows of a message with data; null for any other. ShapeError for a refusal. */
export function rowsOf(message: unknown): readonly unknown[] | null {
  if (message === 'pong') return null;
  const event = eventOf(message);
  if (event === 'error') throw new ShapeError(`OKX error ${text(field(message, 'code'))}`);
  return event === '' ? list(field(message, 'data'), 'data') : null;
}
