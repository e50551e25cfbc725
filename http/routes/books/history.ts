/** What rested near the mid price over time, out of the recorded series (specification 4.5). */
import { aggregated, type Recorded, recordedKey } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { type Band, bandRanges } from '../../../indicators/order-book/bands.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { apiError, isApiError } from '../../wire/errors.ts';
import { symbolRequired } from '../analytics/common.ts';
import { recordedQuestion, recordFields, recordOf } from '../analytics/recorded.ts';
import * as params from '../params.ts';
import { type BooksContext, bookMarkets, common, count, exchangesOf, symbol } from './common.ts';

const kind = 'spot';
const intervals = ['5m', '15m', '30m', '1h', '4h', '1d'] as const;

const answer = s.object({
  ...{ symbol, exchange: s.exchange, interval: s.interval },
  range_percent: s.number('Of the mid price, on each side.'),
  count,
  ...recordFields,
  points: s.list(
    s.object({
      timestamp: s.unixMs('Start of the interval, Unix ms; values are those of its last minute.'),
      bids_usd: s.number('US dollars.'),
      asks_usd: s.number('US dollars.'),
      bids_base: s.number('Base units.'),
      asks_base: s.number('Base units.'),
      bid_ask_ratio: s.numberOrNull('bids_usd / asks_usd; null without asks.'),
      mid_price: s.number('In quote, a dollar or a dollar stablecoin.'),
    }),
    'Ascending by time.',
  ),
  stale: s.stale,
});

/** The points of the rows of one key. */
function pointsOf({ rows: [row] }: Recorded, range: number) {
  const at = (field: keyof Band, i: number) => row?.columns[`${field}_${range * 100}`]?.[i] ?? null;
  return (row?.times ?? []).flatMap((timestamp, i) => {
    const mid_price = row?.columns.mid?.[i] ?? null;
    const [bids_usd, asks_usd] = [at('bids_usd', i), at('asks_usd', i)];
    if (mid_price === null || bids_usd === null || asks_usd === null) return [];
    const bid_ask_ratio = asks_usd > 0 ? bids_usd / asks_usd : null;
    const [bids_base, asks_base] = [at('bids_base', i) ?? 0, at('asks_base', i) ?? 0];
    return [{ timestamp, bids_usd, asks_usd, bids_base, asks_base, bid_ask_ratio, mid_price }];
  });
}

export function bookHistoryRoute(context: BooksContext): Route {
  const ids = exchangesOf(context, kind);
  return route({
    ...common,
    path: '/v1/spot/orderbook/history',
    summary: 'Orders near the mid price of spot markets over time',
    params: {
      symbol: symbolRequired,
      exchange: { ...params.exchange([aggregated, ...ids]), default: aggregated },
      interval: params.interval(intervals, '1h'),
      limit: params.limit(50, 500, 'Newest intervals.'),
      range_percent: {
        type: 'number',
        default: 1,
        description: 'Percent of the mid price: 0.25, 0.5, 1, 2 or 5.',
      },
    },
    answer,
    from: {
      query({ symbol: given, exchange, interval, limit, range_percent }) {
        const range = bandRanges.find((one) => one === range_percent);
        if (range === undefined) {
          return apiError('bad_parameter', `range_percent must be one of ${bandRanges.join(', ')}`);
        }
        const among = exchange === aggregated ? undefined : exchange;
        const found = bookMarkets(context, { kind, symbol: given, exchange: among });
        if (isApiError(found)) return found;
        const { symbol: asset } = found;
        const wanted = { kind, symbol: asset } as const;
        return recordedQuestion({
          params: {
            series: 'order-book',
            keys: [recordedKey(exchange, kind, asset)],
            ...{ step: interval, limit },
          },
          what: `the recorded order books of ${asset}`,
          form: `books ${range}`,
          data(reply) {
            const points = pointsOf(reply, range);
            const record = recordOf(reply, points.length);
            const isTracked = context.books.samples(wanted, context.clock.now()).length > 0;
            return {
              ...{ symbol: asset, exchange, interval, range_percent: range },
              count: points.length,
              ...record,
              ...(points.length === 0 && !isTracked && { note: 'not tracked' }),
              points,
            };
          },
        });
      },
    },
  });
}
