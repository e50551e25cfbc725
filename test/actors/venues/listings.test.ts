/** Instrument lists: the facts of a row, rows of other parts, rows that are unreadable, lists that are cut off. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { asRow, at, required, text, type WireRow } from '../../../actors/read.ts';
import type { ParseContext } from '../../../actors/sources/define.ts';
import { digitsIn, listing } from '../../../actors/venues/listings.ts';

const context: ParseContext = { received: 1_790_000_000_000, instruments: new Map() };
const request = { api: 'rest', path: '/list' };

const facts = ({ base, quote, size }: WireRow) => ({
  kind: 'perpetual' as const,
  base: text(base),
  quote: text(quote),
  contract: required(size),
});
const plain = listing({
  venue: 'aster',
  requests: request,
  rows: 'data.list',
  id: 'id',
  read: facts,
});
const bodies = (...list: unknown[]) => [{ data: { list } }];
const row = (id: unknown, more: object = {}) => ({
  id,
  base: 'BTC',
  quote: 'USDT',
  size: 2,
  ...more,
});

t.test('the instrument of each row, under canonical names', async (t) => {
  const { instruments } = plain.parse(
    bodies(row('BTCUSDT'), row('PEPE', { base: '1000PEPE', size: '0.5' })),
    context,
  );
  const usual = { kind: 'perpetual', quote: 'USDT', inverse: false, funding_hours: null };
  t.strictSame(instruments, {
    rows: [
      { ...usual, market: 'BTCUSDT', symbol: 'BTC', scale: 1, contract: 2 },
      { ...usual, market: 'PEPE', symbol: 'PEPE', scale: 1_000, contract: 0.5 },
    ],
    dropped: [],
  });
  t.strictSame(plain.requests({ markets: [] }), [request]);
});

t.test('the step of prices, in canonical units; none where none is stated', async (t) => {
  const ticks = (tick: NonNullable<Parameters<typeof listing>[0]['tick']>, ...list: unknown[]) =>
    listing({ venue: 'aster', requests: request, rows: 'data.list', id: 'id', read: facts, tick })
      .parse(bodies(...list), context)
      .instruments.rows.map((one) => one.tick);
  const stepped = (step: unknown, base = 'BTC') => row('A', { base, step });
  t.strictSame(
    ticks('step', stepped('0.10'), stepped(25), stepped('0.0000001', '1000PEPE')),
    [0.1, 25, 1e-10],
  );
  t.strictSame(
    ticks('step', stepped(undefined), stepped(''), stepped(0), stepped(-1), stepped('x')),
    Array(5).fill(undefined),
  );
  const digits = digitsIn('step');
  t.strictSame(
    ticks(digits, stepped(1), stepped('8'), stepped(0), stepped('7', '1000SHIB')),
    [0.1, 1e-8, 1, 1e-10],
  );
  t.strictSame(
    ticks(digits, stepped(undefined), stepped(null), stepped(1.5), stepped('two')),
    Array(4).fill(undefined),
  );
  t.strictSame(
    ticks(({ step }) => asRow(step).size, stepped({ size: '0.5' }), stepped(null)),
    [0.5, undefined],
  );
});

t.test('a row that cannot be read is dropped alone, by its name', async (t) => {
  const good = [row('A'), row('B')];
  const bad = [
    row(''),
    row(7),
    row('C', { base: '' }),
    row('D', { quote: null }),
    row('E', { size: 0 }),
    row('F', { size: 'x' }),
    'text',
    null,
  ];
  const { instruments } = plain.parse(bodies(good[0], ...bad, good[1]), context);
  t.strictSame(
    instruments.rows.map(({ market }) => market),
    ['A', 'B'],
  );
  t.strictSame(
    instruments.dropped,
    ['', '', 'C', 'D', 'E', 'F', '', ''].map((key) => ({ key, code: 'bad_row' })),
  );
  const picky = listing({
    venue: 'aster',
    requests: request,
    rows: '',
    id: 'id',
    read: () => null,
  });
  t.strictSame(picky.parse([[row('A')]], context).instruments, {
    rows: [],
    dropped: [{ key: 'A', code: 'bad_row' }],
  });
});

t.test('a body without a list, or with an empty one, is refused', async (t) => {
  for (const body of [undefined, {}, { data: {} }, { data: { list: {} } }, { data: { list: [] } }])
    t.throws(() => plain.parse([body], context), ShapeError);
});

t.test('rows of other parts are left out without a count', async (t) => {
  const spot = listing({
    venue: 'aster',
    requests: request,
    rows: '',
    id: 'id',
    keep: ({ type }) => type === 'spot',
    read: facts,
  });
  const list = [row('A', { type: 'spot' }), row('B', { type: 'swap' }), 'text'];
  const { instruments } = spot.parse([list], context);
  t.strictSame(
    instruments.rows.map(({ market }) => market),
    ['A'],
  );
  t.strictSame(instruments.dropped, [{ key: '', code: 'bad_row' }], 'what is no row is no part');
});

t.test('a row may need what stands in other bodies, and what was known before', async (t) => {
  const withHours = listing({
    venue: 'aster',
    requests: ({ now = 0 }) => [request, { api: 'rest', path: `/hours?at=${now}` }],
    rows: ([pairs], { received, stated }) => [
      ...Object.entries(asRow(pairs)).map(([id, one]) => ({ ...asRow(one), id })),
      row(`NEW${received - context.received}${stated}`),
    ],
    id: ({ id }) => text(id).toLowerCase(),
    extra: ([, hours], { instruments }) => ({ hours: asRow(hours), known: instruments.size }),
    read: (one, market, { hours, known }) => ({
      ...facts(one),
      fundingHours: required(hours[market]) || known,
    }),
  });
  t.match(withHours.requests({ markets: [], now: 5 }), [request, { path: '/hours?at=5' }]);
  const pairs = { A: row(''), B: row('') };
  const { rows } = withHours.parse([pairs, { a: 4, b: 1 }], context).instruments;
  t.match(rows, [
    { market: 'a', funding_hours: 4 },
    { market: 'b', funding_hours: 1 },
    { market: 'new0null', funding_hours: 0 },
  ]);
});

t.test('more rows than the bodies hold are named', async (t) => {
  const paged = listing({
    venue: 'aster',
    requests: request,
    rows: 'data.list',
    id: 'id',
    read: facts,
    isCut: ([body]) => text(at(body, 'data.next')) !== '',
  });
  const read = (next: string) =>
    paged.parse([{ data: { list: [row('A')], next } }], context).instruments.dropped;
  t.strictSame(read(''), []);
  t.strictSame(read('page 2'), [{ key: 'list', code: 'list_cut_off' }]);
});
