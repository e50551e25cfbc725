import t from 'tap';
import { Resyncs } from '../../../../actors/sources/books/live-books.ts';

/** At which of these times a book may be asked for. */
const taken = (resyncs: Resyncs, times: readonly number[]) =>
  times.filter((now) => resyncs.take(now));

t.test('one book each 50 ms, five at once; each 500 ms for 10 s after a delay', async (t) => {
  const resyncs = new Resyncs();
  const at = (now: number, count: number) => Array.from({ length: count }, () => now);
  t.equal(taken(resyncs, at(1_000, 9)).length, 5);
  t.strictSame(taken(resyncs, [1_049, 1_050, 1_099, 1_100, 1_100]), [1_050, 1_100]);
  resyncs.late(20_000);
  t.strictSame(taken(resyncs, [20_000, 20_299, 20_300, 20_799, 20_800]), [20_000, 20_300, 20_800]);
  t.strictSame(taken(resyncs, [29_700, 29_999, 30_000, 30_049, 30_050]), [29_700, 30_000, 30_050]);
});
