import { STATUS_CODES } from 'node:http';
import type { TSchema } from '../actors/topics/schema.ts';
import { tableOf } from './csv-rows.ts';
import { errors } from './errors.ts';
import type { Route, Schema } from './routes/route.ts';
import { paramSchema, pathNames } from './validate.ts';

interface Ref {
  $ref: string;
}

interface Parameter {
  name: string;
  in: 'query' | 'path';
  required?: true;
  description: string;
  schema: Schema;
  example?: string | number;
}

/** The OpenAPI operation of a row. */
export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Record<string, { schema: TSchema }> };
  responses: Record<string, Schema | Ref>;
  security?: Record<string, string[]>[];
}

/** An OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1.html). */
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<'schemas' | 'headers' | 'responses' | 'securitySchemes', Schema>;
}

const ref = (kind: string, name: string): Ref => ({ $ref: `#/components/${kind}/${name}` });

const word = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `GET /v2/dex/token/{address}` is `getV2DexTokenByAddress`. */
const operationId = ({ method, path }: Route): string =>
  method.toLowerCase() +
  path
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `by-${name}`)
    .split(/\W+/)
    .map(word)
    .join('');

function parameters({ path, params }: Route): Parameter[] {
  const inPath = pathNames(path);
  return Object.entries(params).map(([name, param]) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    ...(param.required && { required: true }),
    description: param.description,
    schema: paramSchema(param),
    ...(param.example !== undefined && { example: param.example }),
  }));
}

const timestamp = { type: 'integer', description: 'Response time, Unix milliseconds.' };

/** The envelope of an answer (specification 2.1). */
const envelope = (data: TSchema): Schema => ({
  type: 'object',
  properties: { status: { const: 'ok' }, timestamp, data },
  required: ['status', 'timestamp', 'data'],
});

/** Headers of every answer: the state of the quota, and ignored parameters. */
const usualHeaders = {
  RateLimit: ref('headers', 'RateLimit'),
  'RateLimit-Policy': ref('headers', 'RateLimitPolicy'),
  'X-RateLimit-After': ref('headers', 'RateLimitAfter'),
  'Retry-After': ref('headers', 'RetryAfter'),
  'Ignored-Parameters': ref('headers', 'IgnoredParameters'),
};

/** The envelope of a failure with status 200; `data` is an empty answer. */
const softFailure = (data: TSchema): Schema => ({
  type: 'object',
  properties: {
    status: { const: 'error' },
    timestamp,
    code: { const: 'portfolio_failed' },
    message: { type: 'string', description: 'Which step failed, in words.' },
    data,
  },
  required: ['status', 'timestamp', 'code', 'message', 'data'],
});

const csvSchema = { type: 'string', description: 'The rows alone, without the envelope.' };

function okResponse(row: Route): Schema {
  const { from, answer, creates, soft } = row;
  const description = creates ? 'Created.' : 'The answer.';
  if (!('raw' in from)) {
    const good = envelope(answer ?? {});
    const schema = soft ? { anyOf: [good, softFailure(answer ?? {})] } : good;
    const headers =
      'act' in from ? usualHeaders : { ETag: ref('headers', 'ETag'), ...usualHeaders };
    const csv = tableOf(row) === null ? {} : { 'text/csv': { schema: csvSchema } };
    return { description, headers, content: { 'application/json': { schema }, ...csv } };
  }
  const content =
    answer === null
      ? { 'text/plain': { schema: { type: 'string' } } }
      : { 'application/json': { schema: answer } };
  return { description, content };
}

/** Statuses of the errors of a row. */
function errorStatuses({ params, access, free, local, body, fails = [], from }: Route): number[] {
  return [
    ...(Object.keys(params).length > 0 || body ? [400] : []),
    ...(access === 'open' ? [] : [401]),
    ...(access === 'open' && local !== true ? [] : [403]),
    ...(free ? [] : [429]),
    ...(body ? [408, 413, 415] : []),
    ...('query' in from ? [502] : []),
    ...fails,
    ...('raw' in from ? [] : [503]),
    404,
    405,
    500,
  ];
}

