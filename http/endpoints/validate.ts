import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { nearestOf } from '../../indicators/words.ts';
import { type Kept, notKept } from '../answers/snapshots.ts';
import { isLinked, linkLines } from '../auth/link.ts';
import { BoundedMap } from '../wire/bounded-map.ts';
import { type ApiError, apiError, errors, isApiError } from '../wire/errors.ts';
import { type CheckedRow, paramsOf } from './common-params.ts';
import { type Format, formatOf } from './format.ts';
import type { Freshness } from './freshness.ts';
import { decodePart, malformed, parseQuery } from './query-string.ts';
import type { Param, Params, Schema } from './route.ts';
import { asEnumWord, typed } from './texts.ts';
import { timeForms } from './times.ts';

/** The checked values for the handler, or an error. `freshness` is absent where the request says nothing of it. */
type Outcome =
  | {
      readonly values: Readonly<Record<string, string | number>>;
      readonly freshness?: Freshness;
      /** Null where the request does not state it. */
      readonly format: Format | null;
      /** The request asks for what was recorded, which answers in place of the present. */
      readonly isPast: boolean;
      /** The answer that a request with these values was given last. */
      kept: Kept;
    }
  | ApiError;

/** The outcome of a check, and what the answer says of it. */
export type Checked = Outcome & {
  /** Names of parameters that the row does not have, as the answer shows them: at most `mostUnknown`. */
  readonly unknown: readonly string[];
  /** Header lines for the answer; each follows a line break. */
  readonly notes: string;
};

/** Checks a raw query string and the raw path segments of the path parameters, in their order. */
export type Check = (query: string, segments: readonly string[]) => Checked;

// The first query of a row waits for its check, which is compiled in 60 % of the time without the optimizer.
const ajv = new Ajv2020({ useDefaults: true, code: { optimize: false } });

/** Most queries in memory per row, and the longest one: together they bound the memory. */
const capacity = 2000;
const longest = 128;

/** Most unknown parameters that the client learns, and characters of each. */
const mostUnknown = 8;
const shown = 64;

/** Names in the `{}` of a path, in order. */
export const pathNames = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].flatMap((match) => match[1] ?? []);

/** The JSON Schema of one parameter, for the check and the documentation. Text is never empty. */
export function paramSchema(param: Param) {
  const {
    required: _,
    example: __,
    description: ___,
    unlisted: ____,
    time: _____,
    step: ______,
    resolve: _______,
    lenient,
    ...keywords
  } = param;
  if (lenient) return { ...keywords };
  return keywords.type === 'string' && !keywords.enum
    ? { ...keywords, minLength: 1 }
    : { ...keywords };
}

/** Accepts every value; the default applies when it is absent. */
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

