import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from '../../actors/topics/schema.ts';
import { isRecord } from '../../config/values.ts';
import { listedWord } from '../../indicators/words.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import type { Schema } from './route.ts';

/** The body of a request, checked by the schema of its row; undefined for a row without one. */
export type CheckedBody = { readonly value: unknown } | ApiError;

/** Checks a body by the text of `Content-Type` and its bytes. */
export type CheckBody = (contentType: string, bytes: Buffer) => CheckedBody;

const ajv = new Ajv2020({ useDefaults: true, verbose: true });

const none: CheckedBody = { value: undefined };
const bad = (message: string): ApiError => apiError('bad_parameter', message);

const unwanted = bad('this path takes no request body');
const absent = bad('a JSON request body is required');
const broken = bad('the request body is not valid JSON');
const otherType = apiError('unsupported_media_type');

/** Whether `Content-Type` says JSON. */
export const isJson = (contentType: string): boolean =>
  /^application\/json\s*(?:;|$)/i.test(contentType.trim());

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The allowed values of a schema, in words that follow `must be`. */
function allowed(schema: Schema): string {
  const { enum: values, const: value, anyOf, oneOf } = schema;
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  if (value !== undefined) return JSON.stringify(value);
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return branches.map(allowed).join(' or ');
  const types: unknown[] = [schema.type].flat();
  return types.map((type) => ofType(schema, String(type))).join(' or ');
}

const nouns: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  boolean: 'true or false',
  null: 'null',
};

function ofType(schema: Schema, type: string): string {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, pattern } = schema;
  if (type === 'string') {
    const form = pattern === undefined ? '' : ` that matches ${pattern}`;
    return `text${between(' of', minLength, maxLength, ' characters')}${form}`;
  }
  if (type === 'array') return `an array${between(' of', minItems, maxItems, ' entries')}`;
  if (type === 'integer') return `a whole number${between(',', minimum, maximum)}`;
  if (type === 'number') return `a number${between(',', minimum, maximum)}`;
  return nouns[type] ?? 'valid';
}

function between(prefix: string, min: unknown, max: unknown, unit = ''): string {
  if (min !== undefined && max !== undefined) {
    return `${prefix === ',' ? ' from' : prefix} ${min} to ${max}${unit}`;
  }
  if (min !== undefined) return `${prefix} at least ${min}${unit}`;
  return max === undefined ? '' : `${prefix} at most ${max}${unit}`;
}

/** `/indicators/2/name` as `indicators[2].name`. */
const named = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

function fault({ keyword, instancePath, params, parentSchema }: ErrorObject): ApiError {
  const path = named(instancePath);
  const member = (name: unknown) => (path === '' ? String(name) : `${path}.${name}`);
  const what = path === '' ? 'the request body' : path;
  if (keyword === 'required') return bad(`${member(params.missingProperty)} is required`);
  if (keyword === 'additionalProperties') {
    return bad(`${member(params.additionalProperty)} is not a known field`);
  }
  if (keyword === 'uniqueItems') return bad(`${what} must not hold the same entry twice`);
  return bad(`${what} must be ${allowed(parentSchema ?? {})}`);
}

/** Replaces the words of the top-level fields of a body by those of their enums, in any case. */
function wordFields(schema: Schema): (body: unknown) => void {
  const fields = Object.entries(schema.properties ?? {}).flatMap(
    ([name, field]: [string, Schema]) =>
      Array.isArray(field.enum)
        ? [{ name, words: field.enum.filter((w) => typeof w === 'string') }]
        : [],
  );
  return (body) => {
    if (typeof body !== 'object' || body === null) return;
    for (const { name, words } of fields) {
      const text: unknown = Reflect.get(body, name);
      const word = typeof text === 'string' ? listedWord(words, text) : undefined;
      if (word !== undefined) Reflect.set(body, name, word);
    }
  };
}

const objects = (list: unknown): Schema[] => (Array.isArray(list) ? list.filter(isRecord) : []);

/** The schemas that a value may have by a schema: those of its choices, else itself. */
const choicesOf = (schema: Schema): Schema[] => {
  const choices = objects(schema.anyOf ?? schema.oneOf);
  return choices.length === 0 ? [schema] : choices.flatMap(choicesOf);
};

const takesNull = ({ type, enum: values, const: value }: Schema): boolean =>
  value === null ||
  [type].flat().includes('null') ||
  (Array.isArray(values) && values.includes(null)) ||
  (type === undefined && values === undefined && value === undefined);

/** The schemas of a member of an object by those of the object. */
const membersOf = (schemas: readonly Schema[], name: string): Schema[] => {
  const named = schemas.map(({ properties }) =>
    isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined,
  );
  return objects(named).flatMap(choicesOf);
};

/** Deletes the nulls that typed clients write for absent members: those of known names that take none. */
function withoutNulls(schemas: readonly Schema[], value: unknown): void {
  if (Array.isArray(value)) {
    const items = objects(schemas.map(({ items }) => items)).flatMap(choicesOf);
    for (const item of value) withoutNulls(items, item);
  }
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'object') continue;
    const members = membersOf(schemas, name);
    if (member !== null) withoutNulls(members, member);
    else if (members.length > 0 && !members.some(takesNull)) Reflect.deleteProperty(value, name);
  }
}

function parse(bytes: Buffer): CheckedBody {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return broken;
  }
}

/**
 * The check of the body of a row, compiled at the first body; without a schema only an empty body passes.
 * In a change (PATCH) a null may be meant to remove a value, so it is not taken for an absent member.
 */
export function createBodyCheck(schema: TSchema | undefined, method = 'POST'): CheckBody {
  if (schema === undefined) return (_, bytes) => (bytes.length === 0 ? none : unwanted);
  let validate: ValidateFunction | undefined;
  const settleWords = wordFields({ ...schema });
  return (contentType, bytes) => {
    if (bytes.length === 0) return absent;
    if (!isJson(contentType)) return otherType;
    const parsed = parse(bytes);
    if (!('value' in parsed)) return parsed;
    if (method !== 'PATCH') withoutNulls(choicesOf(schema), parsed.value);
    settleWords(parsed.value);
    validate ??= ajv.compile(schema);
    if (validate(parsed.value)) return parsed;
    // anyOf reports the errors of each branch first and its own error last.
    const error = validate.errors?.at(-1);
    return error === undefined ? bad('the request body is not valid') : fault(error);
  };
}
