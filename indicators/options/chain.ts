/** Option chains: what exchanges state of each option, grouped by expiry. */
import { median } from '../market/statistics.ts';
import { type Greeks, greeksOf, type OptionType, yearsBetween } from './black76.ts';

/** One option of one exchange. Prices are of an option on one base unit, US dollars. */
export interface OptionRow {
  /** The exchange's own id. */
  market: string;
  /** Base asset. */
  symbol: string;
  /** Unix ms. */
  expiry: number;
  /** US dollars. */
  strike: number;
  type: OptionType;
  /** What it is margined and settled in: the base asset, or USDC. */
  settle: string;
  /** One side, base units. */
  open_interest: number;
  /** Turnover of 24 hours, base units; null where it is not stated. */
  volume: number | null;
  /** What was paid for it, US dollars; null where it is not stated. */
  premium: number | null;
  mark: number | null;
  bid: number | null;
  ask: number | null;
  /** Implied volatility of the mark, the bid and the ask, fraction a year. */
  iv: number | null;
  bid_iv: number | null;
  ask_iv: number | null;
  /** Forward price of the expiry, US dollars. */
  underlying: number;
  /** As the exchange states them, in the units of `Greeks`; null where it states none. */
  delta: number | null;
  gamma: number | null;
  theta: number | null;
  vega: number | null;
  /** Unix ms; null when the exchange does not say. */
  stated: number | null;
  /** When the row was received, Unix ms, if earlier than the others. */
  received?: number;
}

/** An option with its exchange. */
export type ListedOption = OptionRow & { exchange: string };

/**
 * Open interest and turnover of some options, of calls and puts together where nothing else is said: base units, and US dollars at the
 * forward. The turnover is null where no option states one.
 */
export function sumsOf(rows: readonly OptionRow[]) {
  const open = { call: 0, put: 0 };
  const stated = rows.filter(({ volume }) => volume !== null);
  const total = (some: readonly OptionRow[], of: (row: OptionRow) => number) =>
    some.reduce((sum, row) => sum + of(row), 0);
  for (const { type, open_interest } of rows) open[type] += open_interest;
  return {
    instruments: rows.length,
    calls: open.call,
    puts: open.put,
    open_interest: open.call + open.put,
    open_interest_usd: total(rows, (row) => row.open_interest * row.underlying),
    volume: stated.length === 0 ? null : total(stated, ({ volume }) => volume ?? 0),
    volume_usd:
      stated.length === 0 ? null : total(stated, (row) => (row.volume ?? 0) * row.underlying),
  };
}

export type ChainSums = ReturnType<typeof sumsOf>;

/** Puts over calls, open interest in base units; null without calls. */
export const putCallRatio = ({ calls, puts }: Pick<ChainSums, 'calls' | 'puts'>): number | null =>
  calls > 0 ? puts / calls : null;

/** Options by exchange and asset, the largest open interest first, and that of all, US dollars. */
export function listedChains(rows: readonly ListedOption[]) {
  const { open_interest_usd: total } = sumsOf(rows);
  const groups = Map.groupBy(rows, ({ exchange, symbol }) => `${exchange} ${symbol}`);
  const items = [...groups.values()].map((own) => {
    const { exchange = '', symbol = '' } = own[0] ?? {};
    const sums = sumsOf(own);
    const share = total > 0 ? sums.open_interest_usd / total : 0;
    return { ...sums, exchange, symbol, share, rows: own };
  });
  return { total, items: items.sort((a, b) => b.open_interest_usd - a.open_interest_usd) };
}

export type ListedChain = ReturnType<typeof listedChains>['items'][number];

/** Options by what they settle in. */
export const settlementsOf = (rows: readonly OptionRow[]) =>
  [...Map.groupBy(rows, ({ settle }) => settle)].map(([settle, own]) => ({
    settle,
    ...sumsOf(own),
  }));

/** The options of one expiry. */
export interface Expiry<Row extends OptionRow = OptionRow> {
  /** Unix ms. */
  expiry: number;
  /** Years of 365 days until then. */
  years: number;
  /** Median of what the options state as their forward, US dollars. */
  forward: number;
  rows: readonly Row[];
}

/** The options that have not expired at `now` (Unix ms) by expiry, soonest first. */
export function expiriesOf<Row extends OptionRow>(
  rows: readonly Row[],
  now: number,
): Expiry<Row>[] {
  const groups = Map.groupBy(rows, ({ expiry }) => expiry);
  return [...groups]
    .filter(([expiry]) => expiry > now)
    .sort(([a], [b]) => a - b)
    .map(([expiry, own]) => ({
      expiry,
      years: yearsBetween(now, expiry),
      forward: median(own.map(({ underlying }) => underlying)),
      rows: own,
    }));
}

/** The strikes of options, lowest first. */
export const strikesOf = (rows: readonly OptionRow[]): number[] =>
  [...new Set(rows.map(({ strike }) => strike))].sort((a, b) => a - b);

/** Greeks of an option and who made them. */
export type SourcedGreeks = Greeks & { source: 'published' | 'computed' };

/**
 * The greeks that the exchange states, else those of its volatility at `now` (Unix ms); rho, which no exchange states
 * of a whole chain, is always computed. Null without either.
 */
export function greeksOfRow(row: OptionRow, now: number): SourcedGreeks | null {
  const { type, strike, underlying: forward, iv, delta, gamma, theta, vega } = row;
  const years = yearsBetween(now, row.expiry);
  const found = greeksOf({ type, strike, forward, volatility: iv ?? 0, years });
  if (found === null) return null;
  const { price: _, ...computed } = found;
  if (delta === null || gamma === null || theta === null || vega === null) {
    return { ...computed, source: 'computed' };
  }
  return { delta, gamma, theta, vega, rho: computed.rho, source: 'published' };
}
