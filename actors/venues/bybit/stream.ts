/** The public connections of Bybit. https://bybit-exchange.github.io/docs/v5/ws/connect */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, list, optional, text } from '../../read.ts';
import type { Refusal } from '../../sources/streams/stream.ts';
import { pieces } from '../liquidations.ts';
import { leftOf } from '../refusals.ts';

/** Of spot at most ten; a topic that is not known takes the others of its request with it. */
const perRequest = 10;

/** Subscribes to topics. Their number goes along as the id of the request, which the acknowledgement repeats. */
const subscription = (args: readonly string[]): string =>
  JSON.stringify({ op: 'subscribe', req_id: `${args.length}`, args });

/** The requests that subscribe to topics. */
export const subscriptions = (topics: readonly string[]): string[] =>
  pieces(topics, perRequest).map(subscription);

/** Why a request was refused; null for any other message. A topic that is subscribed to already is none that is missing. */
function refusalIn(message: unknown): string | null {
  if (!isRecord(message) || message.success !== false) return null;
  const why = text(message.ret_msg);
  return /already subscribed/.test(why) ? null : why;
}

const topicsOf = (request: string): string[] =>
  list(field(JSON.parse(request), 'args'), 'args').map(text);

/** The request with the topics that a refusal names, and the rest of it. */
function refuses(message: unknown, sent: readonly string[]): Refusal | null {
  const why = refusalIn(message);
  return why === null ? null : leftOf(why, sent, { namesIn: topicsOf, subscription });
}

/** The properties of every connection of a category. Its topics may have 21,000 characters, which is 40 requests. */
export const connection = (category: 'spot' | 'linear' | 'inverse') => ({
  url: `wss://stream.bybit.com/v5/public/${category}`,
  perConnection: 40,
  keepAlive: { every: 20_000, message: '{"op":"ping"}' },
  silence: 60_000,
  acknowledges(message: unknown) {
    if (!isRecord(message) || message.op !== 'subscribe' || message.success !== true) return 0;
    return optional(message.req_id) ?? 1;
  },
  refuses,
});

/** True for a message with data of topics that begin so; ShapeError for a refusal and for anything that is not a message of Bybit. */
export function isAbout(message: unknown, topics: string): boolean {
  const topic = field(message, 'topic');
  if (topic === undefined && isRecord(message) && typeof message.op === 'string') {
    const refusal = refusalIn(message);
    if (refusal !== null) throw new ShapeError(`refused: ${refusal}`);
    return false;
  }
  if (!text(topic).startsWith(topics)) throw new ShapeError('topic: unknown');
  return true;
}
