/** The order books of an asset at several exchanges as one (specification 4.5). */
import { aggregateBooks } from '../../../indicators/order-book/aggregate.ts';
import { apiError, kit, params, s } from '../kit.ts';
import * as shared from './asset-books.ts';

const level = s.named(
  'AggregatedBookLevel',
  s.object({
    price: s.number('US dollars, a multiple of `step`: bids rounded down, asks up.'),
    quantity: s.number('Base units.'),
    value_usd: s.number('Sum of price x quantity of the levels.'),
    exchanges: s.mapOf(s.number('Base units.'), 'exchange'),
  }),
);
const band = s.object({
  bids_usd: s.number('Value of all bids within it.'),
  asks_usd: s.number('Value of all asks within it.'),
});

const fields = s.object({
  mid_price: s.number('Mean of the mid prices of the exchanges by turnover, US dollars.'),
  best_bid: s.number('The highest of all exchanges, US dollars.'),
  best_ask: s.number('The lowest of all exchanges, US dollars.'),
  crossed: s.boolean('A bid is at or above the ask of another exchange. Nothing is matched.'),
  step: s.number('Prices are multiples of it, US dollars.'),
  exchanges: s.list(s.string(), 'Exchanges in the sums.'),
  failed_exchanges: shared.failed_exchanges,
  bids: s.list(level, 'Price descending.'),
  asks: s.list(level, 'Price ascending.'),
  depth: s.mapOf(band, 'percent of the mid price to what rests within it, US dollars'),
  depth_limited: s.list(s.string(), 'Exchanges whose book ends within 2 %: more is missing.'),
  timestamp: s.unixMs('When the newest of the books was taken.'),
});

/** The books as one, of at most `limit` levels a side. */
function oneOf(
  symbol: string,
  { answered, failed }: shared.Books,
  form: { step?: number | undefined; limit: number },
): s.Static<typeof fields> | kit.ApiError {
  const usable = answered.map(({ exchange, turnover, book: { bids, asks } }) => ({
    exchange,
    weight: turnover,
    bids,
    asks,
  }));
  const one = aggregateBooks(usable, form);
  if (!one) return apiError('upstream_failed', `no order book of ${symbol} has two sides`);
  return {
    ...one,
    depth: Object.fromEntries(one.depth.map(({ range, ...sides }) => [range, sides])),
    exchanges: answered.map(({ exchange }) => exchange),
    failed_exchanges: failed,
    timestamp: Math.max(...answered.map(({ book }) => book.timestamp)),
  };
}

export const aggregatedRoutes = (context: shared.BooksContext) =>
  kit.history({
    path: '/v1/spot/orderbook/aggregated',
    summary: 'Spot order books of an asset at several exchanges as one',
    params: {
      symbol: shared.bookAsset(params.symbolRequired, context, 'spot'),
      exchange: params.severalExchanges('The ten with the most turnover of it when absent.'),
      step: {
        type: 'number',
        minimum: 0,
        description: 'Step of prices; a ten-thousandth of the mid price, rounded, when absent.',
        resolve: ({ step }: kit.CheckedValues) =>
          step === 0 ? apiError('bad_parameter', 'step must be above 0') : {},
      },
      limit: params.limit(50, 200, 'Most levels a side.'),
    },
    of: shared.ofBooks('spot'),
    foldAll: ({ replies, values: { symbol, markets, step, limit } }) =>
      oneOf(symbol, shared.repliesOf(markets, replies), { step, limit }),
    fields: kit.plain(fields),
  });
