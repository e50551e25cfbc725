import t from 'tap';
import { addBytes, decodeBlock, encodeBlock } from '../../../actors/history/block-bytes.ts';
import { addRows, Block, blockRows } from '../../../actors/history/blocks.ts';
import { combineTier } from '../../../actors/history/combine.ts';
import {
  defineSeries,
  keptFor,
  type Series,
  type Tier,
  tableOf,
} from '../../../actors/history/define.ts';
import { openInterest } from '../../../actors/history/series/open-interest.ts';
import type { Batch, Range, Stored } from '../../../actors/history/store.ts';

const form = [
  { name: 'base', combine: 'last', digits: 7 },
  { name: 'usd', combine: 'last', digits: 15 },
] as const;
const all = { start: 960, step: 10, first: 0, last: blockRows - 1 };
const empty = (): Stored => ({ times: [], columns: [[], []], backfilled: [] });

t.test('a block knows its rows, and bytes without a wanted row are not read', async (t) => {
  const block = new Block(form);
  const write = { form, mode: 'put' } as const;
  block.merge(5, 0, { ...write, columns: [[1], [2]], backfilled: true });
  block.merge(7, 0, { ...write, columns: [[0.1], [2]], backfilled: false });
  t.same([block.state(5), block.state(6), block.state(7)], [2, 0, 1]);
  t.equal(block.value(7, 0), Math.fround(0.1), 'of seven digits in single precision');
  const none = empty();
  const { data, backfilled } = encodeBlock(block, form);
  addBytes(none, { data: data.subarray(0, 12), backfilled }, form, { ...all, first: 8 });
  t.same(none, empty());
});

t.test(
  'a sum of seven digits is the same in memory and in bytes, whatever is beside it',
  async (t) => {
    const form = [
      { name: 'long_usd', combine: 'sum', digits: 7 },
      { name: 'base', combine: 'sum', digits: 15 },
    ] as const;
    const block = new Block(form);
    // In single precision the sum is 5,012,519,424.
    for (const value of [5_012_529_664, -10_000]) {
      block.merge(7, 0, { form, columns: [[value], [1]], mode: 'add', backfilled: false });
    }
    const [direct, read] = [empty(), empty()];
    addRows(direct, block, form, all);
    addBytes(read, encodeBlock(block, form), form, all);
    for (const found of [direct, read]) t.same(found.columns, [[5_012_519_000], [2]]);
  },
);

t.test('values that lie close together take few bytes', async (t) => {
  const wide: Series['columns'] = form.map((column) => ({ ...column, digits: 15 }));
  const seven: Series['columns'] = form.map((column) => ({ ...column, digits: 7 }));
  /** Bytes of a block besides the bitmap, with the same values in either column; what is read must be that. */
  const sizeOf = (columns: Series['columns'], at: (slot: number) => number, rows = 60) => {
    const block = new Block(columns);
    const own = { form: columns, mode: 'put', backfilled: false } as const;
    for (let slot = 0; slot < rows; slot++) {
      block.merge(slot + 20, 0, { ...own, columns: [[at(slot)], [at(slot)]] });
    }
    const bytes = encodeBlock(block, columns);
    const [direct, decoded, read] = [empty(), empty(), empty()];
    addRows(direct, block, columns, all);
    addRows(decoded, decodeBlock(bytes, columns), columns, all);
    addBytes(read, bytes, columns, all);
    t.same([decoded, read, bytes.backfilled], [direct, direct, null]);
    return bytes.data.length - 12;
  };
  const single = 60 * 4;
  const [double, packed] = [60 * 8, (width: number) => 5 + 60 * width];
  const cases: [string, (slot: number) => number, number, number][] = [
    ['within a factor of four', (slot) => 1_000 + slot * 49, packed(3), 1 + double],
    ['less than a percent apart', (slot) => -1_000 - slot / 20, packed(2), 1 + double],
    ['254 bits apart', (slot) => 1 + (slot % 2) * (254 / 2 ** 23), packed(1), 1 + double],
    ['255 bits apart', (slot) => 1 + (slot % 2) * (255 / 2 ** 23), packed(2), 1 + double],
    ['equal', () => 8, 5, 9],
    ['not known', () => Number.NaN, 5, 9],
    [
      'with one that is not known',
      (slot) => (slot === 7 ? Number.NaN : 1_000 + slot),
      packed(3),
      1 + double,
    ],
    ['too far apart', (slot) => slot * slot, single, 1 + double],
    ['of either sign', (slot) => slot - 30, single, 1 + double],
  ];
  for (const [name, at, singles, doubles] of cases) {
    t.equal(sizeOf(seven, at), 2 * singles, name);
    t.equal(sizeOf(wide, at), 2 * Math.min(doubles, double), name);
  }
  t.equal(
    sizeOf(seven, (slot) => 1_000 + slot * 49, 5),
    2 * 5 * 4,
    'no shorter when packed',
  );
});

