/** `!forceOrder@arr` of Binance and Aster: the largest liquidation of a second. */
import { type Forced, liquidationChannels, objectOf, textsOf } from './forced.ts';

const order = ({ market, long, size, at, time }: Forced) => ({
  s: market.id,
  ...(market.inverse && { ps: market.id.split('_')[0] }),
  S: long ? 'SELL' : 'BUY',
  o: 'LIMIT',
  f: 'IOC',
  q: size,
  p: at,
  ap: at,
  X: 'FILLED',
  l: size,
  z: size,
  T: time,
});

/** `groups` names the markets of a host; messages without the route of market streams do not arrive. */
export const forceOrders = (venue: string, groups: Readonly<Record<string, string>>) =>
  liquidationChannels({
    venue,
    named(frame, { host, path }) {
      const { method, params } = objectOf(frame);
      const routed = host !== 'fstream.binance.com' || path.startsWith('/market/');
      const asked = method === 'SUBSCRIBE' && routed ? textsOf(params) : [];
      return asked.includes('!forceOrder@arr') ? [groups[host] ?? ''] : [];
    },
    channel: ({ group }) => group,
    tell(forced, now) {
      const [largest] = forced.toSorted((a, b) => b.quantity * b.price - a.quantity * a.price);
      return largest ? [{ e: 'forceOrder', E: now, o: order(largest) }] : [];
    },
  });

/** What a message is answered with: null, or the streams that are subscribed to. */
export function answers(frame: string): string[] {
  const { method, id } = objectOf(frame);
  if (id === undefined) return [];
  const result = method === 'LIST_SUBSCRIPTIONS' ? ['!forceOrder@arr'] : null;
  return [JSON.stringify({ result, id })];
}
