/** Lists of rows that a key tells apart, and which rows of one have another place in the next. */

type Row = Readonly<Record<string, unknown>>;

/** Members that may tell the rows of a list apart, those of most answers first. */
const singles = [
  ...['id', 'timestamp', 'exchange', 'symbol', 'market', 'contract', 'pair', 'instrument', 'asset'],
  ...['currency', 'token', 'name', 'address', 'pool_id', 'protocol', 'label', 'path', 'chain'],
  ...['expiry', 'strike', 'price'],
];
const keys: readonly (readonly string[])[] = [
  ...singles.map((name) => [name]),
  ...['market', 'contract', 'pair', 'symbol', 'asset', 'price'].map((name) => ['exchange', name]),
  ...[
    ['symbol', 'contract'],
    ['price', 'side'],
    ['token', 'chain'],
    ['topic', 'part'],
    ['exchange', 'contract', 'timestamp', 'side', 'price', 'quantity_base'],
  ],
];

/** The rows of a list by what the key says of each, in their order. */
export type Rows = ReadonlyMap<string, Row>;

/** Two lists of rows that one key tells apart. */
export interface KeyedLists {
  /** Names of the members. */
  key: readonly string[];
  before: Rows;
  now: Rows;
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values of the key in a row as JSON text; null where one is missing, or neither a text nor a number. */
function idOf(row: Row, key: readonly string[]): string | null {
  const values = key.map((name) => (Object.hasOwn(row, name) ? row[name] : null));
  const areValues = values.every((value) => typeof value === 'string' || typeof value === 'number');
  return areValues ? JSON.stringify(values) : null;
}

/** Null where the key does not tell all rows apart. */
function rowsBy(key: readonly string[], list: readonly Row[]): Rows | null {
  const rows = new Map<string, Row>();
  for (const row of list) {
    const id = idOf(row, key);
    if (id === null || rows.has(id)) return null;
    rows.set(id, row);
  }
  return rows;
}

/** Null where the key does not tell the rows of both lists apart. */
function listsBy(key: readonly string[], before: readonly Row[], now: readonly Row[]) {
  const old = rowsBy(key, before);
  const next = old && rowsBy(key, now);
  return old && next && { key, before: old, now: next };
}

const sharedIn = ({ before, now }: KeyedLists): number =>
  [...now.keys()].filter((id) => before.has(id)).length;

/**
 * Two lists by the key which most of their rows have in common; null where no key tells the rows of both apart, or where the
 * lists share no row.
 */
export function keyedLists(before: readonly unknown[], now: readonly unknown[]): KeyedLists | null {
  if (!before.every(isRow) || !now.every(isRow)) return null;
  const most = Math.min(before.length, now.length);
  let [best, shared]: [KeyedLists | null, number] = [null, 0];
  for (const key of keys) {
    if (shared === most) break;
    const lists = listsBy(key, before, now);
    const count = lists === null ? 0 : sharedIn(lists);
    if (count > shared) [best, shared] = [lists, count];
  }
  return best;
}

/**
 * The names of `now` that are new or have moved: without them, `now` and `before` have one order. `before` has names of `now`
 * only. Both lists are walked once: where they differ, the name that is farther from its other place has moved.
 */
export function movedOf(before: readonly string[], now: readonly string[]): ReadonlySet<string> {
  const placeBefore = new Map(before.map((id, at) => [id, at]));
  const placeNow = new Map(now.map((id, at) => [id, at]));
  const moved = new Set(now.filter((id) => !placeBefore.has(id)));
  let [from, to] = [0, 0];
  while (to < now.length) {
    const id = String(now[to]);
    const other = before[from];
    if (other === undefined || moved.has(id)) to += 1;
    else if (moved.has(other)) from += 1;
    else if (other === id) [from, to] = [from + 1, to + 1];
    else {
      const up = Number(placeBefore.get(id)) - from;
      const down = Number(placeNow.get(other)) - to;
      moved.add(up >= down ? id : other);
    }
  }
  return moved;
}
