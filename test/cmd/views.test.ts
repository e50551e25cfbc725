import t from 'tap';
import { filled } from '../../cmd/process/views.ts';
import { FakeClock } from '../support/clock.ts';

function wait() {
  const clock = new FakeClock();
  const warned: string[] = [];
  const log = { warn: (_fields: object, text: string) => warned.push(text) };
  const { promise, resolve } = Promise.withResolvers<void>();
  let open = false;
  const opened = filled(promise, { clock, log }).then(() => {
    open = true;
  });
  return { clock, warned, resolve, opened, isOpen: () => open };
}

t.test('the port is opened once Redis has given all last values', async (t) => {
  const { clock, warned, resolve, opened, isOpen } = wait();
  await clock.advance(14_900);
  t.notOk(isOpen());
  resolve();
  await opened;
  t.same(warned, []);
});

t.test('or without them, which is logged', async (t) => {
  const { clock, warned, opened } = wait();
  await clock.advance(15_000);
  await opened;
  t.same(warned, ['Redis has not given the last values: serving without them']);
});
