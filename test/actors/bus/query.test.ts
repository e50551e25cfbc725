import t, { type Test } from 'tap';
import type { Bus, BusOptions } from '../../../actors/bus/bus.ts';
import { failed, success } from '../../../actors/failure.ts';
import { deadlineOf, type OrderBookParams } from '../../../actors/topics/index.ts';
import { redisStage } from '../../support/bus-stage.ts';
import { FakeClock } from '../../support/clock.ts';
import { until } from '../../support/until.ts';
import { book, echo, request } from './questions.ts';

const { server, raw, join } = await redisStage(t);
t.beforeEach(() => raw.flushall());
const start = (t: Test, options: Partial<BusOptions> = {}) => join(options, t);

t.test('a question is answered, and nothing is left behind', async (t) => {
  const asker = start(t, { process: 'asker' });
  const serving = start(t).serve('okx', echo);
  await serving.ready;
  t.same(await asker.query(request('BTC-USDT')), success(book('BTC-USDT')));
  const all = Array.from({ length: 100 }, (_, i) => asker.query(request(`m${i}`)));
  t.same(
    await Promise.all(all),
    all.map((_, i) => success(book(`m${i}`))),
    'each gets its own',
  );
  t.equal(await raw.xlen('query:okx'), 0);
  await until(async () => (await raw.xlen('reply:asker')) === 0, 'the replies are trimmed');
  await asker.close();
  t.equal(await raw.exists('reply:asker'), 0);
  t.same(await asker.query(request('x')), failed('stopped', 'the bus is closed'));
});

t.test('long values travel beside short ones', async (t) => {
  const levels = (count: number) => Array.from({ length: count }, (_, i) => [i / 7, i] as const);
  const answer = async ({ market }: OrderBookParams) => {
    const { value, ...reply } = book(market);
    return success({ ...reply, value: { ...value, bids: levels(Number(market)) } });
  };
  start(t).serve('okx', { orderBook: answer });
  const asker = start(t);
  const sizes = [0, 10_000, 1, 300, 20_000, 2];
  const replies = await Promise.all(sizes.map((size) => asker.query(request(String(size)))));
  t.same(
    replies.map((reply) => reply.ok && reply.value.value.bids),
    sizes.map(levels),
  );
  const market = 'm'.repeat(100_000);
  t.same(await asker.query(request(market)), await answer({ market, depth: 5 }), 'a question too');
});

t.test('a failure is an answer', async (t) => {
  const failure = failed('banned', 'silence', { retryAfter: 5_000, status: 418 });
  start(t).serve('okx', { orderBook: async () => failure });
  t.same(await start(t).query(request('x')), failure);
});

t.test('a question that is asked before a process serves the source is answered', async (t) => {
  const asked = start(t).query(request('early'));
  await until(async () => (await raw.xlen('query:okx')) === 1, 'it is written');
  start(t).serve('okx', echo);
  t.same(await asked, success(book('early')));
});

t.test('no answer by the deadline is a failure of this service', async (t) => {
  const clock = new FakeClock();
  const asker = start(t, { clock });
  const custom = asker.query(request('x'), { deadline: 300 });
  const standard = asker.query(request('x'));
  let answered = 0;
  for (const asked of [custom, standard]) void asked.then(() => answered++);
  await clock.advance(299);
  t.equal(answered, 0);
  await clock.advance(1);
  t.match(await custom, { ok: false, failure: { code: 'unanswered' } });
  await clock.advance(deadlineOf('orderBook') - 301);
  t.equal(answered, 1);
  await clock.advance(1);
  t.match(await standard, { ok: false, failure: { code: 'unanswered' } });
});

t.test('beyond the cap a question is refused at once, and the cap frees itself', async (t) => {
  const asker = start(t, { inFlight: 3 });
  const open = [1, 2, 3].map((i) => asker.query(request(`m${i}`)));
  let settled = false;
  const refused = asker.query(request('one too many')).finally(() => {
    settled = true;
  });
  await Promise.resolve();
  await Promise.resolve();
  t.equal(settled, true, 'without any IO');
  t.match(await refused, { ok: false, failure: { code: 'over_budget' } });
  start(t).serve('okx', echo);
  t.ok((await Promise.all(open)).every((result) => result.ok));
  t.ok((await asker.query(request('again'))).ok);
});

