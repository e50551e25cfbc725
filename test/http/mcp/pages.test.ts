/** Cut answers: within their size, and together every row exactly once. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import { isFailure, pathOf, textsOf } from '../../../http/mcp/calls.ts';
import { countRows, type Position, pageOf } from '../../../http/mcp/pages.ts';
import { answerOf } from '../../../http/mcp/result.ts';
import { property } from '../../support/property.ts';

const object = (properties: object) => ({ type: 'object', properties });
const list = (items: object) => ({ type: 'array', items });
const mapOf = (values: object) => ({ type: 'object', additionalProperties: values });
const row = object({ id: {}, text: {}, inner: list(object({ id: {} })) });
const schema = object({ name: {}, words: list({}), rows: list(row), byName: mapOf(row) });

interface Row {
  id: number;
  text: string;
  inner?: { id: number }[];
}
interface Data {
  name: string;
  words: string[];
  rows: Row[];
  byName: Record<string, Row>;
}

/** Data in which each row, and each row within a row, has a number of its own. */
const data = fc
  .record({
    rows: fc.array(fc.tuple(fc.string({ maxLength: 60 }), fc.nat(30)), { maxLength: 40 }),
    named: fc.array(fc.string({ maxLength: 60 }), { maxLength: 20 }),
  })
  .map(({ rows, named }): Data => {
    let next = 0;
    const rowOf = (text: string, inner: number): Row => ({
      id: next++,
      text,
      inner: Array.from({ length: inner }, () => ({ id: next++ })),
    });
    return {
      name: 'all',
      words: ['a', 'b'],
      rows: rows.map(([text, inner]) => rowOf(text, inner)),
      byName: Object.fromEntries(named.map((text, i) => [`k${i}`, rowOf(text, 0)])),
    };
  });

/** The numbers of the rows in a page; those of a row that is spread over pages stand on each of them. */
function idsIn(value: unknown): { whole: number[]; inner: number[] } {
  const { rows, byName }: Data = Object(value);
  const all = [...rows, ...Object.values(byName)];
  const inner = all.flatMap((one) => (one.inner ?? []).map(({ id }) => id));
  return { whole: all.map(({ id }) => id), inner };
}

/** All pages of some data. */
function pagesOf(given: Data, bytes: number): unknown[] {
  const pages: unknown[] = [];
  let start: Position | null = [];
  while (start !== null) {
    const page: ReturnType<typeof pageOf> = pageOf(given, schema, { start, bytes });
    assert.ok(page !== null && pages.length < 2_000, 'each page has a row');
    pages.push(page.value);
    start = page.next;
  }
  return pages;
}

t.test('each row stands on exactly one page, in its order, and no page is too large', async (t) => {
  const sizes = fc.integer({ min: 400, max: 3_000 });
  await property(t, fc.tuple(data, sizes), ([given, bytes]) => {
    const pages = pagesOf(given, bytes);
    for (const page of pages) {
      assert.ok(Buffer.byteLength(JSON.stringify(page)) <= bytes);
      const { name, words }: Data = Object(page);
      assert.deepEqual([name, words], ['all', ['a', 'b']]);
    }
    const found = pages.map(idsIn);
    const want = idsIn(given);
    const whole = found.flatMap((page) => page.whole);
    // A row that is spread over pages stands on each of them, with others of its own rows.
    const once = whole.filter((id, i) => id !== whole[i - 1]);
    assert.deepEqual(once, want.whole);
    const inner = found.flatMap((page) => page.inner);
    assert.deepEqual(inner, want.inner);
  });
});

t.test('half a character in an argument makes a path all the same', (t) => {
  const texts = textsOf({ address: '\ud800', limit: 5 });
  if (isFailure(texts)) throw new Error('refused');
  t.equal(pathOf('/v2/dex/token/{address}', texts), '/v2/dex/token/%EF%BF%BD?limit=5');
  t.end();
});

t.test('a row that no page can hold is an error, never dropped', (t) => {
  const large = { rows: [{ id: 1, text: 'x'.repeat(500) }], byName: {} };
  t.equal(pageOf(large, schema, { start: [], bytes: 200 }), null);
  t.equal(countRows(large, schema), 1);
  t.end();
});

const wide = object({ items: list(object({ id: { type: 'integer', description: 'Number.' } })) });
const numbers = (count: number, from = 0) => ({
  items: Array.from({ length: count }, (_, i) => ({ id: from + i })),
});

/** A call of a tool that answers these data. */
function call(given: object, cursor?: string, key = 'k') {
  const row = { summary: 'Numbers', answer: wide, group: 'Service' } as const;
  const part = { name: '/n', path: '/n?x=1', row, answer: snapshotOf(given, 5_000) };
  const page = { maxBytes: 4_000, cursor, key };
  return answerOf([part], page, { now: 7_500, simulated: false });
}

t.test('an answer states sources, ages and units, and goes on where it was cut', (t) => {
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const { content, structuredContent } = call(numbers(1_000), cursor);
    const text = content[0]?.text ?? '';
    t.ok(Buffer.byteLength(text) <= 4_000);
    const found = Object(structuredContent);
    const { data: shown, ...part } = found.answers['/n'];
    t.same(part, {
      about: 'Numbers',
      source: 'GET /n?x=1',
      as_of: 5_000,
      age_ms: 2_500,
      units: { 'items[].id': 'Number.' },
    });
    seen.push(...shown.items.map(({ id }: { id: number }) => id));
    t.same(found.rows, { shown: shown.items.length, total: 1_000 });
    t.equal(found.truncated, found.next_cursor !== null);
    t.notOk('data_changed' in found);
    cursor = found.next_cursor ?? undefined;
  } while (cursor !== undefined);
  t.same(
    seen,
    numbers(1_000).items.map(({ id }) => id),
  );
  t.end();
});

t.test('a cursor is of one call, and says when the data are others by now', (t) => {
  const cursor: string = Object(call(numbers(1_000)).structuredContent).next_cursor;
  t.match(call(numbers(1_000), cursor, 'other arguments'), { isError: true });
  for (const bad of ['', 'x', 'W10', `${cursor}x`, Buffer.from('["k"]').toString('base64url')])
    t.match(call(numbers(1_000), bad), { isError: true }, bad);
  const later = Object(call(numbers(1_000, 1), cursor).structuredContent);
  t.equal(later.data_changed, true);
  t.end();
});
