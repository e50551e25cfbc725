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

/** What one symbol had on one exchange. */
interface Series {
  exchange: string;
  symbol: string;
  /** By minute, ascending: the minute since 1970, long, short, count, largest. Numbers alone: a day has many minutes. */
  cells: number[];
}

/** Numbers of one minute in a series. */
const width = 5;

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

/** Where a minute is among cells, or would be. */
function placeOf(cells: readonly number[], at: number): number {
  let place = cells.length;
  while (place > 0 && (cells[place - width] ?? 0) >= at) place -= width;
  return place;
}

/** Adds to a total the sums that begin after `place`. */
function addCell(to: LiquidationTotals, cells: readonly number[], place: number): void {
  to.long += cells[place + 1] ?? 0;
  to.short += cells[place + 2] ?? 0;
  to.count += cells[place + 3] ?? 0;
  to.largest = Math.max(to.largest, cells[place + 4] ?? 0);
}

/** Adds to the totals of each window before the minute `last` what a series had in it. */
function addSeries(totals: WindowTotals, cells: readonly number[], last: number): void {
  for (const hours of windowHours) {
    const from = placeOf(cells, last - hours * 60 + 1);
    for (let place = from; place < cells.length; place += width)
      addCell(totals[hours], cells, place);
  }
}

/** The sums of the last 24 hours. */
export class LiquidationSums {
  readonly #series = new Map<string, Series>();
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
    { exchange, symbol, timestamp }: Pick<Series, 'exchange' | 'symbol'> & { timestamp: number },
    sums: LiquidationTotals,
  ): void {
    const at = Math.floor(timestamp / minute);
    const key = `${exchange}/${symbol}`;
    const series = this.#series.get(key) ?? { exchange, symbol, cells: [] };
    this.#series.set(key, series);
    const { cells } = series;
    const place = placeOf(cells, at);
    const total = { ...sums };
    const isKnown = cells[place] === at;
    if (isKnown) addCell(total, cells, place);
    else this.#cells++;
    const { long, short, count, largest } = total;
    cells.splice(place, isKnown ? width : 0, at, long, short, count, largest);
    if (this.#cells > this.#most) this.#forget(this.#oldest() + 1);
  }

  /** Forgets the minutes that ended 24 hours before `now`, Unix ms. */
  expire(now: number): void {
    this.#forget(Math.floor(now / minute) - 24 * 60);
  }

  clear(): void {
    this.#series.clear();
    this.#cells = 0;
  }

  /** By name the totals of each window before `now`, which begins with a whole minute. */
  totals({ by, exchange, symbol }: SumsOf, now: number): Map<string, WindowTotals> {
    const found = new Map<string, WindowTotals>();
    const last = Math.floor(now / minute);
    for (const series of this.#series.values()) {
      if (exchange !== undefined && series.exchange !== exchange) continue;
      if (symbol !== undefined && series.symbol !== symbol) continue;
      const totals = found.get(series[by]) ?? noTotals();
      found.set(series[by], totals);
      addSeries(totals, series.cells, last);
    }
    return found;
  }

  #oldest(): number {
    let oldest = Infinity;
    for (const { cells } of this.#series.values()) oldest = Math.min(oldest, cells[0] ?? Infinity);
    return oldest;
  }

  /** Forgets the minutes before `first`. */
  #forget(first: number): void {
    for (const [key, { cells }] of this.#series) {
      const gone = placeOf(cells, first);
      cells.splice(0, gone);
      this.#cells -= gone / width;
      if (cells.length === 0) this.#series.delete(key);
    }
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