/** Many asks at once, with a deadline that the slowest machine meets. */
const burst = (asker: Bus, length: number) =>
  Array.from({ length }, (_, i) => asker.query(request(`m${i}`), { deadline: 100_000 }));

t.test('a burst as large as the cap is answered whole', async (t) => {
  const asker = start(t, { process: 'burst', inFlight: 2_000 });
  const asked = burst(asker, 2_000);
  start(t).serve('okx', echo);
  const results = await Promise.all(asked);
  const right = results.filter((result, i) => result.ok && result.value.value.market === `m${i}`);
  t.equal(right.length, 2_000);
  await until(async () => (await raw.xlen('query:okx')) === 0, 'no request is left');
});

t.test('replies that wait to be read are all still there', async (t) => {
  const asker = start(t, { process: 'slow', inFlight: 4_500 });
  const asked = burst(asker, 4_500);
  await until(async () => (await raw.xlen('query:okx')) === 4_500, 'all are asked');
  // Another key takes the replies, so that none is read while they pile up.
  const entries = await raw.xrangeBuffer('query:okx', '-', '+');
  await raw.del('query:okx');
  const again = raw.pipeline();
  for (const [, fields] of entries) again.xadd('query:okx', '*', ...retarget(fields, 'reply:pile'));
  await again.exec();
  start(t).serve('okx', echo, { concurrency: 1_000 });
  await until(async () => (await raw.xlen('reply:pile')) >= 4_500, 'all are answered');
  t.equal(await raw.xlen('reply:pile'), 4_500);
  t.ok((await raw.pttl('reply:pile')) > 0, 'and expire, should the process be dead');
  await raw.rename('reply:pile', 'reply:slow');
  t.ok((await Promise.all(asked)).every((result) => result.ok));
});

const retarget = (fields: readonly Buffer[], to: string): (Buffer | string)[] =>
  fields.map((field, i) => (i === 3 ? to : field));

/** As many requests as the stream takes, with the given deadline, Unix ms. */
const fill = (by: number) =>
  raw.eval(
    `for _ = 1, 65536 do
      redis.call('XADD', 'query:okx', '*', 'id', 'x', 'to', 'y', 'by', ARGV[1], 'data', '')
    end`,
    0,
    by,
  );

t.test('a full request stream refuses, expired requests make room', async (t) => {
  const asker = start(t);
  await fill(Date.now() + 600_000);
  t.match(await asker.query(request('x')), { failure: { code: 'over_budget' } });
  t.equal(await raw.xlen('query:okx'), 65_536, 'nothing unread was trimmed');
  const [first] = await raw.xrange('query:okx', '-', '+', 'COUNT', 1);
  await raw.xdel('query:okx', first?.[0] ?? '');
  void asker.query(request('fits'));
  await until(async () => (await raw.xlen('query:okx')) === 65_536, 'the free place is taken');
});

t.test('requests that expired unanswered do not block the service', async (t) => {
  const asker = start(t);
  await fill(1);
  void asker.query(request('x'));
  const fewer = async () => (await raw.xlen('query:okx')) === 65_536 - 64 + 1;
  await until(fewer, 'the oldest expired ones made room');
});

t.test('an unreadable reply is a failure', async (t) => {
  const asker = start(t, { process: 'misled' });
  const asked = asker.query(request('x'));
  await until(async () => (await raw.xlen('query:okx')) === 1, 'it is written');
  const [entry] = await raw.xrange('query:okx', '-', '+');
  await raw.xadd('reply:misled', '*', 'id', 'unknown', 'data', 'ignored');
  await raw.xadd('reply:misled', '*', 'id', entry?.[1][1] ?? '', 'data', 'junk');
  t.match(await asked, { ok: false, failure: { code: 'shape' } });
});

t.test('without Redis questions fail; afterwards they are answered again', async (t) => {
  const asker = start(t);
  const open = asker.query(request('open'));
  await until(async () => (await raw.xlen('query:okx')) === 1, 'it is written');
  await server.kill();
  t.match(await open, { ok: false, failure: { code: 'redis_away' } });
  t.match(await asker.query(request('x')), { failure: { code: 'redis_away' } });
  t.match(await start(t).query(request('x')), { failure: { code: 'redis_away' } });
  const serving = start(t).serve('okx', echo);
  await server.restart();
  await serving.ready;
  await until(() => asker.state() === 'up', 'the asker is back');
  t.same(await asker.query(request('back')), success(book('back')));
});
