/**
 * Bitfinex: margin positions and their funding.
 * https://docs.bitfinex.com/reference/rest-public-stats, -funding-stats
 */
import type { FundingStats } from '../../../indicators/market/rows.ts';
import { bulk, list, optional, positive, required, time, type WireRow } from '../../read.ts';
import { joined, type Poll, readRows } from '../../sources/poll.ts';
import type { Query } from '../../upstream/request.ts';
import { isWhole } from '../wire.ts';
import { type Ask, currencies, fundingSymbol, get } from './api.ts';

/** Margin positions in a pair, in its base. */
export interface MarginSize {
  /** Unix ms. */
  time: number;
  side: 'long' | 'short';
  size: number;
}

const sides = ['long', 'short'] as const;

/** Its dollar pair of an asset: `tBTCUSD`, `tDOGE:USD`. */
export const marginPair = (asset: string): string => {
  const currency = currencies[asset] ?? asset;
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
