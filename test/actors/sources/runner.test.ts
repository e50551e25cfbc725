/** A source from gaining its lease to its end, with a clock that is moved by hand. */
import t, { type Test } from 'tap';
import { failed, success } from '../../../actors/failure.ts';
import type { JobContext } from '../../../actors/sources/context.ts';
import type { Job } from '../../../actors/sources/job.ts';
import type { RunnableSource } from '../../../actors/sources/runner.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';
import { feedContext } from '../../support/feed-stage.ts';
import { MemoryStore } from '../../support/lease-store.ts';
import { silentBus } from '../../support/queries.ts';
import { runAlone } from '../../support/run-alone.ts';

const list = (path: string) => ({
  requests: () => [{ api: 'rest', path }],
  parse: () => ({ instruments: { rows: [], dropped: [] } }),
});

/** Runs a source with a job, two lists and queries. */
function setup(t: Test, run: Job['run'], last = async () => new Map<string, never>()) {
  const clock = new FakeClock();
  const store = new MemoryStore(clock);
  const made = feedContext(clock, '');
  const calls: string[] = [];
  const lines: { level: number; msg: string }[] = [];
  let context: JobContext | undefined;
  const source: RunnableSource = {
    id: 'x',
    feeds: {
      instruments: { every: 3_600_000, parts: { one: list('one'), two: list('two') } },
      prices: { every: 30_000, parts: {} },
    },
    jobs(given) {
      context = given;
      return [{ name: 'job', every: 3_600_000, run }];
    },
    serve() {
      calls.push('serve');
      return { stop: async () => void calls.push('end') };
    },
  };
  const running = runAlone(source, {
    ...made.context,
    random: () => 0.5,
    bus: { ...made.context.bus, leases: () => store, last, query: silentBus.query },
    log: createLogger({ logLevel: 'info' }, 'test', {
      write: (line: string) => lines.push(JSON.parse(line)),
    }),
    client: () => ({
      async send({ path }) {
        calls.push(path);
        return success({ body: [], asked: clock.now(), received: clock.now() });
      },
      state: () => ({ breaker: 'closed', pausedUntil: null, host: '' }),
    }),
  });
  const stop = async () => {
    const stopped = running.stop();
    await clock.advance(20_000);
    await stopped;
  };
  t.teardown(stop);
  const known = () => {
    if (!context) throw new Error('the jobs are not made');
    return context;
  };
  return { ...made, clock, store, calls, lines, running, stop, known };
}

t.test('a source runs and answers while it holds its lease, and ends whole', async (t) => {
  let rounds = 0;
  const ran = async () => {
    rounds += 1;
    return null;
  };
  const { clock, store, calls, lines, running, stop, published } = setup(t, ran);
  await clock.advance(1_000);
  t.strictSame(calls.splice(0).sort(), ['one', 'serve', 'two']);
  t.equal(rounds, 1);
  t.equal(store.holder('x'), 'test');
  const keys = new Set(published.map(([topic, key]) => `${topic} ${key}`));
  t.ok(keys.has('status x/job/x') && keys.has('instruments x/one'));
  t.match(
    published.map(([, , , lease]) => lease),
    published.map(() => ({ name: 'x', fence: Number })),
  );
  await clock.advance(61_000);
  running.readLists();
  await clock.advance(1);
  t.strictSame(calls.splice(0).sort(), ['one', 'two'], 'every list again');
  await stop();
  t.strictSame([calls[0], store.holder('x'), clock.pending], ['end', null, 0]);
  const before = lines.length;
  running.readLists();
  t.equal(lines.length, before, 'nothing is left that could read');
});

t.test('what a job gets: a bus that gives reasons, and the rows of an earlier life', async (t) => {
  const row = { source: 'x', topic: 'job', part: 'y', state: 'up', rows: 3 };
  const last = async () => new Map([['x/job/y', row as never]]);
  const { clock, known, outcomes, redis, published, stop } = setup(t, async () => null, last);
  await clock.advance(1_000);
  const job = known();
  published.length = 0;
  t.equal(await job.publish('chains', 'k', {} as never), null);
  t.match(published, [['chains', 'k', {}, { name: 'x', fence: Number }]]);
  outcomes.chains = 'refused';
  t.match(await job.publish('chains', 'k', {} as never), { code: 'stopped' });
  redis.up = false;
  t.equal(await job.last('chains', 'k'), undefined);
  job.status.standby('job', ['y']);
  t.match(published.at(-1), ['status', 'x/job/y', { state: 'standby', rows: 3 }]);
  await stop();
});

t.test('a crash is logged and shown; other events are not errors', async (t) => {
  let rounds = 0;
  const run = async () => {
    rounds += 1;
    if (rounds === 1) throw new Error('bug');
    return failed('network', 'away').failure;
  };
  const away = () => Promise.reject(new Error('no Redis'));
  const { clock, lines, known } = setup(t, run, away);
  const row = () => known().status.row('job', 'x').values;
  for (let i = 0; i < 100 && rounds === 0; i++) await clock.advance(20);
  t.match(row(), { state: 'down', last_error: { code: 'crash' } });
  await clock.advance(1_000);
  t.match(row(), { state: 'failing', last_error: { code: 'network' } });
  const events = lines.filter(({ msg }) => msg.startsWith('job '));
  t.match(events, [
    { level: 50, msg: 'job crashed' },
    { level: 30, msg: 'job restarted' },
  ]);
});
