/** Histories of KuCoin futures: open interest and settled funding. https://www.kucoin.com/docs-new */
import { intervals } from '../../../indicators/market/intervals.ts';
import { field, positive, required, time } from '../../read.ts';
import type { HistoryForm } from '../../sources/history-query.ts';
import type {
  FundingPoint,
  HistoryParams,
  InterestPoint,
  Interval,
  SeriesParams,
} from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import { fundingLife } from '../fundings.ts';
import {
  byTime,
  fundingQuery,
  fundingStep,
  interestQuery,
  rowsIn,
  seriesLife,
  withHours,
  wordOf,
} from '../histories.ts';

const words: Readonly<Partial<Record<Interval, string>>> = {
  '5m': '5min',
  '15m': '15min',
  '30m': '30min',
  '1h': '1hour',
  '4h': '4hour',
  '1d': '1day',
};

/** Rows of one answer. */
const page = 200;
const fundingPage = 100;

type Get<R> = (
  api: 'spot' | 'futures',
  path: string,
  weight: number,
  query: Query,
) => R & { optional?: true };

const dataIn = (body: unknown) => (body === undefined ? [] : rowsIn(field(body, 'data'), 'data'));

/**
 * Contracts of the linear and the inverse futures, on the host of the unified API. Their value is made with the closes
 * of the candles, where these can be had.
 */
const interestForm = <R>(get: Get<R>): HistoryForm<SeriesParams, InterestPoint, R> => ({
  ...{ ttl: seriesLife, page, thinned: true },
  step: ({ part, interval }) =>
    part === 'futures' && words[interval] ? intervals[interval] : null,
  requests({ market: symbol, interval, now }, { limit, range }) {
    const step = intervals[interval];
    const end = range?.end ?? Math.floor(now / step) * step;
    const start = end - (limit - 1) * step;
    const about = { symbol, interval: wordOf(words, interval), pageSize: limit };
    const times = range && { startAt: start, endAt: end };
    const candles = { symbol, granularity: step / 60_000, from: start, to: end };
    return [
      get('spot', '/api/ua/v1/market/open-interest', 5, { ...about, ...times }),
      { ...get('futures', '/api/v1/kline/query', 3, candles), optional: true },
    ];
  },
  parse([body, candles], { instrument: { scale, contract, inverse } }) {
    const candleAt = byTime(dataIn(candles), (candle) => candle[0]);
    return dataIn(body).map((row) => {
      const timestamp = time(row.ts) ?? required(null);
      const size = required(row.openInterest) * contract;
      const close = positive(candleAt(row.ts)?.[4]) || null;
      if (inverse) return { timestamp, base: close && (size / close) * scale, usd: size };
      return { timestamp, base: size * scale, usd: close && size * close };
    });
  },
});

/** A range must be named, and a hundred rows of it are given. */
const fundingForm = <R>(get: Get<R>): HistoryForm<HistoryParams, FundingPoint, R> => ({
  ...{ ttl: fundingLife, page: fundingPage, step: fundingStep },
  requests(asked, { limit, range }) {
    const to = range?.end ?? asked.now;
    const from = to - (limit - 1) * (fundingStep(asked) ?? 0) - 1;
    return [
      get('futures', '/api/v1/contract/funding-rates', 5, { symbol: asked.market, from, to }),
    ];
  },
  parse: ([body], { instrument }) =>
    withHours(
      dataIn(body).map((row) => ({
        timestamp: time(row.timepoint) ?? required(null),
        rate: required(row.fundingRate),
        hours: null,
      })),
      instrument,
    ),
});

/** `get` makes the request for a path. */
export const histories = <R>(get: Get<R>) => ({
  openInterestHistory: interestQuery(interestForm(get)),
  fundingHistory: fundingQuery(fundingForm(get)),
});
