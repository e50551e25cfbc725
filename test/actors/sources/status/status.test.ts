/** Rows of `/v1/status`, as docs/operating.md and the comments of the rows' type describe them. */
import t from 'tap';
import { Counter, SourceStatus, StatusRow } from '../../../../actors/sources/status/status.ts';
import type { FeedStatus } from '../../../../actors/topics/index.ts';
import { FakeClock } from '../../../support/clock.ts';

const name = { source: 'okx', topic: 'prices', part: 'spot' };
const refused = { code: 'refused', message: 'no' } as const;
const open = { code: 'breaker_open', message: 'the breaker is open' } as const;

t.test('a row: waiting, up, failing, up', async (t) => {
  const published: FeedStatus[] = [];
  const row = new StatusRow(name, (status) => published.push(status));
  t.strictSame(row.values, {
    ...name,
    ...{ state: 'waiting', reason: null, last_success: null, last_attempt: null, latency_ms: null },
    ...{ last_error: null, breaker: 'closed', next_poll: null, rows: 0, dropped: {}, failures: 0 },
  });
  row.fail(refused, 10).fail(refused, 20);
  const failing = { state: 'failing', failures: 2, last_error: { ...refused, at: 20 } } as const;
  t.match(row.values, failing);
  row.fail(open, 30);
  t.match(row.values, { ...failing, failures: 3 }, 'what opened the breaker is still stated');
  row.succeed({ asked: 40, received: 47, rows: 5, dropped: { bad_row: 1 } });
  const up = { state: 'up', reason: null, last_success: 47, latency_ms: 7, rows: 5, failures: 0 };
  t.match(row.values, { ...up, dropped: { bad_row: 1 }, last_error: { at: 20 } });
  row.note(refused, 50);
  t.match(row.values, { ...up, last_error: { ...refused, at: 50 } }, 'the state is the same');
  row.succeed({ asked: 60, received: 61, rows: 6 });
  t.strictSame(row.values.dropped, {});
  row.fail(open, 70);
  t.match(row.values.last_error, { ...open, at: 70 }, 'without a failure before it');
  t.strictSame(published, []);
  row.set({ state: 'down', reason: 'paused' }).report();
  t.match(published, [{ state: 'down', reason: 'paused', failures: 1 }]);
  row.fail(refused, 80);
  t.equal(row.values.reason, null);
});

t.test('a breaker that opens before any error is the error', async (t) => {
  const row = new StatusRow(name, () => {});
  row.fail(open, 1);
  t.match(row.values.last_error, open);
  row.set({ last_error: { ...refused, at: 2 }, failures: 0 }).fail(open, 3);
  t.match(row.values.last_error, open, 'an error of before the last success is no cause');
});

t.test('counts by reason', async (t) => {
  const counter = new Counter();
  counter.add('gap');
  counter.add('gap', 2);
  counter.add('lost', 0);
  counter.add('late', -1);
  t.strictSame(counter.counts, { gap: 3 });
  t.strictSame(counter.take(), { gap: 3 });
  t.strictSame([counter.counts, counter.take()], [{}, {}]);
  counter.add('gap');
  t.strictSame(counter.counts, { gap: 1 });
});

function source() {
  const clock = new FakeClock(1_000);
  const published: FeedStatus[] = [];
  const status = new SourceStatus({
    ...{ source: 'own', clock },
    publish: (row) => published.push(row),
  });
  /** What was published since the last call. */
  const told = () => published.splice(0);
  return { clock, status, told };
}
const found = { asked: 5, received: 7, rows: 3 };
const named = (topic: string, part: string) => ({ source: 'own', topic, part });

t.test('a job has a row for each source that it asks, and none of its own', async (t) => {
  const { status, told } = source();
  status.success('job', 'a', found);
  const up = { ...named('job', 'a'), state: 'up', last_attempt: 5, rows: 3 };
  t.match(told(), [{ ...up, breaker: 'closed', latency_ms: 2 }]);
  status.failure('job', 'b', refused);
  t.match(told(), [
    {
      ...named('job', 'b'),
      ...{ state: 'failing', last_attempt: 1_000, last_error: { ...refused, at: 1_000 } },
    },
  ]);
  status.done('job', null, found);
  status.done('job', refused, found);
  t.strictSame(told(), []);
  status.standby('job', ['b', 'never asked']);
  t.match(told(), [{ ...named('job', 'b'), state: 'standby', next_poll: null }]);
  status.standby('job', ['b']);
  t.strictSame(told(), [], 'it stands by already');
  status.plan('job', 9_000);
  t.match(told(), [{ part: 'a', next_poll: 9_000 }], 'what stands by is not planned');
  status.failure('failing job', 'c', refused);
  status.done('failing job', refused, found);
  t.match(told(), [named('failing job', 'c')], 'a failure is of a source too');
});

t.test('a job that asks nobody has a row of its own', async (t) => {
  const { status, told } = source();
  status.done('sum', null, found);
  const up = { ...named('sum', 'own'), state: 'up', rows: 0, last_success: 7, last_attempt: 5 };
  t.match(told(), [up]);
  status.done('sum', refused, found);
  t.match(told(), [{ ...named('sum', 'own'), state: 'failing', last_error: refused }]);
  status.done('sum', null, found);
  t.match(told(), [up]);
});

t.test('a resumed result is enough until there is a failure', async (t) => {
  const { status, told } = source();
  status.resume('sum', 'a', { received: 4, rows: 2 });
  t.match(told(), [{ ...named('sum', 'a'), state: 'up', last_success: 4, rows: 2 }]);
  status.done('sum', null, found);
  t.strictSame(told(), []);
  status.done('sum', refused, found);
  t.match(told(), [{ ...named('sum', 'own'), state: 'failing' }]);
  status.done('sum', null, found);
  t.match(told(), [{ ...named('sum', 'own'), state: 'up' }]);
});

t.test(
  'a plan is of a feed by its topic and part, of a job by its name and its others',
  async (t) => {
    const { status, told } = source();
    status.row('prices', 'spot');
    status.row('prices', 'swap');
    status.row('job', 'a');
    status.row('other', 'a');
    const parts = () => told().map(({ topic, part, next_poll }) => [topic, part, next_poll]);
    status.plan('prices/spot', 1);
    t.strictSame(parts(), [['prices', 'spot', 1]]);
    status.plan('job', 2, ['other']);
    t.strictSame(parts(), [
      ['job', 'a', 2],
      ['other', 'a', 2],
    ]);
  },
);

t.test('a crash: the rows of what crashed, or one of its own', async (t) => {
  const { status, told } = source();
  status.row('prices', 'spot').set({ reason: 'why' });
  status.crashed('prices/spot');
  const down = { state: 'down', reason: null, last_error: { code: 'crash', at: 1_000 } };
  t.match(told(), [{ ...named('prices', 'spot'), ...down }]);
  status.crashed('unknown');
  t.match(told(), [{ ...named('unknown', 'own'), ...down }]);
});

t.test('rows of an earlier holder of the lease, where there are none yet', async (t) => {
  const { status, told } = source();
  const mine = status.row('prices', 'spot').set({ rows: 1 });
  const old = new StatusRow(named('prices', 'spot'), () => {}).set({ rows: 9 }).values;
  status.adopt([old, { ...old, part: 'swap' }, { ...old, source: 'another', part: 'option' }]);
  t.equal(mine.values.rows, 1, 'what was reported since stands');
  t.equal(status.row('prices', 'swap').values.rows, 9);
  t.equal(status.row('prices', 'option').values.rows, 0, 'of another source');
  t.strictSame(told(), []);
});
