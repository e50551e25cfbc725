/**
 * Cuts an answer to a size. Its rows are the entries of its lists and maps; everything else stands on every page. Rows are kept
 * whole, except one that is larger than a page by itself, whose own rows are then spread over several. Each row stands on
 * exactly one page.
 */
import { isRecord } from '../../config/values.ts';
import { cleaned, visible } from './outside-text.ts';
import { branchOf, isMap, type Schema, schemaOfItem, schemaOfMember } from './schema-walk.ts';

/** Where a page begins: a step for each container on the way, the name of a member or the number of an entry. */
export type Position = readonly (string | number)[];

/** A part of an answer; `used` is bytes of JSON beyond those of its frame, `next` where the rest begins, null at the end. */
interface Part {
  value: unknown;
  used: number;
  next: Position | null;
}

/** A value with its schema. */
interface Node {
  value: unknown;
  schema: Schema;
}

/** Bytes that rows may take: on this page still, and on a page that begins with them. */
interface Room {
  left: number;
  whole: number;
}

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** A short list of words or numbers is a value: it belongs to the object in which it stands. */
const longestWords = 30;
const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isWords = (list: readonly unknown[]): boolean =>
  list.length <= longestWords && list.every(isScalar);

/** An entry of a list, or of a map under its name. */
type Row = readonly [string | null, unknown];

/** The entries of a list or map; null for any other value. */
function rowsOf({ value, schema }: Node): readonly Row[] | null {
  if (Array.isArray(value)) return isWords(value) ? null : value.map((entry) => [null, entry]);
  return isRecord(value) && isMap(schema) ? Object.entries(value) : null;
}

const memberOf = ({ schema }: Node, name: string, value: unknown): Node => {
  const of = schemaOfMember(schema, name).schema;
  return { value, schema: branchOf(of, value) };
};

function entryOf({ schema }: Node, name: string | null, value: unknown): Node {
  const of = name === null ? schemaOfItem(schema) : schemaOfMember(schema, name).schema;
  return { value, schema: branchOf(of, value) };
}

/** The value without any rows. */
function frameOf(node: Node): unknown {
  const { value } = node;
  if (rowsOf(node) !== null) return Array.isArray(value) ? [] : {};
  if (!isRecord(value)) return cleaned(value);
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, part]) => [visible(name), frameOf(memberOf(node, name, part))]),
  );
}

/** Whether there are rows in a value. */
function holdsRows(node: Node): boolean {
  if (rowsOf(node) !== null) return true;
  const { value } = node;
  return (
    isRecord(value) &&
    Object.entries(value).some(([name, part]) => holdsRows(memberOf(node, name, part)))
  );
}

/** The rows of the outermost lists and maps in a value. */
export function countRows(value: unknown, schema: Schema): number {
  const node = { value, schema: branchOf(schema, value) };
  const rows = rowsOf(node);
  if (rows !== null) return rows.length;
  if (!isRecord(value)) return 0;
  return Object.entries(value).reduce((sum, [name, part]) => {
    const member = memberOf(node, name, part);
    return sum + countRows(member.value, member.schema);
  }, 0);
}

/** The rows of an object from `start` on that there is room for. */
function fillObject(node: Node, members: [string, unknown][], start: Position, room: Room): Part {
  const [first, ...inner] = start;
  let isBefore = typeof first === 'string' && members.some(([name]) => name === first);
  let [used, next]: [number, Position | null] = [0, null];
  const filled = members.map(([name, part]) => {
    const member = memberOf(node, name, part);
    const isFirst = isBefore && name === first;
    if (isFirst) isBefore = false;
    if (isBefore || next !== null || !holdsRows(member)) return [visible(name), frameOf(member)];
    const rest = { left: room.left - used, whole: room.whole };
    const made = fill(member, isFirst ? inner : [], rest);
    used += made.used;
    if (made.next !== null) next = [name, ...made.next];
    return [visible(name), made.value];
  });
  return { value: Object.fromEntries(filled), used, next };
}

/** One row: whole, in part where it is larger than a page, or null where it must wait for the next page. */
function fillRow(node: Node, start: Position, extra: number, room: Room): Part | null {
  const value = cleaned(node.value);
  const size = bytesOf(value) + extra;
  if (start.length === 0 && size <= room.left) return { value, used: size, next: null };
  if (!holdsRows(node) || (start.length === 0 && size <= room.whole)) return null;
  const frame = bytesOf(frameOf(node)) + extra;
  const made = fill(node, start, { left: room.left - frame, whole: room.whole - frame });
  if (made.next !== null && made.used <= 0) return null;
  return { ...made, used: made.used + frame };
}

/** The rows of a list or map from `start` on that there is room for. */
function fillRows(node: Node, rows: readonly Row[], start: Position, room: Room): Part {
  const [first, ...inner] = start;
  const begin = typeof first === 'number' ? first : 0;
  const shown: Row[] = [];
  let used = 0;
  const part = (next: Position | null): Part => ({ value: joined(node, shown), used, next });
  for (const [i, [name, entry]] of rows.slice(begin).entries()) {
    const at = begin + i;
    const from = i === 0 ? inner : [];
    // The comma, and the name with its quotes and colon.
    const extra = name === null ? 1 : bytesOf(visible(name)) + 2;
    const rest = { left: room.left - used, whole: room.whole };
    const row = fillRow(entryOf(node, name, entry), from, extra, rest);
    if (row === null) return part([at, ...from]);
    shown.push([name, row.value]);
    used += row.used;
    if (row.next !== null) return part([at, ...row.next]);
  }
  return part(null);
}

/** Rows as a list, or as a map by their names. */
const joined = ({ value }: Node, rows: readonly Row[]): unknown =>
  Array.isArray(value)
    ? rows.map(([, row]) => row)
    : Object.fromEntries(rows.map(([name, row]) => [visible(name ?? ''), row]));

function fill(node: Node, start: Position, room: Room): Part {
  const rows = rowsOf(node);
  if (rows !== null) return fillRows(node, rows, start, room);
  const { value } = node;
  return isRecord(value)
    ? fillObject(node, Object.entries(value), start, room)
    : { value: cleaned(value), used: 0, next: null };
}

/** What a page has of a value, `bytes` of JSON at most; null where not even one row fits. */
export function pageOf(
  value: unknown,
  schema: Schema,
  { start, bytes }: { start: Position; bytes: number },
): { value: unknown; next: Position | null } | null {
  const node = { value, schema: branchOf(schema, value) };
  const room = bytes - bytesOf(frameOf(node));
  if (room < 0) return null;
  const { value: shown, used, next } = fill(node, start, { left: room, whole: room });
  return next !== null && used <= 0 ? null : { value: shown, next };
}
