import t from 'tap';
import { Counter } from '../../../../actors/sources/status/status.ts';
import { EachFold } from '../../../../actors/sources/streams/events.ts';

const minute = 60_000;
const hour = 60 * minute;

interface Named {
  id: string;
  contract: string;
  timestamp: number;
}

/** A fold of events with an id, which came at `received`. */
function events() {
  const counter = new Counter();
  const fold = new EachFold<Named>(({ id }) => id, counter);
  const tell = (found: readonly Omit<Named, 'contract'>[], received = hour) =>
    fold.accept({ rows: found.map((one) => ({ ...one, contract: 'A' })), dropped: [] }, received);
  const take = (...ids: string[]) => tell(ids.map((id) => ({ id, timestamp: hour })));
  /** The ids of the events since the last call. */
  const ids = () => {
    const waiting = fold.waiting.map(({ id }) => id);
    fold.remove([...fold.waiting]);
    return waiting;
  };
  return { fold, counter, take, tell, ids };
}

t.test('every event is handed on once, in the order of arrival', async (t) => {
  const { take, ids } = events();
  take('a', 'b');
  take('b', 'c');
  t.strictSame(ids(), ['a', 'b', 'c']);
  take('a', 'c', 'd');
  t.strictSame(ids(), ['d'], 'a repetition after a reconnect is no new event');
  t.strictSame(ids(), []);
});

t.test('of events that wait the oldest make room, and are counted', async (t) => {
  const { fold, counter, take } = events();
  take(...Array.from({ length: 50_002 }, (_, at) => `${at}`));
  t.same(counter.counts, { overflow: 2 });
  t.equal(fold.waiting.length, 50_000);
  t.equal(fold.waiting[0]?.id, '2');
  const published = fold.waiting.slice(0, 3);
  take('50002', '50003');
  fold.remove(published);
  t.equal(fold.waiting[0]?.id, '5', 'two of those that are published had made room');
  fold.remove(published);
  t.equal(fold.waiting[0]?.id, '5');
});

t.test('the last keys are remembered, for ten minutes at least', async (t) => {
  const { take, tell, ids } = events();
  take('a');
  tell([{ id: 'a', timestamp: hour + 9 * minute }], hour + 10 * minute);
  t.strictSame(ids(), ['a']);
  tell([{ id: 'a', timestamp: hour + 30 * minute }], hour + 30 * minute);
  t.strictSame(ids(), ['a'], 'and then forgotten');
  const { take: fill, ids: filled } = events();
  for (let from = 0; from < 110_000; from += 5_000) {
    fill(...Array.from({ length: 5_000 }, (_, at) => `${from + at}`));
    filled();
  }
  fill('0', '109999');
  t.strictSame(filled(), ['0']);
});

t.test('an event too old to be distinguished from a repeat is dropped', async (t) => {
  const { counter, tell, ids } = events();
  const at = (ago: number) => ({ id: `${ago}`, timestamp: hour - ago * minute });
  tell([at(11), at(10), at(0), at(-1), at(-2)]);
  t.same(counter.counts, { out_of_time: 2 });
  t.strictSame(ids(), ['10', '0', '-1']);
});
