import { Readable } from 'node:stream';
import t from 'tap';
import { accountIdOf } from '../../../http/auth/caller.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import type { Call } from '../../../http/endpoints/route.ts';
import { Held } from '../../../http/wire/held.ts';
import { collectBody, skipBody } from '../../../http/wire/request-body.ts';
import { FakeClock } from '../../support/clock.ts';
import { acting, call, connect, echo, startServer } from '../../support/http.ts';
import { alice, gateOf } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 64 },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  },
  required: ['name'],
};

const json = { 'content-type': 'application/json' };

/** A body whose pieces a test gives, and how it is read. */
function source() {
  const clock = new FakeClock();
  const client = new AbortController();
  let give = (_chunk: ArrayBuffer, _last: boolean) => {};
  let leave = () => {};
  let corked = 0;
  const res = {
    onData(take: typeof give) {
      give = take;
    },
    onAborted(note: typeof leave) {
      leave = note;
    },
    cork: (write: () => void) => {
      corked++;
      write();
    },
  };
  const piece = (size: number, last = false) => give(new ArrayBuffer(size), last);
  return { clock, client, res, piece, leave: () => leave(), corked: () => corked };
}
/** Bodies of which 1,100 bytes may be in memory, and so many are. */
function heldOf(bytes: number): Held {
  const held = new Held({ most: 1_100, ofClient: 1_100 });
  held.hold('another', bytes);
  return held;
}

const late = { error: 'request_timeout' };
const large = { error: 'too_large', message: 'the request body is larger than 1 KiB' };

/** What the pieces of a body come to, where at most 1,100 bytes may be in memory. */
const readings: Record<string, [declared: number, pieces: number[], outcome: number | object]> = {
  'a body in one piece': [0, [3], 3],
  'a body as large as it may be': [1_024, [1_000, 24], 1_024],
  'a body that is larger by its length': [1_025, [], large],
  'a body that is larger by its bytes': [0, [1_000, 25], large],
};
for (const [name, [declared, pieces, outcome]] of Object.entries(readings)) {
  t.test(name, async (t) => {
    const { clock, client, res, piece } = source();
    const budget = heldOf(76);
    const limits = { cap: 1_024, declared, client: 'a', signal: client.signal, clock };
    const read = collectBody(res, budget, limits);
    for (const [i, size] of pieces.entries()) piece(size, i === pieces.length - 1);
    const found = await read;
    t.match(Buffer.isBuffer(found) ? found.length : found, outcome);
    if (declared <= 1_024) piece(5, true);
    t.strictSame([budget.all, clock.pending], [76, 0], 'nothing is held any more');
  });
}

t.test('a body that stops coming, and one for which there is no room', async (t) => {
  const { clock, client, res, piece } = source();
  const budget = heldOf(77);
  const limits = { cap: 1_024, declared: 0, client: 'a', signal: client.signal, clock };
  const read = () => collectBody(res, budget, limits);
  const slow = read();
  await clock.advance(4_999);
  piece(10);
  await clock.advance(4_999);
  t.equal(budget.all, 87);
  await clock.advance(1);
  t.match(await slow, late);
  const full = read();
  piece(1_024, true);
  t.match(await full, { error: 'overloaded', retryAfter: 1 });
  const left = read();
  piece(7);
  client.abort();
  t.match(await left, { error: 'internal' });
  t.strictSame([budget.all, clock.pending], [77, 0]);
});

t.test('a body that is dropped', async (t) => {
  const faults: unknown[] = [];
  const skip = () => {
    const made = source();
    skipBody(made.res, { cap: 1_024, clock: made.clock }, (fault) => faults.push(fault));
    return made;
  };
  const [whole, over, slow, gone] = [skip(), skip(), skip(), skip()];
  whole.piece(1_000);
  whole.piece(24, true);
  over.piece(1_025);
  over.piece(1, true);
  await slow.clock.advance(4_999);
  slow.piece(1);
  await slow.clock.advance(4_999);
  t.equal(faults.length, 2);
  await slow.clock.advance(1);
  slow.piece(1, true);
  gone.leave();
  gone.piece(1, true);
  t.match(faults, [null, large, late]);
  t.strictSame(
    [whole, over, slow, gone].map(({ corked }) => corked()),
    [1, 1, 1, 0],
  );
  t.strictSame(
    [whole, over, slow, gone].map(({ clock }) => clock.pending),
    [0, 0, 0, 0],
  );
});

