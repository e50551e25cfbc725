/** `public.*.liquidation_orders` of HTX's linear swaps, and the pings of its notifications. */
import type { Ask } from '../venue.ts';
import {
  type Forced,
  isEvery,
  liquidationChannels,
  objectOf,
  pastForced,
  wholeOf,
} from './forced.ts';

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

/** `swap_liquidation_orders?contract=&start_time=&end_time=` of version 3: times in ms, two hours at most. */
export function orders(ask: Ask) {
  const contract = ask.query.get('contract');
  const wants = ({ group }: Forced['market']) => group === 'linear';
  const to = wholeOf(ask, 'end_time', ask.now);
  const from = wholeOf(ask, 'start_time', to - 7_200_000);
  const found = pastForced(ask, { venue: 'htx', wants }, { from, to, limit: 10_000 });
  const rows = found.filter(({ market }) => market.id === contract).map(row);
  return { code: 200, msg: '', data: rows.slice(0, 50), ts: ask.now };
}

/** A subscription is acknowledged. */
export function reply(frame: string): string[] {
  const { op, cid, topic: name } = objectOf(frame);
  return op === 'sub' ? [JSON.stringify({ op, cid, topic: name, ts: 0, 'err-code': 0 })] : [];
}
