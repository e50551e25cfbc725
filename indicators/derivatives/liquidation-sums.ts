/** Sums of liquidations by minute, exchange and symbol, and by windows of hours. Pure: time is what the caller states. */
import { minute } from '../../config/time.ts';

/** The windows of the tables, hours. */
export const windowHours = [1, 4, 12, 24] as const;
export type WindowHours = (typeof windowHours)[number];

/** What is added. */
export interface LiquidationEvent {
  symbol: string;
  side: 'long' | 'short';
  value_usd: number;
  /** Unix ms. */
  timestamp: number;
}

/** Sums in US dollars. */
export interface LiquidationTotals {
  long: number;
  short: number;
  count: number;
  /** The largest single one. */
  largest: number;
}

/** The totals of one symbol on one exchange in one minute. */
interface Cell extends LiquidationTotals {
  exchange: string;
  symbol: string;
}

/** Totals of one symbol or exchange by window. */
export type WindowTotals = Record<WindowHours, LiquidationTotals>;

const empty = (): LiquidationTotals => ({ long: 0, short: 0, count: 0, largest: 0 });

const noTotals = (): WindowTotals => ({ 1: empty(), 4: empty(), 12: empty(), 24: empty() });

function add(to: LiquidationTotals, { long, short, count, largest }: LiquidationTotals): void {
  to.long += long;
  to.short += short;
  to.count += count;
  to.largest = Math.max(to.largest, largest);
}

/** Totals of several symbols or exchanges together. */
export function sumOfTotals(all: readonly LiquidationTotals[]): LiquidationTotals {
  const sum = empty();
  for (const one of all) add(sum, one);
  return sum;
}

/** The totals of symbols, the largest sum of 24 hours first. */
export function largestFirst(totals: ReadonlyMap<string, WindowTotals>) {
  const sumOf = ({ 24: { long, short } }: WindowTotals) => long + short;
  const rows = [...totals].map(([symbol, of]) => ({ symbol, ...of }));
  return rows.sort((a, b) => sumOf(b) - sumOf(a));
}

/** The sums of all these exchanges together, then of each, the largest first. */
export function sumsByExchange(
  ids: readonly string[],
  totals: ReadonlyMap<string, WindowTotals>,
  hours: WindowHours,
) {
  const each = ids.map((exchange) => ({ exchange, ...(totals.get(exchange)?.[hours] ?? empty()) }));
  const all = { exchange: 'all', ...sumOfTotals(each) };
  const summed = (one: typeof all) => ({
    ...one,
    sum: one.long + one.short,
    whole: all.long + all.short,
  });
  return [summed(all), ...each.map(summed).sort((a, b) => b.sum - a.sum)];
}

/** Which cells are summed, and what by. */
export interface SumsOf {
  by: 'exchange' | 'symbol';
  exchange?: string | undefined;
  symbol?: string | undefined;
}

/** The sums of the last 24 hours. */
export class LiquidationSums {
  readonly #minutes = new Map<number, Map<string, Cell>>();
  readonly #most: number;
  #cells = 0;

  /** `most`: cells (symbol, exchange and minute) that are kept; beyond them the oldest minutes go. */
  constructor(most: number) {
    this.#most = most;
  }

  get cells(): number {
    return this.#cells;
  }

  add(exchange: string, { symbol, side, value_usd, timestamp }: LiquidationEvent): void {
    const sums = { ...empty(), [side]: value_usd, count: 1, largest: value_usd };
    this.addTo({ exchange, symbol, timestamp }, sums);
  }

  /** Adds to the minute that holds `timestamp`, Unix ms. */
  addTo(
    { exchange, symbol, timestamp }: Pick<Cell, 'exchange' | 'symbol'> & { timestamp: number },
    sums: LiquidationTotals,
  ): void {
    const at = Math.floor(timestamp / minute);
    const cells = this.#minutes.get(at) ?? new Map<string, Cell>();
    this.#minutes.set(at, cells);
    const key = `${exchange}/${symbol}`;
    const cell = cells.get(key) ?? { exchange, symbol, ...empty() };
    if (!cells.has(key)) this.#cells++;
    cells.set(key, cell);
    add(cell, sums);
    if (this.#cells > this.#most) this.#forget(Math.min(...this.#minutes.keys()));
  }

  /** Forgets the minutes that ended 24 hours before `now`, Unix ms. */
  expire(now: number): void {
    const first = Math.floor(now / minute) - 24 * 60;
    for (const at of this.#minutes.keys()) if (at < first) this.#forget(at);
  }

  clear(): void {
    this.#minutes.clear();
    this.#cells = 0;
  }

  /** By name the totals of each window before `now`, which begins with a whole minute. */
  totals({ by, exchange, symbol }: SumsOf, now: number): Map<string, WindowTotals> {
    const found = new Map<string, WindowTotals>();
    const last = Math.floor(now / minute);
    const isWanted = (cell: Cell): boolean =>
      (exchange === undefined || cell.exchange === exchange) &&
      (symbol === undefined || cell.symbol === symbol);
    for (const [at, cells] of this.#minutes) {
      const windows = windowHours.filter((hours) => at > last - hours * 60);
      for (const cell of cells.values()) {
        if (!isWanted(cell)) continue;
        const totals = found.get(cell[by]) ?? noTotals();
        found.set(cell[by], totals);
        for (const hours of windows) add(totals[hours], cell);
      }
    }
    return found;
  }

  #forget(at: number): void {
    this.#cells -= this.#minutes.get(at)?.size ?? 0;
    this.#minutes.delete(at);
  }
}

/** When a stream was received: stretches of time without a gap, ascending. */
export class HeardTimes {
  #stretches: { from: number; to: number }[] = [];

  /** It was received from `from` to `to`, Unix ms; later calls are about later times. */
  add(from: number, to: number): void {
    const last = this.#stretches.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (to >= from) this.#stretches.push({ from, to });
  }

  /** Forgets what ended before `from`, and all but the newest thousand stretches. */
  expire(from: number): void {
    this.#stretches = this.#stretches.filter(({ to }) => to >= from).slice(-1_000);
  }

  /** The first time that is known; null without any. */
  get first(): number | null {
    return this.#stretches[0]?.from ?? null;
  }

  /** Milliseconds of [from, to] in which it was received. */
  within(from: number, to: number): number {
    return this.#stretches.reduce(
      (sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)),
      0,
    );
  }
}
