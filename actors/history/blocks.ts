/**
 * Blocks: the rows of one key in `blockRows` consecutive steps, as SQLite keeps them. Bytes: a bitmap of the steps that
 * have a row (least significant bit first), then for each column the values of those rows, little endian, single or
 * double precision by the digits of the column; NaN for a value that is not known.
 */

import type { Series } from './define.ts';
import { added, given, kept, type Mode, type Stored } from './store.ts';

/** Steps of a block. */
export const blockRows = 96;
const bitmapBytes = blockRows / 8;
/** Rows that a new block has room for. */
const leastRoom = 6;

type Columns = Series['columns'];

/** The number of the block that holds a time. */
export const blockAt = (time: number, step: number): number =>
  Math.floor(time / (step * blockRows));

/** A block in memory: it has room for the rows that there are. */
export class Block {
  /** 0: no row, 1: recorded, 2: back-filled. */
  readonly state = new Uint8Array(blockRows);
  readonly #columns: number;
  /** Row by row, in single precision where no column has more digits. */
  #values: Float32Array | Float64Array;
  /** The number of the row of each slot that has one. */
  readonly #places = new Uint8Array(blockRows);
  #rows = 0;

  constructor(form: Columns) {
    this.#columns = form.length;
    const List = form.some(({ digits }) => digits !== 7) ? Float64Array : Float32Array;
    this.#values = new List(form.length * leastRoom);
  }

  /** The value of a column at a slot; NaN where none is known. */
  value(slot: number, column: number): number {
    if (this.state[slot] === 0) return Number.NaN;
    return this.#values[(this.#places[slot] ?? 0) * this.#columns + column] ?? Number.NaN;
  }

