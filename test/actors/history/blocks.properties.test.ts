/** Blocks of a series, in memory and as bytes, against a map from slot to row. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import {
  addBytes,
  type BlockBytes,
  decodeBlock,
  encodeBlock,
} from '../../../actors/history/block-bytes.ts';
import { addRows, Block, blockRows } from '../../../actors/history/blocks.ts';
import type { Stored } from '../../../actors/history/store.ts';
import { property } from '../../support/property.ts';

const column = fc.record({
  combine: fc.constantFrom('last' as const, 'sum' as const, 'max' as const, 'min' as const),
  digits: fc.constantFrom(7 as const, 15 as const),
});
const forms = fc
  .array(column, { minLength: 1, maxLength: 4 })
  .map((columns) => columns.map((one, at) => ({ ...one, name: `column ${at}` })));
type Form = typeof forms extends fc.Arbitrary<infer T> ? T : never;

/** Numbers of a size that occurs, without the sign of a zero, which means nothing. */
const usual = (value: number): number =>
  Math.abs(value) >= 1e-15 && Math.abs(value) <= 1e18 ? value : 0;

/** Values that lie close together, as those of most series do, or anywhere. */
const value = fc.oneof(
  fc.constant(Number.NaN),
  fc.integer({ min: 1_000_000, max: 1_000_400 }).map((one) => one / 100),
  fc.constant(8),
  fc.float({ noNaN: true }).map(usual),
  fc.double({ noNaN: true }).map(usual),
);

const write = fc.record({
  slot: fc.nat({ max: blockRows - 1 }),
  values: fc.array(value, { minLength: 4, maxLength: 4 }),
  mode: fc.constantFrom('put' as const, 'add' as const, 'fill' as const),
  backfilled: fc.boolean(),
});
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;
const writes = fc.array(write, { maxLength: 140, size: 'max' });

interface Row {
  values: number[];
  backfilled: boolean;
}

/** The value of a column after a write: a known one is never replaced by an unknown one. */
function after(before: number, value: number, mode: Write['mode'], combine: string): number {
  if (Number.isNaN(value)) return before;
  if (Number.isNaN(before) || mode === 'put') return value;
  if (mode === 'fill') return before;
  const results: Record<string, number> = {
    max: Math.max(before, value),
    min: Math.min(before, value),
    sum: before + value,
  };
  return results[combine] ?? before + value;
}

/** As a column of seven digits keeps it: in single precision. */
const kept = (value: number, digits: 7 | 15): number => (digits === 7 ? Math.fround(value) : value);

/** The block that the writes make, and the same rows in a map. */
function written(form: Form, writes: readonly Write[]) {
  const block = new Block(form);
  const rows = new Map<number, Row>();
  for (const { slot, values, mode, backfilled } of writes) {
    block.merge(slot, 0, { form, mode, backfilled, columns: values.map((one) => [one]) });
    const known = rows.get(slot) ?? { values: form.map(() => Number.NaN), backfilled };
    rows.set(slot, {
      values: form.map(({ combine, digits }, at) => {
        const before = known.values[at] ?? Number.NaN;
        return kept(after(before, kept(values[at] ?? Number.NaN, digits), mode, combine), digits);
      }),
      backfilled: mode === 'put' && !backfilled ? false : known.backfilled,
    });
  }
  return { block, rows };
}

/** Whether a value is read as it was kept: of single precision to seven digits, of which the last may be rounded either way. */
function isRead(found: number | null | undefined, kept: number, digits: 7 | 15): boolean {
  if (Number.isNaN(kept) || found === null || found === undefined)
    return Number.isNaN(kept) && found === null;
  return digits === 15 ? found === kept : Math.abs(found - kept) <= Math.abs(kept) * 1e-6;
}

const [start, step] = [960, 10];

/** Compares what was read of some slots with the rows of the map. */
function compare(found: Stored, form: Form, rows: readonly (readonly [number, Row])[]): void {
  assert.deepEqual(
    [found.times, found.backfilled],
    [rows.map(([slot]) => start + slot * step), rows.map(([, { backfilled }]) => backfilled)],
  );
  for (const [at, { digits }] of form.entries()) {
    const kept = rows.map(([, { values }]) => values[at] ?? Number.NaN);
    const column = found.columns[at] ?? [];
    assert.ok(
      kept.every((value, row) => isRead(column[row], value, digits)),
      `${column} ${kept}`,
    );
  }
}

const emptyOf = (form: Form): Stored => ({
  times: [],
  columns: form.map(() => []),
  backfilled: [],
});

const slot = fc.nat({ max: blockRows - 1 });

t.test('rows come out of a block and of its bytes as a map keeps them', async (t) => {
  await property(t, fc.tuple(forms, writes, slot, slot), ([form, writes, one, other]) => {
    const { block, rows } = written(form, writes);
    const range = { start, step, first: Math.min(one, other), last: Math.max(one, other) };
    const wanted = [...rows].filter(([slot]) => slot >= range.first && slot <= range.last);
    wanted.sort(([a], [b]) => a - b);
    const bytes = encodeBlock(block, form);
    const [direct, decoded, read] = [emptyOf(form), emptyOf(form), emptyOf(form)];
    addRows(direct, block, form, range);
    addRows(decoded, decodeBlock(bytes, form), form, range);
    addBytes(read, bytes, form, range);
    compare(direct, form, wanted);
    for (const found of [decoded, read]) assert.deepEqual(found, direct);
  });
});

t.test('the bytes of a block have a bound, and say the same when written again', async (t) => {
  await property(t, fc.tuple(forms, writes), ([form, writes]) => {
    const { block, rows } = written(form, writes);
    const bytes = encodeBlock(block, form);
    const width = form.reduce((sum, { digits }) => sum + (digits === 7 ? 4 : 8), 0);
    assert.ok(bytes.data.length <= blockRows / 8 + rows.size * width);
    assert.deepEqual(encodeBlock(decodeBlock(bytes, form), form), bytes);
  });
});

function isRefused(bytes: BlockBytes, form: Form): boolean {
  try {
    decodeBlock(bytes, form);
    return false;
  } catch (error) {
    assert.ok(error instanceof RangeError, `${error}`);
    return true;
  }
}

t.test('bytes that end early are refused, damaged ones are only other values', async (t) => {
  const damage = fc.tuple(fc.nat(), fc.nat({ max: 255 }));
  await property(t, fc.tuple(forms, writes, damage, fc.nat()), ([form, writes, damage, end]) => {
    const { block } = written(form, writes);
    const { data, backfilled } = encodeBlock(block, form);
    const [at, byte] = damage;
    isRefused({ data: data.with(at % data.length, byte), backfilled }, form);
    const short = { data: data.subarray(0, end % data.length), backfilled };
    if (short.data.length < blockRows / 8) assert.ok(isRefused(short, form));
    else isRefused(short, form);
  });
});
