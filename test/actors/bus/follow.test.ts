import t from 'tap';
import { systemClock } from '../../../actors/kernel/clock.ts';
import { busStage, redisStage } from '../../support/bus-stage.ts';
import { followContract } from '../../support/follow-contract.ts';
import { feedStatus } from '../../support/makers.ts';
import { until } from '../../support/until.ts';

followContract(t, busStage);

t.test('the newest numbers are compared once a second', async (t) => {
  const { raw, join } = await redisStage(t);
  let [now, changes] = [5_000_000, 0];
  const clock = {
    now: () => now,
    monotonic: () => now,
    after: systemClock.after.bind(systemClock),
  };
  const bus = join({ clock });
  const follower = bus.follow({ status: () => void changes++ });
  await follower.ready;
  const checks = async () =>
    Number(/cmdstat_mget:calls=(\d+)/.exec(await raw.info('commandstats'))?.[1] ?? 0);
  const steps = [0, 999, 1, 999, 1, 0];
  const counts = [1, 1, 2, 2, 3, 3];
  for (const [at, step] of steps.entries()) {
    now += step;
    await bus.publish('status', 'k', feedStatus({ rows: at }));
    await until(() => changes === at + 1, 'it has come');
    await until(async () => (await checks()) === counts[at], `${counts[at]} comparisons`);
  }
});
