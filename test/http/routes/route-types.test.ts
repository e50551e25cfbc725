/** A row whose handler builds another shape than its answer does not compile. Most of this test is the type check. */

import t from 'tap';
import * as s from '../../../actors/topics/schema.ts';
import { jsonText } from '../../../http/answers/json.ts';
import { JsonText } from '../../../http/answers/json-text.ts';
import { type Snapshot, snapshotOf } from '../../../http/answers/snapshots.ts';
import { type Done, type Route, route } from '../../../http/endpoints/route.ts';
import { DefiView } from '../../../http/views/defi.ts';
import { warmingUp } from '../../../http/wire/errors.ts';
import { reads } from '../../support/http.ts';

const common = { method: 'GET', path: '/', summary: '', access: 'open' } as const;
const answer = s.object({
  price: s.number('USD.'),
  kind: s.oneOf(['spot', 'perpetual']),
  note: s.optional(s.stringOrNull()),
});
const good = { price: 1, kind: 'spot' as const };
const row = { ...common, params: {}, answer };

const question = {
  source: 'okx',
  name: 'orderBook',
  params: { market: 'BTC-USDT', depth: 5 },
  what: 'the order book',
} as const;

const defi = new DefiView({ leastTvl: 0 });

const rows: Route[] = [
  route({ ...row, from: reads(() => snapshotOf(good)) }),
  route({ ...row, from: reads(() => snapshotOf({ ...good, note: null })) }),
  route({ ...row, from: { query: () => ({ ...question, data: () => good }) } }),
  route({ ...row, from: { act: async () => ({ status: 200, data: good }) } }),
  route({ ...row, from: { act: async () => ({ status: 200, data: jsonText(good) }) } }),
  // @ts-expect-error a field is missing
  route({ ...row, from: reads(() => snapshotOf({ price: 1 })) }),
  // @ts-expect-error a field has another type
  route({ ...row, from: reads(() => snapshotOf({ price: '1', kind: 'spot' as const })) }),
  // @ts-expect-error a word that is not in the list
  route({ ...row, from: reads(() => snapshotOf({ price: 1, kind: 'future' as const })) }),
  // @ts-expect-error an optional field has another type
  route({ ...row, from: reads(() => snapshotOf({ ...good, note: 7 })) }),
  // @ts-expect-error a query gives another shape
  route({ ...row, from: { query: () => ({ ...question, data: () => [good] }) } }),
  route({
    ...row,
    // @ts-expect-error the parameters are those of another query
    from: { query: () => ({ ...question, params: { asked: 'x' }, data: () => good }) },
  }),
  route({
    ...row,
    // @ts-expect-error the reply of the query has no such field
    from: { query: () => ({ ...question, data: ({ pairs }) => pairs }) },
  }),
  // @ts-expect-error an act gives another shape
  route({ ...row, from: { act: async (): Promise<Done<object>> => ({ status: 200, data: {} }) } }),
  // @ts-expect-error the snapshot of data of unknown type
  route({ ...row, from: reads((): Snapshot => snapshotOf<unknown>(good)) }),
  // @ts-expect-error the parameter does not exist
  route({ ...row, from: reads(({ symbol }) => snapshotOf({ ...good, note: symbol })) }),
  route({
    ...row,
    body: s.object({ name: s.string() }),
    // @ts-expect-error the body has no such field
    from: { act: async ({ body }) => ({ status: 200, data: { ...good, note: body.title } }) },
  }),
  route({
    ...row,
    answer: s.object({ pools: s.list(s.object({ other: s.string() })), count: s.integer() }),
    // @ts-expect-error a view of other rows
    from: reads(() => defi.orca(1) ?? warmingUp),
  }),
];

t.test('the schema of an answer is plain JSON Schema', async (t) => {
  t.ok(rows.every((found) => found.answer !== null));
  t.strictSame(JSON.parse(JSON.stringify(answer)), {
    type: 'object',
    required: ['price', 'kind'],
    properties: {
      price: { type: 'number', description: 'USD.' },
      kind: { enum: ['spot', 'perpetual'] },
      note: { type: ['string', 'null'] },
    },
  });
  const nested = s.mapOf(s.orNull(s.list(s.literal(true))), 'a to b');
  t.strictSame(JSON.parse(JSON.stringify(nested)), {
    type: 'object',
    description: 'Map from a to b.',
    additionalProperties: { anyOf: [{ type: 'array', items: { const: true } }, { type: 'null' }] },
  });
});

t.test('texts of one type make texts of another', async (t) => {
  const text: JsonText<{ a: number }> = jsonText({ a: 0.1 + 0.2 });
  t.equal(text.text, '{"a":0.3}');
  t.equal(jsonText(text), text, 'a text stays as it is');
  // @ts-expect-error the text of other data
  const other: JsonText<{ a: string }> = text;
  t.ok(other instanceof JsonText);
});
