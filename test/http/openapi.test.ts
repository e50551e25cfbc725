import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import * as s from '../../actors/topics/schema.ts';
import { type OpenApi, type Operation, openapiDocument } from '../../http/openapi.ts';
import { pathNames } from '../../http/validate.ts';
import { call, echo, startServer } from '../support/http.ts';

const description = 'Test.';
const rows = [
  echo({ answer: { type: 'object', properties: { limit: { type: 'integer' } } } }),
  echo({
    path: '/v2/dex/token/{address}',
    access: 'key',
    group: 'Funding',
    params: {
      address: { type: 'string', required: true, pattern: '^0x', description, example: '0xab' },
      limit: { type: 'integer', default: 5, minimum: 1, maximum: 9, description },
      interval: { type: 'string', enum: ['5m', '1h'], default: '1h', description },
    },
    from: { query: () => ({ error: 'not_found', message: 'no' }) },
  }),
  echo({
    method: 'POST',
    path: '/v1/auth/keys',
    access: 'bearer',
    body: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    creates: true,
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
const built = openapiDocument(rows, { version: '1.2.3' });
const document: OpenApi = JSON.parse(JSON.stringify(built));

const operations = (): [string, string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, found]): [string, string, Operation] => [
      path,
      method,
      found,
    ]),
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

t.test('the document as a whole', async (t) => {
  t.match(document, { openapi: /^3\.1\.\d+$/, info: { title: 'Tidemark', version: '1.2.3' } });
  t.match(JSON.stringify(document.components), `"timestamp":${Date.UTC(2026, 0, 15, 12)}`);
  t.match(document.tags, [{ name: 'Funding' }, { name: 'Service', description: /service/ }]);
  t.ok(refs(document).length > 10);
  for (const pointer of new Set(refs(document))) t.type(resolve(pointer), 'object', pointer);
  t.same(
    operations().map(([path, method]) => `${method} ${path}`),
    rows.map(({ method, path }) => `${method.toLowerCase()} ${path}`),
    'every row is in, and nothing else',
  );
});

t.test('operations', async (t) => {
  const ids = operations().map(([, , { operationId }]) => operationId);
  t.equal(new Set(ids).size, ids.length, 'ids are unique');
  t.ok(ids.includes('getV2DexTokenByAddress'));
  const ajv = new Ajv2020({ strict: true });
  for (const [path, , found] of operations()) {
    const declared = found.parameters.filter((p) => p.in === 'path').map(({ name }) => name);
    t.same(declared, pathNames(path));
    t.ok(found.summary && found.tags.length === 1);
    t.ok(found.responses['200'] ?? found.responses['201']);
    for (const { schema } of found.parameters) t.ok(ajv.validateSchema(schema));
    for (const [status, response] of Object.entries(found.responses)) {
      t.match(status, /^[2-5]\d\d$/);
      t.ok('$ref' in response || 'description' in response);
    }
  }
});

t.test('parameters, security and statuses of a row', async (t) => {
  const token = document.paths['/v2/dex/token/{address}']?.get;
  t.match(token?.parameters, [
    {
      name: 'address',
      in: 'path',
      required: true,
      description,
      schema: { type: 'string', pattern: '^0x', minLength: 1 },
      example: '0xab',
    },
    {
      name: 'limit',
      in: 'query',
      description,
      schema: { type: 'integer', default: 5, minimum: 1, maximum: 9 },
    },
    {
      name: 'interval',
      in: 'query',
      description,
      schema: { type: 'string', enum: ['5m', '1h'], default: '1h' },
    },
    { name: 'max_age', in: 'query', schema: { type: 'integer', minimum: 0 } },
  ]);
  const statuses = (found: Operation | undefined) => Object.keys(found?.responses ?? {}).join(' ');
  t.equal(statuses(token), '200 304 400 401 403 404 405 429 500 502 503');
  t.equal(statuses(document.paths['/v1/echo']?.get), '200 304 404 405 429 500 503');
  t.equal(statuses(document.paths['/metrics']?.get), '200 403 404 405 500');
  t.same(token?.security, [{ ApiKey: [] }]);
  t.same(document.paths['/v1/auth/keys']?.post?.security, [{ Bearer: [] }]);
  const post = document.paths['/v1/auth/keys']?.post;
  t.equal(statuses(post), '201 400 401 403 404 405 408 413 415 429 500 503');
  t.match(post?.requestBody, {
    required: true,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/PostAuthKeysRequest' } },
    },
  });
  t.match(document.components.schemas.PostAuthKeysRequest, { required: ['name'] });
  const optional = [{}, { ApiKey: [] }];
  t.same(document.paths['/v1/echo']?.get?.security, optional, 'a key counts, and none is needed');
  t.match(document.components.securitySchemes, { ApiKey: { in: 'header', name: 'X-API-Key' } });
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
  const server = await startServer([echo()]);
  t.teardown(server.end);

  const ajv = new Ajv2020({ strict: false });
  const good = document.paths['/v1/echo']?.get?.responses['200'];
  const { content } = { content: { 'application/json': { schema: {} } }, ...good };
  const { text } = await call(`${server.url}/v1/echo`);
  const { components } = document;
  t.ok(ajv.validate({ ...content['application/json'].schema, components }, JSON.parse(text)));
  const missing = await call(`${server.url}/nothing`);
  const error = { $ref: '#/components/schemas/Error', components };
  t.ok(ajv.validate(error, JSON.parse(missing.text)));
});

t.test('objects in answers are named schemas, each once', async (t) => {
  const coverage = s.object({ from: s.unixMs() });
  const page = s.object({ coverage, points: s.list(s.object({ value: s.number() })) });
  const named = s.named('PriceOfSymbol', s.object({ price: s.number() }));
  const { components, paths } = openapiDocument(
    [
      echo({ path: '/v1/spot/flows', answer: page }),
      echo({ path: '/v1/futures/flows', answer: page }),
      echo({ path: '/v2/prices', answer: s.either(named, s.mapOf(s.number(), 'symbol')) }),
    ],
    { version: '1', examples: { getV1SpotFlows: { status: 'ok' } } },
  );
  t.same(Object.keys(components.schemas), [
    ...['Error', 'ErrorCode', 'Flows', 'FlowsCoverage', 'FlowsPoint', 'PriceOfSymbol'],
  ]);
  t.match(components.schemas.Flows, {
    properties: { points: { items: { $ref: '#/components/schemas/FlowsPoint' } } },
  });
  t.match(paths['/v1/spot/flows']?.get?.responses, {
    200: { content: { 'application/json': { example: { status: 'ok' } } } },
  });
});
