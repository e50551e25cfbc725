/** `public.*.liquidation_orders` of HTX's linear swaps, and the pings of its notifications. */
import { type Forced, isEvery, liquidationChannels, objectOf } from './forced.ts';

const row = ({ market, long, quantity, price, time }: Forced) => ({
  symbol: market.symbol,
  contract_code: market.id,
  direction: long ? 'sell' : 'buy',
  offset: 'close',
  volume: quantity,
  price,
  created_at: time,
  amount: quantity * market.contract,
  trade_turnover: quantity * market.contract * price,
  contract_type: 'swap',
  pair: market.id,
  business_type: 'swap',
});

const topic = 'public.*.liquidation_orders';

export const channels = {
  ...liquidationChannels({
    venue: 'htx',
    named(frame) {
      const message = objectOf(frame);
      return message.op === 'sub' && message.topic === topic ? ['linear'] : [];
    },
    channel: ({ group }) => group,
    tell: (forced, now) => [{ op: 'notify', topic, ts: now, data: forced.map(row) }],
    beside: (_channels, now) => (isEvery(5, now) ? [{ op: 'ping', ts: `${now}` }] : []),
  }),
  gzip: true as const,
};

/** A subscription is acknowledged. */
export function reply(frame: string): string[] {
  const { op, cid, topic: name } = objectOf(frame);
  return op === 'sub' ? [JSON.stringify({ op, cid, topic: name, ts: 0, 'err-code': 0 })] : [];
}
