/** Histories of Bitget futures (long and short accounts, settled funding) and its margin loans. https://www.bitget.com/api-doc */
import { hour } from '../../../config/time.ts';
import { type BorrowRow, borrowAssets, borrowOf } from '../../../indicators/market/rows.ts';
import { ShapeError } from '../../failure.ts';
import { at, field, optional, required, time, type WireRow } from '../../read.ts';
import { joined, type Poll, readRows } from '../../sources/define.ts';
import type { Span } from '../../sources/queries/history-query.ts';
import type { HistoryParams } from '../../topics/index.ts';
import { aboutEach } from '../apis.ts';
import { fundingStep, fundings } from '../fundings.ts';
import { rowsIn } from '../histories.ts';
import { type Asked, longShort } from '../series.ts';
import { ownWords } from '../words.ts';
import { type Ask, futures, getFutures } from './api.ts';

const words = ownWords('5m', '15m', '30m', '1h', '4h', '1d');

/** Fundings of one answer, and the most answers for one question. */
const page = 100;
const mostPages = 8;

type Question = Asked<HistoryParams>;

/**
 * The fundings that are newer than a range: pages are counted from the newest one on. Contracts change between 8 and 4 hours, and have
 * not always had those of today.
 */
function newerThan(end: number, asked: Question) {
  const step = fundingStep(asked) ?? 8 * hour;
  const behind = Math.max(0, asked.now - end);
  return {
    least: Math.max(0, Math.floor(behind / Math.max(step, 8 * hour)) - 1),
    most: Math.floor(behind / Math.min(step, 4 * hour)),
  };
}

/** The pages in which a range lies, the first one 0. */
function pagesOf(asked: Question, { limit, range }: Span): { first: number; count: number } {
  const { least, most } = newerThan(range?.end ?? asked.now, asked);
  const first = Math.floor(least / page);
  return { first, count: Math.min(mostPages, Math.ceil((most + limit) / page) - first) };
}

/** The rows of all pages. ShapeError where others may lie between them and the end of the range, or its start. */
function fundingsIn(bodies: readonly unknown[], asked: Question): readonly WireRow[] {
  const lists = bodies.map((body) => rowsIn(at(body, 'data'), 'data'));
  const rows = lists.flat();
  const { from, to } = asked;
  const has = (isSuch: (time: number) => boolean) =>
    rows.some(({ fundingTime }) => isSuch(required(fundingTime)));
  const isEnd = (lists.at(-1)?.length ?? 0) < page;
  const isFirst = to === undefined || newerThan(to, asked).least < page;
  const reachesBack = isEnd || has((time) => time <= (from ?? to ?? Infinity));
  if (!reachesBack || !(isFirst || has((time) => time > to)))
    throw new ShapeError('the pages of this range are not known: its interval was another one');
  return rows;
}

export const histories = {
  /**
   * Shares of the accounts of a USDT contract, the newest rows only; `longShortAccountRatio` is not a ratio of the two and is not
   * read.
   */
  longShort: longShort<Ask>({
    page: 500,
    thinned: true,
    words: ({ part, of }) => (part === 'usdt-futures' && of === 'accounts' ? words : null),
    requests: ({ market: symbol, interval: period }) => [
      getFutures('usdt-futures', '/market/account-long-short', 'ratios', { symbol, period }),
    ],
    rows: 'data',
    at: 'ts',
    columns: { long: 'longAccountRatio', short: 'shortAccountRatio' },
  }),
  fundingHistory: fundings<Ask>({
    page,
    most: 4 * page,
    requests(asked, span) {
      const { market: symbol } = asked;
      const part = futures.find((one) => one === asked.part);
      if (part === undefined || fundingStep(asked) === null) return [];
      const { first, count } = pagesOf(asked, span);
      return Array.from({ length: count }, (_, i) =>
        getFutures(part, '/market/history-fund-rate', 'fundings', {
          symbol,
          pageSize: page,
          pageNo: first + i + 1,
        }),
      );
    },
    rows: fundingsIn,
    at: 'fundingTime',
    columns: { rate: 'fundingRate' },
  }),
};

/**
 * `dailyInterest` is a daily fraction. A call is about one coin; its body does not name it: the plan does.
 * https://www.bitget.com/api-doc/uta/public/Get-Margin-Loans
 */
export const loans: Poll<BorrowRow, Ask> = {
  requests: ({ items = borrowAssets }) =>
    aboutEach(items, (coin) => ({
      api: 'rest',
      path: '/api/v3/market/margin-loans',
      query: { coin },
    })),
  parse: (bodies, { received, plan: { items = borrowAssets } }) =>
    joined(
      items.map((asset, at) =>
        readRows(
          bodies[at] === undefined ? [] : [field(bodies[at], 'data')],
          () => asset,
          (row) =>
            borrowOf({
              asset,
              hourly_rate: required(row.dailyInterest) / 24,
              borrow_limit: optional(row.limit),
              stated: time(field(bodies[at], 'requestTime'), 1, received),
            }),
        ),
      ),
    ),
};
