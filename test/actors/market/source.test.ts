/** The source as a whole: its jobs, its upstreams, and what its requests need of them. */
import t from 'tap';
import { createStage } from './stage.ts';

t.test(
  'one round of all against upstreams that are down: no crash, nothing published',
  async (t) => {
    const stage = await createStage(t);
    const context = stage.begin();
    for (const name of context.names) t.ok(await context.run(name), name);
    t.same(stage.published, []);
    stage.deaf = true;
    for (const name of context.names) t.ok(await context.run(name), name);
  },
);
