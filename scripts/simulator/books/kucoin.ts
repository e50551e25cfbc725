/** `obu` of KuCoin's connections without a token. */
import { text } from '../../../actors/read.ts';
import { objectOf } from '../liquidations/forced.ts';
import { inGroup, order } from './frames.ts';
import { bookChannels, deepEvery } from './wire.ts';

const interval = 'increment@10ms';

export const books = bookChannels({
  ...{ venue: 'kucoin', depth: 400, every: deepEvery },
  asked({ action, channel, tradeType, symbol, depth: wanted }) {
    const on = order('SUBSCRIBE', 'UNSUBSCRIBE')(action);
    if (on === null || channel !== 'obu' || wanted !== interval) return null;
    return { on, markets: inGroup(text(tradeType).toLowerCase(), [text(symbol)]) };
  },
  tell({ market, now, whole, id, previous, bids, asks }) {
    const sequence = { O: whole ? id : previous + 1, C: id };
    const d = { a: asks, b: bids, s: market.id, M: now * 1e6, ...sequence };
    const type = whole ? 'snapshot' : 'delta';
    return { T: `obu.${market.group.toUpperCase()}`, dp: interval, t: type, P: now * 1e6, d };
  },
});

/** Subscriptions and pings are answered with their id. */
export function reply(frame: string): string[] {
  const { id, type } = objectOf(frame);
  return [JSON.stringify(type === 'ping' ? { id, type: 'pong' } : { id, result: true })];
}
