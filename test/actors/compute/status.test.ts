import t from 'tap';
import { reportPool } from '../../../actors/compute/status.ts';
import { IndicatorPool } from '../../../indicators/pool.ts';
import { FakeClock } from '../../support/clock.ts';

t.test('the pool is reported at once, every five seconds, and no more after a stop', async (t) => {
  const clock = new FakeClock();
  const pool = new IndicatorPool({ threads: 1, clock });
  t.teardown(() => pool.stop());
  const published: unknown[][] = [];
  const bus = {
    async publish(topic: string, key: string, status: unknown) {
      published.push([topic, key, status]);
      return 'published' as const;
    },
  };
  const reporting = reportPool(pool, { bus, clock, id: 'compute-1' });
  t.match(published, [['compute', 'compute-1', { at: clock.now(), threads: 1, queued: 0 }]]);
  await clock.advance(10_000);
  t.equal(published.length, 3);
  const jobs = { inline: 0, thread: 0, full: 0, died: 0 };
  t.match(published[2], ['compute', 'compute-1', { at: clock.now(), jobs, replaced: 0 }]);
  reporting.stop();
  await clock.advance(60_000);
  t.equal(published.length, 3);
  t.equal(clock.pending, 0);
});
