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

type Columns = Series['columns'];

/** The number of the block that holds a time. */
export const blockAt = (time: number, step: number): number =>
  Math.floor(time / (step * blockRows));

/** A block in memory. */
export class Block {
  /** 0: no row, 1: recorded, 2: back-filled. */
  readonly state = new Uint8Array(blockRows);
  /** Column by column. */
  readonly values: Float64Array;

  constructor(columns: number) {
    this.values = new Float64Array(columns * blockRows).fill(Number.NaN);
  }

  /** A copy that can be changed without this one. */
  copy(): Block {
    const copy = new Block(this.values.length / blockRows);
    copy.state.set(this.state);
    copy.values.set(this.values);
    return copy;
  }

  /** Writes the value of one column at a slot. A known value is never replaced by an unknown one. */
  #set(place: number, value: number, mode: Mode, combine: Columns[number]['combine']): void {
    const before = this.values[place] ?? Number.NaN;
    if (Number.isNaN(value) || (mode === 'fill' && !Number.isNaN(before))) return;
    const adds = mode === 'add' && !Number.isNaN(before);
    this.values[place] = adds ? added(before, value, combine) : value;
  }

  /** Writes one row; `at` is its place in the lists of the write. */
  merge(slot: number, at: number, rows: BlockWrite): void {
    const { columns, mode, backfilled, form } = rows;
    for (const [column, { digits, combine }] of form.entries()) {
      const value = kept(columns[column]?.[at] ?? Number.NaN, digits);
      this.#set(column * blockRows + slot, value, mode, combine);
    }
    // What was recorded live stays so, whatever an upstream adds to it.
    const before = this.state[slot] ?? 0;
    if (before === 0 || (mode === 'put' && !backfilled)) this.state[slot] = backfilled ? 2 : 1;
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
      values[at] = block.values[column * blockRows + slot] ?? Number.NaN;
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
  const block = new Block(form.length);
  for (const slot of slots) block.state[slot] = 1;
  for (const slot of backfilled ? slotsOf(backfilled) : []) block.state[slot] = 2;
  let from = bitmapBytes;
  for (const [column, { digits }] of form.entries()) {
    const List = digits === 7 ? Float32Array : Float64Array;
    const to = from + slots.length * List.BYTES_PER_ELEMENT;
    if (to > data.length) throw new RangeError('a block is too short');
    // A copy, because the bytes need not be aligned.
    const values = new List(new Uint8Array(data.subarray(from, to)).buffer);
    for (const [at, slot] of slots.entries()) {
      block.values[column * blockRows + slot] = values[at] ?? Number.NaN;
    }
    from = to;
  }
  return block;
}
