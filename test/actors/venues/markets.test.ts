/** The mapper of a part: which rows a poll and a stream give to which topics, and what a row costs that cannot be read. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { asRow, at, bulk, isRecord, list, text, type WireRow } from '../../../actors/read.ts';
import {
  byId,
  joined,
  type LiveForm,
  type MarketForm,
  markets,
} from '../../../actors/venues/markets.ts';
import type { Message } from '../../../actors/venues/streams.ts';
import { listed } from './stream-suite.ts';

const received = 1_790_000_000_000;
const stated = received - 1_000;
const context = {
  received,
  instruments: listed([
    { market: 'A', symbol: 'A' },
    { market: 'B', symbol: 'B', contract: 10 },
    { market: 'S', symbol: 'S', kind: 'spot' },
    { market: 'OLD', symbol: 'OLD', kind: 'other' },
    { market: 'YEN', symbol: 'YEN', quote: 'JPY' },
  ]),
};
const form = {
  rows: 'data.list',
  id: 's',
  stated: 'data.at',
  price: { last: 'p', base: 'v', untraded: 'v' },
  derivative: { mark: 'm', index: 'i', rate: 'r' },
  interest: { base: 'o', mark: 'm' },
} as const satisfies MarketForm;
const row = (s: unknown, more: object = {}) => ({
  s,
  p: 5,
  v: 7,
  m: 4,
  i: 3,
  r: 0.01,
  o: 20,
  ...more,
});
const bodyOf = (...rows: unknown[]) => [{ data: { list: rows, at: stated } }];
const request = { api: 'rest', path: '/tickers' };
const poll = markets(form).poll(request);

const idsOf = ({ rows }: { rows: readonly { market: string }[] }) =>
  rows.map(({ market }) => market).join(' ');
const droppedOf = ({ dropped }: { dropped: readonly { key: string; code: string }[] }) =>
  dropped.map(({ key, code }) => `${key} ${code}`);

t.test(
  'one reading gives the rows of all topics; rates and interest are of perpetuals',
  async (t) => {
    const found = poll.parse(bodyOf(row('A'), row('S', { p: 6 })), context);
    t.match(found, {
      prices: {
        rows: [
          { market: 'A', kind: 'perpetual', price: 5, base: 7, stated },
          { market: 'S', kind: 'spot', price: 6, base: 7, stated },
        ],
      },
      derivatives: { rows: [{ market: 'A', mark: 4, index: 3, funding_rate: 0.01, stated }] },
      openInterest: { rows: [{ market: 'A', units: 20, value: 80, mark: 4, stated }] },
    });
    t.strictSame(Object.values(found).map(idsOf), ['A S', 'A', 'A']);
    t.strictSame(Object.values(found).flatMap(droppedOf), []);
    const { derivative: _, interest: __, ...prices } = form;
    const alone = markets(prices)
      .poll(request)
      .parse(bodyOf(row('A')), context);
    t.strictSame(Object.keys(alone), ['prices'], 'a topic without a table is not there');
    const { price: ___, ...rates } = form;
    const without = markets(rates)
      .poll(request)
      .parse(bodyOf(row('A')), context);
    t.strictSame(Object.keys(without), ['derivatives', 'openInterest']);
  },
);

t.test('the requests of a poll, and how it goes around', async (t) => {
  t.strictSame(poll.requests({ markets: ['A'] }), [request]);
  const asked = markets(form).poll(
    ({ markets: all }) => all.map((market) => ({ api: 'rest', path: `/${market}`, market })),
    { rotates: true, most: 7 },
  );
  t.match(asked.requests({ markets: ['A', 'B'] }), [{ path: '/A' }, { path: '/B' }]);
  t.match(asked, { rotates: true, most: 7 });
  t.notOk('rotates' in poll || 'most' in poll);
});

t.test('markets that are not followed are left out, unknown ones are named', async (t) => {
  const rows = [row('OLD'), row('YEN'), row('A'), row('NEW'), row(''), row(7), 'text', null];
  const { prices, derivatives, openInterest } = poll.parse(bodyOf(...rows), context);
  for (const topic of [prices, derivatives, openInterest]) {
    t.equal(idsOf(topic), 'A');
    const nameless = Array(4).fill(' bad_row');
    t.strictSame(droppedOf(topic), ['NEW unknown_instrument', ...nameless]);
  }
  const quiet = markets({ ...form, listedOnly: true }).poll(request);
  t.strictSame(droppedOf(quiet.parse(bodyOf(...rows), context).prices), Array(4).fill(' bad_row'));
});

t.test('a value that cannot be read costs its topic of its market', async (t) => {
  const bad = [row('A', { p: 'x' }), row('B', { m: '', i: '', r: '' })];
  const { prices, derivatives, openInterest } = poll.parse(bodyOf(...bad), context);
  t.strictSame([idsOf(prices), droppedOf(prices)], ['B', ['A bad_row']]);
  t.strictSame([idsOf(derivatives), droppedOf(derivatives)], ['A', ['B bad_row']]);
  t.strictSame([idsOf(openInterest), droppedOf(openInterest)], ['A', ['B bad_row']]);
});

t.test('rows that are lists need all of their columns', async (t) => {
  const lists = markets({
    rows: '',
    id: 0,
    columns: 4,
    price: { last: 2, untraded: 1 },
    derivative: { mark: 1 },
    interest: { base: 1, mark: 1 },
  }).poll(request);
  const short = [['B', 6, 5], ['B', 0, ''], ['S', 7, 7], []];
  const found = lists.parse([[['A', 4, 5, 9], ...short]], context);
  t.strictSame(Object.values(found).map(idsOf), ['A', 'A', 'A']);
  const bad = ['B bad_row', 'B bad_row', 'S bad_row', ' bad_row'];
  t.strictSame(droppedOf(found.prices), bad, 'what is missing may stand anywhere');
  const ofPerpetuals = bad.toSpliced(2, 1);
  t.strictSame(droppedOf(found.derivatives), ofPerpetuals);
  t.strictSame(droppedOf(found.openInterest), ofPerpetuals);
});

t.test('a market that was never traded has no price, and is not counted', async (t) => {
  const idle = { p: '', v: 0 };
  const { prices, derivatives } = poll.parse(bodyOf(row('A', idle), row('B')), context);
  t.strictSame([idsOf(prices), droppedOf(prices)], ['B', []]);
  t.equal(idsOf(derivatives), 'A B', 'its mark is there');
  const dead = bodyOf(row('A', idle), row('B', idle));
  t.throws(() => poll.parse(dead, context), new ShapeError('no market has a price'));
});

t.test('bodies without rows are refused', async (t) => {
  for (const body of [undefined, null, {}, { data: null }, { data: { list: {} } }])
    t.throws(() => poll.parse([body], context), ShapeError);
  t.throws(() => poll.parse(bodyOf(), context), ShapeError, 'an exchange has some');
});

t.test('rows, ids and kept rows by functions', async (t) => {
  const odd = markets({
    ...form,
    rows: ([first, second], { received: when, stated: time }) => [
      ...bulk(at(first, 'data.list'), 'list').map((one) => ({ ...asRow(one), u: when - 5 })),
      ...list(second, 'more').map((one) => ({ ...asRow(one), u: time })),
    ],
    id: ({ s }) => text(s).toUpperCase(),
    time: 'u',
    keep: ({ hidden }, { received: when }) => hidden !== when,
  }).poll(request);
  const bodies = [...bodyOf(row('a'), row('x', { hidden: received })), [row('s')]];
  const { prices } = odd.parse(bodies, context);
  t.match(prices.rows, [
    { market: 'A', stated: received - 5 },
    { market: 'S', stated },
  ]);
  t.strictSame([idsOf(prices), droppedOf(prices)], ['A S', []]);
});

t.test('the time of a body, where it has one', async (t) => {
  const statedBy = (time: unknown) =>
    poll.parse([{ data: { list: [row('A')], at: time } }], context).prices.rows[0]?.stated;
  t.strictSame([statedBy(stated), statedBy(`${stated}`), statedBy('x')], [stated, stated, null]);
  const { stated: _, ...timeless } = form;
  const found = markets(timeless)
    .poll(request)
    .parse(bodyOf(row('A')), context);
  t.equal(found.prices.rows[0]?.stated, null);
});

t.test('fields of other lists about the same markets', async (t) => {
  const marks = byId({ list: [{ name: 'a', m: 4, extra: 1 }, 'text'] }, 'list', 'name');
  t.strictSame([...marks], [['a', { name: 'a', m: 4, extra: 1 }]]);
  t.strictSame([...byId(undefined, 'list', 'name')], [], 'an optional body that is not there');
  t.throws(() => byId({ list: {} }, 'list', 'name'), ShapeError);
  const rates = byId([{ id: 'A', r: 0.1 }], '', 'id');
  const found = joined(
    [{ s: 'A', p: 5 }, { s: 'B' }],
    's',
    { rows: marks, take: ['m'], idOf: (id) => id.toLowerCase() },
    { rows: rates, take: ['r'] },
  );
  t.strictSame(found, [
    { s: 'A', p: 5, m: 4, r: 0.1 },
    { s: 'B', m: undefined, r: undefined },
  ]);
});

/** A stream whose messages are `Message`s about themselves; a text is about no data. */
function stream(more: Partial<MarketForm> = {}, message: Partial<Message> = {}) {
  const read: LiveForm['read'] = (sent) => {
    if (typeof sent === 'string') return null;
    if (!isRecord(sent)) throw new ShapeError('no rows');
    return { rows: [sent], ...message };
  };
  const wiring = { url: 'wss://x.example', silence: 60_000, channels: () => ['all'] };
  const live = markets({ ...form, ...more }).live({ ...wiring, read });
  return {
    live,
    /** What a message gives of a topic, on a connection. */
    hear: (sent: WireRow, connection: object = {}) => live.parse(sent, { ...context, connection }),
  };
}

