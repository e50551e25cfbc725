import t from 'tap';
import { createBodyCheck } from '../../../http/endpoints/body-check.ts';
import { errors } from '../../../http/wire/errors.ts';

const fields = {
  type: 'object',
  properties: {
    symbol: { type: 'string', pattern: '^[A-Z]+$', maxLength: 9 },
    interval: { enum: ['1h', '1d'] },
    limit: { type: 'integer', minimum: 51, maximum: 500 },
    share: { type: 'number', maximum: 1 },
    price: { type: ['number', 'null'] },
    exact: { type: 'boolean' },
    title: { type: 'string', minLength: 2 },
    count: { type: 'integer' },
    other: { not: { const: 1 } },
    version: { const: 2 },
    mode: { oneOf: [{ const: 'a' }, { type: 'null' }] },
    indicators: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
      items: {
        anyOf: [
          { type: 'string', maxLength: 9 },
          {
            type: 'object',
            properties: {
              name: { type: 'string', minLength: 1 },
              period: { type: 'integer', minimum: 2 },
            },
            required: ['name'],
          },
        ],
      },
    },
    nested: {
      type: 'object',
      properties: { 'a/b': { type: 'object', properties: { list: { type: 'array' } } } },
      additionalProperties: false,
      required: ['a/b'],
    },
  },
};
const check = createBodyCheck(fields);

const message = (body: unknown) => {
  const checked = check('application/json', Buffer.from(JSON.stringify(body)));
  return 'message' in checked ? checked.message : 'passed';
};

t.test('messages name the field and what is allowed', async (t) => {
  for (const body of [[], null, 'x']) t.equal(message(body), 'the request body must be an object');
  t.equal(
    message({ symbol: 'btc' }),
    'symbol must be text of at most 9 characters that matches ^[A-Z]+$',
  );
  for (const interval of ['2h', 7])
    t.equal(message({ interval }), 'interval must be one of 1h, 1d');
  for (const limit of ['100', 100.5, 50, 501]) {
    t.equal(message({ limit }), 'limit must be a whole number from 51 to 500');
  }
  t.equal(message({ share: 2 }), 'share must be a number, at most 1');
  t.equal(message({ price: 'x' }), 'price must be a number or null');
  t.equal(message({ exact: 1 }), 'exact must be true or false');
  t.equal(message({ title: 'x' }), 'title must be text of at least 2 characters');
  t.equal(message({ count: 1.5 }), 'count must be a whole number');
  t.equal(message({ other: 1 }), 'other must be valid');
  t.equal(message({ version: 1 }), 'version must be 2');
  t.equal(message({ mode: 1 }), 'mode must be "a" or null');
  t.equal(message({ indicators: [] }), 'indicators must be an array of 1 to 3 entries');
  t.equal(message({ indicators: ['a', 'a'] }), 'indicators must not hold the same entry twice');
  t.equal(
    message({ indicators: ['rsi', 7] }),
    'indicators[1] must be text of at most 9 characters or an object',
  );
  t.equal(message({ nested: {} }), 'nested.a/b is required');
  t.equal(message({ nested: { 'a/b': {}, other: 1 } }), 'nested.other is not a known field');
  t.equal(message({ nested: { 'a/b': { list: {} } } }), 'nested.a/b.list must be an array');
  t.equal(message({ symbol: 'BTC', indicators: ['rsi', { name: 'ema', period: 9 }] }), 'passed');
  t.equal(message({ __proto__: null, unknown: 1 }), 'passed');
});

t.test('a null of a known member is absent where the member takes none', async (t) => {
  const read = (body: unknown, method?: string) =>
    createBodyCheck(fields, method)('application/json', Buffer.from(JSON.stringify(body)));
  const given = {
    ...{ symbol: null, interval: null, limit: null, version: null },
    ...{ price: null, mode: null, other: null, unknown: null },
    indicators: [{ name: 'ema', period: null }],
  };
  const left = { price: null, mode: null, other: null, unknown: null };
  t.same(read(given), { value: { ...left, indicators: [{ name: 'ema' }] } });
  const required = read({ nested: { 'a/b': null } });
  t.match(required, { message: 'nested.a/b is required' });
  t.match(read({ indicators: [null] }), { message: /^indicators\[0\] must be / });
  const change = read({ limit: null }, 'PATCH');
  t.match(
    change,
    { message: 'limit must be a whole number from 51 to 500' },
    'it may mean removal',
  );
});

t.test('words of its own fields are taken in any case', async (t) => {
  const words = createBodyCheck({
    type: 'object',
    properties: { interval: { enum: ['1m', '1M', '1h'] }, kind: { enum: ['spot', 'perpetual'] } },
  });
  const read = (body: unknown) => words('application/json', Buffer.from(JSON.stringify(body)));
  t.same(read({ interval: '1M', kind: 'SPOT' }), { value: { interval: '1M', kind: 'spot' } });
  t.same(read({ interval: '1H' }), { value: { interval: '1h' } });
  t.match(read({ interval: '1D' }), { message: 'interval must be one of 1m, 1M, 1h' });
});

t.test('bytes by their content type, for a row with a body and for one without', async (t) => {
  const schema = { type: 'object', properties: { a: { default: 1 } }, required: ['b'] };
  const [some, list, none] = [schema, { type: 'array' }, undefined].map((one) =>
    createBodyCheck(one),
  );
  const required = 'a JSON request body is required';
  const invalid = 'the request body is not valid JSON';
  const type = errors.unsupported_media_type.message;
  const json = 'application/json';
  for (const [check, contentType, text, found] of [
    [some, json, '', required],
    [some, ' Application/JSON ;charset=utf-8', '{"b":2}', { b: 2, a: 1 }],
    [some, json, '{}', 'b is required'],
    [some, 'application/jsonx', '{"b":2}', type],
    [some, 'text/plain', '{"b":2}', type],
    [some, json, '{', invalid],
    [some, json, '"\xff"', invalid],
    [list, json, '[1]', [1]],
    [none, '', '', undefined],
    [none, json, '{}', 'this path takes no request body'],
  ] as const) {
    const checked = check?.(contentType, Buffer.from(text, 'latin1')) ?? { value: null };
    t.strictSame(
      'error' in checked ? checked.message : checked.value,
      found,
      `${contentType} ${text}`,
    );
  }
});
