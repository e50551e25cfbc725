/** A tool of the table over the rows that there are: its arguments, and the schemas of what it takes and gives. */
import { paramsOf } from '../endpoints/common-params.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Param, Params, Schema } from '../endpoints/route.ts';
import { paramSchema } from '../endpoints/validate.ts';
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
    description: 'Largest answer, bytes; the rest comes by cursor.',
  },
  cursor: {
    type: 'string',
    description: 'next_cursor of the answer to the same arguments.',
  },
};

/** Parameters that make no sense in a tool: a call does not wait for the next version, and answers are JSON. */
const left = new Set(['wait', 'v', 'format']);
/** Keywords of an argument that help nobody to choose it; the path checks them. */
const checked = new Set(['pattern', 'minLength', 'maxLength', 'maxItems', 'minItems']);

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

/** Words for arguments of nearly every tool. */
const brief: Readonly<Record<string, string>> = {
  max_age: 'Oldest age of the newest reading, ms; an older answer is an error.',
};

/** What several schemas of one argument have in common; the words of all of them. */
function common(params: readonly Param[]): Schema {
  const [first, ...others] = params.map((param): Schema => paramSchema(param));
  if (first === undefined) return {};
  const same = Object.entries(first).filter(
    ([keyword, value]) =>
      keyword !== 'enum' &&
      !checked.has(keyword) &&
      others.every((other) => JSON.stringify(other[keyword]) === JSON.stringify(value)),
  );
  const words = params.map((param) => param.enum);
  const all = words.every((list) => list !== undefined) ? [...new Set(words.flat())] : null;
  return { ...Object.fromEntries(same), ...(all !== null && { enum: all }) };
}

/** The views that take an argument, or those that do not where these are fewer; nothing where all do. */
function takers(name: string, views: readonly View[]): string {
  const namesOf = (of: readonly View[]) => of.map((view) => view.name).join(', ');
  const [taking, others] = [true, false].map((takes) =>
    views.filter(({ params }) => name in params === takes),
  );
  if (!taking || !others || others.length === 0) return '';
  return taking.length > others.length
    ? ` (not view ${namesOf(others)})`
    : ` (view ${namesOf(taking)})`;
}

/** The argument as its schema, with the views that take it where that is not all of them. */
function argumentOf(name: string, { views, usual }: Tool): Schema {
  const params = views.flatMap((view) => view.params[name] ?? []);
  const [first] = params;
  return {
    ...common(params),
    ...(usual?.[name] !== undefined && { default: usual[name] }),
    description: `${brief[name] ?? first?.description ?? ''}${takers(name, views)}`,
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

/** Any value: what it is stands in docs/mcp.md and, of the data, in the answer itself (`units`). */
const any = {};

/** What every answer to paths has. The form of `data` is that of the path, in the resource `tidemark://openapi.json`. */
export const anyOutput: Schema = {
  type: 'object',
  properties: {
    answers: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          ...{ about: any, source: any, as_of: any, age_ms: any, units: any },
          ...{ from_outside: any, data: any, error: any },
        },
        required: ['about', 'source'],
      },
    },
    ...{ at: any, simulated: any, left_out: any, rows: any },
    ...{ truncated: { type: 'boolean' }, data_changed: any, note: any },
    next_cursor: { type: ['string', 'null'] },
  },
  required: ['answers', 'at', 'rows', 'truncated', 'next_cursor'],
};

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
  outputSchema: anyOutput,
  annotations,
});
