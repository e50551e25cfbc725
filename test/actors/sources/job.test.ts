import t from 'tap';
import { type Failure, failed, success } from '../../../actors/failure.ts';
import type { JobSource } from '../../../actors/sources/context.ts';
import type { Poll } from '../../../actors/sources/define.ts';
import type { Job } from '../../../actors/sources/job.ts';
import { type Candidate, firstOf } from '../../../actors/sources/polling/ask.ts';
import { type Reply, sourceStage } from '../../support/source-stage.ts';

const minute = 60_000;
const down = failed('unavailable', 'down').failure;

/** A source of one job, which does what `steps` say, the last of them again and again. */
function scripted(steps: (Failure | null | Error)[], more: Partial<Job> = {}) {
  const rounds: number[] = [];
  const context: JobSource = {
    id: 'own',
    jobs: () => [
      {
        name: 'job',
        every: minute,
        async run({ now }) {
          rounds.push(now);
          const step = steps[Math.min(rounds.length, steps.length) - 1] ?? null;
          if (step instanceof Error) throw step;
          return step;
        },
        ...more,
      },
    ],
  };
  return { context, rounds };
}

const gapsOf = (times: readonly number[]) => times.slice(1).map((at, i) => at - (times[i] ?? 0));

t.test('a job is done at once and then every so often', async (t) => {
  const { context, rounds } = scripted([null]);
  const { clock } = await sourceStage(t, context);
  await clock.advance(3 * minute);
  t.same(gapsOf(rounds), [minute, minute, minute]);
});

t.test('first rounds are spread over some time', async (t) => {
  const { context, rounds } = scripted([null]);
  const { clock } = await sourceStage(t, context, { random: () => 0.5 });
  const begun = clock.now();
  await clock.advance(minute);
  t.equal(
    (rounds[0] ?? 0) - begun,
    499,
    'half of a second by the random number, 1 ms of which is over',
  );
});

t.test('the first pause that a job states is shorter or longer, the others are not', async (t) => {
  const { context, rounds } = scripted([null], { pause: () => minute });
  const { clock } = await sourceStage(t, context, { random: () => 0.75 });
  await clock.advance(4 * minute);
  t.same(gapsOf(rounds), [1.25 * minute, minute, minute]);
});

t.test('a job that asks no source has a row of its own', async (t) => {
  const { context } = scripted([null, down]);
  const { clock, statuses } = await sourceStage(t, context);
  t.match(statuses.get('job/own'), { state: 'up' });
  await clock.advance(minute);
  t.match(statuses.get('job/own'), { state: 'failing', last_error: { message: 'down' } });
});

t.test('a job that resumes an earlier state reports itself then', async (t) => {
  const context: JobSource = {
    id: 'own',
    jobs: ({ status }) => [
      {
        name: 'job',
        every: minute,
        wait(now) {
          status.resume('job', 'source', { received: now, rows: 1 });
          return 0;
        },
        run: async () => (rounds++ === 0 ? null : down),
      },
    ],
  };
  let rounds = 0;
  const { clock, statuses } = await sourceStage(t, context);
  t.notOk(statuses.has('job/own'), 'what was resumed says enough');
  await clock.advance(minute);
  t.match(statuses.get('job/own'), { state: 'failing', last_error: { message: 'down' } });
});

t.test('a job that knows enough from an earlier life waits', async (t) => {
  const { context, rounds } = scripted([null], { wait: () => 30_000 });
  const { clock } = await sourceStage(t, context);
  await clock.advance(29_000);
  t.same(rounds, []);
  await clock.advance(2_000);
  t.equal(rounds.length, 1);
});

t.test('after a failure it is done soon again, but not before the upstream allows', async (t) => {
  const { context, rounds } = scripted([down, { ...down, retryAfter: 45_000 }, null]);
  const { clock } = await sourceStage(t, context);
  await clock.advance(5 * minute);
  t.same(gapsOf(rounds).slice(0, 3), [2_000, 45_000, minute]);
});

t.test('the pause after a failure doubles with every further failure', async (t) => {
  const { context, rounds } = scripted([down, down, down, null, down]);
  const { clock } = await sourceStage(t, context, { random: () => 1 });
  await clock.advance(3 * minute);
  t.same(gapsOf(rounds).slice(0, 5), [4_000, 6_000, 10_000, minute, 4_000]);
});

t.test('a crash stays on the status, and the job goes on', async (t) => {
  const { context, rounds } = scripted([new Error('bug'), null]);
  const { clock, statuses } = await sourceStage(t, context);
  await clock.advance(minute);
  t.match(statuses.get('job/own'), { state: 'up', last_error: { code: 'crash' } });
  t.ok(rounds.length >= 2);
});

t.test('rarely requested inputs are due with their job', async (t) => {
  const context: JobSource = {
    id: 'own',
    jobs: ({ status }) => [
      {
        name: 'job',
        every: 10 * minute,
        also: ['daily'],
        async run({ now }) {
          if (!asked) status.success('daily', 'source', { asked: now, received: now, rows: 1 });
          asked = true;
          return null;
        },
      },
    ],
  };
  let asked = false;
  const { clock, statuses } = await sourceStage(t, context);
  await clock.advance(25 * minute);
  const next = statuses.get('daily/source')?.next_poll ?? 0;
  t.ok(
    next > clock.now() && next <= clock.now() + 10 * minute,
    'so that it is not taken for silent',
  );
  t.equal(next, statuses.get('job/own')?.next_poll);
});

interface Row {
  id: string;
  value: number;
}