t.test('packed bytes of another form are refused', async (t) => {
  const block = new Block(form);
  const rows = { form, mode: 'put', backfilled: false } as const;
  for (let slot = 0; slot < 30; slot++)
    block.merge(slot, 0, { ...rows, columns: [[5 + slot / 9], [7]] });
  const { data } = encodeBlock(block, form);
  t.equal(data.length, 12 + 5 + 30 * 3 + 9);
  const withByte = (at: number, byte: number) => data.map((one, i) => (i === at ? byte : one));
  const broken = [data.subarray(0, 50), data.subarray(0, -1), withByte(12, 5), withByte(12, 2)];
  for (const bytes of [...broken, withByte(107, 1), new Uint8Array([...data, 0])])
    t.throws(() => decodeBlock({ data: bytes, backfilled: null }, form), { name: 'RangeError' });
});

t.test('a block whose first column had double precision is read', async (t) => {
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
});

t.test('thousands of keys are combined in parts; the place moves at the end', async (t) => {
  const hour = 3_600_000;
  const [finer, tier] = openInterest.tiers;
  if (!tier) throw new Error('no coarse tier');
  const rows = { times: [hour, hour + finer.step], backfilled: [false, false] };
  const keys = Array.from({ length: 2_500 }, (_, i) => `many/stable/S${i}`);
  const found = new Map(
    keys.map((key, i) => [
      key,
      {
        ...rows,
        columns: [
          [0, i],
          [1, 2],
        ],
      },
    ]),
  );
  const batches: Batch[] = [];
  let position: string | null = null;
  const ranges: number[][] = [];
  const store = {
    position: async () => position,
    scan: async (_series: Series, _step: number, { from, to }: Range) => {
      ranges.push([from / hour, to + 1 - 2 * hour]);
      return found;
    },
  };
  const write = async (batch: Batch) => void batches.push(batch);
  await combineTier({ store, write }, openInterest, { finer, tier }, { time: 2 * hour });
  const parts = batches.flatMap(({ writes }) => writes.map((one) => one.rows));
  t.same(
    parts.map((part) => part.keys.length),
    [1_000, 1_000, 500],
  );
  t.same(
    parts.flatMap((part) => part.columns[0]),
    keys.map((_, i) => i),
  );
  const places = batches.map(({ positions = [] }) => positions.map(({ to }) => to));
  t.same(places, [[], [], [], [String(2 * hour)]]);
  for (const hours of [0, -10, -46, -47, 2]) {
    position = String(hours * hour);
    await combineTier({ store, write }, openInterest, { finer, tier }, { time: 3 * hour - 1 });
  }
  const begins = [1, 0, -10, -46, -46];
  t.strictSame(
    ranges,
    begins.map((from) => [from, 0]),
    'at most 48 hours, none twice',
  );
});

t.test('tiers must follow from each other; the coarsest is kept as long as set', async (t) => {
  const columns = { base: { combine: 'last' }, usd: { combine: 'last' } } as const;
  const make = (...tiers: [Tier, ...Tier[]]) =>
    defineSeries({ name: 'open-interest', columns, tiers });
  const finest = { step: '5m', keep: '30d' } as const;
  t.throws(() => make(finest, { step: '3m', keep: '40d' }), RangeError);
  t.throws(() => make(finest, { step: '1h', keep: '719h' }), RangeError);
  t.equal(make(finest, { step: '1h', keep: '720h' }).tiers.length, 2);
  const days = 24 * 3_600_000;
  t.same(
    keptFor(openInterest, 10).tiers.map(({ keep }) => keep),
    [10 * days, 10 * days],
  );
  t.same(
    keptFor(openInterest, 1_000).tiers.map(({ keep }) => keep),
    [30 * days, 1_000 * days],
  );
  const always = make({ step: '1h', keep: 'always' });
  t.same(keptFor(always, 10), always);
  const declared = make({ step: '1h', keep: '30d' });
  t.strictSame(
    [10, 400].map((set) => keptFor(declared, set).tiers[0].keep / days),
    [10, 30],
    'a declared time is not made longer',
  );
  t.throws(() => tableOf(always, 7), RangeError);
});
