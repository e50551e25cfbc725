import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type ApiError, apiError, isApiError } from './errors.ts';
import { decodePart, malformed, parseQuery } from './query.ts';
import type { Param, Params, Route, Schema } from './routes/route.ts';

/** What a handler is called with, or why it is not called. */
export type Checked = { readonly values: Readonly<Record<string, string | number>> } | ApiError;

/** Checks a raw query string and the raw path segments that stand for path parameters, in their order. */
export type Check = (query: string, segments: readonly string[]) => Checked;

const ajv = new Ajv2020({ useDefaults: true });

/** Queries that are remembered per row, and the longest that is: together they bound the memory. */
const capacity = 1000;
const longest = 128;

/** Names in the `{}` of a path, in order. */
export const pathNames = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].flatMap((match) => match[1] ?? []);

/** The JSON Schema of one parameter, as it is checked and as it is documented. Text is never empty. */
export function paramSchema(param: Param) {
  const { required: _, example: __, description: ___, anyCase: ____, lenient, ...keywords } = param;
  if (lenient) return { ...keywords };
  return keywords.type === 'string' && !keywords.enum
    ? { ...keywords, minLength: 1 }
    : { ...keywords };
}

/** Whatever was sent; what was not is what the table says. */
const lenientSchema = ({ type, default: fallback }: Param): Schema => ({
  type,
  ...(fallback !== undefined && { default: fallback }),
});

function tableSchema(params: Params): Schema {
  const entries = Object.entries(params);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, param]) => [
        name,
        param.lenient ? lenientSchema(param) : paramSchema(param),
      ]),
    ),
    required: entries.filter(([, param]) => param.required && !param.lenient).map(([name]) => name),
  };
}

/** What a parameter may be, in words that continue `must be`. */
function allowed({ type, enum: words, minimum, maximum, pattern, maxLength }: Param): string {
  if (words) return `one of ${words.join(', ')}`;
  if (type === 'string') {
    const size =
      maxLength === undefined ? 'text that is not empty' : `1 to ${maxLength} characters`;
    return pattern === undefined ? size : `${size} and match ${pattern}`;
  }
  const noun = type === 'integer' ? 'a whole number' : 'a number';
  if (minimum !== undefined && maximum !== undefined)
    return `${noun} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${noun}, at least ${minimum}`;
  return maximum === undefined ? noun : `${noun}, at most ${maximum}`;
}

function fault(params: Params, error: ErrorObject | undefined): ApiError {
  const missing = error?.keyword === 'required';
  const name = missing ? String(error.params.missingProperty) : error?.instancePath.slice(1);
  const param = params[name ?? ''];
  if (name === undefined || param === undefined) return apiError('bad_parameter');
  const hint = param.enum || param.type !== 'string' ? `: ${allowed(param)}` : '';
  const message = missing ? `${name} is required${hint}` : `${name} must be ${allowed(param)}`;
  return apiError('bad_parameter', message);
}

/** Plain decimal notation only; ajv's own coercion would also take `1e2`, ` 5` and `0x10`. */
const notation = { integer: /^(?:0|-?[1-9]\d*)$/, number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/ };

/** The number that a text says, or the text itself, which the schema then refuses. */
function typed(text: string, type: Param['type']): string | number {
  if (type === 'string' || !notation[type].test(text)) return text;
  const value = Number(text);
  return type === 'integer' && !Number.isSafeInteger(value) ? text : value;
}

/** A text as its parameter has it: the enum's own word for one in another case. */
function worded(text: string, param: Param | undefined): string {
  if (param?.anyCase !== true) return text;
  return param.enum?.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text;
}

/** Adds the decoded path parameters to `given`; the error if one cannot be decoded. */
function addSegments(
  given: Map<string, string>,
  names: readonly string[],
  segments: readonly string[],
): ApiError | null {
  for (const [i, name] of names.entries()) {
    const value = decodePart(segments[i] ?? '');
    if (value === null) return malformed(name);
    given.set(name, value);
  }
  return null;
}

/** The check of one row, without memory. */
function compile({ params, path }: Pick<Route, 'params' | 'path'>): Check {
  const validate = ajv.compile(tableSchema(params));
  const names = pathNames(path);
  const inQuery = Object.entries(params).filter(([name]) => !names.includes(name));
  const queryParams = Object.fromEntries(inQuery);
  return (query, segments) => {
    const given = parseQuery(query, queryParams);
    if (isApiError(given)) return given;
    const broken = addSegments(given, names, segments);
    if (broken !== null) return broken;
    const values: Record<string, string | number> = {};
    for (const [name, text] of given)
      values[name] = typed(worded(text, params[name]), params[name]?.type ?? 'string');
    if (!validate(values)) return fault(params, validate.errors?.[0]);
    return { values: Object.freeze(values) };
  };
}

/** Keeps one more passed check and lets the oldest go when there are too many. */
function keep(kept: Map<string, Checked>, key: string, checked: Checked): void {
  const oldest = kept.size < capacity ? undefined : kept.keys().next().value;
  if (oldest !== undefined) kept.delete(oldest);
  kept.set(key, checked);
}

/**
 * Compiles the check of a row once. A query that has passed is remembered as its frozen values, so that a client
 * that repeats itself costs one look-up; the oldest of 1,000 goes first, and a refused query is not kept.
 */
export function createCheck(row: Pick<Route, 'params' | 'path'>): Check & { size(): number } {
  const compute = compile(row);
  const kept = new Map<string, Checked>();
  const check: Check = (query, segments) => {
    const key = segments.length === 0 ? query : `${segments.join('/')}?${query}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const checked = compute(query, segments);
    if (!isApiError(checked) && key.length <= longest) keep(kept, key, checked);
    return checked;
  };
  return Object.assign(check, { size: () => kept.size });
}
