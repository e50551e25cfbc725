/** The order books of perpetuals over time by price (specification 4.10). */
import {
  aggregated,
  type Coverage,
  type Recorded,
  recordedKey,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { minute } from '../../../config/time.ts';
import { midOf } from '../../../indicators/order-book/book.ts';
import {
  type Buckets,
  bucketForm,
  bucketsOf,
  mergeBuckets,
} from '../../../indicators/order-book/buckets.ts';
import { type HeatmapColumn, heatmapOf } from '../../../indicators/order-book/heatmap.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';
import { symbolOrBitcoin } from '../analytics/common.ts';
import { coverageOf, recordedQuestion, recordFields } from '../analytics/recorded.ts';
import * as params from '../params.ts';
import {
  type Books,
  type BooksContext,
  bookMarkets,
  booksQuestion,
  common,
  exchangesOf,
  symbol,
} from './common.ts';

const kind = 'perpetual';

const cell = s.list(s.number());
const answer = s.object({
  symbol,
  exchange: s.exchange,
  bucket_size: s.number('Height of a row of prices, in quote.'),
  timestamps: s.list(s.unixMs('Start of the minute, Unix ms.'), 'Ascending.'),
  prices: s.list(
    s.number(),
    'The middle of each row, ascending: 100 rows within 5 % of the newest mid price.',
  ),
  bids: s.list(cell, '`[index of the time, index of the price, US dollars]`.'),
  asks: s.list(cell, 'The same. Cells below 0.1 % of the largest are left out.'),
  max_value_usd: s.number('The largest cell.'),
  mid_prices: s.list(s.numberOrNull(), 'At each of `timestamps`.'),
  ...recordFields,
  stale: s.stale,
});
type Data = s.Static<typeof answer>;

interface HeatmapQuery {
  symbol: string;
  exchange: string;
}

/** The columns of one key: those with a mid price. */
function columnsOf({ rows: [row] }: Recorded): HeatmapColumn[] {
  const side = (name: 'bid' | 'ask', i: number) =>
    Array.from({ length: bucketForm.perSide }, (_, at) => row?.columns[`${name}_${at}`]?.[i] ?? 0);
  return (row?.times ?? []).flatMap((time, i) => {
    const mid = row?.columns.mid?.[i] ?? null;
    return mid === null ? [] : [{ time, mid, bids: side('bid', i), asks: side('ask', i) }];
  });
}

function dataOf(
  asked: HeatmapQuery,
  columns: readonly HeatmapColumn[],
  record: Pick<Data, 'coverage' | 'note'>,
): Data | ApiError {
  const map = heatmapOf(columns);
  if (map === null) return apiError('upstream_failed', `no order book of ${asked.symbol} yet`);
  const { max_value: max_value_usd, ...cells } = map;
  return {
    ...asked,
    ...{ ...cells, max_value_usd },
    timestamps: columns.map(({ time }) => time),
    mid_prices: columns.map(({ mid }) => mid),
    ...record,
  };
}

/** One column of what is there now, where nothing is recorded. */
function nowOf(asked: HeatmapQuery, all: readonly Buckets[], record: Coverage, note: string) {
  const { to } = record;
  const merged = mergeBuckets(all);
  const columns = merged ? [{ time: to, ...merged }] : [];
  return dataOf(asked, columns, { coverage: { ...record, complete: false }, note });
}

/** Of an asset that is not tracked. */
const untracked = (now: number, limit: number): Coverage => {
  const to = Math.floor(now / minute) * minute;
  const from = to - (limit - 1) * minute;
  return { from, to, expected: limit, present: 0, complete: false, backfilled: false };
};

const bucketsIn = ({ answered }: Books): Buckets[] =>
  answered.flatMap(({ book }) => {
    const mid = midOf(book);
    return mid === null ? [] : [bucketsOf(book, mid)];
  });

export function heatmapRoute(context: BooksContext): Route {
  const { books, clock } = context;
  const ids = exchangesOf(context, kind);
  return route({
    ...common,
    path: '/v1/futures/orderbook-heatmap',
    summary: 'Order books of the perpetuals of an asset over time, by price',
    params: {
      symbol: symbolOrBitcoin,
      exchange: { ...params.exchange([aggregated, ...ids]), default: aggregated },
      limit: params.limit(120, 720, 'Newest minutes.'),
    },
    answer,
    fails: ['upstream_failed'],
    from: {
      query({ symbol: given, exchange, limit }) {
        const among = exchange === aggregated ? undefined : exchange;
        const found = bookMarkets(context, { kind, symbol: given, exchange: among });
        if (isApiError(found)) return found;
        const asked = { symbol: found.symbol, exchange };
        const wanted = { kind, symbol: found.symbol, exchange: among } as const;
        const isTracked = books.samples(wanted, clock.now()).length > 0;
        if (!isTracked) {
          const record = untracked(clock.now(), limit);
          return booksQuestion<Data>(kind, found, {
            form: `heatmap ${exchange} ${limit}`,
            data: (replies) => nowOf(asked, bucketsIn(replies), record, 'not tracked'),
          });
        }
        return recordedQuestion<Data>({
          params: {
            series: 'order-book-levels',
            keys: [recordedKey(exchange, kind, found.symbol)],
            ...{ step: '1m', limit },
          },
          what: `the recorded order books of ${found.symbol}`,
          form: `heatmap ${exchange}`,
          data(reply) {
            const columns = columnsOf(reply);
            const record = coverageOf(reply.rows.map((row) => row.coverage));
            if (columns.length > 0) return dataOf(asked, columns, { coverage: record });
            const now = clock.now();
            const live = books.samples(wanted, now);
            return nowOf(asked, live, untracked(now, limit), 'no minute is recorded yet');
          },
        });
      },
    },
  });
}
