/** Shared by the streams of Kraken: names of spot pairs, and the connections of Kraken Futures. https://docs.kraken.com/api/docs/guides/futures-websockets */
import { ShapeError } from '../../failure.ts';
import { asRow, field, list, text } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';

/** Version 2 of the spot API names pairs by the usual tickers: `BTC/USD`. */
export const nameOf = ({ symbol, quote }: Instrument): string => `${symbol}/${quote}`;

/** Products that one message may name. */
const perMessage = 200;

/** Subscribes to a feed of products, and to the heartbeat, which proves that the connection lives; none without products. */
export function subscriptions(feed: string, products: readonly string[]): string[] {
  const messages = pieces(products, perMessage).map((product_ids) =>
    JSON.stringify({ event: 'subscribe', feed, product_ids }),
  );
  return messages.length === 0 ? [] : ['{"event":"subscribe","feed":"heartbeat"}', ...messages];
}

/** The properties of every stream of a feed. The connection requires a ping of the protocol each minute. */
export const connection = (feed: string) => ({
  url: 'wss://futures.kraken.com/ws/v1',
  keepAlive: { every: 30_000, message: null },
  silence: 60_000,
  acknowledges(message: unknown) {
    const { event, feed: acknowledged, product_ids } = asRow(message);
    return event === 'subscribed' && acknowledged === feed
      ? list(product_ids, 'product_ids').length
      : 0;
  },
});

/** The feed of a message with data; null for any other. ShapeError for a refusal. */
export function feedOf(message: unknown): string | null {
  const event = text(field(message, 'event'));
  if (event === 'error' || event === 'alert')
    throw new ShapeError(`refused: ${text(asRow(message).message)}`);
  if (event !== '') return null;
  const feed = text(field(message, 'feed'));
  if (feed === '') throw new ShapeError('feed: no text');
  return feed;
}
