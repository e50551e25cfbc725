import t from 'tap';
import { Listeners } from '../../http/listeners.ts';

t.test('an exception of a listener is counted and does not reach the others', async (t) => {
  const listeners = new Listeners();
  let calls = 0;
  listeners.notify();
  listeners.add(() => {
    throw new Error('broken');
  });
  listeners.add(() => calls++);
  listeners.notify();
  listeners.notify();
  t.equal(calls, 2);
  t.equal(listeners.failures, 2);
});

t.test('one listener may be added twice, and each is removed alone', async (t) => {
  const listeners = new Listeners();
  let calls = 0;
  const count = () => calls++;
  const remove = listeners.add(count);
  listeners.add(count);
  listeners.notify();
  t.equal(calls, 2);
  remove?.();
  listeners.notify();
  t.equal(calls, 3);
});

t.test('listeners are bounded', async (t) => {
  const listeners = new Listeners();
  const removals = Array.from({ length: 1_000 }, () => listeners.add(() => {}));
  t.notOk(removals.includes(null));
  t.equal(
    listeners.add(() => {}),
    null,
  );
  removals[0]?.();
  t.ok(
    listeners.add(() => {}),
    'there is room again',
  );
});
