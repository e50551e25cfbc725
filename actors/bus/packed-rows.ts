/**
 * The rows of a reading without their keys: thousands of rows have the same ones, which would be half of the bytes.
 * `[{a: 1, b: 2}, {a: 3}]` travels as `{shapes: [['a', 'b'], ['a']], rows: [[0, 1, 2], [1, 3]]}`: a row is the index of its
 * list of keys, and its values in their order.
 */
type Row = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a list of rows. */
export const hasRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.every(isMap);

/** Packs rows. */
export function packRows(rows: readonly Row[]) {
  const shapes: string[][] = [];
  const indices = new Map<string, number>();
  const packed = rows.map((row) => {
    const keys = Object.keys(row);
    const name = keys.join('\n');
    let index = indices.get(name);
    if (index === undefined) {
      index = shapes.push(keys) - 1;
      indices.set(name, index);
    }
    const values: unknown[] = [index];
    for (const key of keys) values.push(row[key]);
    return values;
  });
  return { shapes, rows: packed };
}

/** The rows as they were before `packRows`. Throws TypeError where one has no shape or another length than it. */
export function unpackRows({ shapes, rows }: Row): Row[] {
  const lists = listOf(shapes).map((keys) => listOf(keys).map(keyOf));
  return listOf(rows).map((row) => {
    const values = listOf(row);
    return rowOf(lists[Number(values[0])], values);
  });
}

function rowOf(keys: readonly string[] | undefined, values: readonly unknown[]): Row {
  if (keys?.length !== values.length - 1) throw new TypeError('a row is not of its shape');
  const row: Record<string, unknown> = {};
  let at = 0;
  for (const key of keys) row[key] = values[++at];
  return row;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('packed rows: not a list');
  return value;
}

function keyOf(key: unknown): string {
  if (typeof key !== 'string' || key === '__proto__') throw new TypeError('packed rows: no key');
  return key;
}
