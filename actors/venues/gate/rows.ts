/** The tables of Gate: ids, tickers, contracts and candles. https://www.gate.com/docs/developers/apiv4 */

import { bulk, list, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { candles, initials } from '../levels-and-bars.ts';
import { byId, joined, type MarketForm, markets } from '../markets.ts';
import type { Facts } from '../rows.ts';
import type { DerivativeTable, InterestTable } from '../tables.ts';

/** Perpetuals are grouped by what they settle in. */
export const settles = ['usdt', 'btc', 'usd1'] as const;
export type Settle = (typeof settles)[number];

/** Base units per contract; an inverse contract states 0 and is 1 USD. */
const contractOf = (row: WireRow): number =>
  row.type === 'inverse' ? 1 : positive(row.quanto_multiplier);

/** Older answers have no `status`. */
function kindOf(row: WireRow, settle: Settle): Instrument['kind'] {
  const trades = (text(row.status) || 'trading') === 'trading' && row.in_delisting !== true;
  // A contract that BTC settles is inverse, or a quanto whose contracts have no size in base.
  const type = settle === 'btc' ? 'inverse' : 'direct';
  return trades && row.type === type ? 'perpetual' : 'other';
}

/** `funding_interval` is in seconds. */
const fundingHours = (row: WireRow): number => positive(row.funding_interval) / 3600;

/** What a row of `contracts` says of its instrument. */
export function readContract(row: WireRow, market: string, settle: Settle): Omit<Facts, 'market'> {
  const kind = kindOf(row, settle);
  const [base = '', quote = ''] = market.split('_');
  return {
    kind,
    base,
    quote,
    // One that is not followed may lack its size.
    contract: contractOf(row) || (kind === 'other' ? 1 : positive(null)),
    inverse: row.type === 'inverse',
    fundingHours: fundingHours(row) || null,
  };
}

/** The rows of all pages, the first of which holds some. */
export const pagesOf = ([first, ...more]: readonly unknown[]): readonly unknown[] =>
  bulk(first, 'contracts').concat(...more.map((page) => list(page, 'contracts')));

/** `BTC_USDT_20260327` is dated. */
export const isDelivery = (market: string): boolean => /_\d{8}$/.test(market);

/** What a row of `delivery/usdt/contracts` says; `expire_time` is in seconds. */
export function readDelivery(row: WireRow, market: string): Omit<Facts, 'market'> {
  const [base = '', quote = ''] = market.split('_');
  const trades = row.in_delisting !== true && row.type === 'direct';
  return {
    kind: trades ? 'future' : 'other',
    base,
    quote,
    contract: contractOf(row),
    expiry: time(row.expire_time, 1000),
  };
}

/** Mark, index and the rate that is charged at `funding_next_apply`, seconds. */
const derivative: DerivativeTable = {
  mark: 'mark_price',
  index: 'index_price',
  rate: 'funding_rate',
  hours: fundingHours,
  next: (row) => required(row.funding_next_apply) * 1000,
};

const sizeOf = (row: WireRow): number => required(row.position_size) * contractOf(row);

/** `position_size` counts contracts of one side; `total_size` of the tickers may count both. */
const interest: InterestTable = {
  base: (row) => sizeOf(row) / (row.type === 'inverse' ? positive(row.mark_price) : 1),
  value: (row) => sizeOf(row) * (row.type === 'inverse' ? 1 : positive(row.mark_price)),
  mark: 'mark_price',
};

/** Contracts, where funding times and the one-sided open interest are; tickers lack both. */
export const contracts = markets({
  rows: pagesOf,
  id: 'name',
  derivative,
  interest,
});

/** Dated contracts. Bodies: `contracts`, and `tickers` for the turnovers, which may be missing. */
export const deliveries = markets({
  rows: ([body, tickers]) =>
    joined(list(body, 'contracts'), 'name', {
      rows: byId(tickers, '', 'contract'),
      take: ['volume_24h_quote'],
    }),
  id: 'name',
  dated: true,
  price: { last: 'last_price', quote: 'volume_24h_quote' },
  derivative: { mark: 'mark_price', index: 'index_price' },
  interest,
});

/** What tickers of both sorts have. No row has a time. A turnover can be "nan". */
const ticker = {
  last: 'last',
  bid: 'highest_bid',
  ask: 'lowest_ask',
  high: 'high_24h',
  low: 'low_24h',
  percent: 'change_percentage',
} as const;

/** Tickers of spot pairs. */
export const spotTickers = markets({
  id: 'currency_pair',
  price: { ...ticker, base: 'base_volume', quote: 'quote_volume', untraded: 'base_volume' },
});

/** `volume_24h` counts contracts. `volume_24h_base` is cut to whole coins, and 0 of inverse contracts. */
const contractTicker = {
  id: 'contract',
  time: 't',
  price: {
    ...ticker,
    base: ({ volume_24h, last }, { contract, inverse }) =>
      (required(volume_24h) * contract) / (inverse ? positive(last) : 1),
    quote: 'volume_24h_quote',
    untraded: 'volume_24h',
  },
} as const satisfies MarketForm;

/** Tickers of contracts, polled for prices only: the contracts have the rest. */
export const tickers = markets(contractTicker);

/** Tickers of contracts by stream. `total_size` may count both sides of the open interest, so it is not used. */
export const streamedTickers = markets({ ...contractTicker, derivative });

/** `[s, quote volume, close, high, low, open, base volume, closed]`. */
export const spotCandles = candles({
  rows: '',
  time: 0,
  unit: 1000,
  columns: { open: 5, high: 3, low: 4, close: 2, base: 6, quote: 1 },
  width: 8,
});

/**
 * `{t, o, h, l, c, v, sum}`: `v` counts contracts, `sum` is documented as quote. The base of an inverse candle is
 * between `v` at its high and `v` at its low: it is `sum` if that fits there, else `v` at the middle of the prices.
 */
export const contractCandles = candles({
  rows: '',
  time: 't',
  unit: 1000,
  columns: {
    ...initials,
    contracts: 'v',
    quote: 'sum',
    base(row, { contract, inverse }) {
      const [size, sum] = [required(row.v) * contract, required(row.sum)];
      const fits = sum >= size / positive(row.h) && sum <= size / positive(row.l);
      return inverse && fits ? sum : null;
    },
  },
});