const responseName = (status: number): string => (STATUS_CODES[status] ?? '').replaceAll(/\W/g, '');

/** Rows that count requests but need no key accept one. */
function securityOf({ access, free }: Route): Pick<Operation, 'security'> {
  if (access === 'key') return { security: [{ ApiKey: [] }] };
  if (access === 'bearer') return { security: [{ Bearer: [] }] };
  return free ? {} : { security: [{}, { ApiKey: [] }] };
}

function operation(row: Route): Operation {
  const failures = errorStatuses(row).map((status) => [
    status,
    ref('responses', responseName(status)),
  ]);
  return {
    operationId: operationId(row),
    summary: row.summary,
    tags: [row.group],
    parameters: parameters(row),
    ...(row.body && {
      requestBody: { required: true, content: { 'application/json': { schema: row.body } } },
    }),
    responses: {
      [row.creates ? 201 : 200]: okResponse(row),
      ...(row.method === 'GET' && !('raw' in row.from) && !('act' in row.from)
        ? { 304: ref('responses', 'NotModified') }
        : {}),
      ...Object.fromEntries(failures),
    },
    ...securityOf(row),
  };
}

/** The shared responses by status, from the error catalogue. */
function errorResponses(): Record<string, Schema> {
  const failures = Object.values(errors).filter(({ status }) => status >= 400);
  const byStatus = Map.groupBy(failures, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, rows]) => [
      responseName(status),
      {
        description: `${word(rows.map(({ message }) => message).join('; '))}.`,
        headers: {
          ...usualHeaders,
          ...(status === 400 && { 'Preference-Applied': ref('headers', 'PreferenceApplied') }),
          ...(status === 405 && { Allow: ref('headers', 'Allow') }),
          ...(status === 401 && { 'WWW-Authenticate': ref('headers', 'Challenge') }),
        },
        content: { 'application/json': { schema: ref('schemas', 'Error') } },
      },
    ]),
  );
}

const header = (description: string, type = 'string'): Schema => ({
  description,
  schema: { type },
});

const components = (): OpenApi['components'] => ({
  schemas: {
    Error: {
      type: 'object',
      properties: {
        status: { const: 'error' },
        timestamp,
        code: { enum: Object.keys(errors), description: 'Which error it is, for programs.' },
        message: { type: 'string', description: 'What is wrong, in words.' },
      },
      required: ['status', 'timestamp', 'code', 'message'],
    },
  },
  headers: {
    ETag: header('Version of the data, for `If-None-Match`.'),
    RateLimit: header(
      'Requests left and seconds to the reset (draft-ietf-httpapi-ratelimit-headers-10). These four headers are on every answer of a server that counts.',
    ),
    RateLimitPolicy: header('The quota: requests and length of the window in seconds.'),
    RateLimitAfter: header('Whole seconds until the quota resets.', 'integer'),
    RetryAfter: header(
      'The same as `X-RateLimit-After`; on 502 and 503 the seconds after which it is worth trying again.',
      'integer',
    ),
    IgnoredParameters: header(
      'Names of query parameters that this path does not have, percent-encoded, eight at most; absent without any.',
    ),
    PreferenceApplied: header(
      '`handling=strict` on a 400 for a parameter that this path does not have.',
    ),
    Challenge: header('How to authenticate.'),
    Allow: header('Methods that the path takes.'),
  },
  responses: {
    NotModified: {
      description: 'The data is still what `If-None-Match` names.',
      headers: { ETag: ref('headers', 'ETag') },
    },
    ...errorResponses(),
  },
  securitySchemes: {
    ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  },
});

/** The description of a route table, made from its rows alone. */
export function openapiDocument(routes: readonly Route[], info: { version: string }): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const row of routes) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tidemark',
      version: info.version,
      description:
        'Crypto market data and analytics. Unknown query parameters are ignored and named in `Ignored-Parameters`, or refused with 400 where the request says `Prefer: handling=strict`; a parameter given twice, empty or out of range is a 400. Words of a list are taken in any case.',
    },
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: components(),
  };
}