const poll: Poll<Row> = {
  requests: () => [{ api: 'rest', path: '/rows' }],
  parse: ([body]) => {
    if (!Array.isArray(body)) throw new TypeError('rows: not a list');
    return {
      rows: body.filter((row) => row.value !== null),
      dropped: body
        .filter((row) => row.value === null)
        .map(({ id }) => ({ key: id, code: 'bad_row' })),
    };
  },
};

const doubt: Candidate<Row>['doubt'] = (rows) =>
  rows.some(({ value }) => value <= 0) ? 'a value of zero or less' : null;

/** A source that publishes nothing: what it finds is kept here. */
function finder(upstreams: readonly string[], id = 'own') {
  const found: { source: string; rows: readonly Row[] }[] = [];
  const context: JobSource = {
    id,
    jobs: (context) => [
      {
        name: 'rows',
        every: minute,
        async run(round) {
          const candidates = upstreams.map((upstream) => ({ upstream, poll, doubt }));
          const result = await firstOf(context, 'rows', candidates, round);
          if (result.ok) found.push(result.value);
          return result.ok ? null : result.failure;
        },
      },
    ],
  };
  return { context, found };
}

const good = [{ id: 'a', value: 1 }];

t.test('the first source that answers is used, and the first is asked first again', async (t) => {
  const { context, found } = finder(['one', 'two', 'three']);
  const ill = new Set(['one']);
  const reply: Reply = (upstream) =>
    ill.has(upstream) ? failed('timeout', `${upstream}: late`) : success(good);
  const { clock, statuses, asked } = await sourceStage(t, context, { reply });
  t.match(found, [{ source: 'two', rows: good }]);
  t.match(statuses.get('rows/one'), { state: 'failing', last_error: { code: 'timeout' } });
  t.match(statuses.get('rows/two'), { state: 'up', rows: 1, source: 'own' });
  t.notOk(statuses.has('rows/three'), 'a source that was never asked has no row');
  ill.clear();
  await clock.advance(minute);
  t.equal(found.at(-1)?.source, 'one');
  t.match(statuses.get('rows/one'), { state: 'up', failures: 0 });
  t.match(statuses.get('rows/two'), { state: 'standby', next_poll: null });
  t.same(asked, ['one /rows', 'two /rows', 'one /rows']);
});

t.test('a source that an earlier life asked and this one does not is on standby', async (t) => {
  const { context } = finder(['one', 'two']);
  const ill = new Set(['one']);
  const reply: Reply = (upstream) =>
    ill.has(upstream) ? failed('timeout', 'late') : success(good);
  const { statuses, restart } = await sourceStage(t, context, { reply });
  t.match(statuses.get('rows/two'), { state: 'up' });
  ill.clear();
  await restart();
  t.match(statuses.get('rows/one'), { state: 'up' });
  t.match(statuses.get('rows/two'), { state: 'standby' });
});

t.test('a source with implausible or unreadable values is passed over', async (t) => {
  const { context, found } = finder(['liar', 'broken', 'mostly-bad', 'honest']);
  const bodies: Record<string, unknown> = {
    liar: [{ id: 'a', value: -5 }],
    broken: { error: 'maintenance' },
    'mostly-bad': [
      { id: 'a', value: 1 },
      { id: 'b', value: null },
    ],
    honest: good,
  };
  const { statuses } = await sourceStage(t, context, {
    reply: (upstream) => success(bodies[upstream]),
  });
  t.equal(found[0]?.source, 'honest');
  for (const [source, message] of [
    ['liar', /zero or less/],
    ['broken', /not a list/],
    ['mostly-bad', /1 of 2/],
  ] as const) {
    t.match(statuses.get(`rows/${source}`), {
      state: 'failing',
      last_error: { code: 'shape', message },
    });
  }
});

t.test('when all fail the failure is that of the first, and nothing is found', async (t) => {
  const { context, found } = finder(['one', 'two']);
  const reply: Reply = (upstream) =>
    failed('unavailable', upstream, upstream === 'one' ? { retryAfter: 20_000 } : {});
  const { asked, clock } = await sourceStage(t, context, { reply });
  await clock.advance(19_000);
  t.same(asked, ['one /rows', 'two /rows'], 'not again before the first allows it');
  t.same(found, []);
});

t.test('rows that could not be read are counted', async (t) => {
  const { context } = finder(['one']);
  const body = [...Array(9).fill(good[0]), { id: 'b', value: null }];
  const { statuses } = await sourceStage(t, context, { reply: () => success(body) });
  t.match(statuses.get('rows/one'), { state: 'up', rows: 9, dropped: { bad_row: 1 } });
});

t.test('a source of the name of its source has the row of the source', async (t) => {
  const { context } = finder(['one'], 'one');
  let reply: Reply = () => success(good);
  const { clock, statuses } = await sourceStage(t, context, {
    reply: (...asked) => reply(...asked),
  });
  t.match(statuses.get('rows/one'), { state: 'up', rows: 1 });
  reply = () => failed('timeout', 'late');
  await clock.advance(minute);
  t.match(statuses.get('rows/one'), { state: 'failing', failures: 1, rows: 1 });
});

t.test('the status of a source that is not needed any more is removed', async (t) => {
  const { context } = finder(['one', 'two']);
  let reply: Reply = () => failed('timeout', 'late');
  const stage = await sourceStage(t, context, { reply: (...asked) => reply(...asked) });
  t.match(stage.statuses.get('rows/two'), { state: 'failing' });
  reply = () => success(good);
  await stage.restart();
  await stage.clock.advance(1);
  t.match(stage.statuses.get('rows/one'), { state: 'up' });
  t.match(stage.statuses.get('rows/two'), {
    state: 'standby',
    last_error: { code: 'timeout' },
    next_poll: null,
  });
});
