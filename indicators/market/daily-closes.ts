/**
 * The daily Bitcoin closes: one per UTC day, ascending, without holes, each with its source. Days once stored never
 * change: prices of two sources differ by up to about 1 % a day, and a series that is spliced again would move its averages.
 */
import { type DayClose, dayAt, dayLength } from './days.ts';
import { plausible, type Refusal, rules } from './plausible.ts';

/** One stored day. */
export interface HistoryDay extends DayClose {
  /** Id of the upstream that gave the close; of the day before where the day is filled. */
  source: string;
  /** True where no source had the day and the close of the day before stands. */
  filled?: true;
}

/** The closes that one source states of some days, in any order. */
export interface SourceDays {
  source: string;
  rows: readonly DayClose[];
}

/** First and last day, both included. */
export interface DayRange {
  from: number;
  to: number;
}

/** A day counts as over ten minutes after its end, when its last candle is settled at every source. */
export const settling = 600_000;

/** The last UTC day that is over at `now`: at 00:10 UTC yesterday, before that the day before it. */
export const lastClosedDay = (now: number): number => dayAt(now - settling) - dayLength;

/** The days that are over and not stored yet, or null when there is none. `first` is wanted of an empty history. */
export function missing(
  stored: readonly HistoryDay[],
  now: number,
  first: number,
): DayRange | null {
  const last = stored.at(-1);
  const from = last ? last.day + dayLength : first;
  const to = lastClosedDay(now);
  return from <= to ? { from, to } : null;
}

/** The days of a range that none of the rows is about. */
export function gaps(rows: readonly DayClose[], { from, to }: DayRange): number[] {
  const known = new Set(rows.map((row) => row.day));
  const found: number[] = [];
  for (let day = from; day <= to; day += dayLength) if (!known.has(day)) found.push(day);
  return found;
}

/** A day that a source gave and that was not taken. */
export interface RefusedDay {
  day: number;
  source: string;
  why: Refusal;
}

/** The sources' closes of a day in the order of the sources; the first of a day that a source names twice. */
function offers(sources: readonly SourceDays[], { from, to }: DayRange) {
  const byDay = new Map<number, HistoryDay[]>();
  for (const { source, rows } of sources) {
    for (const { day, close } of rows) {
      if (day !== dayAt(day) || day < from || day > to) continue;
      const offered = byDay.get(day) ?? [];
      if (offered.every((row) => row.source !== source)) offered.push({ day, close, source });
      byDay.set(day, offered);
    }
  }
  return byDay;
}

/** Where nothing is known before a day, the same source's next day has to agree with it. */
const follower = (offered: ReadonlyMap<number, HistoryDay[]>, { day, source }: HistoryDay) =>
  offered.get(day + dayLength)?.find((row) => row.source === source)?.close ?? null;

/**
 * The days of a range from several sources, those named first before the others. A close that cannot follow the one
 * before is refused and the next source's is taken. A day that no source has gets the close of the day before,
 * marked, once a later day is known: what is merely late is not made up, and neither are days before the first.
 */
export function merge(
  sources: readonly SourceDays[],
  range: DayRange,
  before: HistoryDay | null = null,
): { days: HistoryDay[]; refused: RefusedDay[] } {
  const offered = offers(sources, range);
  const days: HistoryDay[] = [];
  const refused: RefusedDay[] = [];
  /** The first close of a day that can follow `known`; all others that cannot are noted. */
  const pick = (day: number, known: HistoryDay | null) => {
    const accepted = (offered.get(day) ?? []).filter((offer) => {
      const near = known?.close ?? follower(offered, offer);
      const why = plausible(offer.close, near, rules.bitcoinClose);
      if (why) refused.push({ day, source: offer.source, why });
      return why === null;
    });
    return accepted[0] ?? (known && { ...known, day, filled: true as const });
  };
  for (let day = range.from; day <= range.to; day += dayLength) {
    const row = pick(day, days.at(-1) ?? before);
    if (row) days.push(row);
  }
  while (days.at(-1)?.filled) days.pop();
  return { days, refused };
}

/**
 * True when the newest close of a source can be one of the market whose live price is known: what is off by its unit
 * or by a digit is so for all of its days.
 */
export function agrees({ rows }: SourceDays, live: number): boolean {
  const newest = rows.reduce((a: DayClose | null, b) => (a && a.day > b.day ? a : b), null);
  return newest !== null && plausible(newest.close, live, rules.bitcoinClose) === null;
}

/**
 * The history with the days of `range` added after its last one. Stored days stay as they are, whatever a source
 * says of them now.
 */
export function extend(
  stored: readonly HistoryDay[],
  sources: readonly SourceDays[],
  range: DayRange,
): { history: HistoryDay[]; refused: RefusedDay[] } {
  const last = stored.at(-1) ?? null;
  const from = last ? last.day + dayLength : range.from;
  const { days, refused } = merge(sources, { from, to: range.to }, last);
  return { history: [...stored, ...days], refused };
}

/**
 * The history with the days from `from` on that are before its first one, when they lead up to it: what sources say of
 * older days has to meet the first stored close. Unchanged otherwise, and stored days stay as they are.
 */
export function prepend(
  stored: readonly HistoryDay[],
  sources: readonly SourceDays[],
  from: number,
): { history: readonly HistoryDay[]; refused: RefusedDay[] } {
  const [first] = stored;
  if (!first) return { history: stored, refused: [] };
  const older = sources.map(({ source, rows }) => ({
    source,
    rows: rows.filter(({ day }) => day < first.day),
  }));
  const known = { source: first.source, rows: [first] };
  const { days, refused } = merge([...older, known], { from, to: first.day });
  const meets = days.length > 1 && days.at(-1)?.day === first.day;
  return { history: meets ? [...days.slice(0, -1), ...stored] : stored, refused };
}

/**
 * The closes with a last point of the live price, for answers within a day. Unchanged while the day before today is
 * not stored (the ten minutes after midnight) and when the price is impossible.
 */
export function withLive(
  closes: readonly DayClose[],
  price: number,
  now: number,
): readonly DayClose[] {
  const last = closes.at(-1);
  const today = dayAt(now);
  if (!last || last.day !== today - dayLength) return closes;
  if (plausible(price, last.close, rules.bitcoinClose)) return closes;
  return [...closes, { day: today, close: price, provisional: true }];
}
