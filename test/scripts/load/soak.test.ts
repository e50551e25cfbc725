/** What `npm run soak` concludes from its samples. */
import t from 'tap';
import { judge } from '../../../scripts/load/soak.ts';

/** Sixteen samples whose quarters have these medians. */
const run = (...quarters: number[]) => quarters.flatMap((one) => [one - 1, one, one, one + 1]);

t.test('medians of quarters, and the growth of an hour after the first', async (t) => {
  const quarters = { first: 90, second: 20, third: 30, last: 40 };
  t.match(judge('disk', run(90, 20, 30, 40), 2), quarters);
  const line = Array.from({ length: 40 }, (_, i) => (i < 10 ? 500 : 3 * i));
  t.match(judge('memory of web (MB)', line, 20), { perHour: 6 });
});

t.test('what fails', async (t) => {
  const ok = (name: string, ...quarters: number[]) => judge(name, run(...quarters), 1).ok;
  t.equal(ok('memory of web (MB)', 100, 200, 250, 210), true, '5 % after the warm-up');
  t.equal(ok('memory of web (MB)', 300, 200, 200, 211), false);
  t.equal(ok('descriptors of feed', 10, 20, 20, 29), true, '8 more');
  t.equal(ok('descriptors of feed', 10, 20, 20, 30), false);
  t.equal(ok('stored in Redis (MB)', 10, 100, 100, 107), false);
  t.equal(ok('keys in Redis', 10, 100, 100, 156), false);
  t.equal(ok('disk (MB)', 10, 100, 200, 330), true, 'grows evenly');
  t.equal(ok('disk (MB)', 10, 100, 200, 340), false);
  t.equal(ok('answers a second', 100, 50, 50, 90), true);
  t.equal(ok('answers a second', 100, 100, 100, 89), false);
  t.equal(ok('messages a second', 100, 100, 100, 111), false, 'more than before, too');
  t.equal(ok('processor of web (%)', 10, 10, 10, 90), true, 'noted');
});
