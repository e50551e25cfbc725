/**
 * The public archive of Binance: which file holds which time of a market, and the rows in it. Pure.
 * https://github.com/binance/binance-public-data
 */
import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { day, hour, minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import { ShapeError } from '../failure.ts';
import { positive, required } from '../read.ts';
import { type Period, periodAt } from './periods.ts';

/** A month's file comes on the first Monday after it; until then its days are read. */
const monthLate = 8 * day;
/** The largest month of minutes has 5 MB. */
const mostBytes = 64 * 2 ** 20;
/** Times of spot files are microseconds since 2025, all others milliseconds. */
const leastMicroseconds = 1e14;

/**
 * The newest file with times before `before`, of a month or of a day; `now` tells which months are there. Days are left out where
 * `isMonthly`.
 */
export function periodBefore(before: number, now: number, isMonthly = false): Period {
  const last = Math.min(before, stepAt(now, day)) - 1;
  const month = periodAt(last, hour);
  if (month.to + monthLate <= now) return month;
  return isMonthly ? periodBefore(month.from, now, true) : periodAt(last, minute);
}

/** Whether a file that is not there may still come: that of a day comes on the next one. */
export const mayCome = ({ from, to }: Period, now: number): boolean =>
  now < to + (to - from > day ? 2 * monthLate : day);

/** What an archive is about: minutes or hours of a market, or its settled fundings. */
export interface ArchiveSubject {
  kind: 'spot' | 'perpetual';
  market: string;
  of: '1m' | '1h' | 'fundingRate';
}

/** The path of a file. */
export function archivePath({ kind, market, of }: ArchiveSubject, { name }: Period): string {
  const folder = kind === 'spot' ? 'spot' : 'futures/um';
  const every = name.length === 7 ? 'monthly' : 'daily';
  const where = of === 'fundingRate' ? `fundingRate/${market}` : `klines/${market}/${of}`;
  return `/data/${folder}/${every}/${where}/${market}-${of}-${name}.zip`;
}

/**
 * The lines of the one table in a file, without its header, which newer files alone have. ShapeError where the file is not the one that
 * `checksum`, the text of its `.CHECKSUM`, is about.
 */
export function linesIn(zip: Uint8Array, checksum: string): string[][] {
  const found = createHash('sha256').update(zip).digest('hex');
  if (checksum.trim().split(/\s+/)[0]?.toLowerCase() !== found)
    throw new ShapeError('the checksum of the file is another one');
  const files = Object.values(
    unzipSync(zip, {
      filter: ({ name, originalSize }) => name.endsWith('.csv') && originalSize <= mostBytes,
    }),
  );
  const [table] = files;
  if (!table || files.length > 1) throw new ShapeError('the file holds not one table');
  const lines = new TextDecoder().decode(table).split(/\r?\n/).filter(Boolean);
  const rows = lines.map((line) => line.split(','));
  return /^\d/.test(lines[0] ?? '') ? rows : rows.slice(1);
}

function timeOf(text: string | undefined): number {
  const time = required(text);
  return time >= leastMicroseconds ? Math.floor(time / 1_000) : time;
}

/** The rows whose numbers are all there, within a period. ShapeError where more than a tenth are not. */
function within<Row extends { time: number }>(rows: readonly Row[], period: Period): Row[] {
  const sound = rows.filter(
    (row) =>
      Object.values(row).every(Number.isFinite) && row.time >= period.from && row.time < period.to,
  );
  if (rows.length - sound.length > rows.length / 10)
    throw new ShapeError(`${rows.length - sound.length} of ${rows.length} rows cannot be read`);
  return sound;
}

/** A market that did not trade for longer may have been another coin's before: LUNA/USDT was Terra Classic's until May 2022. */
const mostPause = 2 * day;

/** The rows after the last pause of a period, ascending, and whether there was one: what is older is not read. */
export function afterPause<Row extends { time: number }>(
  rows: readonly Row[],
  { from, to }: Period,
): { rows: Row[]; isBegin: boolean } {
  const sorted = rows.toSorted((a, b) => a.time - b.time);
  let [first, next] = [sorted.length, to];
  while (first > 0 && next - (sorted[first - 1]?.time ?? 0) <= mostPause) {
    first -= 1;
    next = sorted[first]?.time ?? next;
  }
  return { rows: sorted.slice(first), isBegin: next - from > mostPause };
}

/** A candle: its start, the last price, and what takers bought and sold, in quote units. */
export interface ArchivedCandle {
  /** Unix ms. */
  time: number;
  close: number;
  bought: number;
  sold: number;
}

/** `open_time, open, high, low, close, volume, close_time, quote_volume, count, taker_buy_volume, taker_buy_quote_volume, ignore`. */
export function candlesIn(lines: readonly string[][], period: Period): ArchivedCandle[] {
  const rows = lines.map((line) => {
    const [turnover, bought] = [required(line[7]), required(line[10])];
    return {
      time: timeOf(line[0]),
      close: positive(line[4]),
      bought: bought >= 0 ? bought : Number.NaN,
      sold: turnover >= bought ? turnover - bought : Number.NaN,
    };
  });
  return within(rows, period);
}

/** `calc_time, funding_interval_hours, last_funding_rate`; times are some milliseconds after the hour. */
export function fundingsIn(lines: readonly string[][], period: Period) {
  const rows = lines.map((line) => {
    const rate = required(line[2]);
    return {
      time: stepAt(timeOf(line[0]), hour),
      hours: positive(line[1]),
      rate: Math.abs(rate) < 1 ? rate : Number.NaN,
    };
  });
  return within(rows, period);
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
