import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type ApiError, apiError } from './errors.ts';
import type { Schema } from './routes/route.ts';

/** What a request carries, as its row's schema has checked it; undefined for a row without one. */
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The words for a schema, which continue `must be`. */
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

function between(joint: string, least: unknown, most: unknown, unit = ''): string {
  if (least !== undefined && most !== undefined) {
    return `${joint === ',' ? ' from' : joint} ${least} to ${most}${unit}`;
  }
  if (least !== undefined) return `${joint} at least ${least}${unit}`;
  return most === undefined ? '' : `${joint} at most ${most}${unit}`;
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

function parse(bytes: Buffer): CheckedBody {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return broken;
  }
}

/** Compiles the check of a row's body; without a schema, nothing but an empty body passes. */
export function createBodyCheck(schema: Schema | undefined): CheckBody {
  if (schema === undefined) return (_, bytes) => (bytes.length === 0 ? none : unwanted);
  const validate = ajv.compile(schema);
  return (contentType, bytes) => {
    if (bytes.length === 0) return absent;
    if (!/^application\/json\s*(?:;|$)/i.test(contentType.trim())) return otherType;
    const parsed = parse(bytes);
    if (!('value' in parsed) || validate(parsed.value)) return parsed;
    // A choice of schemas reports each branch first and itself last.
    const error = validate.errors?.at(-1);
    return error === undefined ? bad('the request body is not valid') : fault(error);
  };
}
