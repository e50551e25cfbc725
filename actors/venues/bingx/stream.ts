/** The WebSocket of BingX: a connection for each part, frames in gzip, one subscription a message. */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, text } from '../../read.ts';
import type { PartName } from './api.ts';

const urls: Readonly<Record<PartName, string>> = {
  spot: 'wss://open-api-ws.bingx.com/market',
  linear: 'wss://open-api-swap.bingx.com/swap-market',
  inverse: 'wss://open-api-cswap-ws.bingx.com/market',
};

/** The server's question whether we live: a text, or an object whose values the answer repeats. */
const isPing = (message: unknown): boolean =>
  message === 'Ping' || (isRecord(message) && 'ping' in message);

/** Ten subscriptions a second, 200 on a connection. */
export const connection = (part: PartName) => ({
  url: urls[part],
  codec: 'gzip' as const,
  ...{ perConnection: 200, pace: 120, silence: 30_000 },
  reply(message: unknown): string | null {
    if (!isPing(message)) return null;
    const { ping, time: sent } = asRow(message);
    return isRecord(message) ? JSON.stringify({ pong: ping, time: sent }) : 'Pong';
  },
  acknowledges: (message: unknown): number =>
    isRecord(message) && message.code === 0 && text(message.id) !== '' ? 1 : 0,
});

/** The message that subscribes to a topic of a market (`sub`), or ends that (`unsub`). */
export const said = (reqType: 'sub' | 'unsub', market: string, topic: string): string =>
  JSON.stringify({ id: market, reqType, dataType: `${market}@${topic}` });

/** What a message is about; null for a ping and an acknowledgement. Throws ShapeError where the exchange refuses. */
export function dataIn(message: unknown): Record<string, unknown> | null {
  if (isPing(message)) return null;
  const code = field(message, 'code');
  if (code !== 0) throw new ShapeError(`BingX: ${text(field(message, 'msg'))}`);
  const data = field(message, 'data');
  if (data === null && text(field(message, 'id')) !== '') return null;
  if (!isRecord(data)) throw new ShapeError('data: no object');
  return data;
}
