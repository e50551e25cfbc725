/** The connections of Bitfinex: data are arrays under the number that a subscription was given. https://docs.bitfinex.com/docs/ws-general */
import { asRow, text } from '../../read.ts';
import { numberOf, refused } from '../books.ts';
import { memoryOf } from '../memory.ts';

/** The properties of every connection: 25 channels, and a sign of life of each every 15 s. */
export const connection = {
  url: 'wss://api-pub.bitfinex.com/ws/2',
  ...{ pace: 50, perConnection: 25, silence: 45_000 },
  acknowledges: (message: unknown) => (asRow(message).event === 'subscribed' ? 1 : 0),
} as const;

/** The markets of a connection, or the keys of its channels that have keys, by the numbers that stand for them in its messages. */
export const channelsOf = memoryOf(() => new Map<number, string>());

export const numberIn = (channels: ReadonlyMap<number, string>, market: string) =>
  [...channels].find(([, name]) => name === market)?.[0];

/** Reads a message that is not an array: it has the number of a subscription. A market gets another number with each subscription. ShapeError for a refusal. */
export function noteChannel(by: object | undefined, wanted: string, message: unknown): void {
  const { event, msg, channel, chanId, symbol, key } = asRow(message);
  const name = text(symbol) || text(key);
  if (event === 'error') throw refused(msg);
  if (event !== 'subscribed' || channel !== wanted) return;
  const channels = channelsOf(by);
  const old = numberIn(channels, name);
  if (old !== undefined) channels.delete(old);
  channels.set(numberOf(chanId, 'chanId'), name);
}
