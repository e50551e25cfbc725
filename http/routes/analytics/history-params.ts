/** Parameters of histories of a market. */
import type { Interval } from '../../../actors/topics/index.ts';
import type { RowStep } from '../../answers/ranges.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import * as params from '../params.ts';
import { symbolOrBitcoin } from './common.ts';

/** Of the newest rows, or of those of a range. */
const rows = 'Most rows: the oldest of a range with `from`, else the newest.';

/** At most `limit` rows, of `maximum` that may be asked for, which are at least `step` apart. */
export const rangeParams = (limit: number, maximum: number, step: RowStep) => ({
  symbol: symbolOrBitcoin,
  limit: params.limit(limit, maximum, rows),
  ...params.range(step),
});

/** The same of rows in intervals. */
export const seriesParams = <const I extends Interval>(
  intervals: readonly (I | '1h')[],
  limit: number,
  maximum: number,
) => ({
  symbol: symbolOrBitcoin,
  interval: params.interval(intervals, '1h'),
  limit: params.limit(limit, maximum, rows),
  ...params.range('interval'),
});

/** Intervals of what OKX keeps of a currency as a whole, its spot markets among them. */
export const currencyIntervals = ['5m', '1h', '1d'] as const;

/** The error where an interval is none of these. */
export const currencyInterval = (interval: Interval): ApiError | null =>
  currencyIntervals.some((word) => word === interval)
    ? null
    : apiError('bad_parameter', `interval of spot must be one of ${currencyIntervals.join(', ')}`);

export const sixIntervals = ['5m', '15m', '30m', '1h', '4h', '1d'] as const;
export const sevenIntervals = ['5m', '15m', '30m', '1h', '2h', '4h', '1d'] as const;
export const nineIntervals = ['5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d'] as const;
