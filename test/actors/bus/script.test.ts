/** Commands and scripts on a real Redis, and a Redis that does not answer or takes no writes. */
import t from 'tap';
import { closeAtOnce, connect } from '../../../actors/bus/redis.ts';
import { Commands, isLogged, script } from '../../../actors/bus/script.ts';
import { fromFailure } from '../../../http/wire/errors.ts';
import { busStage, redisStage } from '../../support/bus-stage.ts';
import { feedStatus } from '../../support/makers.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import { failureOf } from '../../support/upstream.ts';
import { request as requestOf } from './questions.ts';

const status = feedStatus({ rows: 1 });
const request = requestOf('BTC-USDT');

t.test('a script is sent whole after the server forgot it', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const redis = connect(server.url);
  t.teardown(() => closeAtOnce(redis));
  const echo = script('return {KEYS[1], ARGV[1]}');
  const commands = new Commands(redis, [echo]);
  for (let turn = 0; turn < 2; turn++) {
    const loaded = [1, 2].map(() => commands.send('SCRIPT', 'EXISTS', echo.sha));
    if (turn === 1) {
      await Promise.resolve();
      t.equal(redis.stream.writableCorked, 1, 'the commands of a turn leave in one write');
    }
    t.strictSame(await Promise.all(loaded), [[1], [1]]);
    t.equal(redis.stream.writableCorked, 0);
  }
  t.match(await commands.run(echo, ['k'], [1]), [Buffer.from('k'), Buffer.from('1')]);
  await commands.send('SCRIPT', 'FLUSH');
  const many = await Promise.all(
    Array.from({ length: 50 }, (_, i) => commands.run(echo, ['k'], [i])),
  );
  t.equal(many.length, 50);
  const wrong = script('return nonsense(');
  await t.rejects(commands.run(wrong, [], []), { message: /^ERR Error compiling/ });
  await t.rejects(commands.write(wrong, [], []), { message: /^ERR Error compiling/ });
  t.ok(commands.takesWrites, 'a fault of the script');
});

t.test('what waits for Redis has a bound', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const redis = connect(server.url);
  t.teardown(() => closeAtOnce(redis));
  const commands = new Commands(redis, []);
  await commands.send('PING');
  const long = Buffer.alloc(2 ** 20, 'a');
  const sent = await Promise.allSettled(
    Array.from({ length: 70 }, () => commands.send('SET', 'k', long)),
  );
  const refused = sent.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  t.equal(refused.length, 6, 'the first 64 MiB are taken');
  t.match(refused[0], /6\d{7} bytes wait for Redis, which takes them too slowly/);
  t.equal(String(await commands.send('SET', 'k', 1)), 'OK', 'it goes on once they are gone');
});

t.test('maxmemory is reached', async (t) => {
  const { raw, join } = await redisStage(t, ['--maxmemory-policy', 'noeviction']);
  const lines: unknown[] = [];
  const note = (fields: object, message: string) => void lines.push([message, fields]);
  const bus = join({ log: { info: note, warn: note, error: note } });
  t.equal(await bus.publish('status', 'k', status), 'published');
  t.equal(bus.state(), 'up');
  await raw.config('SET', 'maxmemory', '1');
  const failure = failureOf(await bus.query(request));
  t.match(failure, { code: 'redis_away', message: /OOM/ });
  t.equal(bus.state(), 'read_only', 'not down');
  t.equal((await bus.lastOf('status', 'k'))?.rows, 1, 'reads go on');
  t.equal(await bus.publish('status', 'k', status), 'unavailable');
  t.notOk(isLogged(new Error('OOM')), 'an error that was never one of a command');

  const error = fromFailure(failure, 'the order book of okx');
  t.match(error, { error: 'store_unavailable', retryAfter: 2 }, '503 with a time, not a 502');
  t.notMatch(error.message, /okx|OOM/);

  await raw.config('SET', 'maxmemory', '0');
  t.equal(bus.state(), 'read_only', 'until a write goes through');
  t.equal(await bus.publish('status', 'k', status), 'published');
  t.equal(bus.state(), 'up');
  t.match(lines, [
    ['Redis takes no writes', { error: /OOM/ }],
    ['Redis takes writes again', { commands: 2 }],
  ]);
  t.equal(lines.length, 2, 'each once, however many commands are refused');
});

t.test('a Redis that stops answering is logged once, and its return once', async (t) => {
  const lines: string[] = [];
  const note = (_: object, message: string) => void lines.push(message);
  const { server, bus } = await busStage(t, { log: { info: note, warn: note, error: note } });
  const publishAll = () =>
    Promise.all(Array.from({ length: 200 }, (_, i) => bus.publish('status', `${i}`, status)));
  t.strictSame(new Set(await publishAll()), new Set(['published']));
  server.freeze();
  t.strictSame(new Set(await publishAll()), new Set(['unavailable']), 'none is answered in time');
  t.strictSame(new Set(await publishAll()), new Set(['unavailable']));
  t.equal(lines.filter((line) => line === 'Redis does not answer commands').length, 1);
  t.notOk(lines.includes('not published'));
  t.ok(lines.length <= 3, lines.join());
  server.thaw();
  await until(async () => (await bus.publish('status', 'k', status)) === 'published', 'it is back');
  t.equal(lines.filter((line) => line === 'Redis answers commands again').length, 1);
});

t.test('a command of a process that was held up is not late', async (t) => {
  const { server } = await busStage(t);
  const redis = connect(server.url, {});
  t.teardown(() => closeAtOnce(redis));
  const commands = new Commands(redis, []);
  await commands.send('PING');
  const reply = commands.send('PING');
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
  t.equal(String(await reply), 'PONG');
});