  /** Makes a row of a slot, without values, unless there is one. */
  open(slot: number, state: 1 | 2): void {
    if (this.state[slot] !== 0) return;
    this.state[slot] = state;
    this.#places[slot] = this.#rows++;
    const end = this.#rows * this.#columns;
    if (end > this.#values.length) this.#grow();
    this.#values.fill(Number.NaN, end - this.#columns, end);
  }

  /** Writes the value of a column at a slot that has a row. */
  set(slot: number, column: number, value: number): void {
    this.#values[(this.#places[slot] ?? 0) * this.#columns + column] = value;
  }

  #grow(): void {
    const List = this.#values instanceof Float32Array ? Float32Array : Float64Array;
    const values = new List(Math.min(2 * this.#values.length, blockRows * this.#columns));
    values.set(this.#values);
    this.#values = values;
  }

  /** Writes the value of one column at a slot. A known value is never replaced by an unknown one. */
  #merge(slot: number, column: number, value: number, { mode, form }: BlockWrite): void {
    const before = this.value(slot, column);
    if (Number.isNaN(value) || (mode === 'fill' && !Number.isNaN(before))) return;
    const adds = mode === 'add' && !Number.isNaN(before);
    const { combine = 'last' } = form[column] ?? {};
    this.set(slot, column, adds ? added(before, value, combine) : value);
  }

  /** Writes one row; `at` is its place in the lists of the write. */
  merge(slot: number, at: number, rows: BlockWrite): void {
    const { columns, mode, backfilled, form } = rows;
    this.open(slot, backfilled ? 2 : 1);
    // What was recorded live stays so, whatever an upstream adds to it.
    if (mode === 'put' && !backfilled) this.state[slot] = 1;
    for (const [column, { digits }] of form.entries()) {
      this.#merge(slot, column, kept(columns[column]?.[at] ?? Number.NaN, digits), rows);
    }
  }
}

/** What a block takes of a write. */
export interface BlockWrite {
  columns: readonly ArrayLike<number>[];
  mode: Mode;
  backfilled: boolean;
  form: Columns;
}

function bitmap(state: Uint8Array, least: number): Uint8Array {
  const bits = new Uint8Array(bitmapBytes);
  for (let slot = 0; slot < blockRows; slot++) {
    if ((state[slot] ?? 0) < least) continue;
    bits[slot >> 3] = (bits[slot >> 3] ?? 0) | (1 << (slot & 7));
  }
  return bits;
}

/** The bytes of a block, and the bitmap of its back-filled rows, null where there is none. */
export function encodeBlock(block: Block, form: Columns): BlockBytes {
  const slots: number[] = [];
  for (let slot = 0; slot < blockRows; slot++) if ((block.state[slot] ?? 0) > 0) slots.push(slot);
  const parts = [Buffer.from(bitmap(block.state, 1).buffer)];
  for (const [column, { digits }] of form.entries()) {
    const List = digits === 7 ? Float32Array : Float64Array;
    const values = new List(slots.length);
    for (const [at, slot] of slots.entries()) {
      values[at] = block.value(slot, column);
    }
    parts.push(Buffer.from(values.buffer));
  }
  return {
    data: Buffer.concat(parts),
    backfilled: block.state.includes(2) ? bitmap(block.state, 2) : null,
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

/** A block as its table has it. */
export interface BlockBytes {
  data: Uint8Array;
  /** Null where no row was back-filled. */
  backfilled: Uint8Array | null;
}

/**
 * The bytes that a value of each column takes. The first column may be one of double precision although it has seven digits
 * now: then the block is longer by that. Throws RangeError when the bytes are not a block of this form.
 */
function widthsOf({ data }: BlockBytes, rows: number, form: Columns): number[] {
  const widths = form.map(({ digits }) => (digits === 7 ? 4 : 8));
  const bytes = bitmapBytes + rows * widths.reduce((sum, width) => sum + width, 0);
  if (data.length < bytes) throw new RangeError('a block is too short');
  if (widths[0] === 4 && rows > 0 && data.length === bytes + 4 * rows) widths[0] = 8;
  return widths;
}

/** The slots of a block that have a row, and their values column by column: `read` gives that of a row by its place. */
function columnsOf(block: BlockBytes, form: Columns) {
  const { buffer, byteOffset, byteLength } = block.data;
  const view = new DataView(buffer, byteOffset, byteLength);
  const slots = slotsOf(block.data);
  let from = bitmapBytes;
  const columns = widthsOf(block, slots.length, form).map((width) => {
    const start = from;
    from += slots.length * width;
    return (at: number) =>
      width === 4 ? view.getFloat32(start + at * 4, true) : view.getFloat64(start + at * 8, true);
  });
  return { slots, columns };
}

/** The block of some bytes. Throws RangeError when they are not one of this form. */
export function decodeBlock(bytes: BlockBytes, form: Columns): Block {
  const { slots, columns } = columnsOf(bytes, form);
  const block = new Block(form);
  const marked = new Set(bytes.backfilled ? slotsOf(bytes.backfilled) : []);
  for (const slot of slots) block.open(slot, marked.has(slot) ? 2 : 1);
  for (const [column, read] of columns.entries()) {
    for (const [at, slot] of slots.entries()) block.set(slot, column, read(at));
  }
  return block;
}

/** Slots of a block: where it starts, Unix ms, its step, ms, and the first and the last slot. */
export interface Slots {
  start: number;
  step: number;
  first: number;
  last: number;
}

/** Adds the rows of some slots of a block's bytes. Throws RangeError when they are not one of this form. */
export function addBytes(
  into: Stored,
  bytes: BlockBytes,
  form: Columns,
  { start, step, first, last }: Slots,
): void {
  const { slots, columns } = columnsOf(bytes, form);
  const marks = bytes.backfilled;
  const begin = slots.findIndex((slot) => slot >= first);
  if (begin < 0) return;
  let end = begin;
  for (let slot = slots[end]; slot !== undefined && slot <= last; slot = slots[++end]) {
    into.times.push(start + slot * step);
    into.backfilled.push(marks !== null && ((marks[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0);
  }
  for (const [column, { digits }] of form.entries()) {
    const [read, values] = [columns[column], into.columns[column]];
    if (!read || !values) continue;
    for (let at = begin; at < end; at++) values.push(given(read(at), digits));
  }
}

/** Adds the rows of some slots of a block in memory. */
export function addRows(
  into: Stored,
  block: Block,
  form: Columns,
  { start, step, first, last }: Slots,
): void {
  const slots: number[] = [];
  for (let slot = first; slot <= last; slot++) if ((block.state[slot] ?? 0) !== 0) slots.push(slot);
  for (const slot of slots) {
    into.times.push(start + slot * step);
    into.backfilled.push(block.state[slot] === 2);
  }
  for (const [column, { digits }] of form.entries()) {
    for (const slot of slots) into.columns[column]?.push(given(block.value(slot, column), digits));
  }
}
