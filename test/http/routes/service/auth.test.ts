import { Ajv2020 } from 'ajv/dist/2020.js';
import t, { type Test } from 'tap';
import type { Caller } from '../../../../http/auth/caller.ts';
import type { Done, Route } from '../../../../http/endpoints/route.ts';
import { authRoutes } from '../../../../http/routes/auth.ts';
import { type ApiError, errors, isApiError } from '../../../../http/wire/errors.ts';
import { alone } from '../../../support/http.ts';
import { redisOf } from '../../../support/redis.ts';
import { caller, join } from '../../auth/world.ts';

const alice = caller('alice');
const ajv = new Ajv2020();

interface Request {
  caller?: Caller | null;
  body?: unknown;
  id?: string;
  idempotencyKey?: string;
}

/** The four rows over a real store. Answers are checked against the schema that their row documents. */
async function world(t: Test) {
  const redis = await redisOf(t);
  const { auth } = join(t, redis, { deaf: true });
  const rows = authRoutes({ keys: auth.keys });
  const ask = async (name: string, request: Request = {}): Promise<Done | ApiError> => {
    const row = rows.find(({ method, path }) => `${method} ${path}` === name);
    if (row === undefined || !('act' in row.from)) throw new Error(`no act at ${name}`);
    const { caller = alice, body, id, idempotencyKey = '' } = request;
    const values = id === undefined ? {} : { id };
    const call = { values, body, caller, ...alone, idempotencyKey };
    const answer = await row.from.act(call, new AbortController().signal);
    if (!isApiError(answer)) conforms(t, row, answer);
    return answer;
  };
  return { rows, ask };
}

function conforms(t: Test, { answer, method, path }: Route, { data }: Done): void {
  const validate = ajv.compile(answer ?? {});
  t.ok(
    validate(data),
    `${method} ${path} answers as documented ${ajv.errorsText(validate.errors)}`,
  );
}

/** HTTP status and data, or status and message. */
const said = (answer: Done | ApiError): [number, unknown] =>
  isApiError(answer) ? [errors[answer.error].status, answer.message] : [answer.status, answer.data];

t.test('the life of a key', async (t) => {
  const { ask } = await world(t);
  const [status, made] = said(await ask('POST /v1/auth/keys', { body: { name: ' bot ' } }));
  t.equal(status, 201);
  const { id = '', key = '', ...rest } = Object(made);
  t.match(rest, { name: 'bot', prefix: key.slice(0, 12), created_at: Number });
  const [listed, keys] = said(await ask('GET /v1/auth/keys'));
  t.equal(listed, 200);
  t.match(keys, [{ ...rest, id, last_used_at: null, plan: 'free', status: 'active' }]);
  t.notOk(JSON.stringify(keys).includes(key.slice(12)), 'never a full key');
  const who = { ...alice, email: 'alice@example.com' };
  t.match(said(await ask('GET /v1/auth/me', { caller: who })), [
    200,
    { id: 'alice', email: 'alice@example.com', plan: 'free', rate_limit: 60, key_count: 1 },
  ]);
  const foreign = await ask('DELETE /v1/auth/keys/{id}', { id, caller: caller('bob') });
  t.match(said(foreign), [404, /no key with this id/]);
  t.same(said(await ask('DELETE /v1/auth/keys/{id}', { id })), [200, { id, status: 'revoked' }]);
  t.match(said(await ask('DELETE /v1/auth/keys/{id}', { id })), [404, /no key/]);
  t.match(said(await ask('GET /v1/auth/keys')), [200, [{ id, status: 'revoked', revoked: true }]]);
});

t.test('a repeated creation is a 200 without the key', async (t) => {
  const { ask } = await world(t);
  const request = { body: { name: 'bot' }, idempotencyKey: 'abc' };
  const [, first] = said(await ask('POST /v1/auth/keys', request));
  const again = said(await ask('POST /v1/auth/keys', request));
  t.same(again, [200, { ...Object(first), key: null }]);
  const other = await ask('POST /v1/auth/keys', { ...request, body: { name: 'other' } });
  t.match(said(other), [422, /Idempotency-Key/]);
});

t.test('refusals name what is wrong', async (t) => {
  const { rows, ask } = await world(t);
  const post = (body: unknown) => ask('POST /v1/auth/keys', { body });
  for (const name of ['', ' ', 'x'.repeat(65)]) {
    t.match(said(await post({ name })), [400, /^name must be 1 to 64 characters/]);
  }
  for (let i = 0; i < 5; i++) t.equal(said(await post({ name: 'x' }))[0], 201);
  t.match(said(await post({ name: 'x' })), [403, /allows 5 active API keys/]);
  for (const row of rows) {
    const request = { caller: null, id: 'x', body: { name: 'x' } };
    const answer = await ask(`${row.method} ${row.path}`, request);
    t.match(said(answer), [401, /bearer token/], 'a request without a caller is refused');
  }
  const body = rows.find(({ method }) => method === 'POST')?.body ?? {};
  const accepts = ajv.compile(body);
  t.ok(accepts({ name: 'x', more: 1 }));
  for (const bad of [{}, { name: 5 }, null, [], 'x']) t.notOk(accepts(bad));
});
