/** The connections of Binance's WebSocket market streams, and of those in its form (Aster). */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, text } from '../../read.ts';

/** Subscribes to one stream of all markets, such as `!forceOrder@arr`. */
export const subscription = (stream: string): string =>
  JSON.stringify({ method: 'SUBSCRIBE', params: [stream], id: 1 });

/**
 * A quiet market sends nothing but pings of the protocol: our own question, which is answered, proves that the connection
 * lives. A connection ends after 24 hours.
 */
export const connection = {
  keepAlive: { every: 25_000, message: '{"method":"LIST_SUBSCRIPTIONS","id":2}' },
  lifetime: 86_400_000,
  acknowledges: (message: unknown) => (isRecord(message) && message.result === null ? 1 : 0),
};

/** True for an answer to a message of ours; ShapeError for a refusal. */
export function isAnswer(message: unknown): boolean {
  const error = field(message, 'error') ?? field(message, 'msg');
  if (error !== undefined) throw new ShapeError(`refused: ${text(asRow(error).msg)}`);
  return isRecord(message) && 'result' in message;
}
