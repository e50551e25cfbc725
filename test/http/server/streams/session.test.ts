/** Connections and their subscriptions: what a client may have, and how it ends. */
import t from 'tap';
import { Plans } from '../../../../config/plans.ts';
import { anyVersion } from '../../../../http/live/subscription.ts';
import { identityOf } from '../../../../http/server/streams/credential.ts';
import { FakeClock } from '../../../support/clock.ts';
import { alice, memoryQuota } from '../../../support/quota.ts';
import { clientOf, stage } from '../../live/stage.ts';

const prices = '/v1/prices?symbol=BTC';

t.test('a client that has not read gets the newest of each answer when it has', async (t) => {
  const all = stage();
  await all.set('BTC', { price: 1 });
  await all.set('ETH', { price: 1 });
  const { state, follow, session } = clientOf(all);
  await follow(prices, { mode: 'patch' });
  await follow('/v1/prices?symbol=*', { resume: anyVersion }, 2);
  t.match(state.sent.slice(1), [{ recovered: false }, { recovered: false }]);
  state.full = true;
  await all.set('BTC', { price: 2 });
  await all.set('BTC', { price: 3 });
  session.flush();
  t.equal(state.sent.length, 3);
  state.full = false;
  session.flush();
  session.flush();
  t.match(state.sent.slice(3), [
    { type: 'update', id: prices, data: { price: 3 } },
    { type: 'update', id: 2, data: { price: 3 } },
  ]);
  t.equal(state.sent.length, 5);
  session.lost();
  t.same(state.ended, [4409]);
  t.same([session.unsubscribe(2), session.unsubscribe(2)], [true, false]);
  await all.set('BTC', { price: 4 });
  t.match(state.sent.slice(5), [{ id: prices, patch: { price: 4 } }]);
  t.equal(state.sent.length, 6, 'nothing for what was unsubscribed');
});

t.test('what a subscription throws ends that one, and nobody else notices', async (t) => {
  const all = stage();
  await all.set('BTC', { price: 1 });
  const [first, second] = [clientOf(all), clientOf(all)];
  for (const id of ['a', 'b']) await first.follow(prices, {}, id);
  await first.follow('/v1/prices?symbol=*', {}, 'c');
  await second.follow(prices);
  first.state.broken = 'a';
  await all.set('BTC', { price: 2 });
  t.same(first.state.failed, [['a', 'internal']]);
  t.match(all.logged, [{ err: { message: 'broken' } }]);
  first.state.broken = 'c';
  await all.set('BTC', { price: 3 });
  t.same(first.state.failed[1], ['c', 'internal']);
  await all.set('BTC', { price: 4 });
  t.equal(first.state.failed.length, 2);
  const shown = ({ state: { sent } }: typeof first, id: string) =>
    sent.flatMap(({ id: of, data }) => (of === id ? [data] : []));
  const every = [1, 2, 3, 4].map((price) => ({ price }));
  t.same(shown(first, 'b'), every);
  t.same(shown(second, prices), every);
  t.notOk(first.session.unsubscribe('a'));
  first.state.broken = 'd';
  t.match(await first.follow(prices, {}, 'd'), []);
  t.same(first.state.failed.at(-1), ['d', 'internal'], 'its first message as well');
});

t.test('what one client may follow: of its plan, of its address, of its connection', async (t) => {
  const limits = { requestsPerMinute: 6, keys: null, connections: 2, subscriptions: 3 };
  const plans = new Plans([{ name: 'free', ...limits }]);
  const all = stage({ gated: true, quota: memoryQuota(new FakeClock(), plans).quota });
  await all.set('BTC', {});
  const { follow, unsubscribe, end, session } = clientOf(all, { key: 'good' });
  t.match(await clientOf(all).follow(prices), /an API key is required/);
  t.match(await clientOf(all).follow('/v1/by/a'), [{ type: 'snapshot' }], 'an open row needs none');
  const each = (ids: number[]) => Promise.all(ids.map((id) => follow(prices, {}, id)));
  t.match(await each([1, 2, 3]), Array(3).fill([{ type: 'snapshot' }]));
  t.match(await follow(prices, {}, 1), /^id 1 has a subscription already/);
  t.match(await follow(prices, {}, 4), /no more subscriptions/);
  t.ok(session.unsubscribe(1));
  t.match(await each([1]), [[{ type: 'snapshot' }]]);
  t.ok(session.unsubscribe(1));
  t.match(await follow('/v1/by/all'), [{ type: 'snapshot' }], 'a free row counts as no request');
  unsubscribe('/v1/by/all');
  t.match(await follow(prices, {}, 5), [{ type: 'snapshot' }]);
  t.match(await follow(prices, {}, 6), /^the 6 requests a minute/);
  clientOf(all, { key: 'good' });
  t.match(all.connect({ key: 'good' }), /no more connections/);
  end();
  end();
  const again = clientOf(all, { key: 'good' });
  t.match(
    await again.follow('/v1/by/all'),
    [{ type: 'snapshot' }],
    'what has ended has left its places',
  );
  t.match(all.connect({ key: 'good' }), /no more connections/);
});

