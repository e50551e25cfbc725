import t from 'tap';
import { oncePerMinute } from '../../../actors/history/minute-answer.ts';
import { FakeClock } from '../../support/clock.ts';

const minute = 60_000;
const start = 1_800_000_000_000;

t.test('an answer of the minute before is given while the next one is made', async (t) => {
  const clock = new FakeClock(start + 3_000);
  const made: { end: number; resolve: (value: string) => void }[] = [];
  const ask = oncePerMinute(clock, (end) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    made.push({ end, resolve });
    return promise;
  });
  const first = Promise.all([ask(), ask()]);
  made[0]?.resolve('a');
  const a = { value: 'a', received: start + 3_000, until: start + minute + 2_000 };
  t.match(await first, [{ value: a }, { value: a }]);

  await clock.advance(minute);
  t.match([await ask(), await ask()], [{ value: a }, { value: a }], 'with its own times');
  t.equal(made.length, 2);
  t.equal(made[1]?.end, start + minute);
  made[1]?.resolve('b');
  await new Promise(setImmediate);
  t.match(await ask(), { value: { value: 'b', received: start + minute + 3_000 } });

  await clock.advance(2 * minute);
  const third = ask();
  made[2]?.resolve('c');
  t.match(await third, { value: { value: 'c' } }, 'an older one is not given');
});
