/** What is followed: when answers are read again, what a client is sent of them, and how much there may be. */
import { unpack } from 'msgpackr';
import t from 'tap';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import { Message } from '../../../http/live/message.ts';
import { Paths } from '../../../http/live/paths.ts';
import { anyVersion } from '../../../http/live/subscription.ts';
import { apiError, isApiError } from '../../../http/wire/errors.ts';
import { clientOf, type Sent, stage } from './stage.ts';

const prices = '/v1/prices?symbol=BTC';

t.test('each version whole or as a patch; an error is sent once', async (t) => {
  const all = stage();
  await all.set('BTC', { price: 1, exchanges: { okx: 1 } });
  const { state, follow } = clientOf(all);
  const [first] = await follow(prices);
  await follow(prices, { mode: 'patch' }, 'p');
  await all.set('BTC', { price: 2, exchanges: { okx: 1, gate: 2 } });
  await all.set('BTC', { price: null });
  await all.set('BTC', { price: null });
  await all.set('BTC', apiError('warming_up', 'not yet'));
  await all.set('BTC', apiError('warming_up', 'still not'));
  await all.set('BTC', { price: 3 });
  t.match(
    state.sent.filter(({ id }) => id === 'p'),
    [
      { type: 'snapshot', data: { price: 1 }, path: null },
      { type: 'patch', from: Object(first).version, patch: { price: 2, exchanges: { gate: 2 } } },
      { type: 'update', data: { price: null } },
      { type: 'error', code: 'warming_up', message: 'not yet' },
      { type: 'snapshot', data: { price: 3 } },
    ],
    'no patch can say null',
  );
  const whole = state.sent.filter(({ id }) => id === prices);
  t.same(
    whole.map(({ type }) => type),
    ['snapshot', 'update', 'update', 'error', 'snapshot'],
  );
  t.equal(whole[1]?.version, state.sent.find(({ type }) => type === 'patch')?.version);
  t.notOk('version' in Object(whole[3]), 'an error has no version');
});

t.test('a message is shared for a second, since it states its time', async (t) => {
  const all = stage();
  await all.set('BTC', { price: 1 });
  const times: number[] = [];
  for (const wait of [0, 999, 1]) {
    await all.clock.advance(wait);
    const [sent] = await clientOf(all).follow(prices);
    times.push(Number(Object(sent).timestamp));
  }
  t.same(
    times.map((time) => time - Number(times[0])),
    [0, 0, 1_000],
  );
});

t.test('the forms of a message, of which clients share sixteen', async (t) => {
  const message = new Message({ event: 'update', version: 'v', rest: ',"data":1', made: 5 });
  const members = '"timestamp":5,"version":"v","position":"v","data":1}';
  const bytes = (id: string | number, path: string | null = null) =>
    message.bytes(id, path, 'json');
  t.equal(bytes(1).toString(), `{"type":"update","id":1,${members}`);
  t.equal(bytes('1', '/a').toString(), `{"type":"update","id":"1","path":"/a",${members}`);
  for (const path of [null, '/a']) {
    const json = JSON.parse(bytes(1, path).toString());
    t.strictSame(unpack(message.bytes(1, path, 'msgpack')), json);
  }
  const first = Array.from({ length: 11 }, (_, i) => bytes(i + 2));
  t.ok(first.every((one, i) => bytes(i + 2) === one));
  t.not(bytes(99), bytes(99), 'more are not kept');
  const failed = new Message({ event: 'error', version: '', rest: '', made: 5 });
  t.equal(failed.members, ',"timestamp":5');
});

t.test('a client that reconnects gets a notice about missed versions', async (t) => {
  const all = stage();
  await all.set('BTC', { price: 1 });
  const { follow } = clientOf(all);
  const [first] = await follow(prices);
  const resume = String(Object(first).version);
  t.match(await follow(prices, { resume }, 2), [
    { type: 'current', recovered: true, version: resume },
  ]);
  t.match(await follow(prices, { resume: '' }, 3), [{ type: 'snapshot', recovered: undefined }]);
  await all.set('BTC', { price: 2 });
  t.match(await follow(prices, { resume }, 4), [
    { type: 'snapshot', recovered: false, data: { price: 2 } },
  ]);
});

t.test('no more often than wished, and then the newest, whole', async (t) => {
  const all = stage();
  await all.set('BTC', { price: 1, a: 1 });
  const { state, follow } = clientOf(all);
  await follow(prices, { every: 5_000, mode: 'patch' });
  await all.set('BTC', { price: 2, a: 1 });
  await all.set('BTC', { price: 3, a: 1 });
  await all.clock.advance(4_799);
  t.equal(state.sent.length, 1);
  await all.clock.advance(1);
  t.match(state.sent.slice(1), [{ type: 'update', data: { price: 3 } }], 'it has missed a version');
  await all.set('BTC', { price: 4, a: 1 });
  await all.clock.advance(5_000);
  t.match(state.sent.slice(2), [{ type: 'patch', patch: { price: 4 } }]);
});

