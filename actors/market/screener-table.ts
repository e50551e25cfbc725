/** The indicators of all tracked assets on candles of one length, as far as somebody asks for them. */
import { hour } from '../../config/time.ts';
import { endOf, openOf } from '../../indicators/market/candles.ts';
import type { LeadingMarket } from '../sources/leading-markets.ts';
import {
  type ChosenIndicator,
  intervals,
  type ScreenerInterval,
  type ScreenerReply,
  type ScreenerRow,
} from '../topics/index.ts';

/** Most indicators of a table, each with its parameters. One that was asked for within `busy` ms makes no room. */
const most = 64;
const busy = 10 * 60_000;
/** After the end of a candle exchanges still change it for some seconds, ms. */
const settled = 3_000;
/** An asset that could not be asked is asked again after this time, ms. */
const retryAfter = 30_000;
/** Values of older candles than so many are not shown. */
const mostAge = 3;
/** Life of a reply while values are computed, ms. */
const soon = 2_000;

/** The market of an asset. */
export type Place = LeadingMarket & { exchange: string };

/** The values of one indicator, by output. */
export type Outputs = (number | null)[];

/** What was computed of one candle. */
export interface Computed {
  price: number;
  /** Unix ms. */
  as_of: number;
  /** By key of the indicator. */
  values: ReadonlyMap<string, Outputs>;
}

interface Row extends Omit<ScreenerRow, 'values' | 'symbol'> {
  /** Start of the candle that ran when it was asked for, Unix ms. */
  running: number;
  values: Map<string, Outputs>;
}

/** The indicator with its parameters, whatever a client calls it. */
export const keyOf = ({ name, chosen }: ChosenIndicator): string => JSON.stringify([name, chosen]);

export class ScreenerTable {
  readonly interval: ScreenerInterval;
  /** The indicators by key, with the time of the last question, Unix ms. The least recently asked is the first. */
  readonly #wanted = new Map<string, { indicator: ChosenIndicator; asked: number }>();
  readonly #rows = new Map<string, Row>();
  /** Until when an asset is not asked again, Unix ms. */
  readonly #paused = new Map<string, number>();
  #changed = Promise.withResolvers<void>();

  constructor(interval: ScreenerInterval) {
    this.interval = interval;
  }

  /** Resolves at the next change. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Computes these from now on; false where there is no room for them. `now` is Unix ms, here and below. */
  want(indicators: readonly ChosenIndicator[], now: number): boolean {
    const keys = new Set(indicators.map(keyOf));
    const others = [...this.#wanted].filter(([key]) => !keys.has(key));
    const over = keys.size + others.length - most;
    const leaving = others.slice(0, Math.max(0, over));
    if (keys.size > most || leaving.some(([, { asked }]) => now - asked < busy)) return false;
    for (const [key] of leaving) this.#drop(key);
    for (const indicator of indicators) {
      const key = keyOf(indicator);
      this.#wanted.delete(key);
      this.#wanted.set(key, { indicator, asked: now });
    }
    return true;
  }

  /** Forgets what nobody has asked for since before the last candle, and assets that are no longer tracked. */
  forget(tracked: readonly string[], now: number): void {
    const since = now - intervals[this.interval] - hour;
    for (const [key, { asked }] of this.#wanted) if (asked < since) this.#drop(key);
    const kept = new Set(this.#wanted.size === 0 ? [] : tracked);
    for (const held of [this.#rows, this.#paused])
      for (const symbol of held.keys()) if (!kept.has(symbol)) held.delete(symbol);
  }

  /** Whether an asset lacks any indicator and may be asked. */
  isDue(symbol: string, now: number): boolean {
    return (this.#paused.get(symbol) ?? 0) <= now && this.lacks(symbol, now).length > 0;
  }

  /** The indicators that an asset lacks. */
  lacks(symbol: string, now: number): ChosenIndicator[] {
    const row = this.#rows.get(symbol);
    const isOld = row === undefined || row.running < this.#running(now);
    const wanted = [...this.#wanted];
    return wanted.flatMap(([key, { indicator }]) =>
      isOld || !row.values.has(key) ? [indicator] : [],
    );
  }

  /** An asset could not be asked: it is not for a while. */
  pause(symbol: string, now: number): void {
    this.#paused.set(symbol, now + retryAfter);
    this.#announce();
  }

  /** Takes what was computed of an asset at a time. The values of a row are of one candle. */
  take({ symbol, ...place }: Place, { values, ...candle }: Computed, asked: number): void {
    const before = this.#rows.get(symbol);
    const isSame = before?.as_of === candle.as_of && before.market === place.market;
    const all = new Map([...(isSame ? before.values : []), ...values]);
    this.#rows.set(symbol, { ...place, ...candle, values: all, running: this.#running(asked) });
    this.#paused.delete(symbol);
    this.#announce();
  }

  /** Milliseconds until something may be due again; null where nothing is wanted. */
  rest(now: number): number | null {
    if (this.#wanted.size === 0) return null;
    const paused = [...this.#paused.values()].filter((until) => until > now);
    return Math.min(this.#next(now), ...paused) - now;
  }

  /** The rows that have these indicators, and for how long they are fresh. */
  read(
    tracked: readonly string[],
    indicators: readonly ChosenIndicator[],
    now: number,
  ): { reply: ScreenerReply; until: number; isWaiting: boolean } {
    const keys = indicators.map(keyOf);
    const oldest = now - mostAge * intervals[this.interval];
    const rows = tracked.flatMap((symbol): ScreenerRow[] => {
      const row = this.#rows.get(symbol);
      const values = keys.flatMap((key) => [row?.values.get(key) ?? []].filter(hasAny));
      if (row === undefined || values.length < keys.length || row.as_of < oldest) return [];
      const { running: _, ...shown } = row;
      return [{ symbol, ...shown, values }];
    });
    const known = new Set(rows.map(({ symbol }) => symbol));
    const missing = tracked.filter((symbol) => !known.has(symbol));
    const isWaiting = tracked.some((symbol) => this.isDue(symbol, now));
    const until = now + soon + (isWaiting ? 0 : (this.rest(now) ?? 0));
    return { reply: { rows, missing }, until, isWaiting };
  }

  #running(now: number): number {
    return openOf(now - settled, this.interval);
  }

  #next(now: number): number {
    return endOf(this.#running(now), this.interval) + settled;
  }

  #drop(key: string): void {
    this.#wanted.delete(key);
    for (const { values } of this.#rows.values()) values.delete(key);
  }

  #announce(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }
}

const hasAny = (outputs: Outputs): boolean => outputs.length > 0;