t.test('a stream has the tables of the polls', async (t) => {
  const { live, hear } = stream({}, { stated });
  t.match(live, { url: 'wss://x.example', silence: 60_000 });
  t.match(hear(row('A')), {
    prices: { rows: [{ price: 5, stated }] },
    derivatives: { rows: [{ mark: 4 }] },
    openInterest: { rows: [{ units: 20 }] },
  });
  t.equal(live.parse('pong', context), null);
  t.throws(() => live.parse(7, context), ShapeError);
  const idle = hear(row('A', { p: '', v: 0 }));
  t.strictSame(
    idle?.prices,
    { rows: [], dropped: [] },
    'a message may be about idle markets alone',
  );
  t.strictSame(droppedOf(hear(row('NEW'))?.prices ?? { dropped: [] }), ['NEW unknown_instrument']);
  const [own] = stream().hear(row('A'))?.prices?.rows ?? [];
  t.equal(own?.stated, null, 'a message that states no time');
});

t.test('a channel may have some of the topics', async (t) => {
  const { hear } = stream({}, { topics: ['derivatives', 'openInterest'] });
  t.strictSame(Object.keys(hear(row('A')) ?? {}), ['derivatives', 'openInterest']);
});

t.test(
  'fields of earlier messages of the connection stand in for those a message lacks',
  async (t) => {
    const { hear } = stream({}, { remember: ['m'] });
    const [one, other] = [{}, {}];
    hear({ s: 'A', m: 4, i: 3 }, one);
    t.match(hear({ s: 'A', r: 0.02 }, one)?.derivatives?.rows, [
      { mark: 4, index: null, funding_rate: 0.02 },
    ]);
    hear({ s: 'A', m: 6 }, one);
    t.match(hear({ s: 'A', o: 20 }, one)?.openInterest?.rows, [{ units: 20, value: 120 }]);
    t.match(hear({ s: 'A', r: 0.02 }, other)?.derivatives?.rows, [{ mark: null }], 'another one');
    t.match(hear({ s: 'B', r: 0.02 }, one)?.derivatives?.rows, [{ mark: null }], 'another market');
  },
);

