/** The parts of the description that every operation shares: headers, errors, credentials. */
import { STATUS_CODES } from 'node:http';
import type { Schema } from '../endpoints/route.ts';
import { errorBody, errors } from '../wire/errors.ts';

export interface Ref {
  $ref: string;
  /** In place of the component's own, which OpenAPI 3.1 allows beside a reference. */
  description?: string;
}

/** A reference to a component. */
export const ref = (kind: string, name: string): Ref => ({ $ref: `#/components/${kind}/${name}` });

export const timestamp = { type: 'integer', description: 'Response time, Unix milliseconds.' };

export const asOf = {
  type: 'integer',
  description:
    'When the newest reading in the data was received, Unix milliseconds; absent where that is not known.',
};

export const unknownParameters = {
  type: 'array',
  items: { type: 'string' },
  description:
    'Parameters of the request that the path does not have, and that were ignored: eight at most; absent where there are none.',
};

/** The response time in examples. */
const exampleTime = Date.UTC(2026, 0, 15, 12);

/** Headers of every answer: the state of the quota, and ignored parameters. */
export const usualHeaders = {
  RateLimit: ref('headers', 'RateLimit'),
  'RateLimit-Policy': ref('headers', 'RateLimitPolicy'),
  'X-RateLimit-After': ref('headers', 'RateLimitAfter'),
  'Retry-After': ref('headers', 'RetryAfter'),
  'Ignored-Parameters': ref('headers', 'IgnoredParameters'),
};

/** The name of the shared response with a status. */
export const responseName = (status: number): string =>
  (STATUS_CODES[status] ?? '').replaceAll(/\W/g, '');

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

type ErrorEntry = [code: keyof typeof errors, (typeof errors)[keyof typeof errors]];
const catalogue = Object.entries(errors) as ErrorEntry[];
const failures = catalogue.filter(([, { status }]) => status >= 400);
/** Those that an operation can answer: the method of a request decides which operation it is for. */
const answered = failures.filter(([code]) => code !== 'method_not_allowed');

/** Every error with its status and usual message. */
export const errorCatalogue = failures.map(([code, { status, message }]) => ({
  ...{ code, status, message },
}));

/** One example an error code. */
const errorExamples = (rows: readonly ErrorEntry[]): Schema =>
  Object.fromEntries(
    rows.map(([code, { message }]) => [
      code,
      { value: JSON.parse(errorBody({ error: code, message }, exampleTime)) },
    ]),
  );

/** The shared responses by status, from the error catalogue. */
function errorResponses(): Record<string, Schema> {
  const byStatus = Map.groupBy(answered, ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, rows]) => [
      responseName(status),
      {
        description: sentence(rows.map(([, { message }]) => message).join('; ')),
        headers: {
          ...usualHeaders,
          ...(status === 400 && { 'Preference-Applied': ref('headers', 'PreferenceApplied') }),
          ...(status === 401 && { 'WWW-Authenticate': ref('headers', 'Challenge') }),
        },
        content: {
          'application/json': {
            schema: ref('schemas', 'ErrorAnswer'),
            examples: errorExamples(rows),
          },
        },
      },
    ]),
  );
}

const header = (description: string, type = 'string'): Schema => ({
  description,
  schema: { type },
});

const errorSchema = {
  type: 'object',
  properties: {
    status: { const: 'error', description: 'This is an error.' },
    timestamp,
    code: ref('schemas', 'ErrorCode'),
    message: { type: 'string', description: 'The fault, in words.' },
  },
  required: ['status', 'timestamp', 'code', 'message'],
};

/** The schemas that are no part of an answer. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  ErrorAnswer: errorSchema,
  ErrorCode: {
    type: 'string',
    enum: Object.keys(errors),
    description: 'Which error it is, for programs.',
  },
};

/** All components but the schemas. */
export const sharedComponents = () => ({
  headers: {
    ETag: header('Version of the data, for `If-None-Match`.'),
    Age: header('Seconds since the newest reading in the data was received.', 'integer'),
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
  },
  responses: {
    NotModified: {
      description: 'The data is still what `If-None-Match` names.',
      headers: { ETag: ref('headers', 'ETag') },
    },
    ...errorResponses(),
  },
  securitySchemes: {
    ApiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'A key that `POST /v1/auth/keys` has made.',
    },
    Bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token of the identity provider.',
    },
  },
});
