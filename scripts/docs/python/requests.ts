/** The requests of the Python client: a function for each operation. */
import {
  type ClientOperation,
  isNeeded,
  operations,
  propertiesOf,
  type Schema,
  schemasIn,
} from '../operations.ts';
import { tableIn } from './tables.ts';
import { docText, isKeyword, literal, made, pythonType } from './types.ts';

const snake = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');

/** `GET /v1/open-interest/ohlc` is `open_interest_ohlc`, `DELETE /v1/auth/keys/{id}` is `delete_auth_keys_by_id`. */
function functionName({ method, path }: ClientOperation): string {
  const name = snake(path.replace(/^\/v\d+/, '').replaceAll(/\{(\w+)\}/g, 'by_$1'));
  return method === 'GET' ? name : `${method.toLowerCase()}_${name}`;
}

const argument = (name: string): string => (isKeyword(name) ? `${name}_` : name);

/** The type of the argument for a parameter: what is given as text there may be a list, a time or a boolean here. */
function argumentType(name: string, schema: Schema): string {
  const { enum: words, description } = schema;
  if (['from', 'to', 'at'].includes(name)) return 'Time';
  if (Array.isArray(words) && words.join() === '0,1') return 'bool';
  if (!Array.isArray(words) && /\bcommas\b/.test(String(description))) return 'Words';
  return pythonType(schema, 't.');
}

/** One form of a function: the data it is answered with, and the parameter that chooses it. */
interface Form {
  data: Schema;
  chosenBy: string | null;
  /** Parameters that would choose an earlier form. */
  without: readonly string[];
}

/** The forms of a function; a single one where nothing chooses among them. */
function formsOf({ data, choices }: ClientOperation): Form[] {
  if (choices.length === 0) return [{ data, chosenBy: null, without: [] }];
  return schemasIn(data.anyOf).map((one, i) => ({
    data: one,
    chosenBy: choices[i] ?? null,
    without: choices
      .slice(0, i)
      .filter((name): name is string => name !== null && name !== undefined),
  }));
}

/** The lines of the arguments, those that must be given first. */
function argumentsOf(operation: ClientOperation, form: Form | null): string[] {
  const { params, body } = operation;
  const all = propertiesOf(params).map(([name, schema]) => {
    const type = argumentType(name, schema);
    const isGiven = isNeeded(params, name) || form?.chosenBy === name;
    if (isGiven) return { isGiven, line: `${argument(name)}: ${type}` };
    if (form?.without.includes(name)) return { isGiven, line: `${argument(name)}: None = None` };
    return { isGiven, line: `${argument(name)}: ${type} | None = None` };
  });
  const needed = all.filter(({ isGiven }) => isGiven);
  const others = all.filter(({ isGiven }) => !isGiven);
  const named = [...needed, ...others].map(({ line }) => line);
  const sent = body === undefined ? [] : [`body: ${pythonType(body, 't.')}`];
  return [...sent, ...(named.length > 0 ? ['*', ...named] : [])];
}

/** The type of the request that a form makes. */
function requestType(operation: ClientOperation, { data }: Form): string {
  const type = pythonType(data, 't.');
  if (operation.method !== 'GET') return `Act[${type}]`;
  const table = tableIn(data, operation);
  const row = table?.row ? pythonType(table.row, 't.') : 'dict[str, Any]';
  return `Query[${type}, ${row}]`;
}

const signature = (name: string, lines: readonly string[], type: string): string =>
  lines.length === 0
    ? `def ${name}() -> ${type}:`
    : `def ${name}(\n${lines.map((line) => `    ${line},\n`).join('')}) -> ${type}:`;

function docOf({ method, path, summary, params }: ClientOperation): string {
  const lines = propertiesOf(params).map(
    ([name, { description }]) => `\n    ${argument(name)}: ${String(description)}`,
  );
  const rest = lines.length > 0 ? `\n${lines.join('')}\n    ` : '';
  return `    ${docText(`${summary}.\n\n    \`${method} ${path}\`${rest}`)}\n`;
}

/** The function of an operation. */
function written(operation: ClientOperation): string {
  const { method, path, params, body } = operation;
  const name = functionName(operation);
  const forms = formsOf(operation);
  const entries = propertiesOf(params).map(([one]) => `${literal(one)}: ${argument(one)}`);
  const given = `{${entries.join(', ')}}`;
  const tables = forms.flatMap(({ data }) => tableIn(data, operation)?.text ?? []);
  const listed = tables.map((text) => `            ${text},\n`).join('');
  const made =
    method === 'GET'
      ? `Query(\n        ${literal(path)},\n        ${given},\n        (${listed && `\n${listed}        `}),\n    )`
      : `Act(${literal(method)}, ${literal(path)}, ${given}, ${body === undefined ? 'None' : 'body'})`;
  const [first, ...others] = forms;
  const one = first !== undefined && others.length === 0;
  const overloads = one
    ? []
    : forms.map(
        (form) =>
          `@overload\n${signature(name, argumentsOf(operation, form), requestType(operation, form))} ...\n\n\n`,
      );
  const type = one ? requestType(operation, first) : 'Query[Any, Any]';
  const head = signature(name, argumentsOf(operation, null), type);
  return `${overloads.join('')}${head}\n${docOf(operation)}    return ${made}\n`;
}

/** The text of clients/python/src/tidemark/v1.py or v2.py. */
export function pythonRequests(version: 'v1' | 'v2'): string {
  const own = operations.filter(({ path }) => path.startsWith(`/${version}/`));
  return `${made}
"""The requests of \`/${version}\`: a \`Query\` is for \`get\`, \`pages\` or \`subscribe\` of a client, an \`Act\` for \`send\`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from .request import Act, Query, Table, Time, Words

if TYPE_CHECKING:
    from . import types as t

${own.map((operation) => `\n${written(operation)}`).join('\n')}`;
}
