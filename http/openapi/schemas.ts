/** Named schemas: the objects in the answers, each once, so that the document is small and clients have types. */
import { isRecord } from '../../config/values.ts';
import type { Schema } from '../endpoints/route.ts';
import { itemWords, propertyWords } from './names.ts';

const isNull = (schema: unknown): boolean => isRecord(schema) && schema.type === 'null';

/** The part of a schema that has a name of its own: an object with known properties. */
const isNamed = (schema: Schema): boolean =>
  schema.type === 'object' && isRecord(schema.properties);

const titleOf = ({ title }: Schema): string => (typeof title === 'string' ? title : '');

/** The last words that all names have in common. */
function commonEnd([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  let count = 0;
  while (
    count < first.length &&
    others.every((name) => name.at(-1 - count) === first.at(-1 - count))
  )
    count += 1;
  return first.slice(first.length - count);
}

/** A schema in which every part was replaced. `words` are those of the name that the part would have. */
type Replace = (part: unknown, words: readonly string[]) => unknown;

const mapped = (value: unknown, change: (part: unknown, key: string) => unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part, key)]))
    : value;

/** The branches of a choice; several objects without a title are numbered. */
function branches(list: readonly unknown[], words: readonly string[], replace: Replace): unknown[] {
  const several = list.filter((branch) => !isNull(branch)).length > 1;
  return list.map((branch, i) => replace(branch, several ? [...words, `${i + 1}`] : words));
}

/** The schema with its parts replaced. */
function withParts(schema: Schema, words: readonly string[], replace: Replace): Schema {
  const copy: Record<string, unknown> = { ...schema };
  const last = words.at(-1) ?? '';
  const repeats = last === words.at(-2);
  const item = [...words.slice(0, repeats ? -2 : -1), ...itemWords(last)];
  if (copy.properties) {
    copy.properties = mapped(copy.properties, (part, name) =>
      replace(part, [...words, propertyWords(name).join('')]),
    );
  }
  if (isRecord(copy.items)) copy.items = replace(copy.items, item);
  if (isRecord(copy.additionalProperties))
    copy.additionalProperties = replace(copy.additionalProperties, item);
  if (Array.isArray(copy.anyOf)) copy.anyOf = branches(copy.anyOf, words, replace);
  return copy;
}

/** The name of one schema at all of its places; `title` is a name that its author gave it, or empty. */
interface SchemaUses {
  title: string;
  names: (readonly string[])[];
}

/**
 * Collects the schemas of a document and gives each distinct object a name. Objects that differ in their own description
 * alone are one: it says what they are for at their place.
 */
export class NamedSchemas {
  readonly #places = new Map<string, SchemaUses>();
  readonly #names = new Map<string, string>();
  readonly #schemas = new Map<string, Schema>();

  /** `roots` are all schemas of the document with the words of their names. */
  constructor(roots: readonly { schema: Schema; words: readonly string[] }[]) {
    const visit: Replace = (part, words) => {
      if (!isRecord(part)) return part;
      if (isNamed(part)) this.#see(part, words);
      const title = titleOf(part);
      withParts(part, title === '' ? words : [title], visit);
      return part;
    };
    for (const { schema, words } of roots) visit(schema, words);
    const used = new Set<string>();
    for (const [key, place] of this.#places) {
      const name = nameOf(place, used);
      used.add(name);
      this.#names.set(key, name);
    }
  }

  /** The schema with a reference in place of every object in it; what the object is for at this place stands beside it. */
  referring(schema: Schema): Schema {
    const replace: Replace = (part) => (isRecord(part) ? this.referring(part) : part);
    if (!isNamed(schema)) return withParts(schema, [], replace);
    const { description, ...form } = schema;
    const name = this.#names.get(JSON.stringify(form));
    if (name === undefined) throw new Error('a schema that is none of the roots');
    if (!this.#schemas.has(name)) this.#schemas.set(name, withParts(form, [], replace));
    const $ref = `#/components/schemas/${name}`;
    return description === undefined ? { $ref } : { $ref, description };
  }

  /** The schemas that were referred to, by name. */
  get components(): Record<string, Schema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #see(schema: Schema, words: readonly string[]): void {
    const { description: _, ...form } = schema;
    const key = JSON.stringify(form);
    const place = this.#places.get(key) ?? { title: titleOf(schema), names: [] };
    place.names.push(words);
    this.#places.set(key, place);
  }
}

/** Whether a name says what it is of. */
const isDescriptive = (name: string): boolean =>
  /^[A-Z]/.test(name) && !/^(?:V\d|Item$|Point$|Rate$|Ratio$)/.test(name);

/** The title, what all places have in common, or the name of the first place, whichever is free. */
function nameOf({ title, names }: SchemaUses, used: ReadonlySet<string>): string {
  const first = (names[0] ?? []).join('');
  const shared = commonEnd(names).join('');
  const wanted = [title, shared, first].filter((name) => isDescriptive(name));
  const free = wanted.find((name) => !used.has(name));
  if (free !== undefined) return free;
  for (let i = 2; ; i++) if (!used.has(`${first}${i}`)) return `${first}${i}`;
}
