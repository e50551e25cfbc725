/**
 * Text that others wrote, such as the names of tokens and pools: it stays data. What a reader cannot see, or what changes the
 * order of what is seen, becomes visible, and the answer names the fields in which such text stands.
 */
import { isRecord } from '../../config/values.ts';
import type { Group } from '../endpoints/groups.ts';
import { branchOf, type Schema, schemaOfItem, schemaOfMember } from './schema-walk.ts';

/** Control characters, format characters, line separators, and what is drawn as nothing; lone surrogates as well. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Longest text that is shown whole, characters. */
export const longestText = 600;

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** The text with each hidden character as `\u{…}`, and cut, visibly, where it is very long. */
export function visible(text: string): string {
  const shown = text.replace(hidden, escaped);
  if (shown.length <= longestText) return shown;
  const left = shown.length - longestText;
  return `${shown.slice(0, longestText).toWellFormed()}… (${left} characters more)`;
}

/** The value with every text in it visible, the names of members too. */
export function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [visible(name), cleaned(part)]),
  );
}

/** Groups whose texts come from chains and from whoever makes a token. */
const open: ReadonlySet<Group> = new Set(['On-chain', 'DEX and stablecoins', 'Lending']);

/** What identifiers are made of: exchanges, symbols, contracts, addresses. */
const identifier = /^[\w.:/+\-@%]{0,80}$/;

/** Properties whose texts are sentences of this service. */
const own = new Set(
  'about basis classification_label message methodology note reason rule title unit what'.split(
    ' ',
  ),
);

/** Whether a text at a place may be anybody's. */
function isOutside(text: string, { name, schema, group }: TextPlace): boolean {
  if ('enum' in schema || 'const' in schema) return false;
  if (open.has(group)) return !own.has(name);
  return !identifier.test(text) && !own.has(name);
}

interface TextPlace {
  /** The name of the property that has it. */
  name: string;
  path: string;
  schema: Schema;
  group: Group;
}

/** The members of an object with their places; `key` is the name of a member of a map. */
function* membersAt(value: Readonly<Record<string, unknown>>, at: TextPlace) {
  for (const [name, part] of Object.entries(value)) {
    const { schema, isKey } = schemaOfMember(at.schema, name);
    const shown = isKey ? '*' : name;
    const path = at.path === '' ? shown : `${at.path}.${shown}`;
    yield { part, key: isKey ? name : '', at: { name, path, schema, group: at.group } };
  }
}

/** Adds the places of texts from outside in a value. */
function collect(value: unknown, at: TextPlace, found: Set<string>): void {
  if (typeof value === 'string') {
    if (isOutside(value, at)) found.add(at.path);
    return;
  }
  const schema = branchOf(at.schema, value);
  if (Array.isArray(value)) {
    const entry = { ...at, path: `${at.path}[]`, schema: schemaOfItem(schema) };
    for (const part of value) collect(part, entry, found);
    return;
  }
  if (!isRecord(value)) return;
  for (const { part, key, at: place } of membersAt(value, { ...at, schema })) {
    if (!identifier.test(key)) found.add(`${place.path} (its name)`);
    collect(part, place, found);
  }
}

/** The places of texts from outside in an answer, such as `pools[].name`, each once. */
export function outsideIn(value: unknown, schema: Schema, group: Group): string[] {
  const found = new Set<string>();
  collect(value, { name: '', path: '', schema, group }, found);
  return [...found];
}
