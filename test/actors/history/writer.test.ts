/** How often a batch is tried, what waits, and what is given up. */
import t from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { openInterest } from '../../../actors/history/series/open-interest.ts';
import {
  type Batch,
  type SmallBatch,
  type Store,
  StoreError,
} from '../../../actors/history/store.ts';
import { Writer } from '../../../actors/history/writer.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { writing } from '../../support/events.ts';

const minute = 60_000;
const start = 1_800_000_000_000;

/** One row for each key, at a minute. */
const batch = (keys: readonly string[], at = 0): SmallBatch => {
  const rows = keys.map((key) => [key, start + at * minute, 1, 1] as const);
  return { writes: [writing(openInterest, 5 * minute, rows)] };
};
const moved: SmallBatch = { writes: [], positions: [{ name: 'x', to: '7' }] };

/** A writer on a store that fails when the test says so. */
function stage({ most = 1_000 } = {}) {
  const clock = new FakeClock(start);
  const state = { error: null as Error | null };
  const attempts: { second: number; batch: Batch }[] = [];
  const store: Pick<Store, 'write'> = {
    async write(one) {
      attempts.push({ second: (clock.now() - start) / 1_000, batch: one });
      if (state.error) throw state.error;
    },
  };
  // The other methods are not the writer's.
  const writer = new Writer({ store: store as Store, clock, log: silent, most });
  return { clock, state, attempts, writer };
}

t.test('attempts at a batch, and when it is given up', async (t) => {
  /** Seconds of the attempts within two minutes, what is lost and waits then, and since when. */
  const attempts = async (error: Error, failing = Infinity) => {
    const { clock, state, attempts, writer } = stage();
    state.error = error;
    void writer.add(batch(['a', 'b']));
    for (let second = 0; second < 120; second++) {
      if (attempts.length >= failing) state.error = null;
      await clock.advance(1_000);
    }
    const since = writer.problem && (writer.problem.since - start) / 1_000;
    return [attempts.map(({ second }) => second), writer.counts, since];
  };
  const none = { lost: 0, waiting: 0 };
  const paused = [0, 1, 3, 7, 15, 31, 61, 91];
  t.same(await attempts(new StoreError('away', 'gone')), [paused, { lost: 0, waiting: 2 }, 0]);
  t.same(await attempts(new StoreError('away', 'gone'), 2), [[0, 1, 3], none, null]);
  t.same(
    await attempts(new Error('unknown')),
    [paused, { lost: 0, waiting: 2 }, 0],
    'a store that takes nothing loses nothing',
  );
  // Refused: both rows, the first, the second; then the two are taken.
  t.same(await attempts(new Error('unknown'), 3), [[0, 1, 3, 7, 7], none, null]);
});

/** The rows of a batch, as `key@minute`. */
const named = ({ writes }: Batch) =>
  writes.flatMap(({ rows }) => rows.map(({ key, time }) => `${key}@${(time - start) / minute}`));

t.test('of a batch only the rows that the store refuses are left out, by name', async (t) => {
  const clock = new FakeClock(start);
  const taken: string[] = [];
  const places: string[] = [];
  const lines: unknown[] = [];
  const bad = (row: string) => row.startsWith('bad');
  const store: Pick<Store, 'write'> = {
    async write(one) {
      if (named(one).some(bad)) throw new Error('a number is out of range');
      taken.push(...named(one));
      for (const { to } of one.positions ?? []) places.push(to);
    },
  };
  const log = { ...silent, error: (fields: object) => void lines.push(fields) };
  const writer = new Writer({ store: store as Store, clock, log, most: 1_000 });
  const keys = Array.from({ length: 100 }, (_, at) => (at % 40 === 7 ? `bad${at}` : `key${at}`));
  const written = Promise.all([writer.add(batch(keys)), writer.add(moved)]);
  for (let second = 0; second < 1_200; second++) await clock.advance(1_000);
  await written;
  t.same(
    [...taken].sort(),
    keys
      .filter((key) => !bad(key))
      .map((key) => `${key}@0`)
      .sort(),
  );
  t.same(places, ['7']);
  t.same(writer.counts, { lost: 3, waiting: 0 });
  t.equal(writer.problem, null);
  const refused = lines.filter((one) => 'reason' in Object(one));
  t.match(
    refused.map((one) => JSON.stringify(one)),
    [/bad7.*out of range/, /bad47/, /bad87/],
  );
});

t.test('a stop writes what the store takes, and ends with what it refuses', async (t) => {
  const { attempts, state, writer } = stage({ most: 10_000 });
  state.error = new Error('unknown');
  void writer.add(batch(Array.from({ length: 5_000 }, (_, at) => `key${at}`)));
  await settle();
  await writer.stop();
  t.ok(attempts.length < 200, `${attempts.length} attempts`);
});

t.test('after a success the pauses start from the shortest one', async (t) => {
  const { clock, state, attempts, writer } = stage();
  for (const at of [0, 1]) {
    state.error = new StoreError('full', 'the disk is full');
    const written = writer.add(batch(['a'], at));
    await clock.advance(3_000);
    t.match(writer.problem, {
      code: 'full',
      message: 'the disk is full',
      since: start + 7_000 * at,
    });
    state.error = null;
    await clock.advance(4_000);
    await written;
    t.equal(writer.problem, null);
  }
  t.same(
    attempts.map(({ second }) => second),
    [0, 1, 3, 7, 7, 8, 10, 14],
  );
});

t.test('batches are written in their order; one without anything is not', async (t) => {
  const { attempts, writer } = stage();
  await Promise.all([
    writer.add(batch(['a'], 1)),
    writer.add(batch([])),
    writer.add(moved),
    writer.add(batch(['a'], 2)),
  ]);
  t.same(
    attempts.map(({ batch: one }) => one.writes[0]?.rows[0]?.time ?? one.positions),
    [start + minute, moved.positions, start + 2 * minute],
  );
});

t.test('a stop does not wait for the next attempt', async (t) => {
  const { attempts, state, writer } = stage();
  state.error = new StoreError('away', 'PostgreSQL does not answer');
  void writer.add(moved);
  await settle();
  await writer.stop();
  t.match(writer.problem, { code: 'away' });
  t.equal(attempts.length, 2, 'but makes one');
});

t.test('beyond the bound the oldest batches are given up and counted', async (t) => {
  const { clock, attempts, state, writer } = stage({ most: 3 });
  state.error = new StoreError('full', 'the disk is full');
  const all = [0, 5, 10, 15, 20].map((at) => writer.add(batch(['a'], at)));
  t.same(writer.counts, { lost: 2, waiting: 3 });
  state.error = null;
  await clock.advance(minute);
  await Promise.all(all);
  const written = attempts.map(({ batch: one }) => one.writes[0]?.rows[0]?.time);
  t.same(
    written.slice(-3),
    [0, 15, 20].map((at) => start + at * minute),
  );
  t.same(writer.counts, { lost: 2, waiting: 0 });
});
