/** `every`: the least time between a version of an answer and the next message about it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { type Snapshot, snapshotOf } from '../../../http/answers/snapshots.ts';
import { type ApiError, apiError, isApiError } from '../../../http/wire/errors.ts';
import { property } from '../../support/property.ts';
import { clientOf, type Sent, stage } from './stage.ts';

const asked = '/v1/asked';
const pattern = '/v1/prices?symbol=*';
const pathOf = (symbol: string) => `/v1/prices?symbol=${symbol}`;
const every = 60_000;

/** A server whose answers on demand are there once `come` is called. */
function late() {
  const all = stage();
  const { promise, resolve } = Promise.withResolvers<void>();
  all.held.asked = promise;
  all.answers.set('asked', snapshotOf({ bid: 1 }));
  const come = async () => {
    resolve();
    await all.clock.advance(0);
  };
  return { all, come, client: clientOf(all) };
}

t.test('an answer on demand is sent once it is there; then the time counts', async (t) => {
  const { all, come, client } = late();
  const { state, follow } = client;
  await follow(asked, { every, mode: 'patch' });
  await all.clock.advance(2_000);
  t.same(state.sent, [], 'it is not there');
  await come();
  t.match(state.sent, [{ type: 'snapshot', data: { bid: 1 } }]);
  all.answers.set('asked', snapshotOf({ bid: 2 }));
  await all.clock.advance(every - 1);
  t.equal(state.sent.length, 1);
  await all.clock.advance(1);
  t.match(state.sent.slice(1), [{ type: 'patch', patch: { bid: 2 } }]);
});

t.test('a client that has this version hears that it is the newest', async (t) => {
  const { all, come, client } = late();
  await client.follow(asked, { every, resume: snapshotOf({ bid: 1 }).version });
  await all.clock.advance(2_000);
  await come();
  t.match(client.state.sent, [{ type: 'current', recovered: true }]);
});

t.test('an error does not keep a version waiting', async (t) => {
  const all = stage();
  const { state, follow } = clientOf(all);
  await follow(asked, { every });
  await all.clock.advance(0);
  t.match(state.sent, [{ type: 'error', code: 'upstream_failed' }]);
  all.answers.set('asked', apiError('warming_up'));
  await all.clock.advance(5_000);
  t.match(state.sent.slice(1), [{ type: 'error', code: 'warming_up' }]);
  all.answers.set('asked', snapshotOf({ bid: 1 }));
  await all.clock.advance(5_000);
  t.match(state.sent.slice(2), [{ type: 'snapshot', data: { bid: 1 } }]);
  all.answers.set('asked', apiError('upstream_failed'));
  await all.clock.advance(every - 1);
  t.equal(state.sent.length, 3, 'a version does keep an error waiting');
  await all.clock.advance(1);
  t.match(state.sent.slice(3), [{ type: 'error' }]);
});

t.test('the time of each answer of a pattern is its own', async (t) => {
  const all = stage({ symbols: ['BTC', 'ETH'] });
  await all.set('BTC', { price: 1 });
  const { state, follow } = clientOf(all);
  await follow(pattern, { every, mode: 'patch' });
  await all.clock.advance(20_000);
  await all.set('ETH', { price: 1 });
  t.match(state.sent.slice(1), [{ type: 'snapshot', path: pathOf('ETH') }], 'its first one');
  await all.clock.advance(20_000);
  all.list('NEW');
  await all.set('NEW', { price: 1 });
  await all.clock.advance(100);
  t.match(state.sent.slice(2), [{ type: 'snapshot', path: pathOf('NEW') }]);
  for (const symbol of ['NEW', 'ETH', 'BTC']) await all.set(symbol, { price: 2 });
  const changed = [
    ['BTC', 19_400],
    ['ETH', 20_100],
    ['NEW', 20_100],
  ] as const;
  const heard: unknown[] = [];
  for (const [symbol, wait] of changed) {
    const before = state.sent.length;
    await all.clock.advance(wait);
    heard.push(...state.sent.slice(before).map(({ path, type }) => [symbol, path, type]));
  }
  t.same(
    heard,
    changed.map(([symbol]) => [symbol, pathOf(symbol), 'patch']),
  );
});

