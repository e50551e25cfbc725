/**
 * Histories of OKX (long and short accounts, taker volume, open interest, settled funding) and its loan rates.
 * https://www.okx.com/docs-v5/en/#trading-statistics-rest-api
 */
import { currencyOf } from '../../../config/assets/resolve.ts';
import { intervals } from '../../../indicators/market/intervals.ts';
import { type BorrowRow, borrowOf } from '../../../indicators/market/rows.ts';
import { asRow, at, bulk, optional, required, text, type WireRow } from '../../read.ts';
import { type Poll, readRows } from '../../sources/define.ts';
import type { Span } from '../../sources/queries/history-query.ts';
import type { Interval } from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import { fundings } from '../fundings.ts';
import { byTime, rowsIn, wordOf } from '../histories.ts';
import { basis, interest, longShort, takerVolume } from '../series.ts';
import { ownWords, unitWords, utcWords, type Words } from '../words.ts';
import { type Ask, get, indexOf } from './markets.ts';

/** A plain day opens at 16:00 UTC. */
const words: Words = {
  ...ownWords('5m', '15m', '30m'),
  ...unitWords({ h: 'H', d: 'Dutc' })('1h', '2h', '4h', '1d'),
};
/** Statistics of a whole currency have these intervals only. */
const currencyWords = unitWords({ h: 'H', d: 'D' })('5m', '1h', '1d');
/** The currency by its name at OKX, which ids begin with: TON of TON-USDT-SWAP, a contract on GRAM. */
const currencyIn = (market: string): string => market.split('-', 1)[0] ?? '';

const dataIn = (body: unknown) => (body === undefined ? [] : rowsIn(at(body, 'data'), 'data'));

const statistics = (path: string, query: Ask['query'] & object): Ask =>
  get(`/rubik/stat/${path}`, 'statistics', query);

/** Rows of one answer, and the most that are asked for. */
const pages = { page: 100, most: 500 };

/** The queries of the pages of a contract, newest first: an exclusive `end` is stated of all but the newest rows. */
function pagesOf(
  { market, interval, now }: { market: string; interval: Interval; now: number },
  { limit, range }: Span,
): { instId: string; period: string; limit: number; end?: number }[] {
  const step = intervals[interval];
  const newest = Math.floor((range?.end ?? now) / step) * step + 1;
  const query = { instId: market, period: wordOf(words, interval), limit: pages.page };
  return Array.from({ length: Math.ceil(limit / pages.page) }, (_, i) =>
    i === 0 && range === null ? query : { ...query, end: newest - i * pages.page * step },
  );
}

/** Words of candles, whose days open at midnight UTC. */
const candleWords: Words = {
  ...ownWords('5m', '15m', '30m'),
  ...unitWords({ h: 'H' })('1h', '2h', '4h'),
  ...utcWords('6h', '12h', '1d'),
};

/** Candles of marks and of indices. */
const candlePaths = {
  newest: ['/market/mark-price-candles', '/market/index-candles'],
  older: ['/market/history-mark-price-candles', '/market/history-index-candles'],
} as const;

const topPaths = {
  top_accounts: 'contracts/long-short-account-ratio-contract-top-trader',
  top_positions: 'contracts/long-short-position-ratio-contract-top-trader',
} as const;

/** Units of the volumes of a contract: the currency, and dollars. */
const units = { base: 0, usd: 2 } as const;

/** The seller stands before the buyer: `[time, sold, bought]`; of contracts the first half of the bodies is in dollars. */
function takerRows(bodies: readonly unknown[], part: string): readonly WireRow[] {
  const half = part === 'spot' ? 0 : bodies.length / 2;
  const dollarsAt = byTime(bodies.slice(0, half).flatMap(dataIn), (row) => row[0]);
  return bodies
    .slice(half)
    .flatMap(dataIn)
    .map((row) => ({ at: row[0], sold: row[1], bought: row[2], dollars: dollarsAt(row[0]) }));
}

