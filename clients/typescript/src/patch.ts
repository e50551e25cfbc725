/** Patches of answers: JSON merge patches (RFC 7396), and lists of rows by their keys. */
import { isRecord } from './record.ts';

/** The values of the key in a row, or in an entry of `removed`, as text. */
const idOf = (values: unknown): string => JSON.stringify(values);

/** The rows of a list after a patch of its rows. */
function patchedRows(list: readonly unknown[], patch: Readonly<Record<string, unknown>>) {
  const { key, removed, changed, placed } = patch;
  const membersOf = (row: unknown) =>
    listOf(key).map((name) => (isRecord(row) ? row[String(name)] : undefined));
  const rows = new Map(list.map((row) => [idOf(membersOf(row)), row]));
  for (const values of listOf(removed)) rows.delete(idOf(values));
  for (const change of listOf(changed)) {
    const id = idOf(membersOf(change));
    rows.set(id, patched(rows.get(id), change));
  }
  const arrivals = listOf(placed).map((entry) => {
    const [at, row] = listOf(entry);
    const id = idOf(membersOf(row));
    const arrival = rows.has(id) ? patched(rows.get(id), row) : row;
    rows.delete(id);
    return { at: Number(at), arrival };
  });
  return placedIn([...rows.values()], arrivals);
}

/** The rows with each arrival at its place. */
function placedIn(rows: readonly unknown[], arrivals: readonly { at: number; arrival: unknown }[]) {
  const result: unknown[] = [];
  let next = 0;
  for (const { at, arrival } of arrivals) {
    while (result.length < at && next < rows.length) result.push(rows[next++]);
    result.push(arrival);
  }
  return result.concat(rows.slice(next));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * The value after a message of the type `patch`, whose member `patch` is given. What has not changed is shared with `before`,
 * which stays as it is.
 */
export function patched(before: unknown, patch: unknown): unknown {
  if (!isRecord(patch) || Array.isArray(patch)) return patch;
  if (Array.isArray(before)) return patchedRows(before, patch);
  const members = new Map(Object.entries(isRecord(before) ? before : {}));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) members.delete(name);
    else members.set(name, patched(members.get(name), change));
  }
  // Not by assignment, which would take a member `__proto__` for something else.
  return Object.fromEntries(members);
}
