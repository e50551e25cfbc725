/** Processes whose clocks differ. */
import t from 'tap';
import { type Clock, systemClock } from '../../../actors/kernel/clock.ts';
import { busStage } from '../../support/bus-stage.ts';
import { until } from '../../support/until.ts';
import { echo, noting, request } from './questions.ts';

const hour = 3_600_000;

/** The clock of a host that is ahead. */
const ahead = (ms: number): Clock => ({
  now: () => Date.now() + ms,
  monotonic: () => performance.now(),
  after: (wait, fn) => systemClock.after(wait, fn),
});

t.test('a question is answered whatever the clocks of the two say', async (t) => {
  const { bus, join, raw } = await busStage(t);
  for (const ms of [7_000, hour, -hour]) {
    const server = join({ clock: ahead(ms) });
    const serving = server.serve('okx', echo);
    await serving.ready;
    const { ok } = await bus.query(request('m'), { deadline: 6_000 });
    t.ok(ok, `${ms} ms ahead`);
    await serving.stop();
  }
  const early = join({ clock: ahead(-hour) });
  const asked = early.query(request('m'), { deadline: 300 });
  t.match(await asked, { failure: { code: 'unanswered' } });
  // By the clock of Redis, which decides: the question may have reached it late.
  const [id = ''] = (await raw.xrange('query:okx', '-', '+'))[0] ?? [];
  const isOver = async () => Number((await raw.time())[0]) * 1_000 > Number.parseInt(id, 10) + 300;
  await until(isOver, 'nobody waits for it');
  const asks: string[] = [];
  join({ clock: ahead(-hour) }).serve('okx', noting(asks));
  await until(async () => (await raw.xlen('query:okx')) === 0, 'it is dropped');
  t.same(asks, [], 'what nobody waits for is not answered');
});
