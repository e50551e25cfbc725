/**
 * Histories of HTX contracts: the largest accounts, open interest, settled funding. The paths of v5 come first; where they give
 * nothing, those of v1 are asked. https://www.htx.com/en-us/opend
 */
import { intervals } from '../../../indicators/market/intervals.ts';
import { field, isRecord, optional, positive, required, type WireRow } from '../../read.ts';
import type { HistoryForm } from '../../sources/history-query.ts';
import type {
  FundingPoint,
  History,
  HistoryParams,
  InterestPoint,
  Interval,
  LongShortParams,
  LongShortPoint,
  SeriesParams,
} from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import {
  fundingQuery,
  fundingStep,
  interestQuery,
  longShortQuery,
  rowsIn,
  seriesLife,
  withHours,
  wordOf,
} from '../histories.ts';

const words: Readonly<Partial<Record<Interval, string>>> = {
  '5m': '5min',
  '15m': '15min',
  '30m': '30min',
  '1h': '60min',
  '4h': '4hour',
  '1d': '1day',
};

/** `data` is the list on v5, and holds it at `key` on v1. */
function rowsAt(body: unknown, key: string): readonly WireRow[] {
  if (body === undefined) return [];
  const data = field(body, 'data');
  return rowsIn(isRecord(data) ? data[key] : data, 'data');
}

const names = { top_accounts: 'elite_account_ratio', top_positions: 'elite_position_ratio' };

const shares = (row: WireRow): LongShortPoint => {
  const point: LongShortPoint = {
    timestamp: required(row.ts),
    long: positive(row.buy_ratio),
    short: positive(row.sell_ratio),
  };
  const locked = optional(row.locked_ratio);
  if (locked !== null) point.locked = locked;
  return point;
};

/** The requests of a history, first of v5 and then of v1. */
type Get<R> = (path: string, query: Query) => R & { optional?: true };

/** Asks `fallback` where the first page is empty. */
const orElse = <A, P extends History<{ timestamp: number }>, R>(
  fallback: (asked: A) => readonly R[],
) => ({
  more: (asked: A, pages: readonly P[]): readonly R[] =>
    pages.length === 1 && pages[0]?.points.length === 0 ? fallback(asked) : [],
});

const v1Folder = { linear: '/linear-swap-api/v1', inverse: '/swap-api/v1' } as const;
const folderOf = (part: string) => (part === 'inverse' ? v1Folder.inverse : v1Folder.linear);

const v1Ratio =
  <R>(get: Get<R>) =>
  ({ part, market, interval, of }: LongShortParams & { part: string }) => {
    const path = `${folderOf(part)}/swap_${of === 'top_positions' ? names.top_positions : names.top_accounts}`;
    return [get(path, { contract_code: market, period: wordOf(words, interval) })];
  };

const longShortForm = <R>(get: Get<R>): HistoryForm<LongShortParams, LongShortPoint, R> => ({
  ttl: seriesLife,
  page: 200,
  thinned: true,
  step: ({ part, interval, of }) =>
    part === 'spot' || of === 'accounts' || !words[interval] ? null : intervals[interval],
  requests(asked) {
    const { part, market, interval, of } = asked;
    if (part !== 'linear' || of === 'accounts') return v1Ratio(get)(asked);
    const query = { contract_code: market, period: wordOf(words, interval) };
    return [{ ...get(`/v5/market/${names[of]}`, query), optional: true }];
  },
  parse: ([body]) => rowsAt(body, 'list').map(shares),
});

const interestWords: typeof words = { '1h': '60min', '4h': '4hour', '12h': '12hour', '1d': '1day' };
/** Ways to count: contracts, base units. */
const amountTypes = { contracts: 1, base: 2 } as const;

/** Rows count both sides. Linear ones state base units and dollars, inverse ones contracts. */
const interestForm = <R>(get: Get<R>): HistoryForm<SeriesParams, InterestPoint, R> => ({
  ttl: seriesLife,
  page: 200,
  thinned: true,
  step: ({ part, interval }) =>
    part === 'spot' || !interestWords[interval] ? null : intervals[interval],
  requests({ part, market, interval }, { limit }) {
    const query = { contract_code: market, period: wordOf(interestWords, interval), size: limit };
    const more: Query =
      part === 'inverse'
        ? { amount_type: amountTypes.contracts }
        : { contract_type: 'swap', amount_type: amountTypes.base };
    return [get(`${folderOf(part)}/swap_his_open_interest`, { ...query, ...more })];
  },
  parse: ([body], { instrument: { inverse, contract, scale } }) =>
    rowsAt(body, 'tick').map((row) => {
      const timestamp = required(row.ts);
      const side = required(row.volume) / 2;
      if (inverse) return { timestamp, base: null, usd: side * contract };
      return { timestamp, base: side * scale, usd: required(row.value) / 2 };
    }),
});

/** Rows of one answer of v1. */
const v1Page = 50;

const v1Fundings =
  <R>(get: Get<R>) =>
  ({ part, market }: HistoryParams & { part: string }) =>
    [1, 2].map((page_index) =>
      get(`${folderOf(part)}/swap_historical_funding_rate`, {
        ...{ contract_code: market, page_index, page_size: v1Page },
      }),
    );

const fundingForm = <R>(get: Get<R>): HistoryForm<HistoryParams, FundingPoint, R> => ({
  ttl: 300_000,
  page: 100,
  step: fundingStep,
  requests(asked, { limit, range }) {
    if (asked.part !== 'linear') return v1Fundings(get)(asked);
    const times = range && { start_time: range.start, end_time: range.end };
    const query = { contract_code: asked.market, limit, ...times };
    return [{ ...get('/v5/market/funding_rate_history', query), optional: true }];
  },
  parse: (bodies, { instrument }) =>
    withHours(
      bodies
        .flatMap((body) => rowsAt(body, 'data'))
        .map((row) => ({
          timestamp: required(row.funding_time),
          rate: required(row.funding_rate),
          hours: null,
        })),
      instrument,
    ),
});

/** `get` makes the request for a path of the contracts. */
export const histories = <R>(get: Get<R>) => ({
  longShort: { ...longShortQuery(longShortForm(get)), ...orElse(v1Ratio(get)) },
  openInterestHistory: interestQuery(interestForm(get)),
  fundingHistory: { ...fundingQuery(fundingForm(get)), ...orElse(v1Fundings(get)) },
});
