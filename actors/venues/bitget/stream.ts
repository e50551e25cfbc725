/** The public connections of Bitget, version 3 of the API. https://www.bitget.com/api-doc/uta/websocket */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, list, text, type WireRow } from '../../read.ts';

const eventOf = (message: unknown): string => (isRecord(message) ? text(message.event) : '');

/** The properties of every connection. It is closed without a text `ping` of ours, whatever data it sends. */
export const connection = {
  url: 'wss://ws.bitget.com/v3/ws/public',
  keepAlive: { every: 25_000, message: 'ping' },
  silence: 60_000,
  acknowledges: (message: unknown) => (eventOf(message) === 'subscribe' ? 1 : 0),
} as const;

/** The rows of a message with data; null for any other. ShapeError for a refusal. */
export function rowsOf(message: unknown): readonly unknown[] | null {
  if (message === 'pong') return null;
  const event = eventOf(message);
  if (event === 'error') throw new ShapeError(`refused: ${text(asRow(message).msg)}`);
  return event === '' ? list(field(message, 'data'), 'data') : null;
}

const suffix = '_CM';

/** The id in the lists of version 2: version 3 ends the ids of coin-margined contracts in `_CM`. */
export function idOf({ symbol }: WireRow): string {
  const id = text(symbol);
  return id.endsWith(suffix) ? id.slice(0, -suffix.length) : id;
}
