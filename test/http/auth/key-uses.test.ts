import t from 'tap';
import { dayOf, KeyUses, type Use, type UsedKey, unused } from '../../../http/auth/key-uses.ts';
import { FakeClock, settle } from '../../support/clock.ts';

const midnight = Date.UTC(2026, 4, 8);

/** Uses from a minute before midnight, with the batches that were written; `state.away` makes writes fail. */
function world() {
  const clock = new FakeClock(midnight - 60_000);
  const written: [string, Use][][] = [];
  const state = { away: false, gate: Promise.resolve() };
  const uses = new KeyUses(clock, async (found) => {
    const batch = structuredClone([...found]);
    await state.gate;
    if (state.away) throw new Error('Redis is away');
    written.push(batch);
  });
  const keys = new Map<string, UsedKey>();
  /** Counts a use of the key of this digest. */
  const note = (digest: string, now: number) => {
    const key = keys.get(digest) ?? unused(digest);
    keys.set(digest, key);
    uses.note(key, now);
  };
  return { clock, state, uses, note, written };
}

t.test('days begin at 00:00 UTC', async (t) => {
  const days = [midnight - 1, midnight, midnight + 86_399_999, midnight + 86_400_000].map(dayOf);
  t.strictSame(days, [20_580, 20_581, 20_581, 20_582]);
});

t.test('uses of a day are written every ten seconds', async (t) => {
  const { clock, uses, note, written } = world();
  const first = clock.now();
  note('one', first);
  await clock.advance(9_999);
  note('one', clock.now());
  note('two', clock.now());
  t.strictSame(written, []);
  await clock.advance(1);
  const at = first + 9_999;
  t.strictSame(written, [
    [
      ['one', { at, count: 2 }],
      ['two', { at, count: 1 }],
    ],
  ]);
  note('one', clock.now());
  await clock.advance(10_000);
  t.strictSame(written[1], [['one', { at: first + 10_000, count: 1 }]]);
  note('one', midnight - 1);
  note('one', midnight);
  await uses.stop();
  t.strictSame(written.slice(2), [[['one', { at: midnight, count: 1 }]]], 'a new day');
  t.equal(clock.pending, 0);
});

t.test('one key with several records is one key', async (t) => {
  const { uses, clock, written } = world();
  const now = clock.now();
  const [one, other] = [unused('a'), unused('a')];
  for (const key of [one, other, one, other]) uses.note(key, now);
  await uses.flush();
  uses.note(one, now);
  await uses.stop();
  t.strictSame(written, [[['a', { at: now, count: 4 }]], [['a', { at: now, count: 1 }]]]);
});

t.test('500 keys are written at once, and 100,000 wait at most', async (t) => {
  const { uses, note, written, clock } = world();
  for (let i = 0; i < 100_001; i++) note(`key ${i}`, clock.now());
  await uses.flush();
  t.strictSame(
    [written.length, new Set(written.map(({ length }) => length))],
    [200, new Set([500])],
  );
  for (let i = 0; i < 501; i++) note(`key ${i}`, clock.now());
  await uses.flush();
  t.equal(written.at(-1)?.length, 1);
});

t.test('uses that could not be written are added to those since, within a day', async (t) => {
  const { clock, uses, note, written, state } = world();
  state.away = true;
  for (const key of ['one', 'one', 'two', 'three']) note(key, midnight - 2);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  await clock.advance(10_000);
  note('one', midnight - 1);
  note('two', midnight);
  const stopped = uses.stop();
  resolve();
  await settle();
  state.away = false;
  await stopped;
  await uses.flush();
  t.strictSame(Object.fromEntries(written.flat()), {
    one: { at: midnight - 1, count: 3 },
    two: { at: midnight, count: 1 },
    three: { at: midnight - 2, count: 1 },
  });
  t.equal(clock.pending, 0, 'it has stopped');
});
