/** The connections of HTX's market data. https://www.htx.com/en-us/opend (WebSocket market data) */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, text, type WireRow } from '../../read.ts';

const isPing = (message: unknown): message is WireRow => isRecord(message) && 'ping' in message;

/** The properties of every connection. Frames are gzip. The server asks every 5 s and closes a connection that does not answer; 40 subscriptions a second. */
export const connection = {
  codec: 'gzip',
  pace: 30,
  perConnection: 150,
  silence: 30_000,
  reply: (message: unknown) => (isPing(message) ? JSON.stringify({ pong: message.ping }) : null),
  acknowledges: (message: unknown) =>
    isRecord(message) && message.status === 'ok' && 'subbed' in message ? 1 : 0,
} as const;

/** Subscribes to a topic; `more` are further members of the message. */
export const subscription = (topic: string, more: object = {}): string =>
  JSON.stringify({ sub: topic, id: '1', ...more });

/** The topic of a message with data, or of an answer to a question; null for any other. ShapeError for a refusal and for anything that is not a message of HTX. */
export function topicOf(message: unknown): string | null {
  if (field(message, 'status') === 'error')
    throw new ShapeError(`HTX error: ${text(field(message, 'err-msg'))}`);
  const topic = text(field(message, 'ch') ?? field(message, 'rep'));
  if (topic !== '') return topic;
  if (isPing(message) || field(message, 'status') === 'ok') return null;
  throw new ShapeError('ch: no text');
}
