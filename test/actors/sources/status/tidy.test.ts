import t from 'tap';
import { keepTidy, tidy } from '../../../../actors/sources/status/tidy.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { ComputeStatus, FeedStatus, ProcessReport } from '../../../../actors/topics/index.ts';
import { StatusView } from '../../../../http/views/feed-status.ts';
import { busStage } from '../../../support/bus-stage.ts';
import { FakeClock } from '../../../support/clock.ts';
import { feedStatus } from '../../../support/makers.ts';
import { until } from '../../../support/until.ts';

const hour = 3_600_000;
const clock = new FakeClock();
const now = clock.now();

const status = (source: string, part: string, more: Partial<FeedStatus> = {}) =>
  feedStatus({ source, part, ...more });
const overdue = (ago: number) => ({ next_poll: now - ago, last_attempt: now - ago - 30_000 });
const rows = [
  status('okx', 'spot'),
  // Its upstream has been away for ten days.
  status('okx', 'linear', { state: 'failing', last_success: now - 240 * hour }),
  status('okx', 'removed', overdue(25 * hour)),
  status('okx', 'late', overdue(23 * hour)),
  status('okx', 'spare', { ...overdue(200 * hour), state: 'standby', next_poll: null }),
  status('stopped', 'spot', overdue(167 * hour)),
  status('abandoned', 'spot', overdue(168 * hour)),
];
const left = ['okx/spot', 'okx/linear', 'okx/late', 'okx/spare', 'stopped/spot'];

t.test('what nobody will publish again is removed from Redis', async (t) => {
  const { bus } = await busStage(t);
  const part = {} as never;
  const venues = new Map([
    [
      'okx',
      { feeds: { prices: { every: 1, parts: { spot: part, linear: part } } } } as unknown as Venue,
    ],
  ]);
  const log = { warn: () => {} } as never;
  const options = { bus, venues, clock, log };
  const process = (at: number): ProcessReport => ({
    ...{ id: 'a', role: 'feed', pid: 1, host: 'b', started: 2, at },
    ...{ rss_bytes: 3, loop_p99_ms: 4 },
  });
  const idle = { bounds: [], counts: [], sum: 0 };
  const pool = (at: number): ComputeStatus => ({
    ...{ at, threads: 1, queued: 0, jobs: {}, batches: 0, replaced: 0, wait: idle, run: idle },
  });
  const ages = { lives: 0, pauses: 299_000, ended: 301_000 };
  for (const [id, age] of Object.entries(ages)) {
    await bus.publish('processes', id, process(now - age));
    await bus.publish('compute', id, pool(now - age));
  }
  const reading = (key: string) => {
    const [source = '', part = ''] = key.split('/');
    return { source, part, asked: 1, received: now - 240 * hour, rows: [] };
  };
  const parts = ['okx/spot', 'okx/linear', 'okx/removed', 'stopped/spot', 'abandoned/spot'];
  for (const key of parts) {
    await bus.publish('prices', key, reading(key));
  }
  await tidy(options);
  t.same((await bus.keys('prices')).length, 5, 'nothing while nothing is reported');

  for (const row of rows) await bus.publish('status', `${row.source}/prices/${row.part}`, row);
  await tidy(options);
  t.same((await bus.keys('processes')).sort(), ['lives', 'pauses']);
  t.same((await bus.keys('compute')).sort(), ['lives', 'pauses']);
  const names = (await bus.keys('status')).map((key) => key.replace('/prices', ''));
  t.same(names.sort(), [...left].sort());
  const kept = ['okx/linear', 'okx/spot', 'stopped/spot'];
  t.same((await bus.keys('prices')).sort(), kept, 'the last good value of what there is stays');

  await bus.publish('processes', 'ended', process(now - 301_000));
  const tidying = keepTidy(options);
  await clock.advance(hour);
  await until(async () => (await bus.keys('processes')).length < 3, 'each hour');
  tidying.stop();
  t.equal(clock.pending, 0);
});

t.test('order books and large orders of a day ago are removed', async (t) => {
  const { bus } = await busStage(t);
  for (const [key, at] of [
    ['okx/swap', now - 25 * hour],
    ['bybit/linear', now - 23 * hour],
  ] as const) {
    const [source = '', part = ''] = key.split('/');
    const about = { source, part, asked: at, received: at, rows: [] };
    await bus.publish('orderBooks', key, about as never);
    await bus.publish('largeOrders', key, about as never);
    await bus.publish('referenceInputs', key, about as never);
  }
  await tidy({ bus, venues: new Map(), clock, log: { warn: () => {} } as never });
  for (const topic of ['orderBooks', 'largeOrders', 'referenceInputs'] as const)
    t.strictSame(await bus.keys(topic), ['bybit/linear'], topic);
});

t.test('/v1/status forgets parts that are no more, not those that are away', async (t) => {
  const view = new StatusView();
  for (const row of rows) view.acceptFeed(`${row.source}/prices/${row.part}`, row);
  view.expire(now);
  t.same(
    [...view.feeds()].map(({ source, part }) => `${source}/${part}`),
    left,
  );
  const states = Object.fromEntries([...view.feeds()].map(({ part, state }) => [part, state]));
  t.match(states, { linear: 'failing', late: 'silent', spare: 'standby' });
});