t.test('bodies', async (t) => {
  const calls: Call<unknown>[] = [];
  const rows = [
    acting({ body: schema }, calls),
    acting({ path: '/large', body: {}, bodyCap: 2 ** 20 }),
  ];
  const server = await startServer(t, rows);
  const post = (
    body?: string | Buffer | Readable,
    headers: Record<string, string> = json,
    path = '/act',
  ) => call(server.url + path, { method: 'POST', body: body ?? null, headers });
  const refusal = async (...args: Parameters<typeof post>) => {
    const { status, text } = await post(...args);
    return [status, JSON.parse(text).message];
  };

  const made = await post('{"name":"é"}', { ...json, 'idempotency-key': 'once' }, '/act?id=7');
  t.match(made, { status: 201, headers: { 'cache-control': 'no-store' } });
  t.notOk(made.headers.etag);
  const body = { name: 'é', limit: 100 };
  t.same(JSON.parse(made.text), {
    status: 'ok',
    timestamp: server.clock.now(),
    data: {
      values: { id: '7' },
      body,
      caller: null,
      account: accountIdOf(null, '127.0.0.1'),
      idempotencyKey: 'once',
      isHttps: false,
    },
  });
  t.match(await post('{"name":"a"}', { 'content-type': 'Application/JSON; charset=utf-8' }), {
    status: 201,
  });
  t.match(await post(Readable.from(['{"na', 'me":"in ', 'pieces"}'])), { status: 201 });
  t.match(calls[2], { body: { name: 'in pieces' }, idempotencyKey: '' });

  t.same(await refusal('{"name":5}'), [400, 'name must be text of 1 to 64 characters']);
  t.same(await refusal('{}'), [400, 'name is required']);
  t.same(await refusal('{"name"'), [400, 'the request body is not valid JSON']);
  const invalid = Buffer.from('{"name":"\xff"}', 'latin1');
  t.same(await refusal(invalid), [400, 'the request body is not valid JSON']);
  t.same(await refusal(), [400, 'a JSON request body is required']);
  t.same(await refusal('{"name":"a"}', json, '/act?id='), [
    400,
    'id must be text that is not empty',
  ]);
  const media = [415, 'the request body must be application/json'];
  for (const type of ['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded']) {
    t.same(await refusal('{"name":"a"}', { 'content-type': type }), media, type);
  }
  t.same(await refusal('{"name":"a"}', {}), media, 'no type');

  const padded = (size: number) => `{"name":"a"${' '.repeat(size - 12)}}`;
  t.match(await post(padded(65_536)), { status: 201 });
  const large = [413, 'the request body is larger than 64 KiB'];
  t.same(await refusal(padded(65_537)), large);
  t.same(await refusal(Readable.from(Array(200).fill(' '.repeat(1_000)))), large, 'by counting');
  t.match(await post(padded(2 ** 20), json, '/large'), { status: 201 });
  t.same(await refusal(padded(2 ** 20 + 1), json, '/large'), [
    413,
    'the request body is larger than 1024 KiB',
  ]);
  t.equal(calls.length, 4, 'what is refused is not acted upon');
});

t.test('a body is read before its caller is refused', async (t) => {
  const calls: Call<unknown>[] = [];
  const rows = [acting({ access: 'key', body: schema }, calls)];
  const server = await startServer(t, rows, { gate: gateOf({ good: alice }) });
  const post = (headers: Record<string, string>, body: string) =>
    call(`${server.url}/act`, { method: 'POST', headers: { ...json, ...headers }, body });
  t.match(await post({}, '{"name":"a"}'), { status: 401 });
  t.match(await post({ 'x-api-key': 'slow-bad' }, 'x'.repeat(100_000)), { status: 401 });
  t.match(await post({ 'x-api-key': 'good' }, '{"name":"a"}'), { status: 201 });
  t.match(calls, [{ caller: alice }]);
});

t.test('clients that leave in their body', async (t) => {
  const calls: Call<unknown>[] = [];
  const rows = [acting({ body: schema }, calls)];
  const counters = new Counters(rows);
  const server = await startServer(t, rows, { counters });
  const head = `POST /act HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`;
  const gone = await connect(server.port);
  gone.socket.write(`${head}{"na`);
  await until(() => counters.inFlight.value === 1, 'its body is being read');
  gone.socket.destroy();
  await until(() => counters.inFlight.value === 0, 'it is forgotten');
  t.same(calls, []);
});

t.test('a body that does not come is answered', async (t) => {
  const act = echo({
    method: 'POST',
    path: '/v1/act',
    body: { type: 'object' },
    from: { act: async () => ({ status: 200, data: null }) },
  });
  const server = await startServer(t, [act]);
  const bodies = {
    'chunk extensions': 'transfer-encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\n\r\n',
    'half of a body': 'content-length: 9\r\n\r\n{"a"',
  };
  for (const [name, rest] of Object.entries(bodies)) {
    for (const path of ['/v1/act', '/v1/nothing']) {
      const wire = await connect(server.port);
      wire.socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${rest}`);
      // The timer of the body is set once the head is read: time is moved until that has happened.
      const answered = async () => {
        await server.clock.advance(1_000);
        return wire.received() !== '';
      };
      await until(answered, `${name} has its answer`, 5_000);
      await wire.closed;
      t.match(
        wire.received(),
        /^HTTP\/1\.1 408[\s\S]*"code":"request_timeout"/,
        `${path}, ${name}`,
      );
    }
  }
});
