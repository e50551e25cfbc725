import t from 'tap';
import {
  addBytes,
  addRows,
  Block,
  blockRows,
  decodeBlock,
  encodeBlock,
} from '../../../actors/history/blocks.ts';
import type { Stored } from '../../../actors/history/store.ts';

const form = [
  { name: 'base', combine: 'last', digits: 7 },
  { name: 'usd', combine: 'last', digits: 15 },
] as const;
const all = { start: 960, step: 10, first: 0, last: blockRows - 1 };
const empty = (): Stored => ({ times: [], columns: [[], []], backfilled: [] });

t.test('rows come in any order, and go over their bytes', (t) => {
  const block = new Block(form);
  const slots = Array.from({ length: 90 }, (_, at) => (at * 37) % 90);
  for (const slot of slots) {
    const columns = [[slot], [-slot]];
    block.merge(slot, 0, { form, columns, mode: 'put', backfilled: slot % 3 === 0 });
  }
  const later = { form, columns: [[0.5], [Number.NaN]], mode: 'put', backfilled: false } as const;
  block.merge(33, 0, later);
  const order = slots.toSorted((a, b) => a - b);
  const expected: Stored = {
    times: order.map((slot) => 960 + slot * 10),
    columns: [order.map((slot) => (slot === 33 ? 0.5 : slot)), order.map((slot) => -slot)],
    backfilled: order.map((slot) => slot % 3 === 0 && slot !== 33),
  };
  const bytes = encodeBlock(block, form);
  const [direct, decoded, read] = [empty(), empty(), empty()];
  addRows(direct, block, form, all);
  addRows(decoded, decodeBlock(bytes, form), form, all);
  addBytes(read, bytes, form, all);
  for (const rows of [direct, decoded, read]) t.same(rows, expected);
  const [part, none] = [empty(), empty()];
  addBytes(part, bytes, form, { ...all, first: 31, last: 33 });
  t.same(part.times, [1_270, 1_280, 1_290]);
  addBytes(none, bytes, form, { ...all, first: 90 });
  t.same(none, empty());
  t.equal(block.state(95), 0);
  t.end();
});

t.test('a block whose first column had double precision is read', (t) => {
  const wide = [{ ...form[0], digits: 15 }, form[1]] as const;
  const block = new Block(wide);
  const rows = { form: wide, mode: 'put', backfilled: true } as const;
  block.merge(0, 0, { ...rows, columns: [[123_456.789], [1.25]] });
  block.merge(40, 0, { ...rows, columns: [[Number.NaN], [2.5]] });
  const bytes = encodeBlock(block, wide);
  const [read, decoded] = [empty(), empty()];
  addBytes(read, bytes, form, all);
  addRows(decoded, decodeBlock(bytes, form), form, all);
  const columns = [
    [123_456.8, null],
    [1.25, 2.5],
  ];
  for (const found of [read, decoded])
    t.same(found, { times: [960, 1_360], columns, backfilled: [true, true] });
  const short = { ...bytes, data: bytes.data.subarray(0, 30) };
  t.throws(() => decodeBlock(short, form), { name: 'RangeError' });
  t.end();
});
