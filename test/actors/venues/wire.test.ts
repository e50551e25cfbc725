import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import {
  isWhole,
  neverTraded,
  numberOr,
  pairForm,
  rowsFromColumns,
} from '../../../actors/venues/cells.ts';

t.test('only lists have a length', async (t) => {
  t.ok(isWhole([1, 2, 3], 3));
  t.notOk(isWhole([1, 2], 3));
  t.ok(isWhole({}, 3));
  t.ok(isWhole(null, 3));
  t.strictSame(pairForm, { price: 0, quantity: 1, columns: 2 });
});

t.test('columns of one length make rows', async (t) => {
  const body = { time: [1, 2], close: ['3', '4'], other: [5] };
  t.strictSame(rowsFromColumns(body, ['close', 'time']), [
    ['3', 1],
    ['4', 2],
  ]);
  t.strictSame(rowsFromColumns({ time: [] }, ['time']), []);
  t.throws(() => rowsFromColumns(body, ['time', 'other']), ShapeError);
  t.throws(() => rowsFromColumns(body, ['time', 'open']), ShapeError);
  t.throws(() => rowsFromColumns(null, ['time']), ShapeError);
  t.strictSame(rowsFromColumns({}, []), []);
});

t.test('never traded: no last price and a volume of nothing', async (t) => {
  for (const last of [null, '', 0, '0', '0.00000', undefined]) {
    for (const volume of [null, '', 0, '0.0']) t.ok(neverTraded(last, volume), `${last} ${volume}`);
    for (const volume of ['5', 5, undefined, 'nan', '-1']) {
      t.notOk(neverTraded(last, volume), `${last} beside ${volume} is a fault`);
    }
  }
  for (const last of ['garbage', '-1', Number.NaN, {}, '1.5', true]) {
    t.notOk(neverTraded(last, '0'), `${last} is not nothing`);
  }
});

t.test('a number or what stands in for it', async (t) => {
  t.equal(numberOr('0', 7), 0);
  for (const value of [undefined, null, '', 'x', -1]) t.equal(numberOr(value, 7), 7);
});
