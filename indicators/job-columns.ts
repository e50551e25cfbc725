/**
 * Candles as one block of float64: time, open, high, low, close and volume after each other, each as long as there are
 * candles. One block goes to a thread without being copied, and over the bus as its bytes (little-endian, as every
 * machine that Node runs on has it).
 */
import { minute } from '../config/time.ts';
import { toDigits } from './digits.ts';
import { BadInput } from './job-entries.ts';
import type { Columns } from './spec.ts';

const width = 6;

/** What a block is made from; `timestamp` is the open time, Unix ms. */
export interface CandleRow {
  readonly timestamp: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Candles in a block. */
export const rowsOf = (block: Float64Array): number => block.length / width;

/** The columns of a block; they share its memory. */
export function columnsOf(block: Float64Array): Columns {
  const rows = rowsOf(block);
  const column = (i: number) => block.subarray(i * rows, (i + 1) * rows);
  return {
    time: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  };
}

/** A number without the last digits of a double, where sums and products are rounded: more than any exchange states are left. */
const exact = (value: number): number => (Number.isInteger(value) ? value : toDigits(value, 14));

/**
 * A block of candles, oldest first. Of prices and volumes that are equal but for rounding none is a rise, a new extreme or a range.
 */
export function blockOf(candles: readonly CandleRow[]): Float64Array {
  const block = new Float64Array(candles.length * width);
  const { time, open, high, low, close, volume } = columnsOf(block);
  for (const [i, candle] of candles.entries()) {
    time[i] = candle.timestamp;
    open[i] = exact(candle.open);
    high[i] = exact(candle.high);
    low[i] = exact(candle.low);
    close[i] = exact(candle.close);
    volume[i] = exact(candle.volume);
  }
  return block;
}

/** The bytes of a block, without a copy. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A block with memory of its own. Throws RangeError when the bytes are not one. */
export function blockFrom(bytes: Uint8Array): Float64Array {
  if (bytes.byteLength % (width * Float64Array.BYTES_PER_ELEMENT) !== 0) {
    throw new RangeError(`${bytes.byteLength} bytes are no block of candles`);
  }
  const block = new Float64Array(bytes.byteLength / Float64Array.BYTES_PER_ELEMENT);
  new Uint8Array(block.buffer).set(bytes);
  return block;
}

/** A caller's own candles: how many there may be. */
export const ownRows = { least: 51, most: 5_000 } as const;

/** 2000-01-01 in seconds: a first time from here on that lies in the past as seconds is one of seconds, since as ms it is of 1970. */
const centuryInSeconds = 946_684_800;
/** How far a candle may open ahead of our clock, ms. */
const mostAhead = minute;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const fields = ['timestamp', 'open', 'high', 'low', 'close', 'volume'] as const;

function readRow(row: unknown, where: string): CandleRow {
  if (!isRecord(row)) {
    const form = `[${fields.join(', ')}]`;
    throw new BadInput(`${where} must be ${form}, or an object with these names`);
  }
  const read = (name: (typeof fields)[number]): number => {
    const value = Array.isArray(row) ? row[fields.indexOf(name)] : row[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw new BadInput(`${where}: ${name} must be a number`);
  };
  return {
    timestamp: read('timestamp'),
    open: read('open'),
    high: read('high'),
    low: read('low'),
    close: read('close'),
    volume: read('volume'),
  };
}

function check(row: CandleRow, before: CandleRow | undefined, where: string): void {
  const { timestamp, open, high, low, close, volume } = row;
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
    throw new BadInput(`${where}: timestamp must be Unix milliseconds`);
  }
  if (before && timestamp <= before.timestamp) {
    throw new BadInput(`${where}: timestamp must be later than that of the row before`);
  }
  if (high < Math.max(open, close, low)) {
    throw new BadInput(`${where}: high must not be below open, low or close`);
  }
  if (low > Math.min(open, close)) {
    throw new BadInput(`${where}: low must not be above open or close`);
  }
  if (volume < 0) throw new BadInput(`${where}: volume must not be negative`);
}

/** Throws BadInput where the times are seconds, or the last candle opens after `now`, Unix ms. */
function checkTimes(rows: readonly CandleRow[], now: number): void {
  const first = rows[0]?.timestamp ?? 0;
  if (first >= centuryInSeconds && first * 1_000 <= now) {
    throw new BadInput('candles[0]: timestamp is in seconds; it must be Unix milliseconds');
  }
  const last = rows.length - 1;
  if ((rows[last]?.timestamp ?? 0) > now + mostAhead) {
    throw new BadInput(
      `candles[${last}]: timestamp must be Unix milliseconds that are not in the future`,
    );
  }
}

/**
 * A caller's own candles, as rows of `/v1/bars` or as lists `[timestamp, open, high, low, close, volume]`; further
 * names and places are ignored. Throws BadInput, which names the row.
 */
export function readCandles(list: unknown, now: number): Float64Array {
  const { least, most } = ownRows;
  if (!Array.isArray(list) || list.length < least || list.length > most) {
    throw new BadInput(`candles must be a list of ${least} to ${most} rows`);
  }
  const rows: CandleRow[] = [];
  for (const [i, value] of list.entries()) {
    const where = `candles[${i}]`;
    const row = readRow(value, where);
    check(row, rows.at(-1), where);
    rows.push(row);
  }
  checkTimes(rows, now);
  return blockOf(rows);
}
