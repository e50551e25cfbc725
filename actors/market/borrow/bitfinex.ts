/**
 * Bitfinex: the market in which margin is funded, and what is held on margin.
 * https://docs.bitfinex.com/reference/rest-public-tickers, -stats, -funding-stats
 *
 * Funding symbols are `f` and a currency; UST is USDT, UDC is USDC.
 */
import { optional, positive, required, text } from '../../read.ts';
import type { UpstreamRequest } from '../../upstream/request.ts';
import { bulk, list, type WireRow } from '../../venues/rows.ts';
import { type Figure, joined, readRows } from '../upstream.ts';
import { type BorrowRow, borrowOf } from './rate.ts';

const currencies: Readonly<Record<string, string>> = { USDT: 'UST', USDC: 'UDC' };
const assetsByCurrency: Readonly<Record<string, string>> = { UST: 'USDT', UDC: 'USDC' };

/** The funding symbol of an asset: `fUST` of USDT. */
export const fundingSymbol = (asset: string): string => `f${currencies[asset] ?? asset}`;

const assetOf = (symbol: string) => {
  const currency = symbol.slice(1);
  return assetsByCurrency[currency] ?? currency;
};

const get = (path: string, query: UpstreamRequest['query']): UpstreamRequest => ({
  api: 'rest',
  path: `/v2/${path}`,
  query,
});

/** A funding ticker. */
export interface FundingTicker extends BorrowRow {
  /** The flash return rate: the average of all fixed rates, as a fraction an hour. */
  flash_return_rate: number | null;
}

const fundingAssets = ['USD', 'USDT', 'USDC', 'BTC', 'ETH', 'SOL', 'XRP'];

/** `[symbol, FRR, bid, period, size, ask, period, size, change, change relative, last, …]`: daily fractions. */
export const bitfinexBorrow: Figure<FundingTicker> = {
  requests: ({ items = fundingAssets }) => [
    { ...get('tickers', { symbols: items.map(fundingSymbol).join(',') }), budget: 'tickers' },
  ],
  parse: ([body]) =>
    readRows(
      bulk(body, 'funding tickers'),
      (row) => text(row[0]),
      (row) => {
        const symbol = text(row[0]);
        const found = borrowOf({
          asset: symbol.startsWith('f') ? assetOf(symbol) : '',
          hourly_rate: required(row[10]) / 24,
          borrow_limit: null,
          stated: null,
        });
        const frr = required(row[1]);
        return found && { ...found, flash_return_rate: frr >= 0 ? frr / 24 : null };
      },
    ),
};

/** What is held on margin in a pair, in its base. */
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
export const marginSizes = (window: 'last' | 'hist'): Figure<MarginSize> => ({
  requests: ({ items: [pair = 'tBTCUSD'] = [] }) =>
    sides.map((side) => {
      const size = window === 'last' ? '1m' : '1h';
      const query: UpstreamRequest['query'] = window === 'last' ? {} : { limit: 250 };
      return {
        ...get(`stats1/pos.size:${size}:${pair}:${side}/${window}`, query),
        budget: 'stats',
      };
    }),
  parse: (bodies) =>
    joined(
      sides.map((side, at) => {
        const body = list(bodies[at], side);
        return readRows(
          window === 'hist' || body.length === 0 ? body : [body],
          () => side,
          (row) => sizeOf(side, row),
        );
      }),
    ),
});

function sizeOf(side: MarginSize['side'], row: WireRow): MarginSize | null {
  const [time, size] = [positive(row[0]), required(row[1])];
  return time > 0 && size >= 0 ? { time, side, size } : null;
}

/** The state of the funding market of one currency. */
export interface FundingStats {
  /** Unix ms. */
  time: number;
  /** Fraction a day. */
  frr_daily: number;
  /** Days for which funding is lent on average. */
  average_period_days: number | null;
  /** In the currency. */
  provided: number;
  used: number;
  /** What is offered below the threshold of 0.75 % ; null where not said. */
  below_threshold: number | null;
}

/** In the statistics, and there alone, the rate is 1/365 of the daily one. */
const frrScale = 365;

/** Rows of twelve, newest first, of the plan's asset; 250 rows reach back about ten days. */
export const fundingStats: Figure<FundingStats> = {
  requests: ({ items: [asset = 'USD'] = [] }) => [
    get(`funding/stats/${fundingSymbol(asset)}/hist`, { limit: 250 }),
  ],
  parse: ([body]) =>
    readRows(
      bulk(body, 'funding statistics'),
      (row) => String(row[0]),
      (row) => {
        const [time, frr] = [positive(row[0]), required(row[3])];
        const [provided, used] = [positive(row[7]), required(row[8])];
        if (!(time > 0 && frr >= 0 && provided > 0 && used >= 0)) return null;
        return {
          time,
          frr_daily: frr * frrScale,
          average_period_days: optional(row[4]),
          provided,
          used,
          below_threshold: optional(row[11]),
        };
      },
    ),
};
