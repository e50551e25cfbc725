/** Recorded frames of streams, read by us and by ccxt; `suite/subjects.ts` has the recorded answers. */
import t from 'tap';
import { absent } from '../../support/recordings.ts';
import { liveFrames } from './subjects/frames.ts';

for (const [name, read] of Object.entries(liveFrames)) {
  t.test(`frames of ${name}`, { skip: absent }, async (t) => {
    const { ours, theirs } = await read();
    t.strictSame(ours, theirs);
  });
}
