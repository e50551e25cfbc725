/** Histories of OKX: long and short accounts, taker volume, open interest, settled funding. https://www.okx.com/docs-v5/en/#trading-statistics-rest-api */
import { intervals } from '../../../indicators/market/intervals.ts';
import { field, optional, positive, required, type WireRow } from '../../read.ts';
import type { HistoryForm } from '../../sources/history-query.ts';
import type {
  FundingPoint,
  HistoryParams,
  InterestPoint,
  Interval,
  LongShortParams,
  LongShortPoint,
  SeriesParams,
  TakerPoint,
} from '../../topics/index.ts';
import {
  byTime,
  fundingQuery,
  fundingStep,
  interestQuery,
  longShortQuery,
  pointOfRatio,
  rowsIn,
  seriesLife,
  takerQuery,
  withHours,
  wordOf,
} from '../histories.ts';
import { type Ask, get } from './api.ts';

/** A plain day opens at 16:00 UTC. */
const words: Readonly<Partial<Record<Interval, string>>> = {
  '5m': '5m',
  '15m': '15m',
  '30m': '30m',
  '1h': '1H',
  '2h': '2H',
  '4h': '4H',
  '1d': '1Dutc',
};
/** Statistics of a whole currency have these intervals only. */
const currencyWords: typeof words = { '5m': '5m', '1h': '1H', '1d': '1D' };

const dataIn = (body: unknown) => (body === undefined ? [] : rowsIn(field(body, 'data'), 'data'));

const statistics = (path: string, query: Ask['query'] & object): Ask =>
  get(`/rubik/stat/${path}`, 'statistics', query);

/** Rows of one answer. */
const rowsAtOnce = 100;

/** The last open time of each page, newest first: null stands for the newest. `end` is exclusive. */
function pageEnds(
  limit: number,
  { range, step, now }: { range: { end: number } | null; step: number; now: number },
): (number | null)[] {
  const newest = Math.floor((range?.end ?? now) / step) * step + 1;
  const pages = Math.ceil(limit / rowsAtOnce);
  return Array.from({ length: pages }, (_, i) =>
    i === 0 && range === null ? null : newest - i * rowsAtOnce * step,
  );
}

/** `[time, long over short]`. */
const ratioOf = (row: WireRow): LongShortPoint => pointOfRatio(required(row[0]), positive(row[1]));

const topPaths = {
  top_accounts: 'contracts/long-short-account-ratio-contract-top-trader',
  top_positions: 'contracts/long-short-position-ratio-contract-top-trader',
} as const;

/** By accounts: all futures and swaps of the currency in one answer; of the largest traders: of one contract, in pages. */
const longShortForm: HistoryForm<LongShortParams, LongShortPoint, Ask> = {
  ttl: seriesLife,
  page: rowsAtOnce,
  most: 500,
  step({ part, interval, of }) {
    const known = of === 'accounts' ? currencyWords : words;
    return part === 'swap' && known[interval] ? intervals[interval] : null;
  },
  requests({ market, instrument, interval, of, now }, { limit, range }) {
    if (of === 'accounts') {
      const ccy = instrument.symbol;
      const query = { ccy, period: wordOf(currencyWords, interval) };
      return [statistics('contracts/long-short-account-ratio', query)];
    }
    const query = { instId: market, period: wordOf(words, interval), limit: rowsAtOnce };
    return pageEnds(limit, { range, step: intervals[interval], now }).map((end) =>
      statistics(topPaths[of], end === null ? query : { ...query, end }),
    );
  },
  parse: (bodies) => bodies.flatMap(dataIn).map(ratioOf),
};

/** Units of the volumes of a contract: the currency, and dollars. */
const units = { base: 0, usd: 2 } as const;

const takerForm: HistoryForm<SeriesParams, TakerPoint, Ask> = {
  ttl: seriesLife,
  page: rowsAtOnce,
  most: 500,
  step({ part, interval }) {
    const known = part === 'spot' ? currencyWords : words;
    return known[interval] ? intervals[interval] : null;
  },
  requests({ part, market, instrument, interval, now }, { limit, range }) {
    if (part === 'spot') {
      const period = wordOf(currencyWords, interval);
      return [statistics('taker-volume', { ccy: instrument.symbol, instType: 'SPOT', period })];
    }
    const query = { instId: market, period: wordOf(words, interval), limit: rowsAtOnce };
    return [units.usd, units.base].flatMap((unit) =>
      pageEnds(limit, { range, step: intervals[interval], now }).map((end) =>
        statistics('taker-volume-contract', { ...query, unit, ...(end !== null && { end }) }),
      ),
    );
  },
  // The seller stands before the buyer: `[time, sold, bought]`.
  parse(bodies, { part, instrument: { scale } }) {
    const half = part === 'spot' ? 0 : bodies.length / 2;
    const dollarsAt = byTime(bodies.slice(0, half).flatMap(dataIn), (row) => row[0]);
    return bodies
      .slice(half)
      .flatMap(dataIn)
      .map((row) => {
        const dollars = dollarsAt(row[0]);
        return {
          timestamp: required(row[0]),
          buy_usd: dollars ? required(dollars[2]) : null,
          sell_usd: dollars ? required(dollars[1]) : null,
          buy_base: required(row[2]) * scale,
          sell_base: required(row[1]) * scale,
        };
      });
  },
};

/** `[time, contracts, base, dollars]`, in pages. */
const interestForm: HistoryForm<SeriesParams, InterestPoint, Ask> = {
  ttl: seriesLife,
  page: rowsAtOnce,
  most: 500,
  step: ({ part, interval }) => (part === 'swap' && words[interval] ? intervals[interval] : null),
  requests({ market, interval, now }, { limit, range }) {
    const query = { instId: market, period: wordOf(words, interval), limit: rowsAtOnce };
    return pageEnds(limit, { range, step: intervals[interval], now }).map((end) =>
      get('/rubik/stat/contracts/open-interest-history', 'interestHistory', {
        ...query,
        ...(end !== null && { end }),
      }),
    );
  },
  parse: (bodies, { instrument: { scale } }) =>
    bodies.flatMap(dataIn).map((row) => ({
      timestamp: required(row[0]),
      base: required(row[2]) * scale,
      usd: required(row[3]),
    })),
};

/** The last three months at most; the rate that was charged, and the one that was expected. */
const fundingForm: HistoryForm<HistoryParams, FundingPoint, Ask> = {
  ttl: 300_000,
  page: 400,
  step: fundingStep,
  requests: ({ market: instId }, { limit, range }) => [
    get('/public/funding-rate-history', 'fundingHistory', {
      ...{ instId, limit },
      ...(range && { after: range.end + 1 }),
    }),
  ],
  parse: ([body], { instrument }) =>
    withHours(
      dataIn(body).map((row) => {
        const predicted = optional(row.fundingRate);
        const charged = optional(row.realizedRate);
        const point: FundingPoint = {
          timestamp: required(row.fundingTime),
          rate: charged ?? predicted ?? NaN,
          hours: null,
        };
        if (predicted !== null) point.predicted = predicted;
        return point;
      }),
      instrument,
    ),
};

export const histories = {
  longShort: longShortQuery(longShortForm),
  takerVolume: takerQuery(takerForm),
  openInterestHistory: interestQuery(interestForm),
  fundingHistory: fundingQuery(fundingForm),
};
