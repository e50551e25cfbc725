/** What the rows share that answer histories of a market. */
import type { Interval, SeriesParams } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';
import { range, symbolOrBitcoin } from './common.ts';

export type Context = Pick<RoutesContext, 'prices' | 'markets' | 'exchanges'>;

export const common = {
  method: 'GET',
  group: 'Exchange analytics',
  access: 'key',
  fails: ['upstream_failed'],
} as const;

/** Parameters of a series of `limit` to `maximum` rows. */
export const seriesParams = <const I extends Interval>(
  intervals: readonly (I | '1h')[],
  limit: number,
  maximum: number,
) => ({
  symbol: symbolOrBitcoin,
  interval: params.interval(intervals, '1h'),
  limit: params.limit(
    limit,
    maximum,
    'Most rows: the oldest of a range with `from`, else the newest.',
  ),
  ...range,
});

/** The exchanges of a row that have its query; the default is the first. */
export const exchangeOf = (ids: readonly string[], having: readonly string[] = []) => {
  const able = ids.filter((id) => having.includes(id));
  return { ...params.exchange(able), default: able[0] ?? 'binance' };
};

/** Intervals of what OKX keeps of a currency as a whole, its spot markets among them. */
export const currencyIntervals = ['5m', '1h', '1d'] as const;

/** The error where an interval is none of these. */
export const currencyInterval = (interval: Interval): ApiError | null =>
  currencyIntervals.some((word) => word === interval)
    ? null
    : apiError('bad_parameter', `interval of spot must be one of ${currencyIntervals.join(', ')}`);

export const sevenIntervals = ['5m', '15m', '30m', '1h', '2h', '4h', '1d'] as const;
export const nineIntervals = ['5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d'] as const;

/** The fields of a series. */
export const seriesOf = <P extends s.TProperties, M extends s.TProperties>(point: P, more: M) =>
  s.object({
    symbol: s.string('Base asset.'),
    exchange: s.exchange,
    pair: s.string("The exchange's own id of the market."),
    interval: s.interval,
    count: s.count,
    ...more,
    points: s.list(
      s.object({ timestamp: s.unixMs('Start of the interval, Unix ms.'), ...point }),
      'Ascending by time.',
    ),
    stale: s.stale,
  });

/** The parameters of the query, of those of the row. */
export const askOf = (
  market: string,
  kind: 'spot' | 'perpetual',
  { interval, limit, from, to }: Pick<SeriesParams, 'interval' | 'limit' | 'from' | 'to'>,
): SeriesParams => ({
  ...{ market, kind, interval, limit },
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});
