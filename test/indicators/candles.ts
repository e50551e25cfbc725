/** Candles for tests of indicators: a walk that is the same in every run. */
import type { Chosen, Columns, Indicator } from '../../indicators/spec.ts';

/** Numbers from 0 to 1, the same for the same seed (Park and Miller). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const hour = 3_600_000;

/** A Monday, 00:00 UTC. */
export const monday = Date.UTC(2025, 2, 3);

/** Hourly candles of a random walk from a price; every 40th is flat, without trades, at the close before. */
export function walk(count: number, seed = 7, price = 60_000): Columns {
  const next = numbers(seed);
  const rows: number[][] = [];
  let close = price;
  for (let i = 0; i < count; i++) {
    const time = monday + i * hour;
    if (i % 40 === 39) {
      rows.push([time, close, close, close, close, 0]);
      continue;
    }
    const open = close;
    close *= 1 + (next() - 0.5) * 0.02;
    const high = Math.max(open, close) * (1 + next() * 0.003);
    const low = Math.min(open, close) * (1 - next() * 0.003);
    rows.push([time, open, high, low, close, next() * 1_000]);
  }
  return columnsOf(rows);
}

/** Columns from rows of time, open, high, low, close and volume. */
export function columnsOf(rows: readonly (readonly number[])[]): Columns {
  const column = (place: number) => Float64Array.from(rows, (row) => row[place] ?? Number.NaN);
  const [time, open, high, low, close, volume] = [0, 1, 2, 3, 4, 5].map(column);
  if (!time || !open || !high || !low || !close || !volume) throw new Error('six columns');
  return { time, open, high, low, close, volume };
}

/** The same columns, each through a function. */
export function mapColumns(
  columns: Columns,
  change: (column: Float64Array, name: keyof Columns) => Float64Array,
): Columns {
  return {
    time: change(columns.time, 'time'),
    open: change(columns.open, 'open'),
    high: change(columns.high, 'high'),
    low: change(columns.low, 'low'),
    close: change(columns.close, 'close'),
    volume: change(columns.volume, 'volume'),
  };
}

/** The defaults of an indicator, and what is to be different. */
export const chosenFor = (indicator: Indicator, different: Chosen = {}): Chosen => ({
  ...Object.fromEntries(Object.entries(indicator.parameters).map(([name, p]) => [name, p.default])),
  ...different,
});

/** The index of the first value of a column, or -1. */
export const firstOf = (column: Float64Array): number =>
  column.findIndex((value) => !Number.isNaN(value));