/** The allowed values of a parameter, in words that follow `must be`. */
function allowed({ type, enum: words, time, minimum, maximum, ...text }: Param): string {
  if (words) return `one of ${words.join(', ')}`;
  if (time) return timeForms[time];
  if (type === 'string') {
    const { pattern, maxLength } = text;
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

function fault(
  params: Params,
  error: ErrorObject | undefined,
  values: Readonly<Record<string, string | number>>,
): ApiError {
  const missing = error?.keyword === 'required';
  const name = missing ? String(error.params.missingProperty) : error?.instancePath.slice(1);
  const param = params[name ?? ''];
  if (name === undefined || param === undefined) return apiError('bad_parameter');
  const hint = param.enum || param.type !== 'string' ? `: ${allowed(param)}` : '';
  const parameter = { name, missing };
  if (missing) return apiError('bad_parameter', `${name} is required${hint}`, { parameter });
  const message = `${name} must be ${allowed(param)}`;
  const { unlisted } = param;
  if (error?.keyword !== 'enum' || unlisted === undefined || values[name] === '') {
    return apiError('bad_parameter', message, { parameter });
  }
  return apiError(unlisted, `${errors[unlisted].message}: ${message}`, { parameter });
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

/** 2000-01-01 in seconds, and the least time that is taken for milliseconds from there on: March 1973. */
const [firstSecond, firstMs] = [946_684_800, 100_000_000_000];

const backwards = apiError('bad_parameter', 'from must not be later than to');

/** The error of a time in seconds where ms are meant, or of a range that ends before it begins; null for any other. */
function timeFault(
  values: Readonly<Record<string, string | number>>,
  params: Params,
): ApiError | null {
  for (const [name, time] of Object.entries(values)) {
    const isSeconds = typeof time === 'number' && time >= firstSecond && time < firstMs;
    if (!isSeconds || params[name]?.time !== 'ms') continue;
    return apiError('bad_parameter', `${name} must be Unix milliseconds: ${time} is in seconds`);
  }
  const { from, to } = values;
  const isRange = params.from?.time === 'ms' && typeof from === 'number' && typeof to === 'number';
  return isRange && from > to ? backwards : null;
}

/** Whether a request with these values is answered out of the records. */
const isAboutPast = (
  { past, explainAsked }: CheckedRow,
  { at, explain }: Readonly<Record<string, string | number>>,
): boolean =>
  past !== undefined && (at !== undefined || (explainAsked === true && explain === '1'));

/** The values that are for the handler, apart from those that every row takes. */
function splitCommon(given: Record<string, string | number>, row: CheckedRow): Outcome {
  const { max_age, wait, format, ...values } = given;
  Object.freeze(values);
  const asked = (value: string | number | undefined) =>
    value === undefined ? null : Number(value);
  const isPast = isAboutPast(row, values);
  const common = { values, format: formatOf(format), isPast, kept: notKept };
  if (max_age === undefined && wait === undefined) return common;
  return { ...common, freshness: { maxAge: asked(max_age), wait: asked(wait) } };
}

/** The error for a request that has parameters which its row does not have, and prefers one to having them ignored. */
export function strictly({ unknown }: Pick<Checked, 'unknown'>, row: CheckedRow): Checked {
  const names = Object.keys(paramsOf(row));
  const said = unknown.map((name) => {
    const nearest = nearestOf(name, names);
    const hint = nearest === undefined ? 'this path takes none' : `the nearest is ${nearest}`;
    return `there is no parameter ${JSON.stringify(name)}, ${hint}`;
  });
  const error = apiError('bad_parameter', said.join('; '));
  return { ...error, unknown: [], notes: '\r\npreference-applied: handling=strict' };
}

/** The values of a query and of path segments that are checked. */
interface Given {
  known: Map<string, string>;
  row: CheckedRow;
  params: Params;
  validate: ValidateFunction;
}

function outcomeOf({ known, row, params, validate }: Given): Outcome {
  const values: Record<string, string | number> = {};
  for (const [name, text] of known)
    values[name] = typed(asEnumWord(text, params[name]), params[name] ?? { type: 'string' });
  const wrong = timeFault(values, params);
  if (wrong !== null) return wrong;
  return validate(values) ? splitCommon(values, row) : fault(params, validate.errors?.[0], values);
}

/** The names of unknown parameters as an answer shows them. */
function namesOf(unknown: Set<string>): string[] {
  unknown.delete('strict');
  return [...unknown].slice(0, mostUnknown).map((name) => name.slice(0, shown).toWellFormed());
}

const ignoredLine = (unknown: readonly string[]): string =>
  unknown.length === 0
    ? ''
    : `\r\nignored-parameters: ${unknown.map(encodeURIComponent).join(', ')}`;

const asksStrict = /(?:^|&)strict=1(?:&|$)/;

/** The check of one row without memory of past queries. */
function compile(row: CheckedRow): Check {
  const { path } = row;
  const params = paramsOf(row);
  const validate = ajv.compile(tableSchema(params));
  const names = pathNames(path);
  const inQuery = Object.entries(params).filter(([name]) => !names.includes(name));
  const queryParams = Object.fromEntries(inQuery);
  return (query, segments) => {
    const given = parseQuery(query, queryParams);
    if (isApiError(given)) {
      return { ...given, unknown: [], notes: isLinked(query) ? linkLines : '' };
    }
    const lines = given.unknown.delete('link') ? linkLines : '';
    const unknown = namesOf(given.unknown);
    if (unknown.length > 0 && asksStrict.test(query)) {
      const refused = strictly({ unknown }, row);
      return { ...refused, notes: lines + refused.notes };
    }
    const notes = lines + ignoredLine(unknown);
    const broken = addSegments(given.known, names, segments);
    return {
      ...(broken ?? outcomeOf({ known: given.known, row, params, validate })),
      unknown,
      notes,
    };
  };
}

/**
 * Compiles the check of a row at its first query: all rows at once would be a third of the start of a worker. The frozen values of a query that has passed stay in memory, so that a repeated
 * query costs one look-up. The oldest of 2,000 is dropped first; refused queries are not stored.
 */
export function createCheck(row: CheckedRow): Check & { size(): number } {
  let compute: Check | undefined;
  const passed = new BoundedMap<string, Checked>({ entries: capacity });
  const check: Check = (query, segments) => {
    const key = segments.length === 0 ? query : `${segments.join('/')}?${query}`;
    const known = passed.get(key);
    if (known !== undefined) return known;
    compute ??= compile(row);
    const checked = compute(query, segments);
    if (!isApiError(checked) && key.length <= longest) passed.set(key, checked);
    return checked;
  };
  return Object.assign(check, { size: () => passed.size });
}
