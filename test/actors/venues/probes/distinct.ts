/**
 * Bodies in which no two numbers are equal: each is larger than it was by a share of its own below 2.1e-5, each time
 * is later by steps of its own, so that what follows from the order and the size of numbers stays. Text stays text.
 */
import { isRecord } from '../../../../actors/read.ts';
import { sequence } from '../../../../scripts/simulator/noise.ts';

export type Path = readonly (string | number)[];

/** Numbers that are no readings: they name, count decimals or hours, or say what a row is. */
const isFact =
  /(^|_)(id|ids|code|status|state|type|version|sequence|mode)$|Id$|scale|precision|decimals|hours|interval|granularity|cycle|resolution|exponent|minutes|baseAssetMultiplier/i;

const decimal = /^-?\d+(\.\d+)?%?$/;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** What one step of a time is in its own unit, which is s, ms, µs or ns: 1 s, 1 ms, 1 ms, 1 ms; null for what is no time. */
function stepOf(value: number): number | null {
  const [unit] = [1, 1e3, 1e6, 1e9].filter(
    (one) => value >= 1_450_000_000 * one && value <= 2_000_000_000 * one,
  );
  return unit === undefined ? null : Math.max(1, unit / 1e3);
}

/** A number in the form of a leaf: of text without an exponent, which no exchange writes. */
function inForm(leaf: unknown, value: number): string | number {
  if (typeof leaf !== 'string') return value;
  const text = String(value);
  const plain = text.includes('e') ? value.toFixed(24).replace(/0+$/, '') : text;
  return leaf.endsWith('%') ? `${plain}%` : plain;
}

/** The number that a leaf states, or null where it states none. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && decimal.test(value) ? Number(value.replace('%', '')) : null;
}

/** The same value with each leaf through `change`; the key of an item of a list is its index. */
function mapLeaves(
  value: unknown,
  change: (leaf: unknown, path: Path) => unknown,
  path: Path = [],
): unknown {
  if (Array.isArray(value)) return value.map((one, i) => mapLeaves(one, change, [...path, i]));
  if (!isRecord(value)) return change(value, path);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, mapLeaves(one, change, [...path, key])]),
  );
}

const isReading = (path: Path): boolean => {
  const key = path.at(-1);
  return typeof key === 'number' || !isFact.test(String(key));
};

/** Gives out numbers that it has given to nobody before. */
export class Distinct {
  readonly #given = new Set<string>();
  readonly #random = sequence(1);
  #count = 0;

  #next(value: number): number {
    for (;;) {
      const share = 1e-6 + this.#random() * 2e-5;
      const found = Number((value * (1 + share)).toPrecision(13));
      const key = Math.abs(found).toPrecision(10);
      if (this.#given.has(key)) continue;
      this.#given.add(key);
      return found;
    }
  }

  /** A number near another one. */
  number(value: number): number {
    return this.#next(value);
  }

  #later(value: number, step: number): number {
    this.#count += 1;
    return value + this.#count * step;
  }

  #leaf(leaf: unknown): unknown {
    if (typeof leaf === 'string' && isoTime.test(leaf)) {
      this.#count += 1;
      const at = Date.parse(leaf.endsWith('Z') ? leaf : `${leaf}Z`);
      const text = new Date(at + this.#count).toISOString();
      return leaf.endsWith('Z') ? text : text.slice(0, -1);
    }
    const value = numberIn(leaf);
    // Zero stays: it often means that there is no number.
    if (value === null || value === 0) return leaf;
    const step = stepOf(value);
    const found = step === null ? this.#next(value) : this.#later(value, step);
    return inForm(leaf, found);
  }

  /** A body with numbers of its own. */
  of(body: unknown): unknown {
    return mapLeaves(body, (leaf, path) => (isReading(path) ? this.#leaf(leaf) : leaf));
  }
}

/** Where the readings of a body stand, times left out. */
export function readingsOf(body: unknown): Path[] {
  const found: Path[] = [];
  mapLeaves(body, (leaf, path) => {
    const value = numberIn(leaf);
    if (value !== null && value !== 0 && isReading(path) && stepOf(value) === null)
      found.push(path);
    return leaf;
  });
  return found;
}

/** The leaf that states a time, Unix ms. */
export function leafOfTime(body: unknown, at: number): string {
  let found = '';
  mapLeaves(body, (leaf, path) => {
    const value = numberIn(leaf);
    const step = value === null ? null : stepOf(value);
    const unit =
      step === null || value === null ? 1 : 10 ** (3 * Math.floor(Math.log10(value) / 3 - 3) - 3);
    const ms =
      typeof leaf === 'string' && isoTime.test(leaf) ? Date.parse(leaf) : (value ?? 0) / unit;
    if (Math.abs(ms - at) < 1) found = nameOf(path);
    return leaf;
  });
  return found;
}

/** The body with one number as many times what it was. */
export function withTimes(body: unknown, path: Path, times: number): unknown {
  const wanted = path.join('.');
  return mapLeaves(body, (leaf, at) => {
    if (at.join('.') !== wanted) return leaf;
    const value = (numberIn(leaf) ?? 0) * times;
    return inForm(leaf, value);
  });
}

/** The number at a path. */
export const numberAt = (body: unknown, path: Path): number =>
  numberIn(path.reduce<unknown>((value, key) => Object(value)[key], body)) ?? 0;

/** How a leaf is called: by its key, or by its place in the list that is a row: `last`, `c[0]`, `[7]`. */
export function nameOf(path: Path): string {
  const [before, key] = path.slice(-2);
  if (typeof key !== 'number') return String(key ?? before);
  return typeof before === 'string' ? `${before}[${key}]` : `[${key}]`;
}
