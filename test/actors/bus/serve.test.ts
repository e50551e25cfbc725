import { spawn } from 'node:child_process';
import t, { type Test } from 'tap';
import type { BusOptions } from '../../../actors/bus/bus.ts';
import { silent } from '../../../actors/bus/log.ts';
import { connect } from '../../../actors/bus/redis.ts';
import { RedisTime } from '../../../actors/bus/redis-time.ts';
import { Commands } from '../../../actors/bus/script.ts';
import { QueryServer } from '../../../actors/bus/serve.ts';
import { success } from '../../../actors/failure.ts';
import { systemClock } from '../../../actors/kernel/clock.ts';
import type { Candles, OrderBookParams } from '../../../actors/topics/index.ts';
import { redisStage } from '../../support/bus-stage.ts';
import { FakeClock } from '../../support/clock.ts';
import { until } from '../../support/until.ts';
import { book, echo, noting, request } from './questions.ts';

const candles: Candles = { market: 'm', kind: null, quote: null, candles: [], received: 1 };

const { server, raw, join } = await redisStage(t);
t.beforeEach(() => raw.flushall());
const start = (t: Test, options: Partial<BusOptions> = {}) => join(options, t);
const pending = async (): Promise<number> => {
  const [count] = await raw.xpending('query:okx', 'servers').catch(() => [0]);
  return Number(count);
};
/** A handler that notes its questions and answers when the test says so. */
function gate() {
  const asked: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const orderBook = async ({ market }: OrderBookParams) => {
    asked.push(market);
    await promise;
    return success(book(market));
  };
  return { asked, open: () => resolve(), orderBook };
}

t.test('sources come and go on one connection; the deadline is handed on', async (t) => {
  const deadlines: number[] = [];
  const bus = start(t, { process: 'serves' });
  const okx = bus.serve('okx', echo);
  await okx.ready;
  const clock = new FakeClock(Date.now());
  const asker = start(t, { clock });
  t.same(await asker.query(request('a')), success(book('a')));
  const query = {
    source: 'gate',
    name: 'candles',
    params: { market: 'm', interval: '1h', limit: 1 },
  } as const;
  const reply = success({ value: candles, received: 1, until: 2, stale: true } as const);
  const early = asker.query(query, { deadline: 9_000 });
  const gate = bus.serve('gate', {
    candles: async (_, { deadline }) => {
      deadlines.push(deadline);
      return reply;
    },
  });
  t.same(await early, reply, 'a source that is added is read');
  const left = (deadlines[0] ?? 0) - systemClock.monotonic();
  t.ok(left > 0 && left <= 9_000, `${left} ms are left`);
  t.throws(() => bus.serve('gate', {}), { message: 'serve: gate is served already' });
  const names = String(await raw.client('LIST')).match(/name=serves\/queries/g);
  t.equal(names?.length, 1, 'one connection');
  t.match(await asker.query({ ...request('x'), source: 'gate' }), {
    failure: { code: 'refused', message: 'gate does not answer this' },
  });

  await okx.stop();
  void asker.query(request('for another'), { deadline: 60_000 });
  t.same(await asker.query(query), reply, 'the other goes on');
  t.equal(await pending(), 0, 'a source that has stopped is not read');
  t.equal(await raw.exists('alive:serves'), 1);
  bus.serve('okx', echo);
  t.same(await asker.query(request('again')), success(book('again')), 'and may come back');
  await gate.stop();
});

t.test('a source without room takes nothing from another', async (t) => {
  const asker = start(t);
  const slow = gate();
  const bus = start(t);
  bus.serve('slow', slow, { concurrency: 2 });
  bus.serve('okx', echo, { concurrency: 1 });
  const held = Array.from({ length: 5 }, (_, i) =>
    asker.query({ ...request(`m${i}`), source: 'slow' }),
  );
  await until(() => slow.asked.length === 2, 'it is full');
  for (let i = 0; i < 20; i++) t.ok((await asker.query(request(`m${i}`))).ok);
  t.equal(slow.asked.length, 2);
  slow.open();
  t.ok((await Promise.all(held)).every((result) => result.ok));
});

t.test('a source with little room does not slow the others', async (t) => {
  const asker = start(t);
  const slow = gate();
  const bus = start(t);
  bus.serve('slow', slow, { concurrency: 2 });
  const free = gate();
  bus.serve('okx', free, { concurrency: 100 });
  const held = asker.query({ ...request('m'), source: 'slow' });
  await until(() => slow.asked.length === 1, 'there is room for one more');
  const reads = async () =>
    Number(/cmdstat_xreadgroup:calls=(\d+)/.exec(await raw.info('commandstats'))?.[1]);
  // All of them are there when the server reads again.
  const before = await reads();
  server.freeze();
  const asked = Array.from({ length: 60 }, (_, i) => asker.query(request(`m${i}`)));
  server.thaw();
  await until(() => free.asked.length === 60, 'all are read');
  const used = (await reads()) - before;
  t.ok(used < 10, `${used} reads for 60 questions`);
  slow.open();
  free.open();
  t.ok((await Promise.all([held, ...asked])).every((result) => result.ok));
});

