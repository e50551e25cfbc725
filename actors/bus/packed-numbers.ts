/**
 * Long lists of numbers as bytes, in MessagePack extension 1: a recorded series has thousands of numbers, which MessagePack
 * itself writes and reads one by one. The first byte is 0 before evenly spaced numbers, given as first, distance and
 * count, and 1 before the numbers themselves; all are doubles, little endian, NaN for null.
 */
import { addExtension } from 'msgpackr';

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of fewer numbers stays as it is, and a list of more other things is not looked through. */
const bounds = { least: 16, most: 64 } as const;
const even = 0;
const each = 1;

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
  pack: ({ values }: Numbers) =>
    isEven(values) ? bytesOf(even, evenly(values)) : bytesOf(each, values),
  unpack: listOf,
});

/** The value with its long lists of numbers ready to travel; the same one where it has none. */
export function packNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return packList(value);
  if (!isMap(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  let changed: Record<string, unknown> | null = null;
  for (const key of Object.keys(value)) {
    const packed = packNumbers(value[key]);
    if (packed === value[key]) continue;
    changed ??= { ...value };
    changed[key] = packed;
  }
  return changed ?? value;
}

function packList(list: readonly unknown[]): unknown {
  const [first] = list;
  if (typeof first === 'number' || first === null) return numbersOf(list) ?? list;
  if (typeof first !== 'object' || list.length > bounds.most) return list;
  const packed = list.map(packNumbers);
  return packed.some((one, at) => one !== list[at]) ? packed : list;
}

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
  return values.every((value, at) => Object.is(value, first + at * distance));
}

function evenly(values: Float64Array): Float64Array {
  const [first = 0, second = 0] = values;
  return Float64Array.of(first, second - first, values.length);
}

function bytesOf(form: number, { buffer, byteOffset, byteLength }: Float64Array): Buffer {
  const bytes = Buffer.allocUnsafe(1 + byteLength);
  bytes[0] = form;
  bytes.set(new Uint8Array(buffer, byteOffset, byteLength), 1);
  return bytes;
}

/** The list of some bytes. Throws RangeError where they are no list. */
function listOf(bytes: Uint8Array): (number | null)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + 1, bytes.length - 1);
  if (bytes[0] === each) return numbers(view, view.byteLength / 8);
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
function numbers(view: DataView, count: number): (number | null)[] {
  const list = new Array<number>(count);
  for (let at = 0; at < count; at++) {
    const value = view.getFloat64(at * 8, true);
    if (Number.isNaN(value)) return numbersAndNulls(view, count);
    list[at] = value;
  }
  return list;
}

function numbersAndNulls(view: DataView, count: number): (number | null)[] {
  const list: (number | null)[] = [];
  for (let at = 0; at < count; at++) {
    const value = view.getFloat64(at * 8, true);
    list.push(Number.isNaN(value) ? null : value);
  }
  return list;
}
