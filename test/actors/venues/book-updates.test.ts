/** Updates of order books by tables: sides, numbers and times, and what is not stated. */
import t from 'tap';
import { snapshotReader, updateReader } from '../../../actors/venues/books.ts';

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
  for (const broken of [{ pu: null }, { u: undefined }, { U: 0.5 }, { asks: undefined }])
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

t.test('a side that is left out has no changes, where the exchange does that', async (t) => {
  const read = updateReader({ bids: 'b', asks: 'a', partial: true });
  t.strictSame(read(false, 'BTC', { a: asks }).updates[0]?.bids, []);
  t.equal(read(false, 'BTC', { a: asks }, { stated: at }).updates[0]?.stated, at);
  t.throws(() => updateReader({})(false, 'BTC', { asks }), { name: 'ShapeError' });
});

t.test('a whole book that was asked for', async (t) => {
  const read = snapshotReader({ last: 'id', stated: 'time' });
  const whole = { ...levels, last: 7, stated: at, limited: true };
  t.strictSame(read({ bids, asks, id: 7, time: at }), whole);
  t.throws(() => read({ bids, asks, time: at }), { name: 'ShapeError' });
});
