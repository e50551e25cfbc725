/** The order books of an asset over time by price (specification 4.10). */
import * as topics from '../../../actors/topics/index.ts';
import { minute } from '../../../config/time.ts';
import { midOf } from '../../../indicators/order-book/book.ts';
import * as buckets from '../../../indicators/order-book/buckets.ts';
import { type HeatmapColumn, heatmapOf } from '../../../indicators/order-book/heatmap.ts';
import type { Sampled } from '../../views/books.ts';
import { apiError, kit, params, s } from '../kit.ts';
import * as shared from './asset-books.ts';

/** The columns of one key: those with a mid price. */
function recordedColumns({ rows: [row] }: topics.Recorded): HeatmapColumn[] {
  const side = (name: 'bid' | 'ask', i: number) =>
    Array.from(
      { length: buckets.bucketForm.perSide },
      (_, at) => row?.columns[`${name}_${at}`]?.[i] ?? 0,
    );
  return (row?.times ?? []).flatMap((time, i) => {
    const mid = row?.columns.mid?.[i] ?? null;
    return mid === null ? [] : [{ time, mid, bids: side('bid', i), asks: side('ask', i) }];
  });
}

type Name = 'series' | 'fullBook';

/** An asset with its markets, as a client asks for it. */
interface Tracked extends shared.BookMarkets {
  /** The samples of its books where they are recorded; none where they are not. */
  samples: readonly Sampled[];
  limit: number;
}

/** The map of some columns, with how much of it is recorded. */
interface Heatmap extends NonNullable<ReturnType<typeof heatmapOf>> {
  timestamps: readonly number[];
  mid_prices: readonly number[];
  coverage: s.Static<typeof kit.coverage>;
  note?: string;
}

const cells = s.list(s.number());
const fields = kit.columns<Heatmap>()({
  bucket_size: s.number('Height of a row of prices, in quote.'),
  timestamps: s.list(s.unixMs('Start of the minute.'), 'Ascending.'),
  prices: s.list(s.number(), 'Middles of 100 rows within 5 % of the newest mid price, ascending.'),
  bids: s.list(cells, '`[index of the time, index of the price, US dollars]`.'),
  asks: s.list(cells, 'As `bids`. Cells below 0.1 % of the largest are left out.'),
  max_value_usd: [s.number('The largest cell.'), 'max_value'],
  mid_prices: s.list(s.numberOrNull(), 'At each of `timestamps`.'),
  coverage: kit.coverage,
  note: s.optional(s.string('Why there are no points.')),
});

/** Of minutes of which nothing is recorded. */
const unrecorded = (now: number, limit: number): topics.Coverage => {
  const to = Math.floor(now / minute) * minute;
  const from = to - (limit - 1) * minute;
  return { from, to, expected: limit, present: 0, complete: false, backfilled: false };
};

const bucketsIn = (
  markets: readonly shared.BookMarket[],
  books: readonly (topics.OrderBook | null)[],
) =>
  shared.repliesOf(markets, books).answered.flatMap(({ book }) => {
    const mid = midOf(book);
    return mid === null ? [] : [buckets.bucketsOf(book, mid)];
  });

/** The recorded minutes; one column of what is there now where there are none. */
function mapOf(
  time: number,
  { values, replies }: Pick<kit.Replies<Name, Tracked>, 'values' | 'replies'>,
): Heatmap | kit.ApiError {
  const { symbol, markets, samples, limit } = values;
  const made = (all: readonly HeatmapColumn[], more: Pick<Heatmap, 'coverage' | 'note'>) => {
    const map = heatmapOf(all);
    if (map === null) return apiError('upstream_failed', `no order book of ${symbol} yet`);
    const timestamps = all.map(({ time }) => time);
    return { ...map, timestamps, mid_prices: all.map(({ mid }) => mid), ...more };
  };
  const record = unrecorded(time, limit);
  const now = (all: readonly buckets.Buckets[], note: string) => {
    const merged = buckets.mergeBuckets(all);
    return made(merged ? [{ time: record.to, ...merged }] : [], { coverage: record, note });
  };
  if (samples.length === 0) {
    const books = replies.map((reply) => (reply && 'bids' in reply ? reply : null));
    return now(bucketsIn(markets, books), 'not tracked');
  }
  const [own] = replies;
  if (!own || !('rows' in own)) return apiError('upstream_failed');
  const recorded = recordedColumns(own);
  if (recorded.length === 0) return now(samples, 'no minute is recorded yet');
  return made(recorded, { coverage: kit.coverageOf(own.rows.map((row) => row.coverage)) });
}

/** The recorded levels of a tracked asset; the books of any other as they are now. */
export const heatmapRoutes = kit.ofBothKinds(
  (context: shared.BooksContext, { kind, place, markets }) => {
    const { books, clock } = context;
    return kit.history({
      path: `/v1/${place}/orderbook-heatmap`,
      summary: `Order books of the ${markets} of an asset over time, by price`,
      params: {
        symbol: shared.bookAsset(params.symbolOrBitcoin, context, kind),
        exchange: params.exchangeOrAggregated(shared.exchangesOf(context, kind)),
        limit: params.limit(120, 720, 'Newest minutes.'),
      },
      of: {
        names: ['fullBook', 'series'],
        resolve({ symbol, exchange }) {
          const among = exchange === topics.aggregated ? undefined : exchange;
          return { samples: books.samples({ kind, symbol, exchange: among }, clock.now()) };
        },
        head: kit.repeated({ symbol: s.symbol, exchange: s.exchange }),
        what: ({ symbol, samples }) =>
          `the ${samples.length > 0 ? 'recorded ' : ''}order books of ${symbol}`,
        ask({ symbol, markets, exchange, samples, limit }) {
          if (samples.length === 0) return shared.bookQueries(kind, { symbol, markets });
          const keys = [topics.recordedKey(exchange, kind, symbol)];
          const series = { series: 'order-book-levels', keys } as const;
          return { ...kit.storeQueries(series, { step: '1m', limit }), name: 'series' };
        },
      },
      fields,
      foldAll: (given) => mapOf(clock.now(), given),
    });
  },
);
