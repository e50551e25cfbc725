/** The factories of rows that are served from memory. */
import t from 'tap';
import * as s from '../../../../actors/topics/schema.ts';
import { Snapshot } from '../../../../http/answers/snapshots.ts';
import { Source } from '../../../../http/answers/source.ts';
import { tableOf } from '../../../../http/endpoints/csv-rows.ts';
import type { Route } from '../../../../http/endpoints/route.ts';
import { columns, plain } from '../../../../http/routes/factory/columns.ts';
import { document } from '../../../../http/routes/factory/document.ts';
import { single } from '../../../../http/routes/factory/single.ts';
import { table } from '../../../../http/routes/factory/table.ts';
import * as params from '../../../../http/routes/params.ts';
import { apiError } from '../../../../http/wire/errors.ts';
import { FakeClock } from '../../../support/clock.ts';

interface Pair {
  market: string;
  base: number;
  quote: number | null;
  note?: string;
}

const pair = columns<Pair>()({
  rank: [s.integer('From 1.'), (_, at) => at + 1],
  id: [s.string('Its id.'), 'market'],
  base: s.number('Base units.'),
  price: [s.numberOrNull('USD.'), ({ base, quote }) => (quote === null ? null : quote / base)],
  note: s.optional(s.string('In words.')),
});

const pairs: Pair[] = [
  { market: 'A', base: 2, quote: 10, note: 'new' },
  { market: 'B', base: 4, quote: null },
  { market: 'C', base: 5, quote: 40 },
];

t.test('a column is the property of its name, one of another name, or made', async (t) => {
  t.strictSame(pair.all(pairs), [
    { rank: 1, id: 'A', base: 2, price: 5, note: 'new' },
    { rank: 2, id: 'B', base: 4, price: null },
    { rank: 3, id: 'C', base: 5, price: 8 },
  ]);
  t.strictSame(pair.schema.required, ['rank', 'id', 'base', 'price']);
  t.match(pair.properties.id, { type: 'string', description: 'Its id.' });
  // @ts-expect-error: a text is no number.
  columns<Pair>()({ market: s.number('USD.') });
  // @ts-expect-error: it may be null.
  columns<Pair>()({ price: [s.number('USD.'), 'quote'] });
  // @ts-expect-error: neither is what is made of it a number.
  columns<Pair>()({ price: [s.number('USD.'), ({ market }) => market] });
  // @ts-expect-error: there is no such property.
  columns<Pair>()({ volume: s.number('USD.') });
});

const head = { path: '/v1/x', summary: 'x' } as const;

/** The data of the answer of a row from memory with its age, or the error. */
function read({ from }: Route, values: Record<string, string | number | undefined> = {}) {
  if (!('view' in from)) throw new Error('it is not served from memory');
  const found = from.view(values);
  return found instanceof Snapshot ? [JSON.parse(found.dataText), found.asOf] : found;
}

t.test('a document is made once for equal parameters, until its source changes', async (t) => {
  const source = new Source(() => 1_000);
  let factor = 0;
  let made = 0;
  const row = document({
    ...head,
    params: { limit: params.limit(1, 9, 'A factor.') },
    answer: s.object({ product: s.number() }),
    source,
    absent: apiError('upstream_failed'),
    build({ limit }) {
      made += 1;
      return factor === 0 ? null : { product: limit * factor };
    },
  });
  t.match(row, { method: 'GET', access: 'key' });
  t.match(read(row, { limit: 2 }), { error: 'upstream_failed' });
  factor = 3;
  t.strictSame(
    read(row, { limit: 2 }),
    [{ product: 6 }, 1_000],
    'what is absent is asked for again',
  );
  read(row, { limit: 2 });
  t.strictSame(read(row, { limit: 4 }), [{ product: 12 }, 1_000]);
  t.equal(made, 3);
  factor = 5;
  source.change();
  t.strictSame(read(row, { limit: 2 }), [{ product: 10 }, 1_000]);
});