t.test('a first version that waited for a slow client comes once that reads', async (t) => {
  const all = stage({ symbols: ['BTC', 'ETH'] });
  await all.set('BTC', { price: 1 });
  const { state, session, follow } = clientOf(all);
  await follow(pattern, { every, mode: 'patch' });
  state.full = true;
  await all.set('BTC', { price: 2 });
  await all.set('ETH', { price: 1 });
  await all.set('ETH', { price: 2 });
  state.full = false;
  session.flush();
  await all.clock.advance(0);
  t.match(state.sent.slice(1), [{ path: pathOf('ETH'), data: { price: 2 } }]);
  t.equal(state.sent.length, 2, 'BTC is not due');
  await all.clock.advance(every);
  t.match(state.sent.slice(2), [{ type: 'patch', path: pathOf('BTC'), patch: { price: 2 } }]);
});

t.test('nothing is sent after the end, though it comes amid the first messages', async (t) => {
  const symbols = Array.from({ length: 300 }, (_, i) => `S${i}`);
  const all = stage({ symbols });
  for (const symbol of symbols) all.answers.set(symbol, snapshotOf({ price: 1 }));
  const { state, follow, unsubscribe } = clientOf(all);
  const push = state.sent.push.bind(state.sent);
  state.sent.push = (...sent) => {
    if (push(...sent) === 100) unsubscribe(pattern);
    return state.sent.length;
  };
  await follow(pattern, { every });
  await all.clock.advance(every);
  t.equal(state.sent.length, 100);
});

type Stage = ReturnType<typeof stage>;
type Client = ReturnType<typeof clientOf>;
type Step = (all: Stage, client: Client) => unknown;

/** What happens to a server and a client of it. */
const steps = {
  change: (symbol: string, price: number) => async (all: Stage) => {
    if (!all.held.symbols.includes(symbol)) all.list(symbol);
    await all.set(symbol, price > 0 ? { price } : apiError('warming_up'));
  },
  wait: (ms: number) => (all: Stage) => all.clock.advance(ms),
  block: (_: Stage, { state }: Client) => {
    state.full = true;
  },
  drain: (_: Stage, { state, session }: Client) => {
    state.full = false;
    session.flush();
  },
};
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(fc.constantFrom('BTC', 'ETH', 'NEW'), fc.nat(3))
    .map((values) => steps.change(...values)),
  fc.integer({ min: 1, max: 3_000 }).map(steps.wait),
  fc.constantFrom(steps.block, steps.drain),
);

/** No message about an answer comes sooner than `least` after a version of it. */
function checkTimes(sent: readonly Sent[], least: number): void {
  for (const [at, { type, timestamp }] of sent.entries()) {
    const next = sent[at + 1];
    if (type === 'error' || next === undefined) continue;
    assert.ok(Number(next.timestamp) - Number(timestamp) >= least);
  }
}

/** The last message about an answer is its newest version, or its error where it had a version before. */
function checkLast(last: Sent | undefined, newest: Snapshot | ApiError | undefined): void {
  if (newest !== undefined && !isApiError(newest)) assert.equal(last?.version, newest.version);
  else assert.ok(last === undefined || last.type === 'error');
}

t.test('no message comes too soon, and the newest version comes in the end', async (t) => {
  const given = fc.record({ least: fc.constantFrom(0, 50, 1_000), taken: fc.array(step) });
  const check = async ({ least, taken }: { least: number; taken: readonly Step[] }) => {
    const all = stage({ symbols: ['BTC', 'ETH'] });
    const client = clientOf(all);
    await client.follow(pattern, { every: least });
    for (const one of [...taken, steps.drain, steps.wait(least + 1_000)]) {
      await one(all, client);
      await all.clock.advance(0);
    }
    for (const symbol of all.held.symbols) {
      const sent = client.state.sent.filter(({ path }) => path === pathOf(symbol));
      checkTimes(sent, least);
      checkLast(sent.at(-1), all.answers.get(symbol));
    }
  };
  await property(t, given, check, 100);
});
