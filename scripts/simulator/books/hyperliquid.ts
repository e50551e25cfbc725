/** `l2Book` of Hyperliquid: a whole book every five seconds. */
import { asRow, text } from '../../../actors/read.ts';
import type { WireLevel } from '../book.ts';
import { objectOf } from '../liquidations/forced.ts';
import { inGroup, subscribing } from './frames.ts';
import { bookChannels } from './wire.ts';

const rows = (levels: readonly WireLevel[]) => levels.map(([px, sz]) => ({ px, sz, n: 1 }));

export const books = bookChannels({
  ...{ venue: 'hyperliquid', depth: 20, every: 5_000, whole: true },
  asked({ method, subscription }) {
    const on = subscribing(method);
    const { type, coin } = asRow(subscription);
    return on === null || type !== 'l2Book' ? null : { on, markets: inGroup('', [text(coin)]) };
  },
  find: (markets, { id }) => markets.find((one) => one.id === id),
  tell: ({ market, now, bids, asks }) => ({
    channel: 'l2Book',
    data: { coin: market.id, time: now, levels: [rows(bids), rows(asks)] },
  }),
});

/** A ping is answered, and a subscription is said again. */
export function reply(frame: string): string[] {
  const message = objectOf(frame);
  if (message.method === 'ping') return ['{"channel":"pong"}'];
  return [JSON.stringify({ channel: 'subscriptionResponse', data: message })];
}
