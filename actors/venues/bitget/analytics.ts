/** Histories of Bitget futures (long and short accounts, settled funding) and its margin loans. https://www.bitget.com/api-doc */
import { type BorrowRow, borrowAssets, borrowOf } from '../../../indicators/market/rows.ts';
import { field, optional, required, time } from '../../read.ts';
import { joined, type Poll, readRows } from '../../sources/define.ts';
import { aboutEach } from '../apis.ts';
import { fundingStep, fundings } from '../fundings.ts';
import { longShort } from '../series.ts';
import { ownWords } from '../words.ts';
import { type Ask, futures, getFutures } from './api.ts';

const words = ownWords('5m', '15m', '30m', '1h', '4h', '1d');

/** Fundings of one answer. */
const page = 100;

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
  /** Pages are counted from the newest on: a range is asked for by the pages in which it lies. */
  fundingHistory: fundings<Ask>({
    page,
    most: 4 * page,
    requests(asked, { limit, range }) {
      const { market: symbol, now } = asked;
      const part = futures.find((one) => one === asked.part);
      const step = fundingStep(asked);
      if (part === undefined || step === null) return [];
      const newer = range === null ? 0 : Math.max(0, Math.floor((now - range.end) / step) - 1);
      const first = Math.floor(newer / page);
      const count = Math.ceil((newer + limit) / page) - first;
      return Array.from({ length: count }, (_, i) =>
        getFutures(part, '/market/history-fund-rate', 'fundings', {
          symbol,
          pageSize: page,
          pageNo: first + i + 1,
        }),
      );
    },
    rows: 'data',
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
