/**
 * Histories of Bitfinex (settled funding, open interest), the market in which margin is funded, and margin positions.
 * https://docs.bitfinex.com/reference
 */
import { currencyOf, wordOf } from '../../../config/assets/resolve.ts';
import { hour } from '../../../config/time.ts';
import { intervals } from '../../../indicators/market/intervals.ts';
import type { MarginPoint } from '../../../indicators/market/margin.ts';
import { type BorrowRow, borrowOf, type FundingStats } from '../../../indicators/market/rows.ts';
import {
  bulk,
  isNumber,
  list,
  optional,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import { joined, type Poll, readRows } from '../../sources/define.ts';
import type { SeriesParams } from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import { isWhole } from '../cells.ts';
import { fundings } from '../fundings.ts';
import { byTime, rowsIn } from '../histories.ts';
import { historyOf, interest } from '../series.ts';
import { ownWords } from '../words.ts';
import { type Ask, get, segment } from './api.ts';

/** Rows of one answer, about one a minute: three and a half days. */
const rowsAtOnce = 5000;
const hours = 8;

/** The rows until a time, newest first. https://docs.bitfinex.com/reference/rest-public-derivatives-status-history */
const statusUntil = (market: string, end: number | undefined) =>
  get('status', `status/deriv/${segment(market)}/hist`, {
    limit: rowsAtOnce,
    ...(end !== undefined && { end }),
  });

/** All up to a day. */
const words = ownWords('1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d');

/** Intervals of margin positions, of which it has the hours. */
const hourly = ownWords('1h', '2h', '4h', '6h', '12h', '1d');
/** What both sides of a pair hold on margin, in its base. */
const sides = ['long', 'short'] as const;
const positions = (market: string, side: (typeof sides)[number], hours: Query): Ask =>
  get('stats', `stats1/pos.size:1h:${segment(market)}:${side}/hist`, hours);

function heldOn(value: unknown): number {
  const size = required(value);
  return size >= 0 ? size : required(null);
}

/**
 * `[ms, base units]` of each full hour, 10,000 of them at most; longer intervals are made of those. A pair that has no margin answers
 * with an empty list. https://docs.bitfinex.com/reference/rest-public-stats
 */
const marginOf = historyOf<SeriesParams, null, MarginPoint>(
  ({ timestamp, long_size, short_size }) =>
    isNumber(timestamp) && isNumber(long_size) && isNumber(short_size),
  (_columns, { long, short }, timestamp) => ({
    timestamp,
    long_size: heldOn(long),
    short_size: heldOn(short),
  }),
);

const marginHistory = marginOf<Ask>({
  ...{ page: 100, most: 400 },
  words: ({ instrument }) => (instrument.kind === 'spot' ? hourly : null),
  requests({ market, interval }, { limit, range }) {
    const end: Query = range ? { end: range.end } : {};
    const hours = { limit: (limit * intervals[interval]) / hour, ...end };
    return sides.map((side) => positions(market, side, hours));
  },
  rows([long, short]) {
    const shortAt = byTime(rowsIn(short ?? null, 'shorts'), (row) => row[0]);
    return rowsIn(long ?? null, 'longs').map((row) => ({
      ...{ at: row[0], long: row[1], short: shortAt(row[0])?.[1] },
    }));
  },
  at: 'at',
  columns: null,
  keep: ({ at }, { interval }) => !(required(at) % intervals[interval] > 0),
});

export const histories = {
  marginHistory,
  /**
   * Rows state the rate (11) of the next funding beside its time (7): it is set eight hours ahead, so that all rows before a funding are
   * one point. https://www.bitfinex.com/legal/derivative/funding/
   */
  fundingHistory: fundings<Ask>({
    hours,
    page: Math.floor(rowsAtOnce / (hours * 60)),
    requests: ({ market }, { range }) => [statusUntil(market, range?.end)],
    rows: '',
    at: 7,
    columns: { rate: 11 },
    keep: ({ 7: next }, { now }) => !(required(next) > now),
  }),
  /** Mark price at 14, base units at 17: the last row of an interval stands for it. */
  openInterestHistory: interest<Ask>({
    page: rowsAtOnce,
    words: ({ instrument }) => (instrument.kind === 'perpetual' ? words : null),
    requests: ({ market, interval }, { range }) => [
      statusUntil(market, range ? range.end + intervals[interval] - 1 : undefined),
    ],
    rows([body], { interval }) {
      const every = intervals[interval];
      const last = new Map<number, WireRow>();
      // Newest first: an older row of the same interval is left out.
      for (const row of rowsIn(body, 'status')) {
        const at = Math.floor((time(row[0]) ?? required(null)) / every) * every;
        if (!last.has(at)) last.set(at, { at, base: row[17], mark: row[14] });
      }
      return [...last.values()];
    },
    at: 'at',
    columns: { base: 'base', mark: 'mark' },
  }),
};

/** The funding symbol of an asset, `f` and its currency: `fUST` of USDT. */
export const fundingSymbol = (asset: string): string => `f${wordOf(asset, 'bitfinex')}`;

/** The asset of a funding symbol. */
const assetOf = (symbol: string): string => currencyOf(symbol.slice(1), 'bitfinex');

const fundingAssets = ['USD', 'USDT', 'USDC', 'BTC', 'ETH', 'SOL', 'XRP'];

/**
 * The market in which margin is funded: `[symbol, FRR, bid, period, size, ask, period, size, change, change relative, last,
 * …]`: daily fractions. https://docs.bitfinex.com/reference/rest-public-tickers
 */
export const loans: Poll<BorrowRow, Ask> = {
  requests: ({ items = fundingAssets }) => [
    get('tickers', 'tickers', { symbols: items.map(fundingSymbol).join(',') }),
  ],
  parse: ([body]) =>
    readRows(
      bulk(body, 'funding tickers'),
      (row) => text(row[0]),
      (row) => {
        const symbol = isWhole(row, 17) ? text(row[0]) : '';
        return borrowOf({
          asset: symbol.startsWith('f') ? assetOf(symbol) : '',
          hourly_rate: required(row[10]) / 24,
          borrow_limit: null,
          stated: null,
        });
      },
    ),
};

/** Margin positions in a pair, in its base. */
export interface MarginSize {
  /** Unix ms. */
  time: number;
  side: 'long' | 'short';
  size: number;
}

/** Its dollar pair of an asset: `tBTCUSD`, `tDOGE:USD`. */
export const marginPair = (asset: string): string => {
  const currency = wordOf(asset, 'bitfinex');
  return currency.length > 3 ? `t${currency}:USD` : `t${currency}USD`;
};

/**
 * `[ms, value]` of both sides of the plan's pair (`tBTCUSD`): the newest or, by `hist`, that of each of the last 250
 * hours. A pair that has no margin answers with an empty list: no rows.
 */
const sizes = (window: 'last' | 'hist'): Poll<MarginSize, Ask> => ({
  requests: ({ items: [pair = 'tBTCUSD'] = [] }) =>
    sides.map((side) => {
      const size = window === 'last' ? '1m' : '1h';
      const query: Query = window === 'last' ? {} : { limit: 250 };
      return get('stats', `stats1/pos.size:${size}:${pair}:${side}/${window}`, query);
    }),
  parse: (bodies, { received }) =>
    joined(
      sides.map((side, at) => {
        const body = list(bodies[at], side);
        return readRows(
          window === 'hist' || body.length === 0 ? body : [body],
          () => side,
          (row) => sizeOf(side, row, received),
        );
      }),
    ),
});

/** Both sides of the newest minute. */
export const marginSizes = sizes('last');
/** Both sides of the last 250 hours. */
export const marginHours = sizes('hist');

function sizeOf(side: MarginSize['side'], row: WireRow, now: number): MarginSize | null {
  const [at, size] = [time(row[0], 1, now), required(row[1])];
  return at !== null && size >= 0 ? { time: at, side, size } : null;
}

/** In the statistics, and there alone, the rate is 1/365 of the daily one. */
const frrScale = 365;

/** Rows of twelve, newest first, of the plan's asset; 250 rows reach back about ten days. */
export const fundingStats: Poll<FundingStats, Ask> = {
  requests: ({ items: [asset = 'USD'] = [] }) => [
    get('default', `funding/stats/${fundingSymbol(asset)}/hist`, { limit: 250 }),
  ],
  parse: ([body], { received }) =>
    readRows(
      bulk(body, 'funding statistics'),
      (row) => String(row[0]),
      (row) => {
        const [at, daily] = [time(row[0], 1, received), required(required(row[3]) * frrScale)];
        const [provided, used] = [positive(row[7]), required(row[8])];
        if (!isWhole(row, 12)) return null;
        if (at === null || !(daily >= 0 && provided > 0 && used >= 0)) return null;
        return {
          time: at,
          frr_daily: daily,
          average_period_days: optional(row[4]),
          provided,
          used,
          below_threshold: optional(row[11]),
        };
      },
    ),
};
