/** Rows of periods that are in files already: what they change, and the stored rows that they meet. */
import type { Series } from './define.ts';
import { picked, writesOfStored } from './rows.ts';
import { given, type Mode, type Range, rounded, type Stored, type Write } from './store.ts';

/** The rows of a write that are late, and what is stored of their keys and times. */
export interface Late {
  write: Write;
  series: Series;
  step: number;
  /** Places of the late rows in the write. */
  rows: readonly number[];
  keys: readonly string[];
  range: Range;
  stored: ReadonlyMap<string, Stored>;
}

/** The rows of a write in closed periods; none without any. */
export function lateRows(write: Write, isClosed: (time: number) => boolean): Late[] {
  const { series, step, rows } = write;
  const known = new Map<number, boolean>();
  const late = rows.times.flatMap((time, at) => {
    const isLate = known.get(time) ?? isClosed(time);
    known.set(time, isLate);
    return isLate ? [at] : [];
  });
  if (late.length === 0) return [];
  const times = late.map((at) => rows.times[at] ?? 0);
  const range = times.reduce(
    ({ from, to }, time) => ({ from: Math.min(from, time), to: Math.max(to, time) }),
    { from: Number.POSITIVE_INFINITY, to: 0 },
  );
  const keys = [...new Set(late.map((at) => rows.keys[at] ?? ''))];
  return [{ write, series, step, rows: late, keys, range, stored: new Map() }];
}

/** Whether a value changes a stored one; null for one that is not known. */
function changes(mode: Mode, before: number | null, value: number | null): boolean {
  if (value === null) return false;
  if (before === null || mode === 'add') return true;
  return mode === 'put' && value !== before;
}

/** The late rows that change nothing, by their places, and the stored rows that the others meet, by key and place. */
function compared({ write, series, rows, stored }: Late) {
  const { mode, backfilled } = write;
  const places = new Map([...stored].map(([key, { times }]) => [key, placesOf(times)]));
  const idle = new Set<number>();
  const met = new Map<string, number[]>();
  for (const at of rows) {
    const key = write.rows.keys[at] ?? '';
    const place = places.get(key)?.get(write.rows.times[at] ?? 0);
    const own = stored.get(key);
    if (place === undefined || !own) continue;
    const isLive = mode === 'put' && !backfilled && own.backfilled[place] === true;
    const isChange = series.columns.some(({ digits }, i) => {
      const value = rounded(write.rows.columns[i]?.[at] ?? Number.NaN, digits);
      return changes(mode, own.columns[i]?.[place] ?? null, given(value, digits));
    });
    if (isLive || isChange) met.set(key, [...(met.get(key) ?? []), place]);
    else idle.add(at);
  }
  return { idle, met };
}

/**
 * The writes without the late rows that change nothing, and writes of the stored rows that the others meet, which come first:
 * an exchange is asked for the same two days again and again.
 */
export function settled(
  writes: readonly Write[],
  late: readonly Late[],
): { writes: Write[]; before: Write[] } {
  const before: Write[] = [];
  const kept = new Map<Write, Write>();
  for (const one of late) {
    const { write, series, step, stored } = one;
    const { idle, met } = compared(one);
    kept.set(write, without(write, idle));
    const rowsMet = [...stored].map(
      ([key, own]) => [key, picked(own, met.get(key) ?? [])] as const,
    );
    before.push(...writesOfStored(series, new Map(rowsMet), { step, mode: 'fill' }));
  }
  return { writes: writes.map((write) => kept.get(write) ?? write), before };
}

const placesOf = (times: readonly number[]) => new Map(times.map((time, place) => [time, place]));

function without(write: Write, places: ReadonlySet<number>): Write {
  if (places.size === 0) return write;
  const kept = <T>(list: readonly T[]) => list.filter((_, at) => !places.has(at));
  const { keys, times, columns } = write.rows;
  return { ...write, rows: { keys: kept(keys), times: kept(times), columns: columns.map(kept) } };
}
