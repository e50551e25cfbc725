/** What one model makes of the kept series: pure, from the series and the live price to readings and charts. */
import type { HistoryRow, IndicatorName } from '../answers.ts';
import { type DayClose, dayLength } from '../days.ts';
import type { Enough } from '../formulas/enough.ts';
import { type HistoryDay, withLive } from '../history.ts';
import type { KeptAssets } from './asset-days.ts';
import type { IssuedDay } from './chain-days.ts';
import type { Kept } from './kept.ts';

/** Bitcoin's price of the moment. */
export interface Live {
  /** US dollars. */
  price: number;
  /** When it was true, Unix ms. */
  at: number;
}

/** The series that the desk keeps. */
export interface Book {
  closes: Kept<HistoryDay>;
  issuance: Kept<IssuedDay>;
  assets: KeptAssets;
}

/** The indicator's own fields, and its point of the day that still runs. */
export interface Content {
  fields: Readonly<Record<string, unknown>>;
  live: HistoryRow | null;
}

/** A content with where and when its inputs came from; times as in `IndicatorReading`. */
export interface Current {
  found: Enough<Content>;
  source: string[];
  updated_at: number;
  received_at: number;
}

/** The moment that a reading is made for. */
export interface Moment {
  now: number;
  /** Null while nobody knows it. */
  live: Live | null;
}

/** One model. */
export interface Model {
  name: IndicatorName;
  /** Milliseconds after which the next value is to be expected. */
  cadence: number;
  /** What too little of is an answer by itself: "days of ...". */
  what: string;
  /** What its chart depends on; the chart is made anew when one of them is another. */
  inputs(book: Book): readonly unknown[];
  /** For a model without a live price: when its inputs were received, or confirmed to be the newest, Unix ms. */
  received?(book: Book): number;
  /** Null while nothing is known. */
  current(book: Book, moment: Moment): Current | null;
  /** Days that are over, ascending. */
  history(book: Book): HistoryRow[];
}

/** Some fields of a row, in this order. */
export const pick = <Row extends object>(
  row: Row,
  names: readonly (keyof Row & string)[],
): Readonly<Record<string, unknown>> => Object.fromEntries(names.map((name) => [name, row[name]]));

/** A row of a chart with these columns. */
export const chartRow = <Row extends { timestamp: number; provisional?: true }>(
  row: Row,
  names: readonly (keyof Row & string)[],
): HistoryRow => ({
  timestamp: row.timestamp,
  ...pick(row, names),
  ...(row.provisional && { provisional: row.provisional }),
});

/** Every word once, in the order of the first of each. */
export const distinct = (words: readonly string[]): string[] => [...new Set(words)];

/** For how long after a day's end the live price stands for its close, where that is late, ms. */
const grace = 3_600_000;

/** The last closes with what came after them. */
export interface Priced {
  closes: readonly DayClose[];
  source: string[];
  updated_at: number;
  received_at: number;
}

/**
 * The last `length` closes with the live price as the point of the day after them: today's, and in the minutes after
 * midnight, before yesterday's close is there, yesterday's. Without a live price, or with an impossible one, the last
 * close stands with its own time. Null without closes.
 */
export function priced(
  { rows, at }: Pick<Kept<HistoryDay>, 'rows' | 'at'>,
  { now, live }: Moment,
  length: number,
): Priced | null {
  const days = rows.slice(-length);
  const last = days.at(-1);
  if (!last) return null;
  const next = last.day + dayLength;
  const source = distinct(days.map((day) => day.source).reverse());
  const runs = now >= next && now < next + dayLength + grace;
  const closes = live && runs ? withLive(days, live.price, next) : days;
  if (!live || closes === days) return { closes: days, source, updated_at: next, received_at: at };
  const time = Math.min(live.at, now);
  return { closes, source: ['exchanges', ...source], updated_at: time, received_at: time };
}
