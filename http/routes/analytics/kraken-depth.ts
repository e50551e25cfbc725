/** The order book of Kraken Futures, deeper than those of all exchanges (specification 4.3). */
import type { Depth, Level } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { spread } from '../../../indicators/order-book/spread.ts';
import type { Route } from '../../endpoints/route.ts';
import { columns } from '../factory/columns.ts';
import { history, symbolField } from '../factory/history.ts';
import { type MarketContext, ofMarket } from '../factory/market-subject.ts';
import * as params from '../params.ts';
import { group } from './common.ts';

const level = columns<Level>()({
  price: s.number('USD.'),
  quantity: s.number('Base units.'),
  value_usd: [s.number('Price x quantity.'), ({ price, quantity }) => price * quantity],
});
const fields = columns<Depth>()({
  contract: [s.string("The exchange's own id."), 'market'],
  bids: [s.list(level.schema, 'Price descending.'), ({ bids }) => level.all(bids)],
  asks: [s.list(level.schema, 'Price ascending.'), ({ asks }) => level.all(asks)],
  best_bid: [
    s.numberOrNull('Highest bid, USD; null without bids.'),
    ({ bids: [best] }) => best?.price ?? null,
  ],
  best_ask: [
    s.numberOrNull('Lowest ask, USD; null without asks.'),
    ({ asks: [best] }) => best?.price ?? null,
  ],
  mid_price: [
    s.numberOrNull('USD; null while a side is empty or the book is crossed.'),
    ({ bids, asks }) => spread(bids[0], asks[0]).mid_price,
  ],
  spread_percent: [
    s.numberOrNull('Best ask less best bid, percent of the mid price.'),
    ({ bids, asks }) => spread(bids[0], asks[0]).spread_pct,
  ],
  bids_usd_1pct: [s.number('Value of all bids within 1 % of the mid price.'), 'bidsNear'],
  asks_usd_1pct: [s.number('Value of all asks within 1 % of the mid price.'), 'asksNear'],
  timestamp: s.unixMs('When the exchange took it.'),
  suspect: s.optional(
    s.boolean('True where its middle is more than 30 % away from all prices of the asset.'),
  ),
});

export const krakenDepthRoutes = (context: MarketContext): Route[] =>
  history({
    path: '/v1/analytics/kraken/depth',
    group,
    summary: 'Order book of a perpetual of Kraken Futures',
    params: {
      symbol: params.symbolOrBitcoin,
      limit: params.limit(50, 200, 'Most levels a side.'),
    },
    of: {
      ...ofMarket(context, {
        names: ['depth'],
        on: 'kraken',
        what: 'the order book',
        params: ({ market, kind }, { limit }: { symbol: string; limit: number }) => ({
          market,
          kind,
          limit,
        }),
      }),
      head: symbolField,
    },
    fold: (depth) => depth,
    fields,
  });
