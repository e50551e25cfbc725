/** The connections of Gate's WebSocket API v4, spot and futures. https://www.gate.com/docs/developers/apiv4/ws/en/ */
import { ShapeError } from '../../failure.ts';
import { asRow, field, list, text } from '../../read.ts';
import type { Refusal } from '../../sources/streams/stream.ts';
import { leftOf } from '../refusals.ts';

/** Stands for the time that every message has to name, Unix seconds: within 60 s of that of the server. */
const at = 0;
const timeIn = /"time":\d+/;

/** Subscribes to a channel, or ends that. */
export const subscription = (
  channel: string,
  payload: readonly string[],
  event: 'subscribe' | 'unsubscribe' = 'subscribe',
): string => JSON.stringify({ time: at, id: 1, channel, event, payload });

const namesIn = (message: string): string[] =>
  list(field(JSON.parse(message), 'payload'), 'payload').map(text);

/** The message with the name that a refusal says is unknown, and the rest of it. */
function refuses(message: unknown, sent: readonly string[]): Refusal | null {
  const { event, channel, error } = asRow(message);
  if (event !== 'subscribe' || !error) return null;
  const why = text(asRow(error).message);
  return leftOf(why, sent, {
    namesIn,
    subscription: (names) => subscription(text(channel), names),
  });
}

/** The properties of every stream of an API. A connection without data is closed after half a minute, but for pings. */
export const connection = (api: 'spot' | 'futures') => ({
  keepAlive: { every: 15_000, message: JSON.stringify({ time: at, channel: `${api}.ping` }) },
  stamp: (message: string, now: number) =>
    message.replace(timeIn, `"time":${Math.floor(now / 1_000)}`),
  silence: 45_000,
  acknowledges(message: unknown) {
    const { event, error } = asRow(message);
    return event === 'subscribe' && !error ? 1 : 0;
  },
  refuses,
});

/** The rows of a message with data, one or a list; null for any other. ShapeError for a refusal. */
export function rowsOf(message: unknown): readonly unknown[] | null {
  const channel = text(field(message, 'channel'));
  if (channel === '') throw new ShapeError('channel: no text');
  const error = field(message, 'error');
  if (error) throw new ShapeError(`Gate error: ${text(asRow(error).message)}`);
  const event = field(message, 'event');
  if (event !== 'update' && event !== 'all') return null;
  const result = field(message, 'result');
  return Array.isArray(result) ? result : [result];
}
