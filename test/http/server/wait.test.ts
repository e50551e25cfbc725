/** Requests that wait: for their answers, and for the next version of one. */

import t, { type Test } from 'tap';
import { Plans } from '../../../config/plans.ts';
import { type Snapshot, snapshotOf } from '../../../http/answers/snapshots.ts';
import { Source } from '../../../http/answers/source.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { InFlightCounts } from '../../../http/wire/in-flight.ts';
import { FakeClock } from '../../support/clock.ts';
import {
  call,
  connect,
  echo,
  later,
  type Reply,
  reads,
  ready,
  startServer,
} from '../../support/http.ts';
import { alice, gateOf, memoryQuota } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const snapshot = ready('"data"');
const slow = { ...alice, account: 'carol', key: 'k9' };
/** As the key that `npm start` prints. */
const own = { account: 'local', plan: 'local', key: 'k7' } as const;
const messageOf = ({ text }: Reply) => JSON.parse(text).message;

t.test('as many of one name as may wait, and no more', async (t) => {
  const counts = new InFlightCounts();
  const enter = (name: string) => counts.enter(name, 2);
  t.same(['a', 'a', 'a', 'b'].map(enter), [true, true, false, true]);
  counts.leave('a');
  t.same(['a', 'a'].map(enter), [true, false]);
  for (let i = 0; i < 3; i++) counts.leave('a');
  t.same(['a', 'a', 'a'].map(enter), [true, true, false]);
  t.same(
    [3, 3, 2].map((weight) => counts.enter('c', 5, weight)),
    [true, false, true],
  );
  counts.leave('c', 3);
  t.same(
    [4, 3].map((weight) => counts.enter('c', 5, weight)),
    [false, true],
    'with their weights',
  );
});

t.test('an address may have so many requests waiting', async (t) => {
  const replies: PromiseWithResolvers<Snapshot>[] = [];
  const row = echo({
    path: '/ask',
    from: later(() => {
      const reply = Promise.withResolvers<Snapshot>();
      replies.push(reply);
      return reply.promise;
    }),
  });
  const server = await startServer(t, [row, echo()], { inFlightPerAddress: 2 });
  const url = `${server.url}/ask`;
  const first = [call(url), call(url)];
  await until(() => replies.length === 2, 'two are waiting');
  const third = await call(url);
  t.equal(third.status, 429);
  t.equal(messageOf(third), 'too many requests of your address are waiting for their answers');
  t.equal(third.headers['retry-after'], '1');
  t.match(await call(`${server.url}/v1/echo`), { status: 200 }, 'what is in memory is served');
  for (const { resolve } of replies) resolve(snapshot);
  await Promise.all(first);
  const again = call(url);
  await until(() => replies.length === 3, 'there is room again');
  replies[2]?.resolve(snapshot);
  t.match(await again, { status: 200 });
});

t.test('an account may have as many requests waiting as its plan allows', async (t) => {
  const replies: PromiseWithResolvers<Snapshot>[] = [];
  const ask = () => {
    const reply = Promise.withResolvers<Snapshot>();
    replies.push(reply);
    return reply.promise;
  };
  const clock = new FakeClock();
  const free = { name: 'free', requestsPerMinute: 60, keys: 5, connections: 2 };
  const { quota } = memoryQuota(clock, new Plans([free]));
  const rows = [echo({ path: '/ask', access: 'key', from: later(ask) }), echo({ access: 'key' })];
  const gate = gateOf({ good: alice, second: { ...alice, key: 'k2' }, other: slow, own });
  const server = await startServer(t, rows, { clock, gate, quota });
  const get = (key: string, path = '/ask') =>
    call(server.url + path, { headers: { 'x-api-key': key } });
  const waiting = [get('good'), get('second')];
  await until(() => replies.length === 2, 'two are waiting');
  const third = await get('good');
  t.equal(third.status, 429);
  t.match(messageOf(third), /^2 requests of your account are waiting for their answers/);
  t.match(third.headers, { ratelimit: '"default";r=58;t=60' }, 'it is not counted');
  t.match(await get('good', '/v1/echo'), { status: 200 }, 'what is in memory is served');
  waiting.push(get('other'), get('own'), get('own'), get('own'));
  await until(() => replies.length === 6, 'other accounts have their own');
  for (const { resolve } of replies) resolve(snapshot);
  for (const { status } of await Promise.all(waiting)) t.equal(status, 200);
  const again = get('good');
  await until(() => replies.length === 7, 'there is room again');
  replies[6]?.resolve(snapshot);
  t.match(await again, { status: 200 });
});

/** A server with a view whose answer a test sets. */
async function stage(t: Test) {
  let answer = snapshotOf({ price: 1 });
  const changes = new Source();
  const clock = new FakeClock();
  const rows = [echo({ path: '/v1/prices', from: reads(() => answer, changes) })];
  const counters = new Counters(rows, clock);
  const server = await startServer(t, rows, { clock, counters, inFlightPerAddress: 2 });
  const set = async (price: number) => {
    answer = snapshotOf({ price });
    changes.change();
    await clock.advance(100);
  };
  const get = (path: string, tag?: string) =>
    call(server.url + path, { headers: tag === undefined ? {} : { 'if-none-match': tag } });
  return { ...server, set, get, counters };
}

t.test('a request with a tag waits for another version, or for its time', async (t) => {
  const { set, get, clock, counters, port } = await stage(t);
  const tag = String((await get('/v1/prices?wait=5000')).headers.etag);
  const before = clock.pending;
  const next = get('/v1/prices?wait=5000', tag);
  await until(() => clock.pending > before, 'it waits');
  await set(1);
  await set(2);
  t.match(JSON.parse((await next).text), { data: { price: 2 } });
  const newer = String((await next).headers.etag);
  const then = clock.pending;
  const none = get('/v1/prices?wait=700', newer);
  await until(() => clock.pending > then, 'it waits');
  await clock.advance(700);
  t.equal((await none).status, 304);
  const wire = await connect(port);
  const head = `GET /v1/prices?wait=700 HTTP/1.1\r\nhost: x\r\nif-none-match: ${newer}\r\n\r\n`;
  wire.socket.write(head);
  await until(() => clock.pending > then, 'it waits');
  wire.socket.destroy();
  await until(() => clock.pending === then, 'a client that leaves waits no more');
  const { statuses } = counters.snapshot()[0] ?? {};
  t.match(statuses?.[3 - 1], { counts: [1], sum: 0 }, 'the wish does not count as latency');
});

t.test('requests that wait have as many places as others, and end with the server', async (t) => {
  const { get, clock, stop } = await stage(t);
  const tag = String((await get('/v1/prices')).headers.etag);
  const before = clock.pending;
  const waiting = [get('/v1/prices?wait=30000', tag), get('/v1/prices?wait=30000', tag)];
  await until(() => clock.pending === before + 2, 'both wait');
  t.equal((await get('/v1/prices?wait=1', tag)).status, 429);
  const stopped = stop();
  t.strictSame(
    (await Promise.all(waiting)).map(({ status }) => status),
    [304, 304],
  );
  await clock.advance(10_000);
  await stopped;
});
