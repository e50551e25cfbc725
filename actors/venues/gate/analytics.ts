/** Histories of Gate contracts, and the past loan rates of its unified account. https://www.gate.com/docs/developers/apiv4/en/ */
import { intervals } from '../../../indicators/market/intervals.ts';
import { type BorrowRow, borrowAssets, borrowOf } from '../../../indicators/market/rows.ts';
import { field, list, positive, required, text, time } from '../../read.ts';
import { joined, type Parsed, type Poll, readRows } from '../../sources/define.ts';
import type { Span } from '../../sources/queries/history-query.ts';
import type { LongShortOf, SeriesParams } from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import { aboutEach } from '../apis.ts';
import { fundings } from '../fundings.ts';
import { basis, interest, longShort } from '../series.ts';
import { ownWords, type Words } from '../words.ts';
import { type Ask, get, kept, type PartName } from './api.ts';
import { isDelivery, settles } from './rows.ts';

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

const candleWords = ownWords('5m', '15m', '30m', '1h', '4h', '8h', '1d');

export const histories = {
  // Candles of `mark_` and `index_` before the name of a contract; a range may not stand beside `limit`.
  basisHistory: basis<Ask>({
    page: 1000,
    words: ({ part }) => (part === 'spot' ? null : candleWords),
    requests({ part, market, interval, now }, { limit, range }) {
      const place = isDelivery(market) ? 'delivery' : partOf(part);
      const oldest = now - kept * intervals[interval];
      const times: Query = range
        ? {
            from: Math.ceil(Math.max(range.start, oldest) / 1000),
            to: Math.floor(Math.max(range.end, oldest) / 1000),
          }
        : { limit };
      return ['mark', 'index'].map((price) =>
        get(place, 'candlesticks', 'candles', {
          contract: `${price}_${market}`,
          interval,
          ...times,
        }),
      );
    },
    ...{ rows: '', at: 't', unit: 1000, close: 'c' },
  }),
  longShort: longShort<Ask>({
    ...series,
    // A ratio that is not known is written as 0.
    keep: (row, { of }) => required(row[ratios[of]]) !== 0,
    columns: { ratio: (row, { of }) => row[ratios[of]] },
  }),
  // A contract counts twice in `open_interest`, as a long and as a short position; inverse ones are one dollar each.
  openInterestHistory: interest<Ask>({
    ...series,
    columns: {
      sides: 2,
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

/** A rate of one hour of the past. */
type Hour = BorrowRow & { stated: number };

/** The newest hour of each asset. */
function newestOf(hours: readonly Hour[]): Hour[] {
  const newest = new Map<string, Hour>();
  for (const hour of hours) {
    const known = newest.get(hour.asset);
    if (!known || known.stated < hour.stated) newest.set(hour.asset, hour);
  }
  return [...newest.values()];
}

/** Rates of whole hours as a fraction of the hour, of one asset. The limit is not stated. */
function hoursOf(body: unknown, received: number): Parsed<Hour> {
  const asset = text(field(body, 'currency'));
  return readRows(
    list(field(body, 'rates'), 'rates'),
    () => asset,
    (row) => {
      const stated = time(row.time, 1, received);
      const rate = required(row.rate);
      const found = borrowOf({ asset, hourly_rate: rate, borrow_limit: null, stated });
      return found && stated !== null ? { ...found, stated } : null;
    },
  );
}

/**
 * The last hundred hours of each of the plan's assets, of which the newest counts. An asset that is not lent has none.
 * https://www.gate.com/docs/developers/apiv4/en/#get-historical-lending-rates
 */
export const loans: Poll<BorrowRow, Ask> = {
  requests: ({ items = borrowAssets }) =>
    aboutEach(items, (currency) => ({
      api: 'spot',
      path: '/api/v4/unified/history_loan_rate',
      query: { currency, limit: 100 },
    })),
  parse(bodies, { received }) {
    const answers = bodies.filter((body) => body !== undefined);
    const { rows, dropped } = joined(answers.map((body) => hoursOf(body, received)));
    return { rows: newestOf(rows), dropped };
  },
};