t.test('an answer that is asked for is asked for again', async (t) => {
  const all = stage();
  const { state, follow, unsubscribe } = clientOf(all);
  const path = '/v1/asked';
  await follow(path);
  await all.clock.advance(5_000);
  t.match(state.sent, [{ type: 'error', code: 'upstream_failed' }], 'an error is told once');
  all.answers.set('asked', snapshotOf({ bid: 1 }));
  await all.clock.advance(4_999);
  t.equal(state.sent.length, 1);
  await all.clock.advance(1);
  all.answers.set('asked', snapshotOf({ bid: 'soon' }));
  await all.clock.advance(5_000);
  all.answers.set('asked', snapshotOf({ bid: 3 }));
  await all.clock.advance(250);
  t.match(state.sent.slice(1), [
    { type: 'snapshot', data: { bid: 1 } },
    { type: 'update', data: { bid: 'soon' } },
    { type: 'update', data: { bid: 3 } },
  ]);
  const resume = String(state.sent.at(-1)?.version);
  unsubscribe(path);
  await follow(path, { resume }, 'back');
  await all.clock.advance(0);
  t.match(state.sent.slice(4), [{ type: 'current', recovered: true }]);
  unsubscribe('back');
  const { pending } = all.clock;
  await all.clock.advance(20_000);
  t.equal(all.clock.pending, pending, 'only the checks go on');
});

t.test(
  'an answer is read again after its source has announced a change, and not before',
  async (t) => {
    const all = stage();
    const { state, follow } = clientOf(all);
    await all.set('BTC', { price: 1 });
    await follow(prices);
    all.answers.set('BTC', snapshotOf({ price: 2 }));
    all.changes.change(['ETH']);
    await all.clock.advance(60_000);
    t.equal(state.sent.length, 1);
    all.changes.change(['BTC']);
    await all.clock.advance(100);
    t.match(state.sent.slice(1), [{ data: { price: 2 } }]);
    all.live.stop();
    await all.set('BTC', { price: 3 });
    t.equal(state.sent.length, 2);
  },
);

t.test('answers are read again at most once in the interval', async (t) => {
  const all = stage();
  await all.set('BTC', { price: 1 });
  const { state, follow } = clientOf(all);
  await follow(prices);
  await all.set('BTC', { price: 2 });
  all.changes.change();
  await all.clock.advance(60);
  all.answers.set('BTC', snapshotOf({ price: 3 }));
  all.changes.change();
  await all.clock.advance(39);
  t.equal(state.sent.length, 2);
  await all.clock.advance(1);
  t.equal(state.sent.length, 3);
});

t.test('patterns', async (t) => {
  const all = stage();
  await all.set('BTC', { price: 1 });
  const { state, follow, unsubscribe } = clientOf(all);
  const path = '/v1/prices?symbol=*';
  t.match(await follow(path), [{ type: 'snapshot', path: prices }], 'ETH has no answer yet');
  await all.set('ETH', { price: 7 });
  t.match(state.sent.slice(1), [{ type: 'snapshot', path: '/v1/prices?symbol=ETH' }]);
  const other = clientOf(all);
  t.match(await other.follow('/v1/prices?symbol=%2a'), [
    { type: 'snapshot' },
    { type: 'snapshot' },
  ]);
  t.match(await other.follow(path, { resume: anyVersion }), [
    { recovered: false },
    { recovered: false },
  ]);
  await all.set('ETH', { price: 8 });
  t.match(state.sent.slice(2), [{ type: 'update', data: { price: 8 } }]);
  all.list('NEW');
  await all.clock.advance(100);
  t.equal(state.sent.length, 3, 'it has no answer yet');
  await all.set('NEW', { price: 3 });
  t.match(state.sent.slice(3), [{ type: 'snapshot', path: '/v1/prices?symbol=NEW' }]);
  unsubscribe(path);
  await all.set('ETH', { price: 9 });
  t.equal(state.sent.length, 4);
  const both = await clientOf(all).follow('/v1/by/all?exchange=*&symbol=*');
  t.same(
    Object(both).map(({ path: one }: Sent) => one),
    ['okx', 'gate']
      .flatMap((id) =>
        ['BTC', 'ETH', 'NEW'].map((name) => `/v1/by/all?exchange=${id}&symbol=${name}`),
      )
      .sort((a, b) => (a.slice(-3) < b.slice(-3) ? -1 : 1)),
  );
  const noGlob = /^symbol=\* and exchange=\* are for/;
  t.match(await follow('/v1/prices?exchange=*'), noGlob);
  t.match(await follow('/v1/asked?symbol=*'), noGlob);
  t.match(await follow('/v1/nothing?symbol=*'), noGlob);
  t.match(await clientOf(stage({ symbols: [] })).follow(path), /no symbol is known yet/);
});

