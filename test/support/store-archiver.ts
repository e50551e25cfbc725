/**
 * Adds to rows of ten days in turn, each with a position, while the days are moved to files again and again, until it is killed;
 * prints each position once it is committed. The argument is the folder of the store.
 */
import { setImmediate } from 'node:timers/promises';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import { interest as series, writing } from './events.ts';

const store = new SqliteStore(process.argv[2] ?? '', [series]);
const step = 300_000;
const day = 86_400_000;
const start = 1_800_000_000_000;

async function archive(): Promise<never> {
  for (;;) {
    await store.archive(start + 20 * day);
    // Where all rows have been moved nothing in it waits: a write that has to read a file would never come to its turn.
    await setImmediate();
  }
}
void archive();
for (let place = Number(await store.position('place')) + 1; ; place++) {
  const time = start + (place % 10) * day;
  await store.write({
    writes: [writing(series, step, [['kill/a', time, 1, 1]], { mode: 'add' })],
    positions: [{ name: 'place', to: `${place}` }],
  });
  process.stdout.write(`${place}\n`);
}
