import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import * as s from '../../../actors/topics/schema.ts';
import { type OpenApi, type Operation, openapiDocument } from '../../../http/openapi/openapi.ts';
import { errors } from '../../../http/wire/errors.ts';
import { call, echo, startServer } from '../../support/http.ts';

const description = 'Test.';
const rows = [
  echo({ answer: { type: 'object', properties: { limit: { type: 'integer' } } } }),
  echo({
    path: '/v2/dex/token/{address}',
    access: 'key',
    params: {
      address: { type: 'string', required: true, pattern: '^0x', description, example: '0xab' },
      limit: { type: 'integer', default: 5, minimum: 1, maximum: 9, description },
      interval: { type: 'string', enum: ['5m', '1h'], default: '1h', description },
    },
    fails: ['upstream_failed'],
    from: { query: () => ({ error: 'not_found', message: 'no' }) },
  }),
  echo({
    method: 'POST',
    path: '/v1/auth/keys',
    access: 'bearer',
    body: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    creates: true,
    fails: ['forbidden'],
    from: { act: async () => ({ status: 201, data: {} }) },
  }),
  echo({ method: 'GET', path: '/v1/auth/keys', access: 'bearer' }),
  echo({
    path: '/metrics',
    answer: null,
    free: true,
    local: true,
    from: { raw: () => ({ contentType: 'text/plain', body: '' }) },
  }),
];
const built = openapiDocument(rows, { version: '1.2.3', streams: true });
const document: OpenApi = JSON.parse(JSON.stringify(built));

const operations = (): Operation[] =>
  Object.values(document.paths).flatMap((item) =>
    Object.values(item).filter((one) => typeof one === 'object'),
  );

/** What a JSON pointer of this document leads to. */
const resolve = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, key) => Object.entries(Object(at)).find(([k]) => k === key)?.[1],
      document,
    );

/** Every value in the document with the key `$ref`. */
function refs(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' ? [String(value)] : refs(value),
  );
}

/** The parameters of an operation as `name in schema`, those that are required with a star. */
const parametersOf = (path: string) =>
  (document.paths[path]?.get?.parameters ?? []).map((one) => {
    const { name, in: place, required, schema } = { required: false, ...one };
    return `${name}${required ? '*' : ''} in ${place}: ${JSON.stringify(schema)}`;
  });

t.test('parameters: those of the row, and those of freshness', async (t) => {
  const age = 'max_age in query: {"type":"integer","minimum":0}';
  const wait = 'wait in query: {"type":"integer","minimum":0,"maximum":30000}';
  t.strictSame(parametersOf('/v1/echo'), [age, wait]);
  t.strictSame(parametersOf('/v2/dex/token/{address}'), [
    'address* in path: {"type":"string","pattern":"^0x","minLength":1}',
    'limit in query: {"type":"integer","default":5,"minimum":1,"maximum":9}',
    'interval in query: {"type":"string","enum":["5m","1h"],"default":"1h"}',
    age,
  ]);
  t.strictSame(parametersOf('/metrics'), []);
  const [path, mode] = document.paths['/v1/stream']?.get?.parameters ?? [];
  t.match(path, { name: 'path', required: true, schema: { type: 'array', maxItems: 20 } });
  const modes = ['full', 'patch', 'log', 'levels'];
  t.match(mode, { name: 'mode', schema: { enum: modes, default: 'full' } });
});

t.test('statuses: of what a row may meet', async (t) => {
  const statuses = (path: string, method = 'get') =>
    Object.keys(document.paths[path]?.[method]?.responses ?? {}).join(' ');
  t.equal(statuses('/v1/echo'), '200 304 400 429 500 503');
  t.equal(statuses('/v2/dex/token/{address}'), '200 304 400 401 429 500 502 503');
  t.equal(statuses('/v1/auth/keys', 'post'), '201 400 401 403 408 413 415 429 500 503');
  t.equal(statuses('/v1/auth/keys'), '200 304 400 401 429 500 503');
  t.equal(statuses('/metrics'), '200 400 403 429 500', 'which is for the machine of the server');
  t.equal(statuses('/v1/stream'), '200 400 401 404 429 503');
  t.equal(built.openapi, '3.1.1');
  t.match(built.info, { title: 'Tidemark', version: '1.2.3', license: { identifier: 'MIT' } });
});

t.test('credentials, bodies, envelopes and headers', async (t) => {
  const { paths } = document;
  const security = (path: string) => paths[path]?.get?.security;
  t.strictSame(security('/v1/echo'), [{}, { ApiKey: [] }], 'a key is taken where none is needed');
  t.strictSame(security('/v2/dex/token/{address}'), [{ ApiKey: [] }]);
  t.strictSame(security('/v1/auth/keys'), [{ Bearer: [] }]);
  t.strictSame(security('/metrics'), []);
  t.match(document.components.securitySchemes, {
    ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  });
  const body = { $ref: '#/components/schemas/PostAuthKeysRequest' };
  t.match(paths['/v1/auth/keys']?.post, {
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
  });
  const answer = Object(paths['/v1/echo']?.get?.responses['200']);
  t.match(answer.content['application/json'].schema, {
    type: 'object',
    properties: {
      status: { const: 'ok' },
      timestamp: { type: 'integer' },
      as_of: { type: 'integer' },
      data: { $ref: '#/components/schemas/Echo' },
    },
    required: ['status', 'timestamp', 'data'],
  });
  const kept = ['ETag', 'Age'];
  const usual = ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-After', 'Retry-After'];
  t.strictSame(Object.keys(answer.headers).slice(0, 6), [...kept, ...usual]);
  const made = Object(paths['/v1/auth/keys']?.post?.responses['201']);
  t.strictSame(Object.keys(made.headers).slice(0, 4), usual, 'what was done is not kept');
  t.match(paths['/metrics']?.get?.responses['200'], {
    content: { 'text/plain': { schema: { type: 'string' } } },
  });
});

