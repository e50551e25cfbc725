/** The order books of an asset at several exchanges as one (specification 4.5). */
import * as s from '../../../actors/topics/schema.ts';
import {
  type AggregatedBook,
  type AggregatedLevel,
  aggregateBooks,
} from '../../../indicators/order-book/aggregate.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { apiError, isApiError } from '../../wire/errors.ts';
import { symbolRequired } from '../analytics/common.ts';
import * as params from '../params.ts';
import {
  type Books,
  type BooksContext,
  bookMarkets,
  booksQuestion,
  common,
  failed_exchanges,
  symbol,
} from './common.ts';

const kind = 'spot';

const level = s.named(
  'AggregatedBookLevel',
  s.object({
    price: s.number('US dollars, a multiple of `step`: bids rounded down, asks up.'),
    quantity: s.number('Base units.'),
    value_usd: s.number('Sum of price x quantity of the levels, US dollars.'),
    exchanges: s.mapOf(s.number('Base units.'), 'exchange'),
  }),
);
const band = s.object({
  bids_usd: s.number('Of all bids within it, US dollars.'),
  asks_usd: s.number('Of all asks within it, US dollars.'),
});

const answer = s.object({
  symbol,
  mid_price: s.number('Mean of the mid prices of the exchanges by turnover, US dollars.'),
  best_bid: s.number('The highest of all exchanges, US dollars.'),
  best_ask: s.number('The lowest of all exchanges, US dollars.'),
  crossed: s.boolean(
    'The best bid of one exchange is at or above the best ask of another. Nothing is matched.',
  ),
  step: s.number('Prices are multiples of it, US dollars.'),
  exchanges: s.list(s.string(), 'Exchanges in the sums.'),
  failed_exchanges,
  bids: s.list(level, 'Price descending.'),
  asks: s.list(level, 'Price ascending.'),
  depth: s.mapOf(band, 'percent of the mid price to what rests within it, US dollars'),
  depth_limited: s.list(
    s.string(),
    'Exchanges whose order book ends nearer than 2 %: their depth beyond is not in the sums.',
  ),
  timestamp: s.unixMs('When the newest of the books was taken, Unix ms.'),
  stale: s.stale,
});

const levelOf = ({ price, quantity, value_usd, exchanges }: AggregatedLevel) => ({
  ...{ price, quantity, value_usd, exchanges },
});

const dataOf = (asset: string, found: AggregatedBook, { answered, failed }: Books) => ({
  symbol: asset,
  mid_price: found.mid_price,
  best_bid: found.best_bid,
  best_ask: found.best_ask,
  crossed: found.crossed,
  step: found.step,
  exchanges: answered.map(({ exchange }) => exchange),
  failed_exchanges: failed,
  bids: found.bids.map(levelOf),
  asks: found.asks.map(levelOf),
  depth: Object.fromEntries(
    found.depth.map(({ range, bids_usd, asks_usd }) => [range, { bids_usd, asks_usd }]),
  ),
  depth_limited: found.depth_limited,
  timestamp: Math.max(...answered.map(({ book }) => book.timestamp)),
});

export const aggregatedRoute = (context: BooksContext): Route =>
  route({
    ...common,
    path: '/v1/spot/orderbook/aggregated',
    summary: 'Spot order books of an asset at several exchanges as one',
    params: {
      symbol: symbolRequired,
      exchange: params.severalExchanges(
        'The ten with the largest turnover of the asset when absent.',
      ),
      step: {
        type: 'number',
        minimum: 0,
        description: 'Step of prices; a ten-thousandth of the mid price, rounded, when absent.',
      },
      limit: params.limit(50, 200, 'Most levels a side.'),
    },
    answer,
    fails: ['upstream_failed'],
    from: {
      query({ step, limit, ...wanted }) {
        if (step === 0) return apiError('bad_parameter', 'step must be above 0');
        const found = bookMarkets(context, { kind, ...wanted });
        if (isApiError(found)) return found;
        return booksQuestion(kind, found, {
          form: `aggregated ${step} ${limit}`,
          data(books) {
            const usable = books.answered.map(({ exchange, turnover, book }) => ({
              ...{ exchange, weight: turnover, bids: book.bids, asks: book.asks },
            }));
            const one = aggregateBooks(usable, { step, limit });
            if (one) return dataOf(found.symbol, one, books);
            return apiError('upstream_failed', `no order book of ${found.symbol} has two sides`);
          },
        });
      },
    },
  });