t.test('a symbol that comes while a pattern is being followed', async (t) => {
  const all = stage({ symbols: Array.from({ length: 1_000 }, (_, i) => `S${i}`) });
  const { state, follow } = clientOf(all);
  all.answers.set('NEW', snapshotOf({ price: 1 }));
  await follow('/v1/prices?symbol=*');
  all.list('NEW');
  await all.clock.advance(1_000);
  t.match(state.sent, [{ path: '/v1/prices?symbol=NEW' }]);
});

t.test('paths', (t) => {
  const { endpoints } = stage();
  const paths = new Paths(endpoints, () => ['A']);
  const keyOf = (path: string) => {
    const found = paths.resolve(path);
    return isApiError(found) ? `${found.error}: ${found.message}` : found.key;
  };
  t.equal(keyOf('/v1/by/all'), '/v1/by/all[]', 'before the one with a name in it');
  t.equal(keyOf('/v1/by/b'), '/v1/by/{name}[["name","b"]]');
  t.equal(keyOf('/v1/by/all?symbol=A&exchange=OKX'), keyOf('/v1/by/all?exchange=okx&symbol=A'));
  t.match(keyOf('/v1/by/all/x'), 'not_found: there is nothing at the path "/v1/by/all/x"');
  t.match(keyOf(`/${'x'.repeat(99)}`), /"\/x{63}"$/);
  for (const path of ['/v1/here', '/v1/mine', '/v1/made']) t.match(keyOf(path), 'not_found', path);
  for (const path of ['/v1/page', '/v1/share'])
    t.match(keyOf(path), /: only market data can/, path);
  t.equal(keyOf('/v1/asked'), '/v1/asked[]');
  t.match(keyOf('/v1/prices?max_age=5'), 'max_age and wait are not for streams');
  t.match(keyOf('/v1/rated?format=csv'), 'format must be json here');
  t.equal(keyOf('/v1/rated?format=json'), '/v1/rated[]');
  t.match(keyOf(`/v1/prices?${'y'.repeat(99)}`), /there is no parameter "y{64}"$/);
  t.same(paths.expand('/v1/by/all?exchange=*', 1), ['/v1/by/all?exchange=okx']);
  t.equal(paths.expand('/v1/by/all?exchange=okx', 1), null);
  t.equal(paths.expand('/v1/by/all?exchange=o*', 1), null);
  t.end();
});

t.test('one turn reads a bounded number of answers, and the rest follows', async (t) => {
  const symbols = Array.from({ length: 1_000 }, (_, i) => `S${i}`);
  const all = stage({ symbols });
  const set = (price: number) => {
    for (const symbol of symbols) all.answers.set(symbol, snapshotOf({ price }));
  };
  set(1);
  const clients = [clientOf(all), clientOf(all), clientOf(all)];
  for (const { follow } of clients) await follow('/v1/prices?symbol=*');
  await all.clock.advance(0);
  const sent = () => clients.reduce((sum, { state }) => sum + state.sent.length, 0);
  t.equal(sent(), 3_000);
  set(2);
  const turns: number[] = [];
  const after = all.clock.after.bind(all.clock);
  all.clock.after = (wait, run) =>
    after(wait, () => {
      const before = sent();
      run();
      if (sent() > before) turns.push(sent() - before);
    });
  all.changes.change();
  await all.clock.advance(1_000);
  t.equal(sent(), 6_000);
  t.same(turns, Array(20).fill(150), '50 answers for three clients: 200 units');
});

t.test('patterns of one account do not keep another one waiting', async (t) => {
  const symbols = Array.from({ length: 1_000 }, (_, i) => `S${i}`);
  const all = stage({ symbols });
  for (const symbol of symbols) all.answers.set(symbol, snapshotOf({ price: 1 }));
  let reads = 0;
  const get = all.answers.get.bind(all.answers);
  all.answers.get = (name) => {
    reads += 1;
    return get(name);
  };
  const turns: number[] = [];
  const greedy = clientOf(all);
  const other = clientOf(all, { address: 'b' });
  const work = () => reads + greedy.state.sent.length + other.state.sent.length;
  const after = all.clock.after.bind(all.clock);
  all.clock.after = (wait, run) =>
    after(wait, () => {
      const before = work();
      run();
      turns.push(work() - before);
    });
  for (let i = 0; i < 20; i++) await greedy.follow(`/v1/prices?${'&'.repeat(i)}symbol=*`, {}, i);
  const begun = work();
  t.ok(begun <= 200 + 20, 'a part of the first pattern, and for each the look at one answer');
  t.match(await other.follow('/v1/prices?symbol=S999'), []);
  let needed = 0;
  while (other.state.sent.length === 0 && needed < 10) {
    await all.clock.advance(0.001);
    needed += 1;
  }
  t.equal(needed, 1);
  await all.clock.advance(1_000);
  t.equal(greedy.state.sent.length, 20_000);
  t.ok(Math.max(...turns) <= 220, `the most work of one turn was ${Math.max(...turns)}`);
});
