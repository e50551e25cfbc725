import { spawn } from 'node:child_process';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { type BusOptions, createBus } from '../../../actors/bus/bus.ts';
import { failed, success } from '../../../actors/failure.ts';
import type { Candles, OrderBook, OrderBookRequest } from '../../../actors/topics.ts';
import { FakeClock } from '../../support/clock.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

const request = (market: string): OrderBookRequest => ({ exchange: 'okx', market, depth: 5 });
const book = (market: string): OrderBook => ({ market, bids: [], asks: [], timestamp: 1 });
const echo = { orderBook: async ({ market }: OrderBookRequest) => success(book(market)) };
const candles: Candles = { market: 'm', kind: null, quote: null, candles: [], received: 1 };

const server = await startRedis();
t.teardown(() => server.stop());
const raw = new Redis(server.url.replace('unix://', ''), { retryStrategy: () => 20 });
raw.on('error', () => {});
t.teardown(() => raw.disconnect());
t.beforeEach(() => raw.flushall());

let buses = 0;
const start = (t: Test, options: Partial<BusOptions> = {}) => {
  const bus = createBus({
    url: server.url,
    process: `p${++buses}`,
    random: () => 0.01,
    ...options,
  });
  t.teardown(() => bus.close());
  return bus;
};
const pending = async (): Promise<number> => {
  const [count] = await raw.xpending('ask:orderBook', 'answerers').catch(() => [0]);
  return Number(count);
};
/** A handler that notes what it was asked and answers when told. */
function gate() {
  const asked: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const orderBook = async ({ market }: OrderBookRequest) => {
    asked.push(market);
    await promise;
    return success(book(market));
  };
  return { asked, open: () => resolve(), orderBook };
}

t.test('two services by one answerer, the deadline is handed on', async (t) => {
  const deadlines: number[] = [];
  start(t).answer({
    ...echo,
    candles: async (_, { deadline }) => {
      deadlines.push(deadline);
      return success(candles);
    },
  });
  const clock = new FakeClock(Date.now());
  const asker = start(t, { clock });
  const asked = { exchange: 'okx', market: 'm', interval: '1h', limit: 1 } as const;
  t.same(await asker.ask('candles', asked, { deadline: 9_000 }), success(candles));
  t.same(await asker.ask('orderBook', request('b')), success(book('b')));
  t.same(deadlines, [clock.now() + 9_000]);
});

t.test('two answerers share the work', async (t) => {
  const asker = start(t);
  const one = start(t).answer(echo, { concurrency: 4 });
  const other = start(t).answer(echo, { concurrency: 4 });
  await Promise.all([one.ready, other.ready]);
  const asked = Array.from({ length: 400 }, (_, i) => asker.ask('orderBook', request(`m${i}`)));
  t.ok((await Promise.all(asked)).every((result) => result.ok));
  await until(async () => (await pending()) === 0, 'all is done');
  await Promise.all([one.stop(), other.stop()]);
  const [a, b] = [one.counts().answered, other.counts().answered];
  t.ok(a > 0 && b > 0, `${a} and ${b}`);
  t.equal(a + b, 400, 'none twice');
});

t.test('no more is read than can be worked on', async (t) => {
  const asker = start(t);
  const gated = gate();
  const bus = start(t);
  bus.answer(gated, { concurrency: 3 });
  const asked = Array.from({ length: 10 }, (_, i) => asker.ask('orderBook', request(`m${i}`)));
  await until(() => gated.asked.length === 3, 'the hands are full');
  t.equal(await pending(), 3, 'the rest is left for others');
  t.equal(gated.asked.length, 3);
  gated.open();
  t.ok((await Promise.all(asked)).every((result) => result.ok));
  t.throws(() => bus.answer({}), /at least one service/);
  t.throws(
    () => bus.answer({ ...echo, candles: async () => success(candles) }, { concurrency: 1 }),
    {
      message: 'answer: concurrency must be a whole number from 2',
    },
  );
});

t.test('a handler that throws is a failure, and not the end', async (t) => {
  const asker = start(t);
  const answering = start(t).answer({
    orderBook: async ({ market }) => {
      if (market === 'bad') throw new Error('secret detail');
      return success(book(market));
    },
  });
  const result = await asker.ask('orderBook', request('bad'));
  t.same(result, failed('unavailable', 'the answering process failed'));
  t.ok((await asker.ask('orderBook', request('good'))).ok);
  await answering.stop();
  t.match(answering.counts(), { thrown: 1, answered: 2 });
});

t.test('an expired or unreadable request is not worked on', async (t) => {
  const gated = gate();
  const add = (by: number, data: string) =>
    raw.xadd('ask:orderBook', '*', 'id', 'x', 'to', 'reply:x', 'by', by, 'data', data);
  await add(Date.now() - 1, 'late');
  await raw.xadd('ask:orderBook', '*', 'foreign', 'fields');
  const answering = start(t).answer(gated);
  await until(() => answering.counts().expired === 2, 'both are dropped');
  await until(async () => (await raw.xlen('ask:orderBook')) === 0, 'both are deleted');
  t.equal(await pending(), 0);
  t.equal(await raw.exists('reply:x'), 0, 'nobody was answered');
  await add(Date.now() + 60_000, 'junk');
  await until(() => answering.counts().answered === 1, 'the unreadable one gets a failure');
  t.same(gated.asked, []);
});

