/** How old answers may be. */
import t, { type Test } from 'tap';
import { type Snapshot, snapshotOf } from '../../../http/answers/snapshots.ts';
import { freshnessParams } from '../../../http/endpoints/freshness.ts';
import { type ApiError, apiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, echo, later, reads, startServer } from '../../support/http.ts';

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
    echo({ path: '/v1/prices', params: { symbol }, from: reads(view) }),
    echo({ path: '/v1/asked', from: later(() => snapshotOf({ a: 1 }, clock.now() - 2_500)) }),
    echo({ path: '/v1/exchanges', noMarketData: true }),
    echo({ path: '/v1/ageless' }),
  ];
  const server = await startServer(t, rows, { clock });
  const { url } = server;
  const set = (price: number, age = 0) => {
    answer = snapshotOf({ price }, clock.now() - age);
  };
  const get = (path: string, tag?: string) =>
    call(url + path, { headers: tag === undefined ? {} : { 'if-none-match': tag } });
  return { ...server, set, get, calls };
}

t.test('an answer says when its newest reading was received', async (t) => {
  const { set, get, clock, calls } = await stage(t);
  set(1, 4_100);
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
  for (const path of ['/v1/prices?max_age=4100', '/v1/prices?wait=1', '/v1/ageless?max_age=0'])
    t.equal((await get(path)).status, 200, path);
  t.strictSame(calls.at(-1), {}, 'the view does not see them');
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

t.test('the parameters of a row by where its answer is from', async (t) => {
  const of = (row: object) =>
    Object.entries(freshnessParams(echo(row))).map(
      ([name, { type, minimum, maximum, example }]) => [name, type, minimum, maximum, example],
    );
  const age = ['max_age', 'integer', 0, undefined, 60_000];
  const wait = ['wait', 'integer', 0, 30_000, undefined];
  const act = { act: async () => ({ status: 200, data: 1 }) };
  const all = [{}, { from: { query: () => apiError('internal') } }, { from: act }, { free: true }];
  t.strictSame([...all, { noMarketData: true }].map(of), [[age, wait], [age], [], [], []]);
});
