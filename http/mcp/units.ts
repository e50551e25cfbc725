/** What the numbers of an answer mean, out of the schema of its row. */
import { isRecord } from '../../config/values.ts';
import { branchOf, type Schema, schemaOfItem, schemaOfMember } from './schema-walk.ts';

/** Rows of a list that are looked at: some have members that others lack. */
const looked = 3;

/** The first sentence of a description. */
const sentence = (text: string): string => text.split(/(?<=\.)\s/, 1)[0] ?? text;

/** The description of each number and each truth value in an answer, by its place, such as `rates[].annualized`. */
export function unitsOf(data: unknown, schema: Schema): Record<string, string> {
  const units: Record<string, string> = {};
  const visit = (part: unknown, own: Schema, path: string): void => {
    const branch = branchOf(own, part);
    if (Array.isArray(part)) {
      for (const item of part.slice(0, looked)) visit(item, schemaOfItem(branch), `${path}[]`);
      return;
    }
    if (isRecord(part)) {
      members(part, branch, path);
      return;
    }
    const { description = branch.description } = own;
    if (typeof part !== 'string' && typeof description === 'string' && path !== '')
      units[path] ??= sentence(description);
  };
  const members = (part: Readonly<Record<string, unknown>>, branch: Schema, path: string): void => {
    let keys = 0;
    for (const [name, member] of Object.entries(part)) {
      const { schema: of, isKey } = schemaOfMember(branch, name);
      if (isKey && ++keys > looked) return;
      const shown = isKey ? '*' : name;
      visit(member, of, path === '' ? shown : `${path}.${shown}`);
    }
  };
  visit(data, schema, '');
  return units;
}
