/** The public connections of Bybit. https://bybit-exchange.github.io/docs/v5/ws/connect */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, optional, text } from '../../read.ts';
import { pieces } from '../liquidations.ts';

/** Of spot at most ten; a refused topic may take the others of its request with it. */
const perRequest = 10;

/** Subscribes to topics. Their number goes along as the id of the request, which the acknowledgement repeats. */
export const subscriptions = (topics: readonly string[]): string[] =>
  pieces(topics, perRequest).map((args) =>
    JSON.stringify({ op: 'subscribe', req_id: `${args.length}`, args }),
  );

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
});

/** True for a message with data of topics that begin so; ShapeError for a refusal and for what is no message of Bybit. */
export function isAbout(message: unknown, topics: string): boolean {
  const topic = field(message, 'topic');
  if (topic === undefined && isRecord(message) && typeof message.op === 'string') {
    if (message.success === false) throw new ShapeError(`refused: ${text(message.ret_msg)}`);
    return false;
  }
  if (!text(topic).startsWith(topics)) throw new ShapeError('topic: unknown');
  return true;
}
