/** The connections of Bitstamp. https://www.bitstamp.net/websocket/v2/ */
import { asRow } from '../../read.ts';

/** The properties of every connection: a channel a message, 1,024 of them at most. */
export const connection = {
  url: 'wss://ws.bitstamp.net',
  ...{ pace: 50, perConnection: 1_000 },
  keepAlive: { every: 30_000, message: '{"event":"bts:heartbeat"}' },
  silence: 60_000,
  acknowledges: (message: unknown) =>
    asRow(message).event === 'bts:subscription_succeeded' ? 1 : 0,
} as const;

/** Subscribes to a channel, or ends that. */
export const said = (event: 'subscribe' | 'unsubscribe', channel: string): string =>
  JSON.stringify({ event: `bts:${event}`, data: { channel } });
