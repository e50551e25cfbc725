/**
 * Blocks: the rows of one key in `blockRows` consecutive steps, as SQLite keeps them. Bytes: a bitmap of the steps that
 * have a row (least significant bit first), then for each column the values of those rows, little endian, single or
 * double precision by the digits of the column; NaN for a value that is not known.
 */

import type { Series } from './define.ts';
import { added, kept, type Mode } from './store.ts';

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
export function encodeBlock(
  block: Block,
  form: Columns,
): { data: Uint8Array; backfilled: Uint8Array | null } {
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
const slotsOf = (bits: Uint8Array): number[] =>
  Array.from({ length: blockRows }, (_, slot) => slot).filter(
    (slot) => ((bits[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0,
  );

/** The block of some bytes. Throws RangeError when they are not one of this form. */
export function decodeBlock(data: Uint8Array, backfilled: Uint8Array | null, form: Columns): Block {
  const slots = slotsOf(data);
  const block = new Block(form);
  const marked = new Set(backfilled ? slotsOf(backfilled) : []);
  for (const slot of slots) block.open(slot, marked.has(slot) ? 2 : 1);
  let from = bitmapBytes;
  for (const [column, { digits }] of form.entries()) {
    const List = digits === 7 ? Float32Array : Float64Array;
    const to = from + slots.length * List.BYTES_PER_ELEMENT;
    if (to > data.length) throw new RangeError('a block is too short');
    // A copy, because the bytes need not be aligned.
    const values = new List(new Uint8Array(data.subarray(from, to)).buffer);
    for (const [at, slot] of slots.entries()) {
      block.set(slot, column, values[at] ?? Number.NaN);
    }
    from = to;
  }
  return block;
}