t.test('messages of what has changed, and whole ones that replace what was known', async (t) => {
  const read: LiveForm['read'] = (sent) => ({
    rows: [sent],
    remember: 'all',
    whole: asRow(sent).type === 'snapshot',
  });
  const wiring = { url: 'wss://x.example', silence: 60_000, channels: () => [] };
  const live = markets(form).live({ ...wiring, read });
  const connection = {};
  const hear = (sent: object) => live.parse(sent, { ...context, connection })?.prices?.rows;
  t.match(hear({ ...row('A'), type: 'snapshot' }), [{ price: 5, base: 7 }]);
  t.match(hear({ s: 'A', p: 6 }), [{ price: 6, base: 7 }]);
  t.match(hear({ s: 'A', v: 8 }), [{ price: 6, base: 8 }]);
  t.match(hear({ s: 'A', p: 9, type: 'snapshot' }), [{ price: 9, base: null }]);
  t.match(hear({ s: 'A', v: 1 }), [{ price: 9, base: 1 }]);
});

t.test('a row waits in silence for a field that it needs', async (t) => {
  const { hear } = stream({}, { remember: ['m'], needs: 'm' });
  const connection = {};
  const nothing = { rows: [], dropped: [] };
  const waiting = hear({ s: 'A', o: 20 }, connection);
  t.strictSame([waiting?.openInterest, waiting?.prices], [nothing, nothing]);
  hear({ s: 'A', m: 4 }, connection);
  t.match(hear({ s: 'A', o: 20 }, connection)?.openInterest?.rows, [{ value: 80 }]);
});

t.test('what a channel that has stopped brought last stands in for a while', async (t) => {
  const { live } = stream({}, { remember: ['m'], needs: 'm', lasts: 60_000 });
  const connection = {};
  const hear = (sent: WireRow, after: number) =>
    live.parse(sent, { ...context, received: received + after, connection })?.openInterest?.rows;
  hear({ s: 'A', m: 4 }, 0);
  t.match(hear({ s: 'A', o: 20 }, 60_000), [{ value: 80 }]);
  t.strictSame(hear({ s: 'A', o: 21 }, 60_001), []);
  hear({ s: 'A', m: 5 }, 70_000);
  t.match(hear({ s: 'A', o: 20 }, 130_000), [{ value: 100 }]);
});

t.test('of markets that no list holds nothing is remembered', async (t) => {
  const { live } = stream({}, { remember: 'all' });
  const connection = {};
  live.parse(row('NEW'), { ...context, connection });
  const instruments = listed([{ market: 'NEW', symbol: 'NEW' }]);
  const found = live.parse({ s: 'NEW', p: 6 }, { received, instruments, connection });
  t.match(found?.prices?.rows, [{ price: 6, base: null }]);
});