t.test('a sign of life is given with the first source, and each second', async (t) => {
  const clock = new FakeClock(Date.now());
  const bus = start(t, { process: 'new', clock });
  await until(() => bus.state() === 'up', 'the bus is up');
  const signs = async () => (await raw.exists('alive:new')) === 1;
  t.notOk(await signs(), 'nothing is served');
  await bus.serve('okx', echo).ready;
  await until(signs, 'at once');
  await raw.del('alive:new');
  await clock.advance(1_000);
  await until(signs, 'a second later');
});

t.test('the sources look for the queries of dead processes all at once', async (t) => {
  const claims = { open: 0, most: 0 };
  class Counted extends Commands {
    override async run(...args: Parameters<Commands['run']>) {
      // A source's script of this kind alone has the stream and three arguments.
      const counts = args[1][0]?.startsWith('query:') && args[2].length === 3;
      if (!counts) return super.run(...args);
      claims.open += 1;
      claims.most = Math.max(claims.most, claims.open);
      return super.run(...args).finally(() => {
        claims.open -= 1;
      });
    }
  }
  const commands = new Counted(connect(server.url), []);
  t.teardown(() => commands.redis.disconnect());
  const around = { url: server.url, process: 'many', clock: systemClock, log: silent };
  const many = new QueryServer(
    { ...around, random: () => 0.01, vital: () => commands },
    commands,
    new RedisTime(systemClock),
  );
  t.teardown(() => many.close());
  const served = Array.from({ length: 26 }, (_, i) => many.serve(`s${i}`, echo, 10));
  await Promise.all(served.map(({ ready }) => ready));
  await until(() => claims.most === 26, 'none waits for another');
  t.equal(claims.most, 26);
});

t.test('two servers share the work', async (t) => {
  const asker = start(t);
  const [byOne, byOther]: [string[], string[]] = [[], []];
  const one = start(t).serve('okx', noting(byOne), { concurrency: 4 });
  const other = start(t).serve('okx', noting(byOther), { concurrency: 4 });
  await Promise.all([one.ready, other.ready]);
  const asked = Array.from({ length: 400 }, (_, i) => asker.query(request(`m${i}`)));
  t.ok((await Promise.all(asked)).every((result) => result.ok));
  await until(async () => (await pending()) === 0, 'all is done');
  t.ok(byOne.length > 0 && byOther.length > 0, `${byOne.length} and ${byOther.length}`);
  t.equal(byOne.length + byOther.length, 400, 'none twice');
});

t.test('no more is read than can be worked on', async (t) => {
  const asker = start(t);
  const gated = gate();
  const bus = start(t);
  bus.serve('okx', gated, { concurrency: 3 });
  const asked = Array.from({ length: 10 }, (_, i) => asker.query(request(`m${i}`)));
  await until(() => gated.asked.length === 3, 'the hands are full');
  t.equal(await pending(), 3, 'the rest is left for others');
  t.equal(gated.asked.length, 3);
  gated.open();
  t.ok((await Promise.all(asked)).every((result) => result.ok));
});

t.test('an expired or unreadable request is not worked on', async (t) => {
  const gated = gate();
  const add = (within: number, data: string) =>
    raw.xadd('query:okx', '*', 'id', 'x', 'to', 'reply:x', 'within', within, 'data', data);
  await add(0, 'late');
  await raw.xadd('query:okx', '*', 'foreign', 'fields');
  start(t).serve('okx', gated);
  await until(async () => (await raw.xlen('query:okx')) === 0, 'both are deleted');
  t.equal(await pending(), 0);
  t.equal(await raw.exists('reply:x'), 0, 'no reply was sent');
  await add(60_000, 'junk');
  await until(async () => (await raw.xlen('reply:x')) === 1, 'the unreadable one gets a failure');
  t.same(gated.asked, []);
});

t.test('a handler that does not end loses its place at the deadline', async (t) => {
  const clock = new FakeClock(Date.now());
  const asker = start(t);
  start(t, { clock }).serve(
    'okx',
    {
      orderBook: ({ market }) =>
        market === 'hangs' ? new Promise(() => {}) : Promise.resolve(success(book(market))),
    },
    { concurrency: 1 },
  );
  void asker.query(request('hangs'), { deadline: 10_000 });
  await until(async () => (await raw.exists('query:okx')) === 1, 'it is asked');
  const next = asker.query(request('next'), { deadline: 20_000 });
  await until(async () => (await raw.xlen('query:okx')) === 2, 'another waits');
  await until(async () => (await pending()) === 1, 'the first is in hand');
  await clock.advance(10_500);
  t.ok((await next).ok);
  await until(async () => (await raw.xlen('query:okx')) === 0, 'nothing of the first is left');
});