t.test('a table counts its rows, and its list is what CSV shows', async (t) => {
  const source = new Source();
  let asOf: number | undefined;
  const row = table({
    ...head,
    params: { offset: { type: 'integer', description: '' }, limit: params.limit(2, 9, '') },
    fields: { total: s.integer('Of all.'), others: s.list(s.object({ a: s.number() })) },
    columns: pair,
    list: 'pairs',
    order: 'As given.',
    source,
    find: () => ({ total: pairs.length, others: [], rows: pairs, ...(asOf && { asOf }) }),
  });
  const all = pair.all(pairs);
  const others = { total: 3, others: [] };
  t.strictSame(read(row), [{ ...others, count: 3, pairs: all }, null]);
  t.strictSame(read(row, { limit: 2 }), [{ ...others, count: 2, pairs: all.slice(0, 2) }, null]);
  asOf = 7;
  const rest = [{ id: 'B' }, { id: 'C' }];
  t.match(read(row, { offset: 1, limit: 9 }), [{ count: 2, pairs: rest }, 7]);
  t.strictSame(tableOf(row)?.lists, ['data.pairs']);
  t.equal(
    tableOf(row)?.textOf({ pairs: all.slice(1, 2) }),
    'rank,id,base,price,note\r\n2,B,4,,\r\n',
  );
  const none = table({
    ...head,
    params: {},
    columns: plain(pair.schema),
    list: null,
    source,
    find: () => [],
  });
  t.match(read(none), { error: 'warming_up' }, 'a bare list without rows');
  const unknown = apiError('unknown_symbol');
  const failed = table({ ...head, params: {}, columns: pair, source, find: () => unknown });
  t.equal(read(failed), unknown);
});

function symbolStage() {
  const prices = new Map<string, number | null>();
  const made: string[] = [];
  const source = new Source(() => 5);
  const row = single({
    ...head,
    params: {},
    what: 'price',
    title: 'Prices',
    one: s.object({ price: s.number() }),
    all: s.object({ sum: s.number() }),
    choice: 'One, several or all.',
    clock: new FakeClock(),
    past: { series: 'price', keys: () => [], columns: plain(s.object({})) },
    view: {
      source,
      isEmpty: () => prices.size === 0,
      has: (symbol) => prices.has(symbol),
      one(symbol) {
        const price = prices.get(symbol) ?? null;
        made.push(symbol);
        return price === null ? null : { price };
      },
      explained: (symbol) => ({ price: -(prices.get(symbol) ?? 0) }),
      all: () => ({
        sum: [...prices.values()].reduce((sum: number, price) => sum + (price ?? 0), 0),
      }),
    },
  });
  const set = (symbol: string, price: number | null) => {
    prices.set(symbol, price);
    source.change([symbol]);
  };
  return { row, set, made: () => made.splice(0).join(' ') };
}

t.test('one symbol, several or all', async (t) => {
  const { row, set, made } = symbolStage();
  t.match(read(row, { symbol: 'A' }), { error: 'warming_up', message: /no data yet/ });
  set('A', 2);
  set('B', 3);
  set('OLD', null);
  t.strictSame(read(row), [{ sum: 5 }, 5]);
  t.strictSame(read(row, { symbol: 'a-usdt' }), [{ price: 2 }, 5]);
  t.strictSame(read(row, { symbol: 'a-usdt', explain: '0' }), [{ price: 2 }, 5]);
  t.strictSame(read(row, { symbol: 'a-usdt', explain: '1' }), [{ price: -2 }, 5]);
  for (const more of [{}, { symbols: 'A' }])
    t.match(read(row, { explain: '1', ...more }), { error: 'bad_parameter', message: /symbol/ });
  t.match(read(row, { symbol: 'x-usdt' }), {
    error: 'unknown_symbol',
    message: 'no exchange has a price of X-USDT',
  });
  t.match(read(row, { symbol: 'old' }), {
    error: 'warming_up',
    message: /price of OLD is too old/,
  });
  made();
  const several = [{ count: 2, symbols: { A: { price: 2 }, B: { price: 3 } }, missing: [] }, 5];
  t.strictSame(read(row, { symbols: 'a,B' }), several);
  t.equal(made(), 'B', 'A is ready');
  t.strictSame(read(row, { symbols: 'a,B' }), several);
  set('B', 4);
  t.match(read(row, { symbols: 'a,B' }), [{ symbols: { B: { price: 4 } } }, 5]);
  t.equal(made(), 'B');
  t.match(read(row, { symbols: 'A,NO' }), [
    { missing: [{ symbol: 'NO', code: 'unknown_symbol' }] },
    5,
  ]);
  t.match(read(row, { symbols: 'A', symbol: 'B' }), { error: 'bad_parameter' });
});

t.test(
  'a change of a symbol concerns those who follow it, or a list with it, or all',
  async (t) => {
    const { row, set } = symbolStage();
    const { from } = row;
    if (!('view' in from)) throw new Error('it is not served from memory');
    const told: string[] = [];
    for (const values of [{ symbol: 'a-usdt' }, { symbols: 'B,C' }, { symbols: ',' }, {}]) {
      from.listen(values, () => told.push(Object.values(values).join('')));
    }
    set('A', 1);
    t.strictSame(told.splice(0), ['a-usdt', '']);
    set('C', 1);
    t.strictSame(told.splice(0), ['B,C', '']);
  },
);
