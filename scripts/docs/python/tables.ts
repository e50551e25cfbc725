/** The tables of answers for the Python client: where the rows stand, their type and their columns. */
import {
  type ClientOperation,
  isSchema,
  namedSchemas,
  propertiesOf,
  type Schema,
  schemasIn,
} from '../operations.ts';

const named = new Map(namedSchemas);

/** The schema itself, where it is the name of one. */
const resolved = (schema: Schema): Schema =>
  typeof schema.$ref === 'string' ? (named.get(schema.$ref.split('/').at(-1) ?? '') ?? {}) : schema;

/** The one object with named members that a schema stands for beside null; null for all other schemas. */
function recordIn(schema: Schema): Schema | null {
  const { anyOf } = resolved(schema);
  const forms = (anyOf === undefined ? [schema] : schemasIn(anyOf))
    .map(resolved)
    .filter(({ type }) => type !== 'null');
  const [only, ...others] = forms;
  return only !== undefined && others.length === 0 && propertiesOf(only).length > 0 ? only : null;
}

const isTime = ({ type, description }: Schema): boolean =>
  [type].flat().some((one) => one === 'integer' || one === 'number') &&
  /Unix m(s|illiseconds)\b/.test(String(description));

/** The columns of a row, with `@` before those that are times: objects in it are flattened, lists and maps are one. */
const columnsOf = (row: Schema, prefix = ''): string[] =>
  propertiesOf(row).flatMap(([name, one]) => {
    const inner = recordIn(one);
    if (inner !== null) return columnsOf(inner, `${prefix}${name}.`);
    return [`${isTime(one) ? '@' : ''}${prefix}${name}`];
  });

export interface PythonTable {
  /** The schema of a row; null where the rows are made by the client. */
  row: Schema | null;
  /** The expression that makes it. */
  text: string;
}

/** The table whose rows stand in a member of the data, or are the data; null where that is no table. */
function tableAt(at: string | null, rows: Schema | undefined): PythonTable | null {
  const isMap = rows?.type !== 'array';
  const item = isMap ? rows?.additionalProperties : rows.items;
  if (!isSchema(item)) return null;
  const place = at === null ? 'None' : JSON.stringify(at);
  if (item.type === 'array') return { row: null, text: `Table(${place}, cells=True)` };
  const record = recordIn(item);
  if (record === null) return null;
  const columns = columnsOf(record);
  if (!isMap) return { row: item, text: `Table(${place}, ${JSON.stringify(columns.join(' '))})` };
  const key = at === null ? 'symbol' : at.replace(/s$/, '');
  const others = columns.filter((name) => name !== key).join(' ');
  return {
    row: null,
    text: `Table(${place}, ${JSON.stringify(others)}, key=${JSON.stringify(key)})`,
  };
}

/** The table of one form of the data; null where it has none. */
export function tableIn(data: Schema, { lists }: ClientOperation): PythonTable | null {
  const whole = resolved(data);
  const members = new Map(propertiesOf(whole));
  const found = lists.flatMap((list) => {
    const at = list === 'data' ? null : list.replace('data.', '');
    return tableAt(at, at === null ? whole : members.get(at)) ?? [];
  });
  return found[0] ?? null;
}
