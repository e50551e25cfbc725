import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import type { Parsed } from '../../../../actors/sources/define.ts';
import { ChangeFold, EachFold, LatestFold } from '../../../../actors/sources/streams/fold.ts';

interface Row {
  market: string;
  mark: number;
  received?: number;
}

const row = (market: string, mark: number): Row => ({ market, mark });
const minute = 60_000;
const hour = 60 * minute;

interface Named {
  id: string;
  contract: string;
  timestamp: number;
}

/** A fold of messages that are what their parser gives; a text is one that it refuses. */
function stage() {
  const parse = (message: unknown) => {
    if (typeof message === 'string') throw new ShapeError(`refused: ${message}`);
    return message as Parsed<Row> | null;
  };
  const fold = new LatestFold<Row>({ parse }, 5 * minute);
  const take = (message: unknown, received: number) =>
    fold.accept(message, { received, instruments: new Map() });
  return { fold, take };
}

t.test('the last row of each market, with its own time', async (t) => {
  const { fold, take } = stage();
  take({ rows: [row('A', 1), row('B', 1)], dropped: [] }, 1);
  take({ rows: [row('A', 2)], dropped: [] }, 2);
  t.equal(fold.intake.received, 2);
  t.strictSame(fold.take(), { rows: [row('A', 2), { ...row('B', 1), received: 1 }], dropped: [] });
  t.strictSame(fold.take().rows[1], { ...row('B', 1), received: 1 }, 'nothing came since');
  t.equal(fold.intake.received, null);
  take({ rows: [row('B', 3)], dropped: [] }, 3);
  t.strictSame(fold.take().rows, [{ ...row('A', 2), received: 2 }, row('B', 3)]);
});

t.test('a row leaves when it is too old', async (t) => {
  const { fold, take } = stage();
  take({ rows: [row('A', 1), row('B', 1)], dropped: [] }, 0);
  take({ rows: [row('B', 2)], dropped: [] }, 5 * minute);
  t.equal(fold.take().rows.length, 2, 'five minutes are not too old');
  take({ rows: [row('B', 3)], dropped: [] }, 5 * minute + 1);
  t.strictSame(fold.take().rows, [row('B', 3)]);
});

t.test('a bad row never replaces a good one, and is counted until a good one comes', async (t) => {
  const { fold, take } = stage();
  take({ rows: [row('A', 1)], dropped: [] }, 1_000);
  take({ rows: [], dropped: [{ key: 'A', code: 'bad_row' }] }, 2_000);
  t.strictSame(fold.take(), {
    rows: [{ ...row('A', 1), received: 1_000 }],
    dropped: [{ key: 'A', code: 'bad_row' }],
  });
  take({ rows: [], dropped: [{ key: 'A', code: 'bad_row' }] }, 3_000);
  take({ rows: [row('A', 4)], dropped: [] }, 4_000);
  t.strictSame(fold.take(), { rows: [row('A', 4)], dropped: [] });
});

t.test('messages without data are passed over, unreadable ones are counted', async (t) => {
  const { fold, take } = stage();
  take(null, 1_000);
  t.strictSame(fold.intake, { received: null, failure: null, unused: {} });
  take('one', 2_000);
  take('two', 3_000);
  t.match(fold.intake, {
    received: null,
    failure: { code: 'shape', message: 'refused: two' },
    unused: { bad_message: 2 },
  });
  fold.take();
  t.strictSame(fold.intake, { received: null, failure: null, unused: {} });
});

t.test('it is bounded', async (t) => {
  const { fold, take } = stage();
  const rows = Array.from({ length: 10_002 }, (_, i) => row(`M${i}`, 1));
  take({ rows, dropped: [] }, 1_000);
  t.same(fold.intake.unused, { overflow: 2 });
  take({ rows: [row('M0', 2)], dropped: [] }, 2_000);
  const taken = fold.take().rows;
  t.equal(taken.length, 10_000);
  t.equal(taken[0]?.mark, 2, 'those that are in go on');
});

t.test('so are the changes', async (t) => {
  let rows: Row[] = Array.from({ length: 10_001 }, (_, i) => row(`M${i}`, 1));
  const fold = new ChangeFold<Row>({ parse: () => ({ rows, dropped: [] }) });
  const tell = () => fold.accept(null, { received: 1_000, instruments: new Map() });
  tell();
  rows = [row('M0', 2)];
  tell();
  const taken = fold.take().rows;
  t.same([taken.length, taken[0]?.mark], [10_000, 2]);
});

/** A fold of events with an id; a message is the list of them, which came at `received`. */
function events() {
  const parse = (message: unknown) => ({ rows: message as Named[], dropped: [] });
  const fold = new EachFold<Named>({ parse, keyOf: ({ id }) => id });
  const tell = (message: readonly Omit<Named, 'contract'>[], received = hour) =>
    fold.accept(
      message.map((one) => ({ ...one, contract: 'A' })),
      { received, instruments: new Map() },
    );
  const take = (...ids: string[]) => tell(ids.map((id) => ({ id, timestamp: hour })));
  /** The ids of the events since the last call. */
  const ids = () => {
    const waiting = fold.waiting.map(({ id }) => id);
    fold.remove([...fold.waiting]);
    return waiting;
  };
  return { fold, take, tell, ids };
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
  const { fold, take } = events();
  take(...Array.from({ length: 50_002 }, (_, at) => `${at}`));
  t.same(fold.intake.unused, { overflow: 2 });
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
  const { fold, tell, ids } = events();
  const at = (ago: number) => ({ id: `${ago}`, timestamp: hour - ago * minute });
  tell([at(11), at(10), at(0), at(-1), at(-2)]);
  t.same(fold.intake.unused, { out_of_time: 2 });
  t.strictSame(ids(), ['10', '0', '-1']);
});
