/** The form of one model: pure, from the stored series and the live price to readings and charts. */
import { hour } from '../../../config/time.ts';
import { type HistoryDay, withLive } from '../../../indicators/market/daily-closes.ts';
import { type DayClose, dayLength } from '../../../indicators/market/days.ts';
import type { Enough } from '../../../indicators/market/statistics.ts';
import type { IndicatorName } from '../../topics/indicator-names.ts';
import type { IndicatorFields, IndicatorRow } from '../../topics/indicators/table.ts';
import type { InputDays } from '../../topics/market-indicators.ts';
import type { StoredSeries } from '../stored-series.ts';
import type { StoredAssets } from './asset-days.ts';
import type { IssuedDay } from './chain-days.ts';

/** Bitcoin's price of the moment. */
export interface Live {
  /** US dollars. */
  price: number;
  /** When it was true, Unix ms. */
  at: number;
}

/** The series that the source stores. */
export interface Book {
  closes: StoredSeries<HistoryDay>;
  issuance: StoredSeries<IssuedDay>;
  assets: StoredAssets;
}

/** The indicator's own fields, and its point of the day that still runs. */
export interface Content<N extends IndicatorName> {
  fields: IndicatorFields<N>;
  live: IndicatorRow<N> | null;
}

/** A content with where and when its inputs came from; times as in `IndicatorReading`. */
export interface Current<N extends IndicatorName> {
  found: Enough<Content<N>>;
  source: string[];
  updated_at: number;
  received_at: number;
}

/** The moment that a reading is made for. */
export interface Moment {
  now: number;
  /** Null while it is not known. */
  live: Live | null;
}

/** One model. */
export interface Model<N extends IndicatorName = IndicatorName> {
  name: N;
  /** Milliseconds after which the next value is to be expected. */
  cadence: number;
  /** The input that is too short while there is no value: "days of ...". */
  what: string;
  /** The inputs of its chart; the chart is rebuilt when one of them changes. */
  inputs(book: Book): readonly unknown[];
  /** For a model without a live price: when its inputs were received, or confirmed to be the newest, Unix ms. */
  received?(book: Book): number;
  /** Null while nothing is known. */
  current(book: Book, moment: Moment): Current<N> | null;
  /** Days that are over, ascending. */
  history(book: Book): IndicatorRow<N>[];
  /** The days that are over out of which anyone can compute the newest value again. */
  days(book: Book): InputDays[];
}

/** The last closes as an input. */
export const closesIn = (
  { closes: { rows } }: { closes: { rows: readonly DayClose[] } },
  length: number,
): InputDays => {
  const last = rows.slice(-length);
  const values = last.map(({ close }) => close);
  return { name: 'close', unit: 'US dollars', from: last[0]?.day ?? 0, values };
};

/** A value with its time; `provisional` while its day still runs. */
export interface Timed {
  timestamp: number;
  provisional?: true;
}

/** A value without its time: the fields of an answer. */
export function untimed<Row extends Timed>(row: Row): Omit<Row, keyof Timed> {
  const { timestamp: _, provisional: __, ...fields } = row;
  return fields;
}

/** The answer of a value: its fields and, where its day still runs, its point of the chart. */
export function contentOf<V extends Timed, F, R>(
  found: Enough<V>,
  fieldsOf: (value: V) => F,
  pointOf: (value: V) => R,
): Enough<{ fields: F; live: R | null }> {
  if (!found.ok) return found;
  const { value } = found;
  const live = value.provisional ? pointOf(value) : null;
  return { ok: true, value: { fields: fieldsOf(value), live } };
}

/** Every word once, in the order of the first of each. */
export const distinct = (words: readonly string[]): string[] => [...new Set(words)];

/** Time after a day's end for which the live price replaces a close that is late, ms. */
const grace = hour;

/** The last closes with the points after them. */
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
  { rows, at }: Pick<StoredSeries<HistoryDay>, 'rows' | 'at'>,
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
