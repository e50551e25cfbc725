/** One job of the pool: indicators of one series of candles, from a block of columns to the text of the answer. */
import { findIndicator } from './catalogue.ts';
import { rounded } from './digits.ts';
import { columnsOf, rowsOf } from './job-columns.ts';
import type { Entry } from './job-entries.ts';
import { dateOf } from './market/days.ts';
import type { Columns, Indicator } from './spec.ts';
import { at } from './technical/columns.ts';
import { lengthOf, reachesBeyond } from './technical/periods.ts';

export interface Job {
  /** The first fields of the answer, unchanged. */
  readonly head: Readonly<Record<string, string | number | null>>;
  readonly entries: readonly Entry[];
  /** Closed candles, as `job-columns.ts` lays them out; the job owns it, and it is gone once the job is sent. */
  readonly block: Float64Array;
  /** How many of the newest candles a series shows; the older ones are the warm-up. */
  readonly limit: number;
  /** Every value of the newest candles, or those of the last one. */
  readonly series: boolean;
  /** A series shows the candles too. */
  readonly candles: boolean;
}

/** The entry of the catalogue. Throws when there is none, as between two versions of the service. */
function indicatorOf({ name }: Entry): Indicator {
  const indicator = findIndicator(name);
  if (!indicator) throw new RangeError(`there is no indicator ${name}`);
  return indicator;
}

/** Candles until every output of the entry has a value. */
export const neededBy = (entry: Entry): number => indicatorOf(entry).minimum(entry.chosen);

/** Candles to compute from so that how an entry is seeded no longer shows. */
export function settledAfter(entry: Entry): number {
  const indicator = indicatorOf(entry);
  return indicator.settle?.(entry.chosen) ?? indicator.minimum(entry.chosen);
}

/**
 * When the candles have to begin at the latest, Unix ms, for the entry to have its value at the candle that opens at `time`;
 * undefined where candles are counted.
 */
export const beginOf = (entry: Entry, time: number): number | undefined =>
  indicatorOf(entry).beginsAt?.(time, entry.chosen);

/** Columns of the answer that an entry makes. */
export const outputsOf = (entry: Entry): number => indicatorOf(entry).outputs.length;

/**
 * Rough costs, ns, measured on 500 candles: an indicator's output per candle, the same per candle of its window where
 * it looks at the whole of it, and a number as text. Above what the catalogue's slowest entries take once compiled.
 */
const cost = { candle: 40, window: 2.5, text: 150, entry: 2_000 } as const;

/** About how long a job runs, microseconds; rather more than it does. */
export function costOf({ entries, block, limit, series }: Job): number {
  const rows = rowsOf(block);
  const shown = series ? Math.min(limit, rows) : 1;
  let ns = 0;
  for (const entry of entries) {
    const outputs = outputsOf(entry);
    ns += cost.entry + rows * outputs * (cost.candle + cost.window * neededBy(entry));
    ns += shown * outputs * cost.text;
  }
  return ns / 1_000;
}

/** JSON has neither NaN nor infinity. */
const numberText = (value: number | undefined): string =>
  value !== undefined && Number.isFinite(value) ? String(rounded(value)) : 'null';

function columnText(column: Float64Array, from: number): string {
  let text = '[';
  for (let i = from; i < column.length; i++) {
    text += i === from ? numberText(column[i]) : `,${numberText(column[i])}`;
  }
  return `${text}]`;
}

const nulls = (count: number): string => `[${Array(count).fill('null').join(',')}]`;

/** An object's text from the texts of its values. */
const recordText = (fields: readonly (readonly [string, string])[]): string =>
  `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;

/** One entry of `indicators`; without values where the candles are too few. */
function entryText(entry: Entry, columns: Columns, { shown, series }: Shown): string {
  const { compute, outputs } = indicatorOf(entry);
  const rows = columns.time.length;
  const values = neededBy(entry) <= rows ? compute(columns, entry.chosen) : [];
  const latest = outputs.map((name, i) => [name, numberText(values[i]?.at(-1))] as const);
  const fields: [string, string][] = [
    ['name', JSON.stringify(entry.name)],
    ['params', JSON.stringify(entry.chosen)],
    ['fields', JSON.stringify(outputs)],
    ['latest', recordText(latest)],
  ];
  if (series) {
    const texts = outputs.map((name, i) => {
      const column = values[i];
      return [name, column ? columnText(column, rows - shown) : nulls(shown)] as const;
    });
    fields.push(['series', recordText(texts)]);
  }
  return recordText(fields);
}

interface Shown {
  shown: number;
  series: boolean;
}

/** Candles until the newest where they have to begin at `from`; more than there are. */
const neededFrom = (time: Float64Array, from: number): number =>
  Math.max(time.length, Math.ceil((at(time, time.length - 1) - from) / lengthOf(time))) + 1;

/** What is missing of the candles for an entry to have a value at all, and at the first candle of those shown; null for nothing. */
function lackOf(entry: Entry, { time }: Columns, shown: number) {
  const [rows, counted] = [time.length, neededBy(entry)];
  if (counted > rows) {
    return { needed: counted, what: `${counted} closed candles, there are ${rows}` };
  }
  const from = beginOf(entry, at(time, rows - shown));
  if (from === undefined) return null;
  const anchor = String(entry.chosen.anchor);
  if (reachesBeyond(time, anchor))
    return { needed: counted, what: `candles that do not reach beyond the ${anchor} they open in` };
  if (at(time, 0) <= from) return null;
  const needed = neededFrom(time, from);
  // Periods begin at midnight.
  const what = `the ${needed} candles since ${dateOf(from)} 00:00 UTC, there are ${rows}`;
  return { needed, what };
}

/** The entries that lack values, each with the candles that it needs. */
function warnings(entries: readonly Entry[], columns: Columns, shown: number) {
  const available = columns.time.length;
  return entries.flatMap((entry) => {
    const lack = lackOf(entry, columns, shown);
    if (lack === null) return [];
    const { id, name } = entry;
    return [{ id, name, needed: lack.needed, available, message: `${id} needs ${lack.what}` }];
  });
}

/** Runs a job: the JSON text of the answer's `data`. */
export function runJob(job: Job): string {
  const { head, entries, block, series } = job;
  const columns = columnsOf(block);
  const rows = rowsOf(block);
  const shown = Math.min(job.limit, rows);
  const { time, ...prices } = columns;
  const fields: [string, string][] = Object.entries(head).map(([name, value]) => [
    name,
    JSON.stringify(value),
  ]);
  fields.push(['count', String(shown)]);
  if (series) fields.push(['timestamps', columnText(time, rows - shown)]);
  if (series && job.candles) {
    const texts = Object.entries(prices).map(
      ([name, column]) => [name, columnText(column, rows - shown)] as const,
    );
    fields.push(['candles', recordText(texts)]);
  }
  const indicators = entries.map(
    (entry) => [entry.id, entryText(entry, columns, { shown, series })] as const,
  );
  fields.push(['indicators', recordText(indicators)]);
  fields.push(['warnings', JSON.stringify(warnings(entries, columns, series ? shown : 1))]);
  return recordText(fields);
}
