/** The types of the Python client: a TypedDict for each schema with a name. */
import {
  errorCodes,
  isNeeded,
  isSchema,
  namedSchemas,
  propertiesOf,
  type Schema,
  schemasIn,
} from '../operations.ts';

export const made = '# Made from the description of the API by `npm run docs`.';

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

export const isKeyword = (name: string): boolean => keywords.has(name);

/** A text as a Python literal. */
export const literal = (value: unknown): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
};

/** A text as a string that documents what stands before it. */
export const docText = (text: string): string =>
  `"""${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""`;

const simple: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

const union = (types: readonly string[]): string => {
  const all = new Set(types);
  // A union with Any is Any.
  return all.has('Any') ? 'Any' : [...all].join(' | ');
};

/** An object without a name of its own: a map, or members beside names that are not known. */
function mapOf(schema: Schema, prefix: string): string {
  const { additionalProperties: rest } = schema;
  if (!isSchema(rest)) return 'dict[str, Any]';
  const members = propertiesOf(schema).map(([, one]) => pythonType(one, prefix));
  return `dict[str, ${union([pythonType(rest, prefix), ...members])}]`;
}

/** The type of one of these values. */
function wordsOf(values: readonly unknown[]): string {
  const words = values.filter((one) => one !== null).map(literal);
  const types = words.length > 0 ? [`Literal[${words.join(', ')}]`] : [];
  return union(values.includes(null) ? [...types, 'None'] : types);
}

/** The type of a schema; `prefix` stands before the names of others. */
export function pythonType(schema: Schema, prefix = ''): string {
  const { $ref, enum: values, const: value, anyOf, type, items } = schema;
  if (typeof $ref === 'string') return prefix + $ref.split('/').at(-1);
  if (Array.isArray(values)) return wordsOf(values);
  if (value !== undefined) return wordsOf([value]);
  if (anyOf !== undefined) return union(schemasIn(anyOf).map((one) => pythonType(one, prefix)));
  if (Array.isArray(type))
    return union(type.map((one) => pythonType({ ...schema, type: one }, prefix)));
  if (type === 'array') return `list[${isSchema(items) ? pythonType(items, prefix) : 'Any'}]`;
  if (type === 'object') return mapOf(schema, prefix);
  return simple[String(type)] ?? 'Any';
}

const documented = ({ description }: Schema, indent: string): string =>
  typeof description === 'string' ? `${indent}${docText(description)}\n` : '';

const memberType = (whole: Schema, name: string, one: Schema): string =>
  isNeeded(whole, name) ? pythonType(one) : `NotRequired[${pythonType(one)}]`;

/** A name for the type of a schema; a TypedDict where it is an object whose members are all named. */
function declared(name: string, schema: Schema): string {
  const members = propertiesOf(schema);
  if (schema.type !== 'object' || members.length === 0 || isSchema(schema.additionalProperties))
    return `${name}: TypeAlias = ${literal(pythonType(schema))}\n${documented(schema, '')}`;
  if (members.some(([key]) => isKeyword(key) || !/^[A-Za-z_]\w*$/.test(key))) {
    const entries = members.map(
      ([key, one]) => `        ${literal(key)}: ${literal(memberType(schema, key, one))},\n`,
    );
    return `${name} = TypedDict(\n    ${literal(name)},\n    {\n${entries.join('')}    },\n)\n${documented(schema, '')}`;
  }
  const fields = members.map(
    ([key, one]) => `    ${key}: ${memberType(schema, key, one)}\n${documented(one, '    ')}`,
  );
  return `class ${name}(TypedDict):\n${documented(schema, '    ')}${fields.join('')}`;
}

/** The names that a schema refers to. */
const referred = (schema: Schema): string[] =>
  [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name = '']) => name,
  );

/** The schemas, each after those that it refers to: mypy takes several times as long for another order. */
function inOrder(): [name: string, schema: Schema][] {
  const all = new Map(namedSchemas);
  const order = new Map<string, Schema>();
  const begun = new Set<string>();
  const place = (name: string) => {
    const schema = all.get(name);
    if (schema === undefined || begun.has(name)) return;
    begun.add(name);
    referred(schema).forEach(place);
    order.set(name, schema);
  };
  for (const [name] of namedSchemas) place(name);
  return [...order];
}

/** The text of clients/python/src/tidemark/types.py. */
export const pythonTypes = (): string => `${made}
"""The bodies of answers and requests."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

${inOrder()
  .map(([name, schema]) => `\n${declared(name, schema)}`)
  .join('\n')}`;

const className = (code: string): string =>
  code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The text of clients/python/src/tidemark/refusals.py: a class for each error of the API. */
export function pythonErrors(): string {
  const classes = errorCodes.map(
    ({ code, status, message }) =>
      `\n\nclass ${className(code)}(TidemarkError):\n    ${docText(`${status}: ${message}.`)}\n`,
  );
  const entries = errorCodes.map(({ code }) => `    "${code}": ${className(code)},\n`);
  return `${made}
"""A class for each error of the API."""

from __future__ import annotations

from .errors import TidemarkError
${classes.join('')}

BY_CODE: dict[str, type[TidemarkError]] = {
${entries.join('')}}
"""The classes by the code in the answer."""
`;
}
