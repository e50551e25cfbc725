/** Updates of order books by tables: sides, numbers and times, and what is not stated. */
import t from 'tap';
import { messageOf, wideMessageOf } from '../../../actors/read.ts';
import { snapshotReader, updateReader } from '../../../actors/venues/books.ts';
import { follows } from '../../../indicators/order-book/sequence.ts';

const bids = [['99', '1']];
const asks = [['101', '2']];
const levels = { bids: [99, 1], asks: [101, 2] };
/** 2025-06-15T15:06:40Z. */
const at = 1_750_000_000_000;

t.test('an update has the number before it, a whole book has none', async (t) => {
  const read = updateReader({ first: 'U', last: 'u', previous: 'pu', stated: 'T', unit: 1000 });
  const row = { bids, asks, U: 4, u: '6', pu: 3, T: at / 1000 };
  const update = { market: 'BTC', ...levels, last: 6, stated: at, first: 4 };
  t.strictSame(read(false, 'BTC', row).updates, [{ kind: 'update', ...update, previous: 3 }]);
  t.strictSame(read(true, 'BTC', row).updates, [{ kind: 'snapshot', ...update }]);
  for (const broken of [
    { pu: null },
    { u: undefined },
    { U: 0.5 },
    { bids: undefined, asks: undefined },
  ])
    t.throws(() => read(false, 'BTC', { ...row, ...broken }), { name: 'ShapeError' });
});

t.test('a number that a function gives as null is not stated', async (t) => {
  const read = updateReader({ last: ({ u = null }) => u });
  t.equal(read(true, 'BTC', { bids, asks, u: 6 }).updates[0]?.last, 6);
  t.equal(read(true, 'BTC', { bids, asks }).updates[0]?.last, undefined);
  t.throws(() => read(true, 'BTC', { bids, asks, u: 'x' }), {
    message: 'sequence: no whole number',
  });
});

t.test(
  'a side that is absent or null has no changes, or no levels; a message without both is no book',
  async (t) => {
    const read = updateReader({ bids: 'b', asks: 'a' });
    for (const whole of [true, false]) {
      t.strictSame(read(whole, 'BTC', { a: asks }).updates[0]?.bids, []);
      t.strictSame(read(whole, 'BTC', { b: null, a: asks }).updates[0]?.bids, []);
      t.strictSame(read(whole, 'BTC', { b: bids, a: null }).updates[0]?.asks, []);
      t.throws(() => read(whole, 'BTC', { bids, asks }), { name: 'ShapeError' });
    }
    t.strictSame(read(false, 'BTC', { b: null, a: null }).updates[0]?.asks, [], 'nothing changed');
    t.equal(read(false, 'BTC', { a: asks }, { stated: at }).updates[0]?.stated, at);
    const counting = updateReader({ countsOn: true, last: 'u' });
    t.strictSame(counting(false, 'BTC', { u: 7 }).updates[0]?.last, 7);
  },
);

t.test('numbers above 2^53 are exact', async (t) => {
  const read = updateReader({ last: 'seq', previous: 'pseq' });
  const text = (pseq: string, seq: string) =>
    `{"seq":${seq},"pseq":${pseq},"bids":[],"asks":[["1",2]]}`;
  const [a, b, c] = ['9007199254740993', '9007199254740995', '9223372036854775807'];
  const updateOf = (message: unknown) => {
    const [update] = read(false, 'BTC', message).updates;
    if (!update) throw new Error('no update');
    return update;
  };
  const first = updateOf(wideMessageOf(text('9007199254740991', a)));
  t.match(first, { previous: 2 ** 53 - 1, last: BigInt(a), asks: [1, 2] });
  const second = updateOf(wideMessageOf(text(a, b)));
  t.equal(follows('chained', first.last, second), 'apply');
  t.equal(follows('chained', first.last, first), 'skip');
  // 2^53 + 2 as a double is 2^53 + 4 less 2: between the two above.
  t.equal(
    follows('chained', first.last, updateOf(wideMessageOf(text('9007199254740994', b)))),
    'gap',
  );
  t.equal(follows('chained', second.last, updateOf(wideMessageOf(text(b, c)))), 'apply');
  t.equal(follows('counted', 2 ** 53 - 1, { first: 2n ** 53n, last: 2n ** 53n }), 'apply');
  t.equal(follows('counted', BigInt(a), { first: BigInt(a) + 1n, last: BigInt(b) }), 'apply');
  t.match(updateOf({ seq: a, pseq: '17', bids, asks }), { last: BigInt(a), previous: 17 }, 'texts');
  t.throws(() => updateOf(messageOf(text(a, b))), { message: 'seq: no whole number' }, 'rounded');
});

t.test('a whole book that was asked for', async (t) => {
  const read = snapshotReader({ last: 'id', stated: 'time' });
  const whole = { ...levels, last: 7, stated: at, limited: true };
  t.strictSame(read({ bids, asks, id: 7, time: at }), whole);
  t.throws(() => read({ bids, asks, time: at }), { name: 'ShapeError' });
});