t.test('a handler that does not end loses its place at the deadline', async (t) => {
  const clock = new FakeClock(Date.now());
  const asker = start(t);
  const answering = start(t, { clock }).answer(
    {
      orderBook: ({ market }) =>
        market === 'hangs' ? new Promise(() => {}) : Promise.resolve(success(book(market))),
    },
    { concurrency: 1 },
  );
  void asker.ask('orderBook', request('hangs'), { deadline: 10_000 });
  await until(async () => (await raw.exists('ask:orderBook')) === 1, 'it is asked');
  const next = asker.ask('orderBook', request('next'), { deadline: 20_000 });
  await until(async () => (await raw.xlen('ask:orderBook')) === 2, 'another waits');
  await until(async () => (await pending()) === 1, 'the first is in hand');
  await clock.advance(10_500);
  t.ok((await next).ok);
  await until(() => answering.counts().answered === 1, 'it is counted');
  t.equal(answering.counts().expired, 1);
});

t.test('the requests of an answerer killed by SIGKILL are answered by another', async (t) => {
  const url = new URL('../../../actors/bus/bus.ts', import.meta.url).href;
  const code = `const { createBus } = await import(${JSON.stringify(url)});
    const bus = createBus({ url: ${JSON.stringify(server.url)}, process: 'victim' });
    bus.answer({ orderBook: () => new Promise(() => {}) });
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  const asker = start(t);
  const asked = [1, 2, 3].map((i) =>
    asker.ask('orderBook', request(`m${i}`), { deadline: 60_000 }),
  );
  await until(async () => (await raw.exists('alive:victim')) === 1, 'the victim lives');
  await until(async () => (await pending()) === 3, 'the victim has the requests');
  const answering = start(t, { process: 'heir' }).answer(echo);
  await answering.ready;
  t.equal(await pending(), 3, 'nothing is taken from the living');
  child.kill('SIGKILL');
  t.same(
    await Promise.all(asked),
    [1, 2, 3].map((i) => success(book(`m${i}`))),
  );
  t.equal(answering.counts().claimed, 3);
  const gone = async () =>
    !JSON.stringify(await raw.xinfo('CONSUMERS', 'ask:orderBook', 'answerers')).includes('victim');
  await until(gone, 'its consumer is deleted');
});

t.test('what was assigned to an answerer but never reached it is not lost', async (t) => {
  const assign = () =>
    raw.xreadgroup('GROUP', 'answerers', 'broken', 'STREAMS', 'ask:orderBook', '>');
  const asker = start(t);
  await raw.xgroup('CREATE', 'ask:orderBook', 'answerers', '0', 'MKSTREAM');
  const before = asker.ask('orderBook', request('before'), { deadline: 60_000 });
  await until(async () => (await raw.xlen('ask:orderBook')) === 1, 'it is asked');
  await assign();
  const gated = gate();
  const answering = start(t, { process: 'broken' }).answer(gated, { concurrency: 1 });
  await until(() => gated.asked.length === 1, 'at the start it looks at what is its own');

  const meanwhile = asker.ask('orderBook', request('meanwhile'), { deadline: 60_000 });
  await until(async () => (await raw.xlen('ask:orderBook')) === 2, 'it is asked');
  await assign();
  const clients = String(await raw.client('LIST')).split('\n');
  const id = clients.find((line) => line.includes('name=broken/answer'))?.match(/id=(\d+)/)?.[1];
  await raw.client('KILL', 'ID', Number(id));
  await until(() => answering.state() === 'down', 'the connection is lost');
  gated.open();
  t.same(await before, success(book('before')));
  t.same(await meanwhile, success(book('meanwhile')), 'and after a reconnect');
  t.same(gated.asked, ['before', 'meanwhile'], 'what is in hand is not begun again');
});

t.test('the group is made again after a wipe and after a restart', async (t) => {
  const asker = start(t);
  const answering = start(t).answer(echo);
  await answering.ready;
  await raw.flushall();
  t.ok((await asker.ask('orderBook', request('a'))).ok);
  await server.restart();
  await until(() => answering.state() === 'up' && asker.state() === 'up', 'both are back');
  t.ok((await asker.ask('orderBook', request('b'))).ok);
});

t.test('stop finishes what is in hand, reads no more and leaves', async (t) => {
  const asker = start(t);
  const gated = gate();
  const answering = start(t, { process: 'leaver' }).answer(gated);
  await answering.ready;
  const asked = asker.ask('orderBook', request('in hand'));
  await until(() => gated.asked.length === 1, 'it is in hand');
  const stopped = answering.stop();
  await until(() => answering.state() === 'down', 'it reads no more');
  const waits = asker.ask('orderBook', request('for another'));
  await until(async () => (await raw.xlen('ask:orderBook')) === 2, 'it is written');
  gated.open();
  await stopped;
  t.same(await asked, success(book('in hand')));
  t.equal(await raw.exists('alive:leaver'), 0);
  t.same(await raw.xinfo('CONSUMERS', 'ask:orderBook', 'answerers'), []);
  start(t).answer(echo);
  t.same(await waits, success(book('for another')));
  t.same(gated.asked, ['in hand']);
});

t.test('stop does not wait for ever; the rest goes to another at once', async (t) => {
  const asker = start(t);
  const answering = start(t).answer({ orderBook: () => new Promise(() => {}) });
  const asked = asker.ask('orderBook', request('left'), { deadline: 60_000 });
  await until(async () => (await raw.exists('ask:orderBook')) === 1, 'it is asked');
  await answering.ready;
  await until(async () => (await pending()) === 1, 'it is in hand');
  await answering.stop(10);
  const heir = start(t).answer(echo);
  t.same(await asked, success(book('left')));
  t.equal(heir.counts().claimed, 1);
});
