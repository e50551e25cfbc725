/** How requests reach their handlers, and what becomes of an answer that comes later. */
import t from 'tap';
import { JsonText } from '../../../http/answers/json-text.ts';
import { type Snapshot, snapshotOf } from '../../../http/answers/snapshots.ts';
import { Counters, countOf } from '../../../http/endpoints/counters.ts';
import { type Done, route } from '../../../http/endpoints/route.ts';
import { hasBody } from '../../../http/server/handling.ts';
import { type ApiError, apiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import {
  acting,
  call,
  connect,
  echo,
  exchange,
  later,
  reads,
  ready,
  refusal,
  startServer,
} from '../../support/http.ts';
import { alice, gateOf } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const json = { 'content-type': 'application/json' };
const snapshot = ready('{"a":"é"}');
const count = (counters: Counters, path: string) =>
  counters.snapshot().find((slot) => slot.path === path);

t.test('a body follows a length above 0, or a coding', async (t) => {
  const of = (headers: Record<string, string>) =>
    hasBody({ getHeader: (name) => headers[String(name)] ?? '' });
  const heads: Record<string, string>[] = [
    {},
    { 'content-length': '0' },
    { 'content-length': '1' },
    { 'transfer-encoding': 'chunked' },
  ];
  t.same(heads.map(of), [false, false, true, true]);
});

t.test('parameters', async (t) => {
  const params = {
    id: { type: 'string', required: true, maxLength: 8, description: '' },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100, description: '' },
    text: { type: 'string', description: '' },
  } as const;
  const server = await startServer(t, [echo({ path: '/v1/by/{id}', params })]);
  const data = async (path: string) => JSON.parse((await call(server.url + path)).text).data;
  t.same(await data('/v1/by/a%2Fb?text=x+y%26&other=1'), { id: 'a/b', limit: 100, text: 'x y&' });
  t.same(await data('/v1/by/7?'), { id: '7', limit: 100 });
  t.same(await data('/v1/by/7?limit=5'), { id: '7', limit: 5 });
  const bad = (path: string) => refusal(server.url + path);
  const range = 'limit must be a whole number from 1 to 1000';
  t.same(await bad('/v1/by/7?limit=1e2'), [400, range]);
  t.same(await bad('/v1/by/7?limit'), [400, range]);
  t.same(await bad('/v1/by/7?limit=1&limit=2'), [400, 'limit must be given only once']);
  t.same(await bad('/v1/by/7?text=%zz'), [400, 'text must be valid percent-encoded UTF-8']);
  t.same(await bad('/v1/by/%E2%82'), [400, 'id must be valid percent-encoded UTF-8']);
  t.same(await bad('/v1/by/7?%=1'), [400, 'the query string is not valid percent-encoded UTF-8']);
  const raw = 'GET /v1/by/\xe2\x82\xac?text=\xff HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  t.match(await exchange(server.port, raw), '"id":"\xe2\x82\xac"', 'raw bytes do no harm');
});

t.test('asks', async (t) => {
  const clock = new FakeClock();
  const asked: { symbol: string; reply: PromiseWithResolvers<Snapshot> }[] = [];
  const row = route({
    ...echo({ path: '/v1/ask' }),
    params: { symbol: { type: 'string', required: true, description: '' } },
    from: later(({ symbol = '' }) => {
      const reply = Promise.withResolvers<Snapshot>();
      asked.push({ symbol, reply });
      return reply.promise;
    }),
  });
  const counters = new Counters([row], clock);
  const server = await startServer(t, [row], { clock, counters });
  const url = `${server.url}/v1/ask`;

  const calls = ['A', 'B', 'C', 'D'].map((symbol) => call(`${url}?symbol=${symbol}`));
  await until(() => asked.length === 4, 'all have been asked');
  t.equal(counters.inFlight.value, 4);
  await clock.advance(30);
  t.same(await refusal(url), [400, 'symbol is required']);
  t.equal(asked.length, 4, 'a bad question is not asked');
  for (const { symbol, reply } of asked.toReversed()) reply.resolve(ready(`"${symbol}"`));
  const replies = await Promise.all(calls);
  t.same(
    replies.map(({ text }) => JSON.parse(text).data),
    ['A', 'B', 'C', 'D'],
  );
  const { asks, statuses } = count(counters, '/v1/ask') ?? {};
  t.match(asks, { counts: [0, 0, 0, 0, 4], sum: 120 }, 'all took 25 to 50 ms');
  t.match(statuses?.[1], { counts: [0, 0, 0, 0, 4], sum: 120 });
  t.match(statuses?.[3], { counts: [1, 0, 0, 0, 0], sum: 0 }, 'the one between them took none');

  const wire = await connect(server.port);
  wire.socket.write('GET /v1/ask?symbol=E HTTP/1.1\r\nhost: x\r\n\r\n');
  await until(() => asked.length === 5, 'the fifth has been asked');
  wire.socket.destroy();
  await until(() => count(counters, '/v1/ask')?.aborted === 1, 'it is known that the client left');
  asked[4]?.reply.resolve(snapshot);
  await until(() => counters.inFlight.value === 0, 'nothing is in flight');
  const left = count(counters, '/v1/ask');
  t.equal(left?.aborted, 1);
  t.same(left?.statuses.map(countOf), [0, 4, 0, 1, 0]);

  const cached = call(`${url}?symbol=F`, { headers: { 'if-none-match': snapshot.etag } });
  await until(() => asked.length === 6, 'the sixth has been asked');
  asked[5]?.reply.resolve(snapshot);
  t.equal((await cached).status, 304);
});

