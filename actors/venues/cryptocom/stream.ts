/** The connections of Crypto.com's market data. https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, required, text, type WireRow } from '../../read.ts';

/**
 * The properties of every connection. The server asks for a sign of life every 30 s, and closes a connection that does not answer in 5 s; requests in
 * the first second are too many, and later more than 100 a second, of which half are used: 400 channels take 8 s.
 */
export const connection = {
  url: 'wss://stream.crypto.com/exchange/v1/market',
  ...{ pace: 20, settle: 1_000, perConnection: 400 },
  reply: (message: unknown) =>
    isRecord(message) && message.method === 'public/heartbeat'
      ? JSON.stringify({ id: message.id, method: 'public/respond-heartbeat' })
      : null,
  /** A subscription is answered under its id, with the first data; later ones have the id -1. */
  acknowledges: (message: unknown) =>
    isRecord(message) && message.method === 'subscribe' && required(message.id) > 0 ? 1 : 0,
  silence: 45_000,
} as const;

/** The result of a subscription; null for any other message. ShapeError for a refusal. */
export function resultOf(message: unknown): WireRow | null {
  const code = field(message, 'code');
  if (code !== undefined && code !== 0)
    throw new ShapeError(`Crypto.com ${code}: ${text(field(message, 'message'))}`);
  const method = text(field(message, 'method'));
  if (method === 'public/heartbeat' || method === 'unsubscribe') return null;
  if (method !== 'subscribe') throw new ShapeError('method: unknown');
  const result = field(message, 'result');
  return result === undefined ? null : asRow(result);
}
