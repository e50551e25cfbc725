/** How old answers may be, and requests that wait for the next version. */
import t, { type Test } from 'tap';
import { Counters } from '../../http/counters.ts';
import { type ApiError, apiError } from '../../http/errors.ts';
import { type Snapshot, snapshotOf } from '../../http/snapshots.ts';
import { FakeClock } from '../support/clock.ts';
import { call, echo, later, startServer } from '../support/http.ts';
import { alice, gateOf } from '../support/quota.ts';
import { until } from '../support/until.ts';

const symbol = { type: 'string', description: 'The asset' } as const;

/** A server with a view whose answer a test sets. */
async function stage(t: Test) {
  let answer: Snapshot | null = null;
  const calls: object[] = [];
  const view = (values: object): Snapshot | ApiError => {
    calls.push(values);
    return answer ?? apiError('warming_up');
  };
  const clock = new FakeClock();
  const rows = [
    echo({ path: '/v1/prices', params: { symbol }, from: { view } }),
    echo({ path: '/v1/asked', from: later(() => snapshotOf({ a: 1 }, clock.now() - 2_500)) }),
    echo({ path: '/v1/exchanges', undated: true }),
  ];
  const counters = new Counters(rows, clock);
  const server = await startServer(rows, {
    ...{ clock, counters, gate: gateOf({ good: alice }), inFlightPerAddress: 2 },
  });
  t.teardown(server.end);
  const { url } = server;
  const set = async (price: number, age = 0) => {
    answer = snapshotOf({ price }, clock.now() - age);
    server.touch();
    await clock.advance(100);
  };
  const get = (path: string, tag?: string) =>
    call(url + path, { headers: tag === undefined ? {} : { 'if-none-match': tag } });
  return { ...server, set, get, calls, counters };
}

t.test('an answer says when its newest reading was received', async (t) => {
  const { set, get, clock, calls } = await stage(t);
  await set(1, 4_000);
  const asOf = clock.now() - 4_100;
  const first = await get('/v1/prices');
  t.match(JSON.parse(first.text), { status: 'ok', as_of: asOf, data: { price: 1 } });
  t.equal(first.headers.age, '4');
  const again = await get('/v1/prices', String(first.headers.etag));
  t.match([again.status, again.headers.age], [304, '4']);
  const old = await get('/v1/prices?max_age=4099');
  t.equal(old.status, 503);
  t.match(JSON.parse(old.text), {
    code: 'too_old',
    message: 'the newest reading is 4100 ms old, max_age allows 4099',
  });
  t.equal((await get('/v1/prices?max_age=4100')).status, 200);
  t.strictSame(calls.at(-1), {}, 'the view does not see it');
  t.equal((await get('/v1/prices?max_age=-1')).status, 400);
});

t.test('a query has an age, a list of exchanges has none', async (t) => {
  const { get } = await stage(t);
  const asked = await get('/v1/asked?max_age=3000');
  t.match([asked.status, asked.headers.age], [200, '2']);
  t.equal((await get('/v1/asked?max_age=2000')).status, 503);
  const list = await get('/v1/exchanges?max_age=1');
  t.equal(list.headers['ignored-parameters'], 'max_age');
  t.notOk('age' in list.headers);
});

t.test('a request with a tag waits for another version, or for its time', async (t) => {
  const { set, get, clock, counters } = await stage(t);
  await set(1);
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
  const { statuses } = counters.snapshot()[0] ?? {};
  t.match(statuses?.[3 - 1], { counts: [1], sum: 0 }, 'the wish does not count as latency');
});

t.test('requests that wait have as many places as others, and end with the server', async (t) => {
  const { set, get, clock, stop } = await stage(t);
  await set(1);
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