t.test(
  'answers from memory, from a query in memory, and later, no older than is asked for',
  async (t) => {
    const clock = new FakeClock();
    const found = snapshotOf({ a: 1 }, clock.now() - 5_000);
    let known: typeof found | null = null;
    const from = later(async () => found);
    const rows = [
      echo({ path: '/v1/view', from: reads(() => found) }),
      echo({ path: '/v1/query', access: 'key', from }),
    ];
    const queries = {
      known: () => known,
      read: async () => found,
      once: async () => apiError('internal'),
    };
    const gate = gateOf({ good: alice, 'slow-good': alice });
    const counters = new Counters(rows, clock);
    const server = await startServer(t, rows, { clock, gate, queries, counters });
    const status = async (path: string, key = 'good', tag = '') => {
      const headers = { 'x-api-key': key, 'if-none-match': tag };
      return (await call(`${server.url}/v1/${path}`, { headers })).status;
    };
    const ages = async (path: string, key?: string) =>
      Promise.all(
        ['', '?max_age=5000', '?max_age=4999', '?wait=900'].map((one) => status(path + one, key)),
      );
    t.strictSame(await ages('view'), [200, 200, 503, 200]);
    t.equal(await status('view?max_age=4999&wait=900', 'good', found.etag), 503, 'no error waits');
    for (const ready of [null, found]) {
      known = ready;
      for (const key of ['good', 'slow-good'])
        t.strictSame(await ages('query', key), [200, 200, 503, 200]);
      for (const key of ['bad', 'slow-bad']) t.equal(await status('query', key), 401);
    }
    t.equal(await status('view?wait=x'), 400);
    const waiting = status('view?wait=900', 'good', found.etag);
    await until(() => counters.inFlight.value === 1, 'it waits');
    await clock.advance(900);
    t.equal(await waiting, 304);
  },
);

t.test('acts without a body', async (t) => {
  const rows = (['GET', 'POST', 'DELETE'] as const).map((method) => acting({ method }));
  const server = await startServer(t, rows);
  for (const method of ['GET', 'POST', 'DELETE', 'HEAD'] as const) {
    t.match(await call(`${server.url}/act`, { method }), { status: 201 }, method);
  }
  for (const method of ['POST', 'DELETE'] as const) {
    const { status, text } = await call(`${server.url}/act`, { method, body: '1', headers: json });
    t.match([status, text], [400, /"this path takes no request body"/], method);
  }
});

t.test('results of operations', async (t) => {
  const outcomes: (() => Promise<Done | ApiError>)[] = [
    async () => ({ status: 200, data: [1] }),
    async () => apiError('forbidden', 'the free plan has 5 keys'),
    async () => Promise.reject(new Error('secret')),
    async () => ({ status: 200, data: 1n }),
    async () => ({ status: 200, data: new JsonText('{"a":1.0}') }),
  ];
  const rows = outcomes.map((act, i) => acting({ path: `/${i}` }, [], act));
  const counters = new Counters(rows);
  const server = await startServer(t, rows, { counters });
  const post = (i: number) => call(`${server.url}/${i}`, { method: 'POST' });
  t.match(await post(0), { status: 200, text: /"data":\[1\]\}$/ });
  t.match(await post(1), { status: 403, text: /"the free plan has 5 keys"/ });
  t.match(await post(2), { status: 500, text: /"internal error"/ });
  t.match(await post(3), { status: 500, text: /"internal error"/ }, 'data that JSON cannot say');
  t.match(await post(4), { status: 200, text: /"data":\{"a":1\.0\}\}$/ }, 'text as it is');
  t.equal(counters.inFlight.value, 0);
});

t.test('clients that leave while they are looked up', async (t) => {
  const clock = new FakeClock();
  const found = Promise.withResolvers<typeof alice>();
  const gate = { ...gateOf({}), byKey: () => found.promise };
  const server = await startServer(t, [echo({ access: 'key' })], { clock, gate });
  const wire = await connect(server.port);
  wire.socket.write('GET /v1/echo HTTP/1.1\r\nhost: x\r\nx-api-key: a\r\n\r\n');
  const other = call(`${server.url}/v1/echo`, { headers: { 'x-api-key': 'b' } });
  await call(`${server.url}/nothing`);
  wire.socket.destroy();
  await wire.closed;
  found.resolve(alice);
  t.match(await other, { status: 200 });
});
