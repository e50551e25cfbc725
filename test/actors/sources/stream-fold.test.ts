import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { messageOf, StreamFold } from '../../../actors/sources/stream-fold.ts';
import type { Parsed } from '../../../actors/venues/venue.ts';

interface Row {
  market: string;
  mark: number;
  received?: number;
}

const row = (market: string, mark: number): Row => ({ market, mark });
const minute = 60_000;

/** A fold of messages that are what their parser gives; a text is one that it refuses. */
function setup() {
  const parse = (message: unknown) => {
    if (typeof message === 'string') throw new ShapeError(`refused: ${message}`);
    return message as Parsed<Row> | null;
  };
  const fold = new StreamFold<Row>({ parse }, 5 * minute);
  const hear = (message: unknown, received: number) =>
    fold.accept(message, { received, instruments: new Map() });
  return { fold, hear };
}

t.test('the last row of each market, with its own time', async (t) => {
  const { fold, hear } = setup();
  hear({ rows: [row('A', 1), row('B', 1)], dropped: [] }, 1_000);
  hear({ rows: [row('A', 2)], dropped: [] }, 2_000);
  t.equal(fold.heard.received, 2_000);
  t.strictSame(fold.take(), {
    rows: [row('A', 2), { ...row('B', 1), received: 1_000 }],
    dropped: [],
  });
  t.equal(fold.heard.received, null, 'nothing was heard since');
  hear({ rows: [row('B', 3)], dropped: [] }, 3_000);
  t.strictSame(fold.take().rows, [{ ...row('A', 2), received: 2_000 }, row('B', 3)]);
});

t.test('a row leaves when it is too old', async (t) => {
  const { fold, hear } = setup();
  hear({ rows: [row('A', 1), row('B', 1)], dropped: [] }, 0);
  hear({ rows: [row('B', 2)], dropped: [] }, 5 * minute);
  t.equal(fold.take().rows.length, 2, 'five minutes are not too old');
  hear({ rows: [row('B', 3)], dropped: [] }, 5 * minute + 1);
  t.strictSame(fold.take().rows, [row('B', 3)]);
});

t.test('a bad row never replaces a good one, and is counted until a good one comes', async (t) => {
  const { fold, hear } = setup();
  hear({ rows: [row('A', 1)], dropped: [] }, 1_000);
  hear({ rows: [], dropped: [{ key: 'A', code: 'bad_row' }] }, 2_000);
  t.strictSame(fold.take(), {
    rows: [{ ...row('A', 1), received: 1_000 }],
    dropped: [{ key: 'A', code: 'bad_row' }],
  });
  hear({ rows: [], dropped: [{ key: 'A', code: 'bad_row' }] }, 3_000);
  hear({ rows: [row('A', 4)], dropped: [] }, 4_000);
  t.strictSame(fold.take(), { rows: [row('A', 4)], dropped: [] });
});

t.test('what is not about data is passed over, what is unreadable counted', async (t) => {
  const { fold, hear } = setup();
  hear(null, 1_000);
  t.strictSame(fold.heard, { received: null, failure: null, unused: {} });
  hear('one', 2_000);
  hear('two', 3_000);
  t.match(fold.heard, {
    received: null,
    failure: { code: 'shape', message: 'refused: two' },
    unused: { bad_message: 2 },
  });
  fold.take();
  t.strictSame(fold.heard, { received: null, failure: null, unused: {} });
});

t.test('it is bounded', async (t) => {
  const { fold, hear } = setup();
  const rows = Array.from({ length: 10_002 }, (_, i) => row(`M${i}`, 1));
  hear({ rows, dropped: [] }, 1_000);
  t.same(fold.heard.unused, { overflow: 2 });
  hear({ rows: [row('M0', 2)], dropped: [] }, 2_000);
  const taken = fold.take().rows;
  t.equal(taken.length, 10_000);
  t.equal(taken[0]?.mark, 2, 'those that are in go on');
});

t.test('a message is its JSON, or its text', async (t) => {
  t.same(messageOf('{"a":1}'), { a: 1 });
  t.equal(messageOf('pong'), 'pong');
  t.equal(messageOf(''), '');
});
