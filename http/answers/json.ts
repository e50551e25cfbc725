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
  new JsonEntry(`${JSON.stringify(key)}:${jsonOf(value)}`);

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
