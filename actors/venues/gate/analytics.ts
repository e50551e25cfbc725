/** Histories of Gate contracts. https://www.gate.com/docs/developers/apiv4/en/#futures-stats */
import { intervals } from '../../../indicators/market/intervals.ts';
import { positive, required } from '../../read.ts';
import type { Span } from '../../sources/queries/history-query.ts';
import type { LongShortOf, SeriesParams } from '../../topics/index.ts';
import { fundings, interest, longShort, ownWords, type Words } from '../series.ts';
import { type Ask, get, type PartName } from './api.ts';
import { settles } from './rows.ts';

/** Rows of one answer. */
const rowsAtOnce = 100;

const partOf = (part: string): PartName => settles.find((settle) => settle === part) ?? 'spot';

const words = ownWords('5m', '15m', '30m', '1h', '4h', '1d');

/** Pages of 100 rows from a start on, in seconds; the newest ones are asked for without a start. */
function statistics(
  { part, market, interval, now }: SeriesParams & { part: string; now: number },
  { limit, range }: Span,
): Ask[] {
  const query = { contract: market, interval, limit: rowsAtOnce };
  const step = intervals[interval];
  const end = Math.floor((range?.end ?? now) / step) * step;
  return Array.from({ length: Math.ceil(limit / rowsAtOnce) }, (_, i) => {
    const from = (end - ((i + 1) * rowsAtOnce - 1) * step) / 1000;
    const isNewest = i === 0 && range === null;
    const page = isNewest ? query : { ...query, from };
    return get(partOf(part), 'contract_stats', 'statistics', page);
  });
}

const series = {
  page: rowsAtOnce,
  most: 500,
  thinned: true,
  words: ({ part }: { part: string }): Words | null => (part === 'spot' ? null : words),
  requests: statistics,
  rows: '',
  at: 'time',
  unit: 1000,
};

const ratios: Readonly<Record<LongShortOf, string>> = {
  accounts: 'lsr_account',
  top_accounts: 'top_lsr_account',
  top_positions: 'top_lsr_size',
};

export const histories = {
  longShort: longShort<Ask>({
    ...series,
    // A ratio that is not known is written as 0.
    keep: (row, { of }) => required(row[ratios[of]]) !== 0,
    columns: { ratio: (row, { of }) => row[ratios[of]] },
  }),
  // A contract counts twice in `open_interest`, as a long and as a short position; inverse ones are one dollar each.
  openInterestHistory: interest<Ask>({
    ...series,
    sides: 2,
    columns: {
      contracts: 'open_interest',
      usd: (row, { instrument }) =>
        instrument.inverse ? row.open_interest : row.open_interest_usd,
      mark: ({ mark_price }, { instrument }) => (instrument.inverse ? mark_price : positive(null)),
    },
  }),
  // All that is given at once: at three fundings a day about a year.
  fundingHistory: fundings<Ask>({
    whole: true,
    page: 1000,
    has: (part) => part !== 'spot',
    requests: ({ part, market }) => [
      get(partOf(part), 'funding_rate', 'fundings', { contract: market, limit: 1000 }),
    ],
    rows: '',
    at: 't',
    unit: 1000,
    columns: { rate: 'r' },
  }),
};
