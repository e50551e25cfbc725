import t from 'tap';
import { FailedStarts, withLease } from '../../../actors/sources/with-lease.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';

t.test('a source that is lost begins again once its first run has stopped', async (t) => {
  const clock = new FakeClock();
  const memory = new MemoryStore(clock);
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const events: string[] = [];
  let stopped = () => {};
  const bus = { leases: () => memory };
  const context = { bus, clock, random: () => 0.5, log, process: 'feed-1' };
  const run = withLease('okx', context, {
    begin({ fence }) {
      events.push(`begins ${fence}`);
      return {
        stop: () =>
          new Promise<void>((resolve) => {
            events.push(`stops ${fence}`);
            stopped = () => {
              events.push(`has stopped ${fence}`);
              resolve();
            };
          }),
      };
    },
  });
  await clock.advance(500);
  await memory.release('okx', memory.holder('okx') ?? '');
  await clock.advance(30_000);
  t.strictSame(events, ['begins 1', 'stops 1']);
  stopped();
  await clock.advance(500);
  t.strictSame(events, ['begins 1', 'stops 1', 'has stopped 1', 'begins 2']);
  const end = run.stop();
  stopped();
  await clock.advance(1);
  stopped();
  await end;
});

t.test('a source that cannot begin is counted, free for others, and tried again', async (t) => {
  const clock = new FakeClock();
  const memory = new MemoryStore(clock);
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const failedStarts = new FailedStarts();
  const bus = { leases: () => memory };
  const context = { bus, clock, random: () => 0.5, log, process: 'feed-1', failedStarts };
  let broken = true;
  const run = withLease('okx', context, {
    begin() {
      if (broken) throw new Error('no room');
      return { stop: async () => {} };
    },
  });
  // A pause of 0.25 s, then of 1 and of 2 s.
  await clock.advance(250);
  t.strictSame(failedStarts.counts(), { okx: 1 });
  t.equal(memory.holder('okx'), null);
  await clock.advance(3_000);
  t.strictSame(failedStarts.counts(), { okx: 3 });
  broken = false;
  await clock.advance(4_000);
  t.not(memory.holder('okx'), null);
  t.strictSame(failedStarts.counts(), { okx: 3 });
  await run.stop();
});
