import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import { Merge } from '../../../actors/sources/merge.ts';
import type { Reading } from '../../../actors/topics/index.ts';

interface Row {
  market: string;
  rate: number | null;
  mark: number | null;
  received?: number;
}

const minute = 60_000;
const row = (market: string, more: Partial<Row>): Row => ({
  market,
  rate: null,
  mark: null,
  ...more,
});
const reading = (received: number, rows: Row[], part = 'all'): Reading<Row> => ({
  source: 'x',
  part,
  asked: received,
  received,
  rows,
});

function stage(previous?: Reading<Row>) {
  const published: Reading<Row>[] = [];
  const merged = new Merge<Row>({
    part: 'all',
    merge: (polled, { mark }) => ({ ...polled, mark }),
    maxAge: 5 * minute,
    previous: async () => previous,
    publish: async (reading) => {
      published.push(reading);
      return null;
    },
  });
  const rows = () => published.at(-1)?.rows;
  return { merged, published, rows };
}

t.test('rows of one market are merged, and as old as the older of the two', async (t) => {
  const { merged, published, rows } = stage();
  t.equal(await merged.publish('polled', reading(1_000, [row('A', { rate: 0.1 })])), null);
  t.strictSame(rows(), [row('A', { rate: 0.1, received: 1_000 })]);
  const marks = [row('A', { mark: 7 }), row('B', { mark: 8 })];
  await merged.publish('streamed', reading(2_000, marks, 'all-stream'));
  t.match(published.at(-1), { source: 'x', part: 'all', received: 2_000 });
  t.same(
    rows()?.sort((a, b) => a.market.localeCompare(b.market)),
    [row('A', { rate: 0.1, mark: 7, received: 1_000 }), row('B', { mark: 8, received: 2_000 })],
  );
});

t.test('a half that is too old is null, and the other one stays', async (t) => {
  const { merged, rows } = stage();
  await merged.publish('streamed', reading(0, [row('A', { mark: 7 }), row('B', { mark: 8 })]));
  await merged.publish('polled', reading(5 * minute, [row('A', { rate: 0.1 })]));
  t.match(
    rows()?.find(({ market }) => market === 'A'),
    { mark: 7, rate: 0.1, received: 0 },
  );
  await merged.publish('polled', reading(5 * minute + 1, [row('A', { rate: 0.2 })]));
  t.strictSame(rows(), [row('A', { rate: 0.2, received: 5 * minute + 1 })]);
});

t.test('a kept row counts by its own time', async (t) => {
  const { merged, rows } = stage();
  const kept = [row('A', { mark: 7, received: 0 }), row('B', { mark: 8 })];
  await merged.publish('streamed', reading(4 * minute, kept));
  await merged.publish('polled', reading(6 * minute, []));
  t.strictSame(rows(), [row('B', { mark: 8, received: 4 * minute })]);
});

t.test('after a takeover the last published reading stands for a leg that is silent', async (t) => {
  const before = reading(1_000, [row('A', { rate: 0.1, mark: 7 })]);
  const { merged, rows } = stage(before);
  await merged.publish('polled', reading(2_000, [row('A', { rate: 0.2 })]));
  t.strictSame(rows(), [row('A', { rate: 0.2, mark: 7, received: 1_000 })]);
  await merged.publish('streamed', reading(3_000, [row('A', { mark: 9 })]));
  t.strictSame(rows(), [row('A', { rate: 0.2, mark: 9, received: 2_000 })]);
});

t.test('the newest reading says whether the venue is frozen', async (t) => {
  const { merged, published } = stage();
  await merged.publish('polled', { ...reading(1_000, [row('A', {})]), frozen: true });
  t.equal(published.at(-1)?.frozen, true);
  await merged.publish('streamed', reading(2_000, [row('A', {})]));
  t.notOk(published.at(-1)?.frozen);
});

t.test('a reading that cannot be published is reported', async (t) => {
  const { failure } = failed('unavailable', 'Redis is away');
  const merged = new Merge<Row>({
    part: 'all',
    merge: (polled) => polled,
    maxAge: minute,
    previous: async () => undefined,
    publish: async () => failure,
  });
  t.equal(await merged.publish('polled', reading(1, [])), failure);
});
