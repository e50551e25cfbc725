/** Large resting orders of an asset (specification 4.5 and 4.10). */
import { less } from '../../../indicators/digits.ts';
import { floorOf, largeLevels, orderStates } from '../../../indicators/order-book/large-orders.ts';
import { snapshotOf } from '../../answers/snapshots.ts';
import type { Order } from '../../views/books.ts';
import { kit, params, s } from '../kit.ts';
import * as shared from './asset-books.ts';

const item = kit.columns<Omit<Order, 'symbol'>>()({
  exchange: s.exchange,
  pair: [s.ownId, 'market'],
  side: s.oneOf(['bid', 'ask'], 'To buy, or to sell.'),
  price: s.number('In quote, a dollar or a dollar stablecoin.'),
  quantity: s.number('Base units; of a closed order the last that was seen.'),
  value_usd: s.number(),
  initial_value_usd: s.number('US dollars, when it was first seen.'),
  distance_percent: s.number('From the mid price, percent of it: negative below.'),
  state: s.oneOf(orderStates, 'Filled: the price went through; cancelled: under 30 % is left.'),
  first_seen: s.unixMs(),
  last_seen: s.unixMs('When it was seen last, or found to be closed.'),
});
type Item = Omit<Order, 'symbol'>;

interface Filter {
  min_usd?: number | undefined;
  limit: number;
}

/** 0 for an order that rests, 1 for one that has ended. */
const endedOf = ({ state }: Pick<Item, 'state'>): number => (state === 'active' ? 0 : 1);

/** The largest orders of an answer: ended ones where there are not enough that rest. */
function ordersOf(tracked: boolean, all: readonly Item[], { min_usd = 0, limit }: Filter) {
  const items = all
    .filter(({ value_usd }) => less(value_usd, min_usd) >= 0)
    .sort((a, b) => endedOf(a) - endedOf(b) || b.value_usd - a.value_usd)
    .slice(0, limit)
    .sort((a, b) => b.value_usd - a.value_usd);
  return { count: items.length, tracked, items: item.all(items) };
}
const fields = s.object({
  count: s.count,
  tracked: s.boolean('Its books are always sampled; else `first_seen` is the time of the answer.'),
  items: s.list(item.schema, 'Largest value first; beyond `limit` ended ones are left out first.'),
});

/** The large levels of books that were asked for just now: orders that are seen for the first time. */
const levelsOf = (asset: string, { answered }: shared.Books): Item[] =>
  answered.flatMap(({ exchange, market, book }) =>
    largeLevels(book, floorOf(asset)).map((level) => {
      const times = { first_seen: book.timestamp, last_seen: book.timestamp };
      const state = { initial_value_usd: level.value_usd, state: 'active', ...times } as const;
      return { exchange, market, ...level, ...state };
    }),
  );

export const largeOrderRoutes = kit.ofBothKinds(
  (context: shared.BooksContext, { kind, place, markets }) => {
    const { books, clock } = context;
    const path = `/v1/${place}/large-orders`;
    const symbol: kit.Param = kind === 'spot' ? params.symbolRequired : params.symbolOrBitcoin;
    const paramsOf = <P extends kit.Param>(named: P) => ({
      symbol: shared.bookAsset(named, context, kind),
      exchange: params.exchangeOrAll(shared.exchangesOf(context, kind)),
      min_usd: params.atLeast(0, 'Least value, US dollars.'),
      limit: params.limit(50, 200, 'Most orders.'),
    });
    const untracked = kit.historyAnswer({
      path,
      params: paramsOf(params.symbolOrBitcoin),
      of: shared.ofBooks(kind),
      foldAll: ({ values: { symbol: asset, markets, min_usd, limit }, replies }) =>
        ordersOf(false, levelsOf(asset, shared.repliesOf(markets, replies)), { min_usd, limit }),
      fields: kit.plain(fields),
    });
    return kit.queried({
      path,
      summary: `Large resting orders of ${markets}`,
      params: paramsOf(symbol),
      answer: untracked.answer,
      fails: ['upstream_failed'],
      query({ symbol: asset, exchange, min_usd, limit }) {
        const wanted = { kind, symbol: asset, exchange };
        const now = clock.now();
        const samples = books.samples(wanted, now);
        if (samples.length === 0)
          return untracked.query({ symbol: asset, exchange, min_usd, limit });
        const orders = books.orders(wanted, now);
        // Live books are looked at more often than they are sampled.
        const times = [
          ...samples.map(({ received }) => received),
          ...orders.map(({ last_seen }) => last_seen),
        ];
        const found = ordersOf(true, orders, { min_usd, limit });
        return snapshotOf({ symbol: asset, ...found }, Math.max(...times));
      },
    });
  },
);