t.test('the requests of a server killed by SIGKILL are answered by another', async (t) => {
  const url = new URL('../../../actors/bus/bus.ts', import.meta.url).href;
  const code = `const { createBus } = await import(${JSON.stringify(url)});
    const bus = createBus({ url: ${JSON.stringify(server.url)}, process: 'victim' });
    bus.serve('okx', { orderBook: () => new Promise(() => {}) });
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  const asker = start(t);
  const asked = [1, 2, 3].map((i) => asker.query(request(`m${i}`), { deadline: 60_000 }));
  await until(async () => (await raw.exists('alive:victim')) === 1, 'the victim lives');
  await until(async () => (await pending()) === 3, 'the victim has the requests');
  const serving = start(t, { process: 'heir' }).serve('okx', echo);
  await serving.ready;
  t.equal(await pending(), 3, 'nothing is taken from the living');
  child.kill('SIGKILL');
  t.same(
    await Promise.all(asked),
    [1, 2, 3].map((i) => success(book(`m${i}`))),
  );
  const gone = async () =>
    !JSON.stringify(await raw.xinfo('CONSUMERS', 'query:okx', 'servers')).includes('victim');
  await until(gone, 'its consumer is deleted');
});

t.test('what was assigned to a server but never reached it is not lost', async (t) => {
  const assign = () => raw.xreadgroup('GROUP', 'servers', 'broken', 'STREAMS', 'query:okx', '>');
  const asker = start(t);
  await raw.xgroup('CREATE', 'query:okx', 'servers', '0', 'MKSTREAM');
  const before = asker.query(request('before'), { deadline: 60_000 });
  await until(async () => (await raw.xlen('query:okx')) === 1, 'it is asked');
  await assign();
  const gated = gate();
  const bus = start(t, { process: 'broken' });
  bus.serve('okx', gated, { concurrency: 1 });
  await until(() => gated.asked.length === 1, 'at the start it looks at what is its own');

  const meanwhile = asker.query(request('meanwhile'), { deadline: 60_000 });
  await until(async () => (await raw.xlen('query:okx')) === 2, 'it is asked');
  await assign();
  const clients = String(await raw.client('LIST')).split('\n');
  const id = clients.find((line) => line.includes('name=broken/queries'))?.match(/id=(\d+)/)?.[1];
  await raw.client('KILL', 'ID', Number(id));
  const isLost = async () => !`${await raw.client('LIST')}`.includes(`id=${id} `);
  await until(isLost, 'the connection is lost');
  gated.open();
  t.same(await before, success(book('before')));
  t.same(await meanwhile, success(book('meanwhile')), 'and after a reconnect');
  t.same(gated.asked, ['before', 'meanwhile'], 'what is in hand is not begun again');
});

t.test('the group is made again after a wipe and after a restart', async (t) => {
  const asker = start(t);
  const bus = start(t);
  await bus.serve('okx', echo).ready;
  await raw.flushall();
  t.ok((await asker.query(request('a'))).ok);
  await server.restart();
  await until(() => bus.state() === 'up' && asker.state() === 'up', 'both are back');
  t.ok((await asker.query(request('b'))).ok);
});

t.test('stop finishes what is in hand, reads no more and leaves', async (t) => {
  const asker = start(t);
  const gated = gate();
  const serving = start(t, { process: 'leaver' }).serve('okx', gated);
  await serving.ready;
  const asked = asker.query(request('in hand'));
  await until(() => gated.asked.length === 1, 'it is in hand');
  const stopped = serving.stop();
  const waits = asker.query(request('for another'));
  await until(async () => (await raw.xlen('query:okx')) === 2, 'it is written');
  gated.open();
  await stopped;
  t.same(await asked, success(book('in hand')));
  t.equal(await raw.exists('alive:leaver'), 0);
  t.same(await raw.xinfo('CONSUMERS', 'query:okx', 'servers'), []);
  start(t).serve('okx', echo);
  t.same(await waits, success(book('for another')));
  t.same(gated.asked, ['in hand']);
});

t.test('stop has a deadline; another server takes the rest at once', async (t) => {
  const asker = start(t);
  const clock = new FakeClock(Date.now());
  const serving = start(t, { clock }).serve('okx', { orderBook: () => new Promise(() => {}) });
  const asked = asker.query(request('left'), { deadline: 60_000 });
  await until(async () => (await raw.exists('query:okx')) === 1, 'it is asked');
  await serving.ready;
  await until(async () => (await pending()) === 1, 'it is in hand');
  let isOver = false;
  const stopped = serving.stop().then(() => {
    isOver = true;
  });
  await clock.advance(4_999);
  t.equal(isOver, false);
  await clock.advance(1);
  await stopped;
  start(t).serve('okx', echo);
  t.same(await asked, success(book('left')));
});
