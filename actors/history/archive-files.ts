/** The files of public archives: which of them holds which time, and the rows in it. Pure. */
import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { day, hour, minute } from '../../config/time.ts';
import { settledHours } from '../../indicators/derivatives/funding.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import { ShapeError } from '../failure.ts';
import { positive, required } from '../read.ts';
import { type Period, periodAt } from './periods.ts';

/** A range of time, Unix ms, `to` exclusive. */
type Range = Pick<Period, 'from' | 'to'>;

/** A month's file comes at Binance on the first Monday after it; until then its days are read. */
const monthLate = 8 * day;
/** A day's file comes at Binance on the next day, and at OKX on the one after that. */
export const dayLate = 3 * day;
/** The largest month of minutes has 5 MB. */
const mostBytes = 64 * 2 ** 20;
/** Times of spot files are microseconds since 2025, all others milliseconds. */
const leastMicroseconds = 1e14;

/** The newest file with times before `before`, of a month that is there by now, or of a day: of a month alone where `isMonthly`. */
export function periodBefore(before: number, now: number, isMonthly = false): Period {
  const month = periodAt(before - 1, hour);
  if (month.to + monthLate <= now) return month;
  return isMonthly ? periodBefore(month.from, now, true) : periodAt(before - 1, minute);
}

/** The day from a time on, Unix ms; null where it has not ended. */
export function dayFrom(time: number, now: number): Period | null {
  const found = periodAt(time, minute);
  return found.to <= now ? found : null;
}

/** Whether a file that is not there may still come. */
export const mayCome = ({ from, to }: Period, now: number): boolean =>
  now < to + (to - from > day ? 2 * monthLate : dayLate);

/** What is read of a line. */
type Cell = 'market' | 'time' | 'close' | 'turnover' | 'bought' | 'rate' | 'hours';
type Line = Readonly<Partial<Record<Cell, string | undefined>>>;
/** The table of a file: the columns that are read, by name, and all in their order for files without a header. */
export interface Form {
  order: string;
  columns: Readonly<Partial<Record<Cell, string>>>;
}

/** ShapeError where a file is not the one that `checksum`, the text of its `.CHECKSUM`, is about. */
export function verify(zip: Uint8Array, checksum: string): void {
  const found = createHash('sha256').update(zip).digest('hex');
  if (checksum.trim().split(/\s+/)[0]?.toLowerCase() !== found)
    throw new ShapeError('the checksum of the file is another one');
}

/** The lines of the one table in a file. ShapeError where it lacks a column, or is about another market. */
export function linesIn(zip: Uint8Array, { order, columns }: Form, market: string): Line[] {
  const files = Object.values(
    unzipSync(zip, {
      filter: ({ name, originalSize }) => name.endsWith('.csv') && originalSize <= mostBytes,
    }),
  );
  const [table] = files;
  if (!table || files.length > 1) throw new ShapeError('the file holds not one table');
  const lines = new TextDecoder().decode(table).split(/\r?\n/).filter(Boolean);
  // Only newer files of Binance have a header. Ids of markets are in capitals.
  const header = /^[a-z]/.test(lines[0] ?? '') ? lines.shift() : undefined;
  const names = (header ?? order).split(',');
  const places = Object.entries(columns).map(
    ([name, column]) => [name, names.indexOf(column)] as const,
  );
  const lacking = places.filter(([, at]) => at < 0).map(([name]) => name);
  if (lacking.length > 0) throw new ShapeError(`the table has no ${lacking} in ${names}`);
  const rows = lines.map((line): Line => {
    const cells = line.split(',');
    return Object.fromEntries(places.map(([name, at]) => [name, cells[at]]));
  });
  if (rows.some((row) => row.market !== undefined && row.market !== market))
    throw new ShapeError(`the file is not about ${market} alone`);
  return rows;
}

function timeOf(text: string | undefined): number {
  const time = required(text);
  return time >= leastMicroseconds ? Math.floor(time / 1_000) : time;
}

/** The rows whose numbers are all there, within a period, each time once. ShapeError where more than a tenth are not. */
function within<Row extends { time: number }>(rows: readonly Row[], period: Range): Row[] {
  const sound = rows.filter(
    (row) =>
      Object.values(row).every(Number.isFinite) && row.time >= period.from && row.time < period.to,
  );
  if (rows.length - sound.length > rows.length / 10)
    throw new ShapeError(`${rows.length - sound.length} of ${rows.length} rows cannot be read`);
  return [...new Map(sound.map((row) => [row.time, row])).values()];
}

/** A market that did not trade for longer may have been another coin's before: LUNA/USDT was Terra Classic's until May 2022. */
export const mostPause = 2 * day;

/** The rows between the last pause and `to` (Unix ms), in ascending order: older rows may be about another coin. */
export function afterPause<Row extends { time: number }>(rows: readonly Row[], to: number): Row[] {
  const sorted = rows.toSorted((a, b) => a.time - b.time);
  let [first, next] = [sorted.length, to];
  while (first > 0 && next - (sorted[first - 1]?.time ?? 0) <= mostPause) {
    first -= 1;
    next = sorted[first]?.time ?? next;
  }
  return sorted.slice(first);
}

/** A candle: its start, the last price, and what takers bought and sold, in quote units, where the archive states it. */
export interface ArchivedCandle {
  /** Unix ms. */
  time: number;
  close: number;
  bought?: number;
  sold?: number;
}

/** What takers bought and sold, NaN where that cannot be. */
const flowOf = (turnover: number, bought: number) => ({
  bought: bought >= 0 ? bought : Number.NaN,
  sold: turnover >= bought ? turnover - bought : Number.NaN,
});

/** The candles within a period. */
export function candlesIn(lines: readonly Line[], period: Range): ArchivedCandle[] {
  const rows = lines.map(({ time, close, turnover, bought }) => ({
    time: timeOf(time),
    close: positive(close),
    ...(bought !== undefined && flowOf(required(turnover), required(bought))),
  }));
  return within(rows, period);
}

/** Fundings within a period, ascending, at the hour of their settlement. Hours that are not stated follow from the times (`settledHours`). */
export function fundingsIn(lines: readonly Line[], period: Range) {
  const rows = lines.map(({ time, rate: stated, hours }) => {
    const rate = required(stated);
    return {
      // Exchanges settle some milliseconds, and OKX in 2022 some seconds, after the hour.
      time: stepAt(timeOf(time), hour),
      rate: Math.abs(rate) < 1 ? rate : Number.NaN,
      ...(hours !== undefined && { hours: positive(hours) }),
    };
  });
  const settled = within(rows, period).sort((a, b) => a.time - b.time);
  const spaces = settledHours(
    settled.map(({ time }) => time),
    null,
  );
  return settled.flatMap((row, at) => {
    const hours = row.hours ?? spaces[at] ?? null;
    return hours === null ? [] : [{ ...row, hours }];
  });
}

/** The hours of minutes: their last prices, where all sixty minutes are there. */
export function hoursOf(candles: readonly ArchivedCandle[]): { time: number; close: number }[] {
  const minutes = new Map<number, number>();
  for (const { time } of candles) {
    const start = stepAt(time, hour);
    minutes.set(start, (minutes.get(start) ?? 0) + 1);
  }
  return candles.flatMap(({ time, close }) => {
    const start = time - (hour - minute);
    return start % hour === 0 && minutes.get(start) === hour / minute
      ? [{ time: start, close }]
      : [];
  });
}
