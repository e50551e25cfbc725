/** Several answers as of one moment. */
import t from 'tap';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import { batchRoute } from '../../../http/routes/batch.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { call, echo, later, reads, startServer } from '../../support/http.ts';
import { alice, gateOf, memoryQuota } from '../../support/quota.ts';
import { until } from '../../support/until.ts';

const symbol = { type: 'string', description: 'The asset' } as const;

t.test('paths from memory and asked for, read at one moment and counted each', async (t) => {
  const clock = new FakeClock();
  const price = { now: 1 };
  const rows = [
    echo({
      path: '/v1/prices',
      params: { symbol },
      access: 'key',
      from: reads(({ symbol: asset }) =>
        asset === 'NOPE'
          ? apiError('unknown_symbol')
          : snapshotOf({ symbol: asset, price: price.now }, clock.now() - 2_000),
      ),
    }),
    echo({
      path: '/v1/asked',
      from: later(() => {
        price.now = 2;
        return snapshotOf({ asked: true });
      }),
    }),
    echo({ path: '/v1/usage', from: { act: async () => ({ status: 200, data: {} }) } }),
    echo({ path: '/v1/vast', from: reads(() => snapshotOf('x'.repeat(16 * 2 ** 20))) }),
    echo({ path: '/v1/large', from: reads(() => snapshotOf('x'.repeat(8 * 2 ** 20 - 63))) }),
    echo({ path: '/v1/share', budget: 'dex', from: later(() => snapshotOf({})) }),
    batchRoute(),
  ];
  const { quota } = memoryQuota(clock);
  t.teardown(() => quota.close());
  const server = await startServer(t, rows, { clock, gate: gateOf({ good: alice }), quota });
  const post = async (paths: unknown) => {
    const reply = await call(`${server.url}/v1/batch`, {
      method: 'POST',
      headers: { 'x-api-key': 'good', 'content-type': 'application/json' },
      body: JSON.stringify({ paths }),
    });
    const left = Number(/r=(\d+)/.exec(String(reply.headers.ratelimit))?.[1]);
    return { ...JSON.parse(reply.text), status: reply.status, left };
  };
  const paths = [
    '/v1/prices?symbol=BTC',
    '/v1/asked',
    '/v1/prices?symbol=NOPE',
    '/v1/prices?symbol=BTC&max_age=1000',
    '/v1/prices?symbol=BTC&wait=1',
    '/v1/usage',
    '/v1/nothing',
    '/v1/prices?sybol=BTC',
    '/v1/share',
  ];
  const first = await post(paths);
  const [prices, asked] = first.data.answers;
  t.match(prices, { path: paths[0], status: 200, as_of: clock.now() - 2_000 });
  t.strictSame(prices.data, { symbol: 'BTC', price: 2 }, 'read after what was asked for');
  t.match(asked, { path: paths[1], status: 200, data: { asked: true } });
  const codes = first.data.answers.slice(2).map((one: { code: string }) => one.code);
  t.strictSame(codes, [
    ...['unknown_symbol', 'too_old', 'bad_parameter', 'bad_parameter'],
    ...['not_found', 'bad_parameter', 'bad_parameter'],
  ]);
  t.match(first.data, { at: clock.now(), count: paths.length });
  const again = await post(paths);
  t.equal(again.data.snapshot_id, first.data.snapshot_id, 'equal answers');
  t.equal(first.left - again.left, paths.length, 'counted as so many requests');
  price.now = 3;
  t.not(
    (await post(['/v1/prices'])).data.snapshot_id,
    (await post(['/v1/asked'])).data.snapshot_id,
  );
  const full = await post(['/v1/large', '/v1/large', '/v1/asked']);
  t.match(
    full.data.answers.map(({ status }: { status: number }) => status),
    [200, 200, 413],
    'together they have 16 MiB',
  );
  const vast = await post(['/v1/vast', '/v1/prices', '/v1/asked']);
  t.match(
    vast.data.answers.map(({ status }: { status: number }) => status),
    [413, 200, 200],
    'one that is too large takes no room from those after it',
  );
  t.equal((await post([])).message, 'paths must be an array of 1 to 20 entries');
  const twenty = Array.from({ length: 20 }, () => '/v1/prices');
  let last = again;
  while (last.status === 200) last = await post(twenty);
  t.match(last, { status: 429, code: 'too_many_requests' });
  t.ok(last.left < 20 && last.left >= 0, 'what was not answered is not counted');
});

t.test('each path that is asked for counts as a request in flight', async (t) => {
  const waiting: (() => void)[] = [];
  const slow = later(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return snapshotOf({});
  });
  const paths = Array.from({ length: 6 }, (_, i) => `/v1/slow${i}`);
  const rows = [
    ...paths.map((path) => echo({ path, from: slow })),
    echo({ path: '/v1/ready', from: reads(() => snapshotOf({})) }),
    batchRoute(),
  ];
  const server = await startServer(t, rows, { inFlightPerAddress: 4 });
  const reply = call(`${server.url}/v1/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ paths: [...paths, '/v1/ready'] }),
  });
  await until(() => waiting.length === 4, 'as many wait as may');
  t.equal((await call(`${server.url}/v1/slow0`)).status, 429, 'nothing else may wait meanwhile');
  for (const go of waiting) go();
  const { answers } = JSON.parse((await reply).text).data;
  t.strictSame(
    answers.map(({ status }: { status: number }) => status),
    [200, 200, 200, 200, 429, 429, 200],
  );
  const after = call(`${server.url}/v1/slow0`);
  await until(() => waiting.length === 5, 'all have left');
  waiting[4]?.();
  t.equal((await after).status, 200);
});
