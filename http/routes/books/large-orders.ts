/** Large resting orders of an asset (specification 4.5 and 4.10). */
import * as s from '../../../actors/topics/schema.ts';
import { floorOf, largeLevels, orderStates } from '../../../indicators/order-book/large-orders.ts';
import { snapshotOf } from '../../answers/snapshots.ts';
import { type Param, type Route, route } from '../../endpoints/route.ts';
import type { BookKind, Order } from '../../views/books.ts';
import { isApiError } from '../../wire/errors.ts';
import { symbolOrBitcoin, symbolRequired } from '../analytics/common.ts';
import * as params from '../params.ts';
import {
  type Books,
  type BooksContext,
  bookMarkets,
  booksQuestion,
  common,
  count,
  exchangesOf,
  symbol,
} from './common.ts';

const answer = s.object({
  symbol,
  count,
  tracked: s.boolean(
    'The order books of the asset are sampled all the time; else `first_seen` is the time of the answer.',
  ),
  items: s.list(
    s.object({
      exchange: s.exchange,
      pair: s.string("The exchange's own id of the market."),
      side: s.oneOf(['bid', 'ask'], 'To buy, or to sell.'),
      price: s.number('In quote, a dollar or a dollar stablecoin.'),
      quantity: s.number('Base units; of a closed order the last that was seen.'),
      value_usd: s.number('US dollars.'),
      initial_value_usd: s.number('US dollars, when it was first seen.'),
      distance_percent: s.number('From the mid price, percent of it: negative below.'),
      state: s.oneOf(
        orderStates,
        'Filled: the price has gone through it; cancelled: less than 30 % of it is left.',
      ),
      first_seen: s.unixMs(),
      last_seen: s.unixMs('Of a closed order the time at which it was found to be so, Unix ms.'),
    }),
    'Orders that rest first, each with the largest value first.',
  ),
  stale: s.stale,
});
type Item = s.Static<typeof answer>['items'][number];

const itemOf = (order: Omit<Order, 'symbol'>): Item => ({
  exchange: order.exchange,
  pair: order.market,
  side: order.side,
  price: order.price,
  quantity: order.quantity,
  value_usd: order.value_usd,
  initial_value_usd: order.initial_value_usd,
  distance_percent: order.distance_percent,
  state: order.state,
  first_seen: order.first_seen,
  last_seen: order.last_seen,
});

interface Filter {
  min_usd?: number | undefined;
  limit: number;
}

/** 0 for an order that rests, 1 for one that has ended. */
const endedOf = ({ state }: Pick<Item, 'state'>): number => (state === 'active' ? 0 : 1);

function dataOf(
  asset: string,
  tracked: boolean,
  all: readonly Item[],
  { min_usd = 0, limit }: Filter,
) {
  const items = all
    .filter(({ value_usd }) => value_usd >= min_usd)
    .sort((a, b) => endedOf(a) - endedOf(b) || b.value_usd - a.value_usd)
    .slice(0, limit);
  return { symbol: asset, count: items.length, tracked, items };
}

/** The large levels of books that were asked for just now: orders that are seen for the first time. */
const levelsOf = (asset: string, { answered }: Books): Item[] =>
  answered.flatMap(({ exchange, market, book }) =>
    largeLevels(book, floorOf(asset)).map((level) => {
      const times = { first_seen: book.timestamp, last_seen: book.timestamp };
      const state = { initial_value_usd: level.value_usd, state: 'active', ...times } as const;
      return itemOf({ exchange, market, ...level, ...state });
    }),
  );

function largeOrdersRoute(
  context: BooksContext,
  kind: BookKind,
  row: Pick<Route, 'path' | 'summary'> & { symbol: Param },
): Route {
  const { books, clock } = context;
  const { symbol: symbolParam, ...about } = row;
  return route({
    ...{ ...common, ...about, answer, fails: ['upstream_failed'] },
    params: {
      symbol: symbolParam,
      exchange: {
        ...params.exchange(exchangesOf(context, kind)),
        description: 'Exchange id. All exchanges when absent.',
      },
      min_usd: { type: 'number', minimum: 0, description: 'Least value, US dollars.' },
      limit: params.limit(50, 200, 'Most orders.'),
    },
    from: {
      query({ symbol: given = 'BTC', exchange, ...filter }) {
        const found = bookMarkets(context, { kind, symbol: given, exchange });
        if (isApiError(found)) return found;
        const { symbol: asset } = found;
        const wanted = { kind, symbol: asset, exchange };
        const now = clock.now();
        const samples = books.samples(wanted, now);
        if (samples.length > 0) {
          const orders = books.orders(wanted, now).map(itemOf);
          // Live books are looked at more often than they are sampled.
          const times = [
            ...samples.map(({ received }) => received),
            ...orders.map(({ last_seen }) => last_seen),
          ];
          return snapshotOf(dataOf(asset, true, orders, filter), Math.max(...times));
        }
        return booksQuestion(kind, found, {
          form: `large ${filter.min_usd} ${filter.limit}`,
          data: (replies) => dataOf(asset, false, levelsOf(asset, replies), filter),
        });
      },
    },
  });
}

export const largeOrderRoutes = (context: BooksContext): Route[] => [
  largeOrdersRoute(context, 'spot', {
    path: '/v1/spot/large-orders',
    summary: 'Large resting orders of spot markets',
    symbol: symbolRequired,
  }),
  largeOrdersRoute(context, 'perpetual', {
    path: '/v1/futures/large-orders',
    summary: 'Large resting orders of perpetuals',
    symbol: symbolOrBitcoin,
  }),
];
