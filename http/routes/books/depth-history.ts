/** What rested near the mid price over time, out of the recorded series (specification 4.5). */
import { type Recorded, recordedKey } from '../../../actors/topics/index.ts';
import type { FollowedKind } from '../../../indicators/market/market-names.ts';
import { rowsIn } from '../../../indicators/market/recorded.ts';
import { type Band, bandRanges } from '../../../indicators/order-book/bands.ts';
import { kit, params, s } from '../kit.ts';
import { type BooksContext, bookAsset, exchangesOf } from './asset-books.ts';

/** The points of the rows of one key. */
function bandsOf({ rows: [row] }: Recorded, range: number) {
  const named = (field: keyof Band) => `${field}_${range * 100}`;
  const columns = {
    mid_price: 'mid',
    bids_usd: named('bids_usd'),
    asks_usd: named('asks_usd'),
    bids_base: named('bids_base'),
    asks_base: named('asks_base'),
  };
  return rowsIn(row, columns, { exchanges: 'exchanges' }).map((one) => ({
    ...one,
    bid_ask_ratio: one.asks_usd > 0 ? one.bids_usd / one.asks_usd : null,
  }));
}

const point = kit.columns<ReturnType<typeof bandsOf>[number]>()({
  timestamp: [s.unixMs('Start of the interval; values are those of its last minute.'), 'time'],
  bids_usd: s.number(),
  asks_usd: s.number(),
  bids_base: s.number(),
  asks_base: s.number(),
  bid_ask_ratio: s.numberOrNull('bids_usd / asks_usd; null without asks.'),
  mid_price: s.number('In quote, a dollar or a dollar stablecoin.'),
  exchange_count: [s.integerOrNull('Exchanges in the sums; null where not recorded.'), 'exchanges'],
});

/** Why there are no points of an asset whose books are not sampled. */
const untracked = (
  { books, clock }: BooksContext,
  kind: FollowedKind,
): kit.Fields<{ values: { symbol: string }; made: readonly unknown[] }> => ({
  properties: {},
  read({ values: { symbol }, made }) {
    const isTracked = books.samples({ kind, symbol }, clock.now()).length > 0;
    return made.length > 0 || isTracked ? {} : { note: 'not tracked' };
  },
});
const asked = kit.repeated({
  exchange: s.exchange,
  range_percent: s.number('Distance from the mid price on each side, percent of it.'),
});

export const bookHistoryRoutes = kit.ofBothKinds(
  (context: BooksContext, { kind, place, markets }) =>
    kit.recorded({
      path: `/v1/${place}/orderbook/history`,
      summary: `Orders near the mid price of ${markets} over time`,
      params: {
        symbol: bookAsset(params.symbolRequired, context, kind),
        exchange: params.exchangeOrAggregated(exchangesOf(context, kind)),
        interval: params.interval(params.sixIntervals, '1h'),
        limit: params.limit(50, 500, 'Newest intervals.'),
        range_percent: params.numberOf('range_percent', bandRanges, {
          fallback: 1,
          description: 'Percent of the mid price: 0.25, 0.5, 1, 2 or 5.',
        }),
      },
      series: 'order-book',
      what: 'the recorded order books',
      keys: ({ exchange, symbol }) => [recordedKey(exchange, kind, symbol)],
      range: ({ interval, limit }) => ({ step: interval, limit }),
      head: kit.joined<{
        values: { symbol: string; exchange: string; range_percent: number };
        made: readonly unknown[];
      }>(asked, untracked(context, kind)),
      fold: (reply, { values }) => bandsOf(reply, values.range_percent),
      points: kit.points(point),
    }),
);
