/** What has changed between two values, as a value: JSON merge patches (RFC 7396), and lists of rows by their keys. */
import { isRecord } from '../../config/values.ts';

type Members = Readonly<Record<string, unknown>>;

/** A list of which most rows stay. It stands where the value before is a list, and is applied in the order of its members. */
interface RowsPatch {
  /** The members that tell the rows apart. Each row below has them. */
  key: readonly string[];
  /** The values of the key in the rows to take out. */
  removed?: readonly unknown[];
  /** The merge patches of rows that keep their place. */
  changed?: readonly Members[];
  /**
   * Places in the new list, ascending, each with its row: that with this key and a merge patch of it, or a new one where the list
   * has none.
   */
  placed?: readonly (readonly [at: number, row: Members])[];
}

/** A change that a patch cannot express: it takes null for "remove this member", and an object for the rows of a list. */
const inexpressible = Symbol('inexpressible');

function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return isRecord(value) && Object.values(value).some(holdsNull);
}

/** Undefined where nothing has changed. */
type Change<T> = T | undefined | typeof inexpressible;

function changeOf(before: unknown, now: unknown): Change<unknown> {
  if (Array.isArray(now)) return Array.isArray(before) ? changeOfList(before, now) : now;
  if (isRecord(before) && isRecord(now)) return changeOfMembers(before, now);
  if (before === now) return undefined;
  return holdsNull(now) || (Array.isArray(before) && isRecord(now)) ? inexpressible : now;
}

function changeOfMembers(before: Members, now: Members): Change<Members> {
  const patch: [string, unknown][] = [];
  for (const [name, value] of Object.entries(now)) {
    const change = changeOf(Object.hasOwn(before, name) ? before[name] : undefined, value);
    if (change === inexpressible) return inexpressible;
    if (change !== undefined) patch.push([name, change]);
  }
  for (const name of Object.keys(before)) if (!Object.hasOwn(now, name)) patch.push([name, null]);
  return patch.length > 0 ? Object.fromEntries(patch) : undefined;
}

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
type Rows = ReadonlyMap<string, Members>;

/** Two lists of rows that one key tells apart. */
interface KeyedLists {
  /** Names of the members. */
  key: readonly string[];
  before: Rows;
  now: Rows;
}

/** The values of the key in a row as JSON text; null where one is missing, or neither a text nor a number. */
function idOf(row: Members, key: readonly string[]): string | null {
  const values = key.map((name) => (Object.hasOwn(row, name) ? row[name] : null));
  const areValues = values.every((value) => typeof value === 'string' || typeof value === 'number');
  return areValues ? JSON.stringify(values) : null;
}

/** Null where the key does not tell all rows apart. */
function rowsBy(key: readonly string[], list: readonly Members[]): Rows | null {
  const rows = new Map<string, Members>();
  for (const row of list) {
    const id = idOf(row, key);
    if (id === null || rows.has(id)) return null;
    rows.set(id, row);
  }
  return rows;
}

/** Null where the key does not tell the rows of both lists apart. */
function listsBy(key: readonly string[], before: readonly Members[], now: readonly Members[]) {
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
function keyedLists(before: readonly unknown[], now: readonly unknown[]): KeyedLists | null {
  if (!before.every(isRecord) || !now.every(isRecord)) return null;
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

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The rows that have changed, or the whole list where that is shorter or no key is known; nulls in it are values. */
function changeOfList(
  before: readonly unknown[],
  now: readonly unknown[],
): Change<RowsPatch | readonly unknown[]> {
  const lists = keyedLists(before, now);
  if (lists === null) return JSON.stringify(before) === JSON.stringify(now) ? undefined : now;
  const patch = changeOfRows(lists);
  return patch === undefined || bytesOf(patch) < bytesOf(now) ? patch : now;
}

/** The merge patches of rows by their key, each with the key, and the rows that no patch can express. */
function changesOfRows({ key, before, now }: KeyedLists) {
  const changes = new Map<string, Members>();
  const replaced = new Set<string>();
  for (const [id, row] of now) {
    const known = before.get(id);
    const change = known && changeOfMembers(known, row);
    if (change === inexpressible) replaced.add(id);
    else if (change !== undefined) changes.set(id, { ...only(key, row), ...change });
  }
  return { changes, replaced };
}

const only = (names: readonly string[], row: Members): Members =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

function changeOfRows(lists: KeyedLists): Change<RowsPatch> {
  const { key, before, now } = lists;
  const { changes, replaced } = changesOfRows(lists);
  const stays = (id: string) => now.has(id) && before.has(id) && !replaced.has(id);
  const old = [...before.keys()];
  const moved = movedOf(old.filter(stays), [...now.keys()]);
  const removed = old.filter((id) => !stays(id)).map((id): unknown => JSON.parse(id));
  const changed = [...changes].filter(([id]) => !moved.has(id)).map(([, change]) => change);
  const arrival = (id: string, row: Members) =>
    stays(id) ? (changes.get(id) ?? only(key, row)) : row;
  const placed = [...now.entries()]
    .map(([id, row], at) => ({ id, row, at }))
    .filter(({ id }) => moved.has(id))
    .map(({ id, row, at }) => [at, arrival(id, row)] as const);
  if (removed.length + changed.length + placed.length === 0) return undefined;
  return {
    key,
    ...(removed.length > 0 && { removed }),
    ...(changed.length > 0 && { changed }),
    ...(placed.length > 0 && { placed }),
  };
}

/**
 * The patch that turns `before` into `now`, as docs/streaming.md describes it; null where there is none: one of them is not an
 * object, a member becomes null, or a list becomes an object.
 */
export function patchOf(before: unknown, now: unknown): Members | null {
  if (!isRecord(before) || !isRecord(now)) return null;
  const change = changeOfMembers(before, now) ?? {};
  return change === inexpressible ? null : change;
}
