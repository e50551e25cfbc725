/**
 * Blocks as SQLite keeps them. Bytes: a bitmap of the steps that have a row (least significant bit first), then for each
 * column the values of those rows, of single or double precision by the digits of the column, NaN for a value that is not
 * known. Packed (`packed-column.ts`), where that takes less room than the bare values, little endian: so a block that is
 * shorter than these is a packed one.
 */

import { Block, blockRows, type Slots } from './blocks.ts';
import type { Series } from './define.ts';
import { bytesOf, packColumn, readPacked, readPlain } from './packed-column.ts';
import { given, type Stored } from './store.ts';

type Columns = Series['columns'];

const bitmapBytes = blockRows / 8;

/** A block as its table has it. */
export interface BlockBytes {
  data: Uint8Array;
  /** Bitmap of the steps whose row was back-filled; null without any. */
  backfilled: Uint8Array | null;
  /** The columns that it was written with; those of the series when absent. */
  written?: readonly StoredColumn[];
}

/** A column as a block was written with it. */
export type StoredColumn = Pick<Columns[number], 'name' | 'digits'>;

/** The bytes of a block. */
export function encodeBlock(block: Block, form: Columns): BlockBytes {
  const rows = block.bitmap('rows');
  const slots = slotsOf(rows);
  const columns = form.map(({ digits }, column) => {
    const List = digits === 7 ? Float32Array : Float64Array;
    return new List(slots.map((slot) => block.value(slot, column)));
  });
  const plain = Buffer.concat([rows, ...columns.map(bytesOf)]);
  const packed = Buffer.concat([rows, ...columns.map(packColumn)]);
  const marks = block.bitmap('marks');
  return {
    data: packed.length < plain.length ? packed : plain,
    backfilled: marks.some((byte) => byte !== 0) ? marks : null,
  };
}

/** The slots of a bitmap. */
function slotsOf(bits: Uint8Array): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < blockRows; slot++) {
    if (((bits[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0) slots.push(slot);
  }
  return slots;
}

/** The values of one column at a time. */
const values = new Float64Array(blockRows);

/**
 * Hands on the values of each column that the form has; those that the block was written without are left out. The first column of bare values may be one of double precision although it has seven
 * digits now: then the block is longer by that. Throws RangeError when the bytes are not a block of this form.
 */
function readColumns(
  { data, written }: BlockBytes,
  form: Columns,
  rows: number,
  use: (column: number, values: Float64Array) => void,
): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const stated = written ?? form;
  const widths = stated.map(({ digits }) => (digits === 7 ? 4 : 8));
  const plain = bitmapBytes + rows * widths.reduce((sum, width) => sum + width, 0);
  if (data.length === plain + 4 * rows) widths[0] = 8;
  const isPacked = data.length < plain;
  const read = isPacked ? readPacked : readPlain;
  let from = bitmapBytes;
  for (const [column, full] of widths.entries()) {
    from = read(values, { view, from, rows, full });
    const own = written ? form.findIndex(({ name }) => name === written[column]?.name) : column;
    if (own >= 0) use(own, values);
  }
  if (isPacked && from !== data.length) throw new RangeError('a block has another length');
}

/** The block of some bytes. Throws RangeError when they are not one of this form. */
export function decodeBlock(bytes: BlockBytes, form: Columns): Block {
  if (bytes.data.length < bitmapBytes) throw new RangeError('a block has no bitmap');
  const slots = slotsOf(bytes.data);
  const block = new Block(form);
  const marked = new Set(bytes.backfilled ? slotsOf(bytes.backfilled) : []);
  for (const slot of slots) block.open(slot, marked.has(slot) ? 2 : 1);
  readColumns(bytes, form, slots.length, (column, values) => {
    for (const [at, slot] of slots.entries()) block.set(slot, column, values[at] ?? Number.NaN);
  });
  return block;
}

/** Adds the rows of some slots of a block's bytes. Throws RangeError when they are not one of this form. */
export function addBytes(
  into: Stored,
  bytes: BlockBytes,
  form: Columns,
  { start, step, first, last }: Slots,
): void {
  if (bytes.data.length < bitmapBytes) throw new RangeError('a block has no bitmap');
  const slots = slotsOf(bytes.data);
  const marks = bytes.backfilled;
  const begin = slots.findIndex((slot) => slot >= first);
  if (begin < 0) return;
  let end = begin;
  for (let slot = slots[end]; slot !== undefined && slot <= last; slot = slots[++end]) {
    into.times.push(start + slot * step);
    into.backfilled.push(marks !== null && ((marks[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0);
  }
  const known = into.times.length;
  readColumns(bytes, form, slots.length, (column, values) => {
    const [list, { digits = 15 } = {}] = [into.columns[column], form[column]];
    for (let at = begin; at < end; at++) list?.push(given(values[at] ?? Number.NaN, digits));
  });
  for (const list of into.columns) while (list.length < known) list.push(null);
}