t.test('without a key an address has 64 connections and 2,000 subscriptions', async (t) => {
  const all = stage();
  const clients = Array.from({ length: 64 }, () => clientOf(all));
  t.match(all.connect(), /no more connections/);
  t.equal(typeof all.connect({ address: 'b' }), 'object');
  const [first, ...others] = clients;
  for (let i = 0; i < 200; i++) await first?.follow('/v1/by/all', {}, i);
  t.equal(await first?.follow('/v1/by/all', {}, 200), 'a connection takes 200 subscriptions');
  for (const { follow } of others.slice(0, 9))
    for (let i = 0; i < 200; i++) await follow('/v1/by/all', {}, i);
  t.match(await others[9]?.follow('/v1/by/all'), /no more subscriptions/);
  const few = stage({ most: 1, symbols: Array.from({ length: 101 }, (_, i) => `S${i}`) });
  const one = clientOf(few);
  t.match(few.connect(), /no more connections/);
  t.match(
    await one.follow('/v1/by/all?symbol=*'),
    /no more subscriptions/,
    '101 answers count twice',
  );
  few.held.symbols.pop();
  await one.follow('/v1/by/all?symbol=*');
  await few.clock.advance(0);
  t.equal(one.state.sent.length, 100);
});

t.test('a quota that does not answer within 2 s, and a log within 10 s', async (t) => {
  const { quota } = memoryQuota(new FakeClock());
  const silent = { ...quota.account(alice), take: () => new Promise<boolean>(() => {}) };
  const all = stage({ quota: { ...quota, address: () => silent } });
  const { follow } = clientOf(all);
  const after = async (work: Promise<unknown>, ms: number) => {
    let found: unknown = 'waits';
    void work.then((result) => {
      found = result;
    });
    await all.clock.advance(ms - 1);
    const before = found;
    await all.clock.advance(1);
    return [before, found];
  };
  t.match(await after(follow('/v1/by/a'), 2_000), ['waits', /try again/]);
  const free = clientOf(stage());
  t.match(await free.follow('/v1/by/all', { mode: 'log' }), /^mode=log is for/);
  t.match(await free.follow('/v1/log', { mode: 'log', resume: 'x' }), /^resume must be/);
  t.match(await free.follow('/v1/log', { mode: 'log' }), [{ type: 'events', events: [] }]);
  t.match(await free.follow('/v1/log', { mode: 'full' }, 2), [{ type: 'snapshot' }]);
  t.match(await after(follow('/v1/stuck', { mode: 'log' }), 10_000), ['waits', /no data yet/]);
});

t.test('once a second: keys, signs of life, and clients that read nothing for 30 s', async (t) => {
  const all = stage({ gated: true });
  t.equal(all.clock.pending, 0, 'not without connections');
  const [good, slow, open] = [{ key: 'good' }, { key: 'good' }, {}].map((who) =>
    clientOf(all, who),
  );
  await all.clock.advance(1_000);
  t.equal(open?.state.beats, 1);
  if (slow) slow.state.full = true;
  await all.clock.advance(30_000);
  t.same(slow?.state.ended, [], 'it was first seen at the next check');
  await all.clock.advance(1_000);
  t.same(slow?.state.ended, [4408]);
  t.equal(open?.state.beats, 32);
  slow?.end();
  all.held.keys.clear();
  await all.clock.advance(1_000);
  t.same([good?.state.ended, open?.state.ended], [[4401], []]);
  good?.end();
  all.live.stop();
  t.same([good?.state.ended, open?.state.ended], [[4401], [1012]]);
  open?.end();
  await all.clock.advance(2_000);
  t.equal(all.clock.pending, 0);
});

t.test('the account of a credential', async (t) => {
  const of = (given: object, gated = true) =>
    identityOf(stage({ gated }).shared, { key: '', ticket: '', ...given }, '');
  const known = { caller: alice, key: 'good' };
  t.same(await of({}), { caller: null, key: '' });
  t.same(await of({ key: 'good' }), known);
  t.same(await of({ ticket: 'good' }), known);
  t.match(await of({ key: 'bad' }), { error: 'unauthorized' });
  t.match(await of({ key: 'good', ticket: 'bad' }), { error: 'unauthorized' });
  t.same(await of({ key: 'bad' }, false), { caller: null, key: '' }, 'all access is open');
});

t.test('a client without a key, plan or quota causes no work for a pattern', async (t) => {
  const limits = { requestsPerMinute: 1, keys: null, connections: 2, subscriptions: 3 };
  const plans = new Plans([{ name: 'free', ...limits }]);
  const symbols = Array.from({ length: 200 }, (_, i) => `S${i}`);
  const { quota } = memoryQuota(new FakeClock(), plans);
  const all = stage({ gated: true, quota, symbols });
  let made = 0;
  const source = all.topics.source.bind(all.topics);
  all.topics.source = (...given) => {
    made += 1;
    return source(...given);
  };
  const path = '/v1/prices?symbol=*';
  t.match(await clientOf(all).follow(path), /an API key is required/);
  t.match(await clientOf(all, { key: 'good' }).follow(path), /^the 1 requests a minute/);
  t.equal(made, 0);
});

t.test('clients that subscribe at one time share what they follow', async (t) => {
  const plans = new Plans([
    { name: 'free', requestsPerMinute: 60, keys: null, connections: 5, subscriptions: 50 },
  ]);
  const { quota } = memoryQuota(new FakeClock(), plans);
  const all = stage({ gated: true, quota });
  await all.set('BTC', { price: 1 });
  const [a, b] = [clientOf(all, { key: 'good' }), clientOf(all, { key: 'good' })];
  const path = '/v1/prices?symbol=*';
  await Promise.all([a.follow(path), b.follow(path), a.follow(prices), b.follow(prices)]);
  all.list('NEW');
  await all.set('NEW', { price: 3 });
  await all.clock.advance(100);
  const isNew = ({ path: one }: { path: string | null }) => one === '/v1/prices?symbol=NEW';
  t.same(
    [a, b].map(({ state }) => state.sent.filter(isNew).length),
    [1, 1],
  );
  t.ok(a.unsubscribe(prices));
  await all.set('BTC', { price: 2 });
  t.match(b.state.sent.filter(({ id }) => id === prices).at(-1), { data: { price: 2 } });
});
