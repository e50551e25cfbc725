/** Blocks: the rows of one key in `blockRows` consecutive steps. `block-bytes.ts` has them as they are stored. */
import type { Series } from './define.ts';
import { added, given, type Mode, rounded, type Stored } from './store.ts';

/** Steps of a block. */
export const blockRows = 96;
/** Rows that a new block has room for. */
const leastRoom = 6;

type Columns = Series['columns'];

/** The number of the block that holds a time. */
export const blockAt = (time: number, step: number): number =>
  Math.floor(time / (step * blockRows));

/** Bits of the slots, 32 in a number; `marks` behind `rows`. */
const words = blockRows / 32;

/** The number of bits that are set, of 32. */
function countOf(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * A block in memory: it has room for the rows that there are. There are tens of thousands, so it is made of two objects
 * besides itself: typed arrays of their own for the slots would take more than the values.
 */
export class Block {
  /** Which slots have a row, then which of them were back-filled. */
  readonly #bits = [0, 0, 0, 0, 0, 0];
  readonly #columns: number;
  /** Row by row in the order of the slots, in single precision where no column has more digits. */
  #values: Float32Array | Float64Array;

  constructor(form: Columns) {
    this.#columns = form.length;
    const List = form.some(({ digits }) => digits !== 7) ? Float64Array : Float32Array;
    this.#values = new List(form.length * leastRoom);
  }

  /** 0: no row, 1: recorded, 2: back-filled. */
  state(slot: number): 0 | 1 | 2 {
    if (!this.#isSet(slot, 0)) return 0;
    return this.#isSet(slot, words) ? 2 : 1;
  }

  /** The value of a column at a slot that has a row; NaN where none is known. */
  value(slot: number, column: number): number {
    return this.#values[this.#place(slot) * this.#columns + column] ?? Number.NaN;
  }

  /** Makes a row of a slot, without values, unless there is one. */
  open(slot: number, state: 1 | 2): void {
    if (this.#isSet(slot, 0)) return;
    const rows = this.#place(blockRows);
    const width = this.#columns;
    if ((rows + 1) * width > this.#values.length) this.#grow();
    const from = this.#place(slot) * width;
    this.#values.copyWithin(from + width, from, rows * width);
    this.#values.fill(Number.NaN, from, from + width);
    this.#mark(slot, 0, true);
    this.#mark(slot, words, state === 2);
  }

  /** Writes the value of a column at a slot that has a row. */
  set(slot: number, column: number, value: number): void {
    this.#values[this.#place(slot) * this.#columns + column] = value;
  }

  /** The bitmap of the slots that have a row, or of those that were back-filled. */
  bitmap(which: 'rows' | 'marks'): Uint8Array {
    const from = which === 'rows' ? 0 : words;
    return new Uint8Array(Int32Array.from(this.#bits.slice(from, from + words)).buffer);
  }

  /** 32 bits of the two bitmaps. */
  #word(at: number): number {
    return this.#bits[at] ?? 0;
  }

  #isSet(slot: number, from: number): boolean {
    return ((this.#word(from + (slot >> 5)) >>> (slot & 31)) & 1) === 1;
  }

  #mark(slot: number, from: number, set: boolean): void {
    const at = from + (slot >> 5);
    const [before, bit] = [this.#word(at), 1 << (slot & 31)];
    this.#bits[at] = set ? before | bit : before & ~bit;
  }

  /** The number of rows before a slot. */
  #place(slot: number): number {
    let count = 0;
    for (let at = 0; at < slot >> 5; at++) count += countOf(this.#word(at));
    const below = (1 << (slot & 31)) - 1;
    return slot === blockRows ? count : count + countOf(this.#word(slot >> 5) & below);
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
    const { combine = 'last', digits = 15 } = form[column] ?? {};
    // Rounded again, or a sum would read otherwise from here than from its bytes.
    this.set(slot, column, adds ? rounded(added(before, value, combine), digits) : value);
  }

  /** Writes one row; `at` is its place in the lists of the write. */
  merge(slot: number, at: number, rows: BlockWrite): void {
    const { columns, mode, backfilled, form } = rows;
    this.open(slot, backfilled ? 2 : 1);
    // A row that was recorded live stays marked so, even when an upstream adds to it.
    if (mode === 'put' && !backfilled) this.#mark(slot, words, false);
    for (const [column, { digits }] of form.entries()) {
      this.#merge(slot, column, rounded(columns[column]?.[at] ?? Number.NaN, digits), rows);
    }
  }
}

/** The part of a write for one block. */
export interface BlockWrite {
  columns: readonly ArrayLike<number>[];
  mode: Mode;
  backfilled: boolean;
  form: Columns;
}

/** Slots of a block: where it starts, Unix ms, its step, ms, and the first and the last slot. */
export interface Slots {
  start: number;
  step: number;
  first: number;
  last: number;
}

/** Adds the rows of some slots of a block in memory. */
export function addRows(
  into: Stored,
  block: Block,
  form: Columns,
  { start, step, first, last }: Slots,
): void {
  const slots: number[] = [];
  for (let slot = first; slot <= last; slot++) if (block.state(slot) !== 0) slots.push(slot);
  for (const slot of slots) {
    into.times.push(start + slot * step);
    into.backfilled.push(block.state(slot) === 2);
  }
  for (const [column, { digits }] of form.entries()) {
    for (const slot of slots) into.columns[column]?.push(given(block.value(slot, column), digits));
  }
}
