/** Histories of Bybit: long and short accounts, open interest, settled funding. https://bybit-exchange.github.io/docs/v5/market */
import { intervals } from '../../../indicators/market/intervals.ts';
import { field, positive, required } from '../../read.ts';
import type { HistoryForm } from '../../sources/history-query.ts';
import type {
  FundingPoint,
  HistoryParams,
  InterestPoint,
  Interval,
  LongShortParams,
  LongShortPoint,
  SeriesParams,
} from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import {
  byTime,
  fundingQuery,
  fundingStep,
  interestQuery,
  longShortQuery,
  rowsIn,
  seriesLife,
  withHours,
  wordOf,
} from '../histories.ts';
import { type Ask, get } from './api.ts';

const words: Readonly<Partial<Record<Interval, string>>> = {
  '5m': '5min',
  '15m': '15min',
  '30m': '30min',
  '1h': '1h',
  '4h': '4h',
  '1d': '1d',
};
/** The same in candles. */
const candleWords: typeof words = {
  '5m': '5',
  '15m': '15',
  '30m': '30',
  '1h': '60',
  '4h': '240',
  '1d': 'D',
};

const listIn = (body: unknown) =>
  body === undefined ? [] : rowsIn(field(field(body, 'result'), 'list'), 'list');

const stepOf = ({ part, interval }: { part: string; interval: Interval }) =>
  part === 'spot' || !words[interval] ? null : intervals[interval];

const rangeOf = (range: { start: number; end: number } | null): Query =>
  range === null ? {} : { startTime: range.start, endTime: range.end };

/** Shares of the holders that are long and short, by accounts only. */
const longShortForm: HistoryForm<LongShortParams, LongShortPoint, Ask> = {
  ttl: seriesLife,
  page: 500,
  thinned: true,
  step: (asked) => (asked.of === 'accounts' ? stepOf(asked) : null),
  requests: ({ part, market, interval }, { limit, range }) => [
    get('account-ratio', {
      ...{ category: part, symbol: market, period: wordOf(words, interval), limit },
      ...rangeOf(range),
    }),
  ],
  parse: ([body]) =>
    listIn(body).map((row) => ({
      timestamp: required(row.timestamp),
      long: positive(row.buyRatio),
      short: positive(row.sellRatio),
    })),
};

/** The one-sided number, or half of the other, which counts both sides. */
function oneSide(row: Readonly<Record<string | number, unknown>>): number {
  const single = required(row.singleOpenInterest);
  return single >= 0 ? single : required(row.openInterest) / 2;
}

/** Base units on linear contracts, USD on inverse ones; the other is made with the mark price, where it can be had. */
const interestForm: HistoryForm<SeriesParams, InterestPoint, Ask> = {
  ttl: seriesLife,
  page: 200,
  thinned: true,
  step: stepOf,
  requests({ part, market, interval }, { limit, range }) {
    const about = { category: part, symbol: market, limit };
    const [intervalTime, candles] = [wordOf(words, interval), wordOf(candleWords, interval)];
    const marks: Query = range === null ? {} : { start: range.start, end: range.end };
    return [
      get('open-interest', { ...about, intervalTime, ...rangeOf(range) }),
      { ...get('mark-price-kline', { ...about, interval: candles, ...marks }), optional: true },
    ];
  },
  parse([body, candles], { instrument: { scale, inverse } }) {
    const candleAt = byTime(listIn(candles), (candle) => candle[0]);
    return listIn(body).map((row) => {
      const timestamp = required(row.timestamp);
      const count = oneSide(row);
      const mark = positive(candleAt(row.timestamp)?.[4]) || null;
      if (inverse) return { timestamp, base: mark && (count / mark) * scale, usd: count };
      return { timestamp, base: count * scale, usd: mark && count * mark };
    });
  },
};

const fundingForm: HistoryForm<HistoryParams, FundingPoint, Ask> = {
  ttl: 300_000,
  page: 200,
  step: fundingStep,
  // A start without an end is refused; an end alone is not.
  requests: ({ part, market }, { limit, range }) => [
    get('funding/history', {
      ...{ category: part, symbol: market, limit },
      ...(range && { endTime: range.end }),
    }),
  ],
  parse: ([body], { instrument }) =>
    withHours(
      listIn(body).map((row) => ({
        timestamp: required(row.fundingRateTimestamp),
        rate: required(row.fundingRate),
        hours: null,
      })),
      instrument,
    ),
};

export const histories = {
  longShort: longShortQuery(longShortForm),
  openInterestHistory: interestQuery(interestForm),
  fundingHistory: fundingQuery(fundingForm),
};
