/** The order book of Kraken Futures, deeper than those of all exchanges (specification 4.3). */
import type { Depth, Level } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { spread } from '../../../indicators/order-book/spread.ts';
import { type Route, route } from '../../endpoints/route.ts';
import * as params from '../params.ts';
import { aboutPerpetual, type PerpetualContext, symbolOrBitcoin } from './common.ts';

const level = s.object({
  price: s.number('USD.'),
  quantity: s.number('Base units.'),
  value_usd: s.number('Price x quantity.'),
});
const answer = s.object({
  symbol: s.symbol,
  contract: s.string("The exchange's own id: the linear perpetual, or the inverse one without it."),
  bids: s.list(level, 'Price descending.'),
  asks: s.list(level, 'Price ascending.'),
  best_bid: s.numberOrNull('Highest bid, USD; null without bids.'),
  best_ask: s.numberOrNull('Lowest ask, USD; null without asks.'),
  mid_price: s.numberOrNull('USD; null while a side is empty or the book is crossed.'),
  spread_percent: s.numberOrNull('Best ask less best bid, percent of the mid price.'),
  bids_usd_1pct: s.number('Value of all bids within 1 % of the mid price.'),
  asks_usd_1pct: s.number('Value of all asks within 1 % of the mid price.'),
  timestamp: s.unixMs('When the exchange took it, Unix ms.'),
  suspect: s.optional(
    s.boolean('True where its middle is more than 30 % away from all prices of the asset.'),
  ),
  stale: s.stale,
});

const levelOf = ({ price, quantity }: Level) => ({ price, quantity, value_usd: price * quantity });

function dataOf(symbol: string, depth: Depth) {
  const { market, bids, asks, bidsNear, asksNear, timestamp, suspect } = depth;
  const { mid_price, spread_pct: spread_percent } = spread(bids[0], asks[0]);
  return {
    symbol,
    contract: market,
    bids: bids.map(levelOf),
    asks: asks.map(levelOf),
    best_bid: bids[0]?.price ?? null,
    best_ask: asks[0]?.price ?? null,
    mid_price,
    spread_percent,
    bids_usd_1pct: bidsNear,
    asks_usd_1pct: asksNear,
    timestamp,
    ...(suspect && { suspect }),
  };
}

export const krakenDepthRoute = (context: PerpetualContext): Route =>
  route({
    method: 'GET',
    path: '/v1/analytics/kraken/depth',
    group: 'Exchange analytics',
    summary: 'Order book of a perpetual of Kraken Futures',
    params: { symbol: symbolOrBitcoin, limit: params.limit(50, 200, 'Most levels a side.') },
    answer,
    access: 'key',
    fails: ['upstream_failed'],
    from: {
      query: ({ symbol: given, limit }) =>
        aboutPerpetual(
          context,
          'depth',
          { exchange: 'kraken', symbol: given },
          ({ symbol, contract }) => ({
            params: { market: contract, kind: 'perpetual', limit },
            what: `the order book of ${symbol} on kraken`,
            data: (reply) => dataOf(symbol, reply),
          }),
        ),
    },
  });