export const histories = {
  // By accounts: all futures and swaps of the currency in one answer; of the largest traders: of one contract, in pages.
  longShort: longShort<Ask>({
    ...pages,
    words({ part, of }) {
      if (part !== 'swap') return null;
      return of === 'accounts' ? currencyWords : words;
    },
    requests(asked, span) {
      const { market, interval, of } = asked;
      if (of !== 'accounts')
        return pagesOf(asked, span).map((query) => statistics(topPaths[of], query));
      const query = { ccy: currencyIn(market), period: wordOf(currencyWords, interval) };
      return [statistics('contracts/long-short-account-ratio', query)];
    },
    rows: 'data',
    at: 0,
    columns: { ratio: 1 },
  }),
  takerVolume: takerVolume<Ask>({
    ...pages,
    words: ({ part }) => (part === 'spot' ? currencyWords : words),
    requests(asked, span) {
      const { part, market, interval } = asked;
      if (part === 'spot') {
        const period = wordOf(currencyWords, interval);
        const query = { ccy: currencyIn(market), instType: 'SPOT', period };
        return [statistics('taker-volume', query)];
      }
      return [units.usd, units.base].flatMap((unit) =>
        pagesOf(asked, span).map((query) =>
          statistics('taker-volume-contract', { ...query, unit }),
        ),
      );
    },
    rows: (bodies, { part }) => takerRows(bodies, part),
    at: 'at',
    columns: {
      buyBase: 'bought',
      sellBase: 'sold',
      buyUsd: ({ dollars }) => (dollars ? asRow(dollars)[2] : null),
      sellUsd: ({ dollars }) => (dollars ? asRow(dollars)[1] : null),
    },
  }),
  // `[time, contracts, base, dollars]`.
  openInterestHistory: interest<Ask>({
    ...pages,
    words: ({ part }) => (part === 'swap' ? words : null),
    requests: (asked, span) =>
      pagesOf(asked, span).map((query) =>
        get('/rubik/stat/contracts/open-interest-history', 'interestHistory', query),
      ),
    rows: 'data',
    at: 0,
    columns: { base: 2, usd: 3 },
  }),
  // The last three months at most; the rate that was charged, and the one that was expected.
  // Mark and index candles; those of a range come from the paths that hold all closed ones.
  basisHistory: basis<Ask>({
    ...pages,
    words: ({ part }) => (part === 'swap' ? candleWords : null),
    requests({ market, interval, now }, { limit, range }) {
      const [mark, index] = range === null ? candlePaths.newest : candlePaths.older;
      const query = { bar: wordOf(candleWords, interval), limit: pages.page };
      const length = pages.page * intervals[interval];
      const end = (range?.end ?? now) + 1;
      const queries = Array.from(
        { length: Math.ceil(limit / pages.page) },
        (_, i): Query =>
          i === 0 && range === null ? query : { ...query, after: end - i * length },
      );
      return [
        ...queries.map((one) => get(mark, 'history', { instId: market, ...one })),
        ...queries.map((one) => get(index, 'history', { instId: indexOf(market), ...one })),
      ];
    },
    rows: 'data',
    at: 0,
    close: 4,
  }),
  fundingHistory: fundings<Ask>({
    page: 400,
    requests({ market: instId }, { limit, range }) {
      const older = range && { after: range.end + 1 };
      return [get('/public/funding-rate-history', 'fundingHistory', { instId, limit, ...older })];
    },
    rows: 'data',
    at: 'fundingTime',
    columns: {
      rate: ({ realizedRate, fundingRate }) => optional(realizedRate) ?? fundingRate,
      predicted: 'fundingRate',
    },
  }),
};

/**
 * `rate` is a daily fraction: 0.00043728 is 16 % a year, which by the hour would be 383 %.
 * https://www.okx.com/docs-v5/en/#public-data-rest-api-get-interest-rate-and-loan-quota
 */
export const loans: Poll<BorrowRow, Ask> = {
  requests: () => [get('/public/interest-rate-loan-quota', 'loans', {})],
  parse: ([body]) =>
    readRows(
      bulk(at(bulk(at(body, 'data'), 'data')[0], 'basic'), 'basic'),
      (row) => text(row.ccy),
      (row) =>
        borrowOf({
          asset: currencyOf(text(row.ccy), 'okx'),
          hourly_rate: required(row.rate) / 24,
          borrow_limit: optional(row.quota),
          stated: null,
        }),
    ),
};
