/**
 * The values of a column of a block, in as few bytes as values that lie close together need: a byte with the width of a
 * value, then the values in this width, little endian. In the width of the column they are floats. In a smaller one the
 * lowest value comes first, in full, and each value is by how much its bits, taken as an integer, are above those of the
 * lowest; the largest integer stands for NaN. In width 0 all values are the one that comes first.
 */

/** Widths between none and a whole single. */
const narrow = [1, 2, 3] as const;
/** The integer in the place of NaN. */
const unknown = (width: number): number => 2 ** (8 * width) - 1;

/** The bytes of an array. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Float64Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** At least one value. */
export function packColumn(values: Float32Array | Float64Array): Uint8Array {
  const [first] = values;
  if (values.every((value) => Object.is(value, first))) {
    return Buffer.concat([Uint8Array.of(0), bytesOf(values.subarray(0, 1))]);
  }
  const narrowed = values instanceof Float32Array ? packSingles(values) : null;
  return narrowed ?? Buffer.concat([Uint8Array.of(values.BYTES_PER_ELEMENT), bytesOf(values)]);
}

/** Null where the values are too far apart. */
function packSingles(values: Float32Array): Uint8Array | null {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const known = bits.filter((_, at) => !Number.isNaN(values[at]));
  const lowest = Math.min(...known);
  const range = Math.max(...known) - lowest;
  const width = narrow.find((one) => range < unknown(one));
  if (width === undefined) return null;
  const bytes = Buffer.allocUnsafe(5 + width * values.length);
  bytes[0] = width;
  bytes.writeUInt32LE(lowest, 1);
  for (const [at, value] of values.entries()) {
    const above = Number.isNaN(value) ? unknown(width) : (bits[at] ?? 0) - lowest;
    bytes.writeUIntLE(above, 5 + at * width, width);
  }
  return bytes;
}

/** Where the values of a column are: the bytes, the offset, the number of values, and bytes of one in full. */
export interface ColumnPlace {
  view: DataView;
  from: number;
  rows: number;
  full: number;
}

/** Reads the values of a packed column; the offset of what follows it. Throws RangeError where there is none. */
export function readPacked(into: Float64Array, place: ColumnPlace): number {
  const { view, full, rows } = place;
  const width = view.getUint8(place.from);
  const from = place.from + 1;
  if (width === full) return readPlain(into, { ...place, from });
  if (width > 3 || (full === 8 && width > 0)) throw new RangeError('a column has no such width');
  if (width > 0) return readNarrow(into, { ...place, from }, width);
  into.fill(full === 4 ? view.getFloat32(from, true) : view.getFloat64(from, true), 0, rows);
  return from + full;
}

/** Reads floats; the offset of what follows them. Throws RangeError where there are not so many. */
export function readPlain(into: Float64Array, { view, from, rows, full }: ColumnPlace): number {
  if (full === 4) {
    for (let at = 0; at < rows; at++) into[at] = view.getFloat32(from + at * 4, true);
  } else {
    for (let at = 0; at < rows; at++) into[at] = view.getFloat64(from + at * 8, true);
  }
  return from + rows * full;
}

const floats = new Float32Array(1);
const integers = new Uint32Array(floats.buffer);

function readNarrow(into: Float64Array, { view, from, rows }: ColumnPlace, width: number): number {
  const lowest = view.getUint32(from, true);
  const none = unknown(width);
  let place = from + 4;
  for (let at = 0; at < rows; at++) {
    let above = view.getUint8(place);
    if (width > 1) above |= view.getUint8(place + 1) << 8;
    if (width > 2) above |= view.getUint8(place + 2) << 16;
    integers[0] = lowest + above;
    into[at] = above === none ? Number.NaN : (floats[0] ?? 0);
    place += width;
  }
  return place;
}
