import t from 'tap';
import { removedRows } from '../../../actors/topics/status.ts';

const day = 86_400_000;
const now = 100 * day;

/** A row that was to be reported so many days ago. */
const row = (name: string, late: number, state = 'up') => ({
  ...{ source: name.split(' ')[0] ?? '', name, state },
  next_poll: (now - late * day) as number | null,
  last_attempt: null as number | null,
  last_success: null as number | null,
});
const removed = (...rows: ReturnType<typeof row>[]) =>
  removedRows(rows, now).map(({ name }) => name);

t.test('a part is gone that is a day late while its source reports others', async (t) => {
  const others = [row('okx spot', -1), row('okx swap', 0.999)];
  t.strictSame(removed(...others, row('okx margin', 1)), ['okx margin']);
  t.strictSame(removed(...others, row('okx margin', 99, 'standby')), [], 'it waits for its turn');
});

t.test('a source that reports nothing is gone after a week, with all of its rows', async (t) => {
  t.strictSame(removed(row('gate spot', 1), row('gate swap', 6.999)), []);
  t.strictSame(removed(row('gate spot', 7, 'standby'), row('okx spot', 0)), ['gate spot']);
});

t.test('a row is due at its next poll, else at its last attempt or success', async (t) => {
  const of = (last_attempt: number | null, last_success: number | null) =>
    removed({ ...row('gate spot', 0), next_poll: null, last_attempt, last_success });
  t.strictSame([of(now - 7 * day, now), of(null, now - 7 * day)], [['gate spot'], ['gate spot']]);
  t.strictSame([of(now, now - 7 * day), of(null, null)], [[], []]);
});