t.test('errors: every code, and an example of each at its status', async (t) => {
  const { schemas, responses } = document.components;
  t.match(schemas, {
    ErrorCode: { enum: Object.keys(errors) },
    ErrorAnswer: {
      properties: { status: { const: 'error' }, code: { $ref: '#/components/schemas/ErrorCode' } },
      required: ['status', 'timestamp', 'code', 'message'],
    },
  });
  const { examples } = Object(responses).BadRequest.content['application/json'];
  t.strictSame(Object.keys(examples), ['bad_parameter', 'bad_request']);
  for (const [code, { value }] of Object.entries<{ value: object }>(examples))
    t.match(value, { status: 'error', code, message: String });
  const having = (header: string) =>
    Object.entries(Object(responses)).flatMap(([name, one]) =>
      header in Object(one).headers ? [name] : [],
    );
  t.strictSame(having('WWW-Authenticate'), ['Unauthorized']);
  t.strictSame(having('Preference-Applied'), ['BadRequest'], 'a preference that was refused');
  const { '400': bad } = Object(document.paths['/v1/echo']?.get?.responses);
  t.strictSame(bad.description, '`bad_parameter`, `bad_request`.', 'those of the row');
  const failed = Object.entries(errors).filter(([, { status }]) => status >= 400);
  t.strictSame(
    built['x-errors'],
    failed.map(([code, { status, message }]) => ({ code, status, message })),
  );
});

t.test('the document as a whole', async (t) => {
  const tags = [{ name: 'DEX and stablecoins' }, { name: 'Service', description: /service/ }];
  t.match(document.tags, [...tags, { name: 'Keys' }], 'by the paths, in the order of the groups');
  t.match(document.components.responses, {
    NotFound: { description: 'There is nothing at this path; unknown symbol; unknown exchange.' },
  });
  t.match(document.paths['/v1/auth/keys'], {
    get: { responses: { 200: { description: 'The answer.' } } },
    post: { responses: { 201: { description: 'Created.' } } },
  });
  for (const pointer of new Set(refs(document))) t.type(resolve(pointer), 'object', pointer);
  const ajv = new Ajv2020({ strict: true });
  for (const { parameters } of operations())
    for (const { schema } of parameters) t.ok(ajv.validateSchema(schema));
});

t.test('a description says what a row needs, and what it counts as', async (t) => {
  const told = (row: Parameters<typeof echo>[0]) => {
    const { paths } = openapiDocument([echo(row)], { version: '1' });
    return paths['/v1/echo']?.get?.description;
  };
  const query = { query: () => ({ error: 'not_found', message: 'no' }) as const };
  t.same(
    [
      told({}),
      told({ access: 'bearer', free: true }),
      told({ local: true }),
      told({ access: 'key', budget: 'dex' }),
      told({ from: query, answer: s.object({ rows: s.list(s.object({ a: s.number() })) }) }),
    ],
    [
      'The values.',
      'The values. Needs a bearer token. Counts against no quota.',
      'The values. For clients on the machine of the server.',
      'The values. Needs an API key. Counts against the budget `dex` of the account as well.',
      'The values. Asked of its source when a client asks, and cached. As CSV: `data.rows`.',
    ],
  );
});

t.test('answers of a server fit what it documents', async (t) => {
  const server = await startServer(t, [echo()]);

  const ajv = new Ajv2020({ strict: false });
  const good = document.paths['/v1/echo']?.get?.responses['200'];
  const { content } = { content: { 'application/json': { schema: {} } }, ...good };
  const { text } = await call(`${server.url}/v1/echo`);
  const { components } = document;
  t.ok(ajv.validate({ ...content['application/json'].schema, components }, JSON.parse(text)));
  const missing = await call(`${server.url}/nothing`);
  const error = { $ref: '#/components/schemas/ErrorAnswer', components };
  t.ok(ajv.validate(error, JSON.parse(missing.text)));
});

t.test('a good answer has one media type, so that clients made from this have no union', (t) => {
  const answer = s.object({ rows: s.list(s.object({ a: s.number() })) });
  const from = { query: () => ({ error: 'not_found', message: 'no' }) as const };
  const { paths } = openapiDocument([echo({ answer, from })], { version: '1' });
  const good = Object(paths['/v1/echo']?.get?.responses['200']);
  t.strictSame(Object.keys(good.content), ['application/json']);
  t.strictSame(good['x-csv'], { mediaType: 'text/csv', lists: ['data.rows'] });
  t.notOk('x-csv' in Object(document.paths['/v1/auth/keys']?.get?.responses['200']));
  t.end();
});
