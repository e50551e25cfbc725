/**
 * Long lists of numbers as bytes, in MessagePack extension 1: a recorded series has thousands of numbers, which MessagePack
 * itself writes and reads one by one. The first byte is 0 before evenly spaced numbers, given as first, distance and
 * count, all doubles; 1 before the numbers themselves as doubles, NaN for null; 2 before numbers of few digits: a byte
 * with their decimal places, negative where they end in zeros, and integers of 4 bytes, the least one for null; 3 before
 * evenly spaced numbers of which some are left out, such as the times of rows: the first and the distance as doubles, and
 * a bitmap of the numbers that are there, least significant bit first. Little endian.
 */
import { addExtension } from 'msgpackr';

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A list of fewer numbers stays as it is; of spaced numbers one in so many is there at least, so that their bitmap takes less
 * room than integers.
 */
const bounds = { least: 16, sparse: 16 } as const;
const even = 0;
const doubles = 1;
const decimals = 2;
const spaced = 3;
/** The integer in the place of null, and the most decimal places: powers of ten up to there are exact. */
const decimal = { none: -(2 ** 31), most: 2 ** 31 - 1, places: 22 } as const;

/** A list that travels as bytes; NaN in place of null. */
class Numbers {
  readonly values: Float64Array;

  constructor(values: Float64Array) {
    this.values = values;
  }
}

addExtension({
  Class: Numbers,
  type: 1,
  pack({ values }: Numbers) {
    if (isEven(values)) return bytesOf(even, evenly(values));
    const marks = marksOf(values);
    if (marks) return bytesOf(spaced, marks);
    const places = placesOf(values);
    if (places === null) return bytesOf(doubles, values);
    const integers = integersOf(values, places);
    return integers ? bytesOf(decimals, integers, places) : bytesOf(doubles, values);
  },
  unpack: listOf,
});

/** The list ready to travel as bytes; null where it is short or holds anything but numbers and null. */
export function numbersOf(list: readonly unknown[]): Numbers | null {
  if (list.length < bounds.least) return null;
  const values = new Float64Array(list.length);
  for (let at = 0; at < list.length; at++) {
    const value = list[at];
    if (typeof value === 'number' && !Number.isNaN(value)) values[at] = value;
    else if (value === null) values[at] = Number.NaN;
    else return null;
  }
  return new Numbers(values);
}

function isEven(values: Float64Array): boolean {
  const [first = 0, distance = 0] = evenly(values);
  if (!Number.isFinite(distance)) return false;
  for (let at = 0; at < values.length; at++) {
    if (!Object.is(values[at], first + at * distance)) return false;
  }
  return true;
}

/** The number at a place that is in the list. */
const numberAt = (values: Float64Array | Int32Array, at: number): number => values[at] ?? 0;

/** The first number, the distance and the bitmap; null where the bare numbers take less room, or are not so spaced. */
function marksOf(values: Float64Array): Buffer | null {
  const [first = 0] = values;
  let distance = Number.POSITIVE_INFINITY;
  for (let at = 1; at < values.length; at++) {
    distance = Math.min(distance, numberAt(values, at) - numberAt(values, at - 1));
    if (!(distance > 0)) return null;
  }
  const slots = Math.round((numberAt(values, values.length - 1) - first) / distance) + 1;
  if (!(slots <= bounds.sparse * values.length)) return null;
  const bytes = Buffer.alloc(16 + Math.ceil(slots / 8));
  bytes.writeDoubleLE(first, 0);
  bytes.writeDoubleLE(distance, 8);
  for (const value of values) {
    const slot = Math.round((value - first) / distance);
    if (!Object.is(first + slot * distance, value)) return null;
    bytes[16 + (slot >> 3)] = (bytes[16 + (slot >> 3)] ?? 0) | (1 << (slot & 7));
  }
  return bytes;
}

