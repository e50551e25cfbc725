/** Values of an answer at a JSON Pointer (RFC 6901), in which `*` stands for every row or name. */
import { rounded } from '../../indicators/digits.ts';

/** A value that a rule looks at. */
export interface Found {
  /** The row or name that the asterisks of the pointer stand for; null without any. */
  subject: string | null;
  /** Null where there is no number. */
  value: number | null;
  /** There is a null, which may be a number at another time. */
  isNull: boolean;
  /** When it was received as far as the answer states it, Unix ms. */
  at: number | null;
  /** It is stale or suspect: it is no news. */
  isDoubtful: boolean;
}

/** The parts of a pointer; null for a text that is none. */
export function readPointer(text: string): string[] | null {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return null;
  return text
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

type Named = Readonly<Record<string, unknown>>;

const isNamed = (value: unknown): value is Named => typeof value === 'object' && value !== null;

/** A value as JSON has it: data of answers may state it themselves. */
const plainOf = (value: unknown): unknown =>
  isNamed(value) && typeof value.toJSON === 'function' ? value.toJSON() : value;

/** Fields that say which row it is, in the order of a subject. */
const identity = ['exchange', 'symbol', 'market', 'contract', 'asset', 'chain', 'id', 'name'];

/** What a row is called: two rows of a list differ in it, or in their places. */
function nameOf(row: unknown, place: number): string {
  if (!isNamed(row)) return String(place);
  const parts = identity.flatMap((field) => {
    const value = row[field];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  return parts.length === 0 ? String(place) : parts.join(' ');
}

/** What holds for a value by the objects around it. */
interface Around {
  subject: string | null;
  at: number | null;
  isDoubtful: boolean;
}

/** The objects that a value stands in say how old it is, and whether it is in doubt. */
function within(row: Named, around: Around): Around {
  const { updated_at, stale, suspect } = row;
  return {
    subject: around.subject,
    at: typeof updated_at === 'number' ? updated_at : around.at,
    isDoubtful: around.isDoubtful || stale === true || suspect === true,
  };
}

const joined = (subject: string | null, name: string): string =>
  subject === null ? name : `${subject} ${name}`;

function* entriesOf(value: Named): Generator<[name: string, value: unknown]> {
  if (!Array.isArray(value)) return yield* Object.entries(value);
  for (const [place, row] of value.entries()) yield [nameOf(row, place), row];
}

function* walk(given: unknown, parts: readonly string[], around: Around): Generator<Found> {
  const value = plainOf(given);
  const [part, ...rest] = parts;
  const known = isNamed(value) && !Array.isArray(value) ? within(value, around) : around;
  if (part === undefined) {
    const isNumber = typeof value === 'number' && Number.isFinite(value);
    yield { ...known, value: isNumber ? rounded(value) : null, isNull: value === null };
    return;
  }
  if (part === '*') return yield* each(value, rest, known);
  const next = isNamed(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  yield* walk(next, rest, known);
}

/** Every row or name of a value; none where it has none. */
function* each(value: unknown, rest: readonly string[], around: Around): Generator<Found> {
  if (!isNamed(value)) return;
  // JSON has no members without a value.
  for (const [name, row] of entriesOf(value))
    if (row !== undefined)
      yield* walk(row, rest, { ...around, subject: joined(around.subject, name) });
}

/** The values at a pointer in the data of an answer. `asOf` is when the newest reading in them was received, Unix ms. */
export const valuesAt = (
  data: unknown,
  parts: readonly string[],
  asOf: number | null,
): Iterable<Found> => walk(data, parts, { subject: null, at: asOf, isDoubtful: false });

/** What one of the answers of a path with an asterisk is called: by what the asterisk means. */
export function answerName(path: string): string {
  const given = new URL(path, 'http://localhost').searchParams;
  const names = ['exchange', 'symbol'].flatMap((name) => given.get(name) ?? []);
  return names.length === 0 ? path : names.join(' ');
}

/** What a rule calls a value: the name of its answer (null for a path without an asterisk), and that of its row. */
export const subjectOf = (answer: string | null, row: string | null): string | null =>
  row === null ? answer : joined(answer, row);
