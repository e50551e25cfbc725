/** A tool of the table over the rows that there are: its arguments, and the schemas of what it takes and gives. */
import { paramsOf } from '../endpoints/common-params.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Param, Params, Schema } from '../endpoints/route.ts';
import { paramSchema } from '../endpoints/validate.ts';
import { isObject } from './json-rpc.ts';
import type { ToolRow } from './tool-table.ts';

/** Bytes of an answer: the least and the most that a call may ask for, and what it gets otherwise. */
export const answerBytes = { least: 4_000, most: 200_000, usual: 20_000 } as const;

/** A view with its rows. */
export interface View {
  name: string;
  endpoints: readonly Endpoint[];
  params: Params;
}

/** A tool whose views read rows. */
export interface Tool extends Pick<ToolRow, 'name' | 'title' | 'description' | 'usual'> {
  views: readonly View[];
}

/** The tool as `tools/list` shows it. */
export interface ToolEntry {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema: Schema;
  annotations: Schema;
}

/** Arguments of every tool that reads rows. */
export const pageSchemas: Readonly<Record<string, Schema>> = {
  max_bytes: {
    type: 'integer',
    minimum: answerBytes.least,
    maximum: answerBytes.most,
    default: answerBytes.usual,
    description: 'Largest answer, bytes of JSON. What does not fit is cut, with next_cursor.',
  },
  cursor: {
    type: 'string',
    description: 'next_cursor of the answer before, with the same arguments: the rows after it.',
  },
};

/** Parameters that make no sense in a tool: a call does not wait for the next version. */
const left = new Set(['wait', 'v']);

const paramsIn = (endpoints: readonly Endpoint[]): Params =>
  Object.fromEntries(
    endpoints
      .flatMap(({ row }) => Object.entries(paramsOf(row)))
      .filter(([name]) => !left.has(name))
      .reverse(),
  );

/** The tool with the views whose rows there are; null without any. */
export function toolOf(row: ToolRow, byPath: ReadonlyMap<string, Endpoint>): Tool | null {
  const views = Object.entries(row.views).flatMap(([name, paths]) => {
    const endpoints = paths.flatMap((path) => byPath.get(path) ?? []);
    return endpoints.length < paths.length
      ? []
      : [{ name, endpoints, params: paramsIn(endpoints) }];
  });
  const { name, title, description, usual } = row;
  return views.length === 0 ? null : { name, title, description, usual, views };
}

/** What several schemas of one argument have in common; the words of all of them. */
function common(params: readonly Param[]): Schema {
  const [first, ...others] = params.map((param): Schema => paramSchema(param));
  if (first === undefined) return {};
  const same = Object.entries(first).filter(
    ([keyword, value]) =>
      keyword !== 'enum' &&
      others.every((other) => JSON.stringify(other[keyword]) === JSON.stringify(value)),
  );
  const words = params.map((param) => param.enum);
  const all = words.every((list) => list !== undefined) ? [...new Set(words.flat())] : null;
  return { ...Object.fromEntries(same), ...(all !== null && { enum: all }) };
}

/** The argument as its schema, with the views that take it where that is not all of them. */
function argumentOf(name: string, { views, usual }: Tool): Schema {
  const taking = views.filter(({ params }) => name in params);
  const params = taking.flatMap((view) => view.params[name] ?? []);
  const [first] = params;
  const of =
    taking.length === views.length ? '' : ` (view ${taking.map((v) => v.name).join(', ')})`;
  return {
    ...common(params),
    ...(usual?.[name] !== undefined && { default: usual[name] }),
    description: `${first?.description ?? ''}${of}`,
    ...(first?.example !== undefined && { examples: [first.example] }),
  };
}

/** Arguments without which no view can answer. */
const requiredIn = (views: readonly View[], names: readonly string[]): string[] =>
  names.filter((name) => views.every(({ params }) => params[name]?.required === true));

function inputOf(tool: Tool): Schema {
  const { views } = tool;
  const names = [...new Set(views.flatMap(({ params }) => Object.keys(params)))];
  const required = requiredIn(views, names);
  const [usual] = views;
  const words = views.map(({ name }) => name);
  const view = { type: 'string', enum: words, default: usual?.name, description: 'What to read.' };
  return {
    type: 'object',
    properties: {
      ...(views.length > 1 && { view }),
      ...Object.fromEntries(names.map((name) => [name, argumentOf(name, tool)])),
      ...pageSchemas,
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Keywords that say nothing about the form. */
const words = new Set(['description', 'title', 'example', 'examples', 'minItems', 'default']);

/** The form of a schema: the descriptions of numbers stand in each answer as its `units`. */
function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key]) => !words.has(key) && !key.startsWith('x-'));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'properties' ? members(value) : bare(value)]),
  );
}

const members = (properties: unknown): unknown =>
  isObject(properties)
    ? Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, bare(of)]))
    : properties;

const text = { type: 'string' };
const whole = { type: 'integer' };
const texts = { type: 'array', items: text };

/** The answer of one row with what it is. */
const partOf = (data: Schema): Schema => ({
  type: 'object',
  properties: {
    about: text,
    source: text,
    as_of: { type: ['integer', 'null'] },
    age_ms: { type: ['integer', 'null'] },
    units: { type: 'object', additionalProperties: text },
    from_outside: texts,
    data,
    error: {
      type: 'object',
      properties: { code: text, message: text },
      required: ['code', 'message'],
    },
  },
  required: ['about', 'source'],
});

/** The schema of an answer whose parts stand under `answers`. */
const outputWith = (answers: Schema): Schema => ({
  type: 'object',
  properties: {
    answers,
    at: whole,
    simulated: { const: true },
    rows: {
      type: 'object',
      properties: { shown: whole, total: whole },
      required: ['shown', 'total'],
    },
    truncated: { type: 'boolean' },
    data_changed: { const: true },
    note: text,
    next_cursor: { type: ['string', 'null'] },
  },
  required: ['answers', 'at', 'rows', 'truncated', 'next_cursor'],
});

/** Of an answer to any path. */
export const anyOutput = outputWith({ type: 'object', additionalProperties: partOf({}) });

function outputOf({ views }: Tool): Schema {
  const endpoints = new Set(views.flatMap((view) => view.endpoints));
  const parts = [...endpoints].map(({ row }) => [row.path, partOf(formOf(row.answer ?? {}))]);
  return outputWith({ type: 'object', properties: Object.fromEntries(parts) });
}

function formOf(schema: Schema): Schema {
  const form = bare({ ...schema });
  return isObject(form) ? form : {};
}

/** Every tool reads and changes nothing; what it reads is outside, in markets and on chains. */
export const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** The tool as it is listed. */
export const entryOf = (tool: Tool): ToolEntry => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: inputOf(tool),
  outputSchema: outputOf(tool),
  annotations,
});