/** The decimal places with which the largest number becomes the largest integer; null where there is none. */
function placesOf(values: Float64Array): number | null {
  let largest = 0;
  for (let at = 0; at < values.length; at++) {
    const size = Math.abs(numberAt(values, at));
    if (size > largest) largest = size;
  }
  const places = Math.floor(Math.log10(decimal.most / largest));
  return places >= -decimal.places ? Math.min(places, decimal.places) : null;
}

/** The numbers as integers; null where one has more digits. */
function integersOf(values: Float64Array, places: number): Int32Array | null {
  const scale = 10 ** Math.abs(places);
  const integers = new Int32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = numberAt(values, at);
    integers[at] = Math.round(places < 0 ? value / scale : value * scale);
    // As it is read: the integer has no sign of a zero.
    const integer = numberAt(integers, at);
    if (Object.is(places < 0 ? integer * scale : integer / scale, value)) continue;
    if (!Number.isNaN(value)) return null;
    integers[at] = decimal.none;
  }
  return integers;
}

function evenly(values: Float64Array): Float64Array {
  const [first = 0, second = 0] = values;
  return Float64Array.of(first, second - first, values.length);
}

/** The form, the decimal places where it has them, and the bytes of the list. */
function bytesOf(
  form: number,
  list: Float64Array | Int32Array | Uint8Array,
  places?: number,
): Buffer {
  const head = places === undefined ? [form] : [form, places & 0xff];
  const bytes = Buffer.allocUnsafe(head.length + list.byteLength);
  bytes.set(head);
  bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), head.length);
  return bytes;
}

/** The list of some bytes. Throws RangeError where they are not a list. */
function listOf(bytes: Uint8Array): (number | null)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + 1, bytes.length - 1);
  if (bytes[0] === doubles) return doublesOf(view, view.byteLength / 8);
  if (bytes[0] === decimals) return decimalsOf(view, (view.byteLength - 1) / 4);
  if (bytes[0] === spaced) return spacedOf(view, bytes.subarray(17));
  const count = view.getFloat64(16, true);
  if (bytes[0] !== even || !(count <= 1e6)) throw new RangeError('packed numbers: not a list');
  const first = view.getFloat64(0, true);
  const distance = view.getFloat64(8, true);
  // A list of a given length is filled several times as fast as one that grows.
  const list = new Array<number>(count);
  for (let at = 0; at < count; at++) list[at] = first + at * distance;
  return list;
}

/** Throws RangeError unless the count is a whole number. */
function doublesOf(view: DataView, count: number): (number | null)[] {
  const list = new Array<number>(count);
  let whole = true;
  for (let at = 0; at < count; at++) {
    const value = view.getFloat64(at * 8, true);
    if (Number.isNaN(value)) whole = false;
    list[at] = value;
  }
  return whole ? list : withNulls(list);
}

/** Throws RangeError unless the count is a whole number. */
function decimalsOf(view: DataView, count: number): (number | null)[] {
  const places = view.getInt8(0);
  const scale = 10 ** Math.abs(places);
  const list = new Array<number>(count);
  let whole = true;
  for (let at = 0; at < count; at++) {
    const integer = view.getInt32(1 + at * 4, true);
    if (integer === decimal.none) whole = false;
    list[at] = places < 0 ? integer * scale : integer / scale;
  }
  return whole ? list : withNulls(list, places < 0 ? decimal.none * scale : decimal.none / scale);
}

function spacedOf(view: DataView, marks: Uint8Array): number[] {
  const first = view.getFloat64(0, true);
  const distance = view.getFloat64(8, true);
  const list = new Array<number>(8 * marks.length);
  let count = 0;
  for (let slot = 0; slot < list.length; slot++) {
    if (((marks[slot >> 3] ?? 0) & (1 << (slot & 7))) === 0) continue;
    list[count++] = first + slot * distance;
  }
  list.length = count;
  return list;
}

/** Null in the place of NaN, or of another number. */
const withNulls = (list: readonly number[], none = Number.NaN): (number | null)[] =>
  list.map((value) => (Object.is(value, none) ? null : value));
