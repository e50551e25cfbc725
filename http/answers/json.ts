/** Serialises the data of all answers. */
import { rounded } from '../../indicators/digits.ts';
import { JsonEntry, JsonText } from './json-text.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The value with every number in it rounded; the same object where nothing changes. */
function tidy(value: unknown): unknown {
  if (typeof value === 'number') return rounded(value);
  if (Array.isArray(value)) return tidyList(value);
  return isObject(value) ? tidyFields(value) : value;
}

function tidyList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const value = tidy(list[i]);
    if (Object.is(value, list[i])) continue;
    copy ??= [...list];
    copy[i] = value;
  }
  return copy ?? list;
}

function tidyFields(fields: Fields): Fields {
  // An object with its own `toJSON` stays as it is.
  if ('toJSON' in fields) return fields;
  let copy: Record<string, unknown> | null = null;
  for (const key in fields) {
    const value = tidy(fields[key]);
    if (Object.is(value, fields[key])) continue;
    copy ??= { ...fields };
    copy[key] = value;
  }
  return copy ?? fields;
}

/**
 * `JSON.stringify` with numbers to twelve significant digits in their shortest form. Whole numbers of any size are
 * exact.
 */
export const jsonOf = (data: unknown): string => JSON.stringify(tidy(data));

/** Texts of rows of answers, each as long as its row is in use. */
const rowTexts = new WeakMap<object, string>();

function rowText(row: unknown): string {
  if (!isObject(row)) return jsonOf(row);
  const known = rowTexts.get(row);
  if (known !== undefined) return known;
  const text = jsonOf(row);
  rowTexts.set(row, text);
  return text;
}

const entryOf = (name: string, text: string): string => `${JSON.stringify(name)}:${text}`;

/** The same for an object with a map of rows under `name`. A row may not change: the text of it is made once for all answers that have it. */
export function jsonOfRows(data: Fields, name: string): string {
  const members = Object.entries(data).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (key !== name || !isObject(value)) return entryOf(key, jsonOf(value));
    const rows = Object.entries(value).map(([of, row]) => entryOf(of, rowText(row)));
    return entryOf(key, `{${rows.join(',')}}`);
  });
  return `{${members.join(',')}}`;
}

/** The text of data, made at its first use; a text stays as it is. `asOf` is that of the text. */
export const jsonText = <T>(data: T | JsonText<T>, asOf: number | null = null): JsonText<T> =>
  data instanceof JsonText ? data : new JsonText<T>({ data, write: jsonOf }, asOf);

/** The text of a list, from the texts of its items. */
export const jsonList = <T>(items: readonly JsonText<T>[]): JsonText<readonly T[]> =>
  new JsonText(`[${items.map(({ text }) => text).join(',')}]`);

/** The text of a map, from those of its entries (`jsonEntry`). */
export const jsonMap = <T>(
  entries: readonly JsonEntry<T>[],
  asOf: number | null = null,
): JsonText<Readonly<Record<string, T>>> =>
  new JsonText(`{${entries.map(({ text }) => text).join(',')}}`, asOf);

/** The text of an entry of a map, without braces. */
export const jsonEntry = <T>(key: string, value: T): JsonEntry<T> =>
  new JsonEntry(entryOf(key, jsonOf(value)));

/** The text of an object with one more property behind its own, of which there is at least one. */
export const jsonWith = <T extends object, const K extends string, V>(
  object: JsonText<T>,
  name: K,
  value: JsonText<V>,
): JsonText<T & Readonly<Record<K, V>>> =>
  new JsonText(
    `${object.text.slice(0, -1)},${JSON.stringify(name)}:${value.text}}`,
    newestOf(object.asOf, value.asOf),
  );

const newestOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);
