import { getEventListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { Command } from 'ioredis';
import t from 'tap';
import { silent } from '../../../actors/bus/log.ts';
import { Loop } from '../../../actors/bus/loop.ts';
import {
  type ConnectOptions,
  closeAtOnce,
  connect,
  pause,
  whenReady,
} from '../../../actors/bus/redis.ts';
import { Commands, call, isLong } from '../../../actors/bus/script.ts';
import { FakeClock } from '../../support/clock.ts';
import { ownPort } from '../../support/ports.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

const always = new AbortController().signal;

t.test('the methods of strings are as fast as without the client of Redis', async (t) => {
  setFlagsFromString('--allow-natives-syntax');
  t.equal(runInThisContext('%HasFastProperties(String.prototype)'), true);
});

t.test('a URL that leads nowhere is refused without being shown', async (t) => {
  const bad = [
    '',
    'redis',
    'http://:hunter2@host',
    'unix://relative/path',
    'unix://',
    'unix:///',
    'redis://h/123456',
    'redis://h/x',
    'redis://h?replicas=x',
    'redis://h?replica=1',
    'redis+sentinel://a,b',
    'redis+sentinel://a,b/',
    'redis+sentinel:///tm',
    'redis+sentinel://a,,b/tm',
    'redis+sentinel://a/tm?role=slave',
    'redis+sentinel://a/tm?tls=yes',
    'redis+sentinel://:hunter2@a/tm/x',
  ];
  for (const url of bad) {
    t.throws(() => connect(url), { name: 'RangeError', message: /^Redis URL must be redis:/ }, url);
  }
  try {
    connect('http://:hunter2@host');
  } catch (error) {
    t.notMatch(String(error), /hunter2/);
  }
});

/** The options of a connection that is never made. */
function optionsOf(url: string, more: ConnectOptions = {}) {
  const redis = connect(url, more);
  redis.on('error', () => {});
  closeAtOnce(redis);
  return redis.options;
}

t.test('where a URL leads', async (t) => {
  const tcp = { host: 'localhost', port: 6379, db: 0 };
  const group = { name: 'tm', role: 'master', db: 0, failoverDetector: true };
  const places: [url: string, place: object][] = [
    ['redis://', tcp],
    ['redis://:p%40ss@[::1]:7000/3', { host: '::1', port: 7000, db: 3, password: 'p@ss' }],
    ['redis://us%40er@h/', { ...tcp, host: 'h', username: 'us@er', password: null }],
    ['rediss://h', { ...tcp, host: 'h', tls: { servername: 'h' } }],
    ['rediss://127.0.0.1/15', { ...tcp, host: '127.0.0.1', db: 15, tls: {} }],
    ['unix:///a%20b/redis.sock', { path: '/a b/redis.sock', db: 0 }],
    ['unix:///redis.sock?db=2', { path: '/redis.sock', db: 2 }],
    ['redis+sentinel://a/tm', { sentinels: [{ host: 'a', port: 26_379 }], ...group }],
    [
      'redis+sentinel://us%40er:p%40ss@a:1,[::1]:2/tm?db=3&role=replica&sentinel_password=s&sentinel_username=u&tls=1',
      {
        sentinels: [
          { host: 'a', port: 1 },
          { host: '::1', port: 2 },
        ],
        ...{ ...group, role: 'slave', db: 3, username: 'us@er', password: 'p@ss' },
        ...{ sentinelUsername: 'u', sentinelPassword: 's', tls: {}, sentinelTLS: {} },
      },
    ],
  ];
  for (const [url, place] of places) t.match(optionsOf(url), place, url);
  t.notOk(optionsOf('redis://h').tls);
});

t.test('what a connection does when Redis is away, silent or another one', async (t) => {
  const options = optionsOf('redis://127.0.0.1:1', { random: () => 0.5 });
  t.match(options, {
    connectTimeout: 2_000,
    disconnectTimeout: 2_000,
    maxLoadingRetryTime: 2_000,
    protocol: 2,
    disableClientInfo: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  });
  const { retryStrategy: retry, reconnectOnError: reconnect } = options;
  t.strictSame(
    [1, 3, 5, 6, 1e6].map((times) => retry?.(times)),
    [50, 200, 800, 1_000, 1_000],
  );
  t.strictSame(
    ['READONLY of a replica', 'OOM'].map((message) => reconnect?.(new Error(message))),
    [true, false],
  );
  t.equal(
    pause(1, () => 0.501),
    51,
    'whole milliseconds',
  );
});

t.test('long values go to the socket as they are', async (t) => {
  const [short, long] = [Buffer.alloc(4_095, 'a'), Buffer.alloc(4_096, 'ü')];
  t.strictSame([short, long, 'x'.repeat(9_999)].map(isLong), [false, true, false]);
  const redis = connect('unix:///nonexistent/redis.sock');
  t.teardown(() => closeAtOnce(redis));
  const sent: unknown[] = [];
  redis.sendCommand = (command) => {
    sent.push(command);
    return command.promise;
  };
  void call(redis, 'SET', ['ü', 7, long, short, 'end']);
  const [command] = sent;
  if (!(command instanceof Command)) throw new Error('no command');
  const written: Buffer[] = [];
  const socket = new Writable({ write: (chunk, _, done) => done(void written.push(chunk)) });
  const rest = String(command.toWritable(socket));
  t.ok(written.includes(long), 'without a copy');
  const whole = `*6\r\n$3\r\nSET\r\n$2\r\nü\r\n$1\r\n7\r\n$4096\r\n${long}\r\n$4095\r\n${short}\r\n$3\r\nend\r\n`;
  t.equal(Buffer.concat(written) + rest, whole);
  t.equal(String(command.toWritable({})), whole, 'a pipeline takes it as one');
});

t.test('a connection that is closed before it was made ends what waits for it', async (t) => {
  const redis = connect('unix:///nonexistent/redis.sock');
  const commands = new Commands(redis, []);
  closeAtOnce(redis);
  await t.rejects(commands.send('PING'));
});

t.test('TCP with a password and a database, and a unix socket with a database', async (t) => {
  const server = await startRedis({ port: ownPort, args: ['--requirepass', 'p@ss/word'] });
  t.teardown(() => server.stop());
  const redis = connect(`redis://:p%40ss%2Fword@127.0.0.1:${ownPort}/3`, { name: 'ours' });
  t.teardown(() => closeAtOnce(redis));
  t.ok(await whenReady(redis, always));
  t.match(await redis.client('INFO'), /name=ours .*db=3/);

  const local = await startRedis();
  t.teardown(() => local.stop());
  const socket = connect(`${local.url}?db=2`);
  t.teardown(() => closeAtOnce(socket));
  t.ok(await whenReady(socket, always));
  t.match(await socket.client('INFO'), /db=2/);
});

t.test('while Redis is away commands fail, and it comes back by itself', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'bus-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const lines: string[] = [];
  const reasons: object[] = [];
  const log = {
    info: (_: object, message: string) => void lines.push(message),
    warn: (fields: object, message: string) => {
      lines.push(message);
      reasons.push(fields);
    },
    error: (_: object, message: string) => void lines.push(message),
  };
  const redis = connect(`unix://${join(dir, 'redis.sock')}`, { log, random: () => 0.01 });
  t.teardown(() => closeAtOnce(redis));
  const commands = new Commands(redis, []);
  await t.rejects(commands.send('PING'), 'the first waits for the first attempt only');
  await t.rejects(commands.send('PING'), 'no queue');

  const server = await startRedis({ dir });
  t.teardown(() => server.stop());
  await until(() => redis.status === 'ready', 'the connection is made');
  t.equal(String(await commands.send('PING')), 'PONG');

  const blocked = redis.callBuffer('BLPOP', 'nothing', 0);
  const lost = t.rejects(blocked, 'what is in flight fails with the connection');
  await server.kill();
  await lost;
  await server.restart();
  await until(() => redis.status === 'ready', 'the connection is made again');
  t.same(lines, ['Redis is away', 'Redis is back', 'Redis is away', 'Redis is back'], 'once each');
  t.match(reasons, [
    { connection: 'redis', error: /ENOENT/ },
    { error: /connection closed|ECONNRESET/ },
  ]);
});

t.test('a peer that does not answer is given up, and found again', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const redis = connect(server.url, { random: () => 0.01 });
  t.teardown(() => closeAtOnce(redis));
  const commands = new Commands(redis, []);
  t.equal(String(await commands.send('PING')), 'PONG');
  server.freeze();
  await t.rejects(commands.send('PING'));
  await until(() => redis.status !== 'ready', 'the connection is dropped');
  server.thaw();
  await until(() => redis.status === 'ready', 'the connection is made again');
  t.equal(String(await commands.send('PING')), 'PONG');
  server.freeze();
  closeAtOnce(redis);
  t.equal(redis.stream.destroyed, true, 'closed without an answer');
});

t.test(
  'a process that was held up reads what waits for it, and keeps its connection',
  async (t) => {
    const server = await startRedis();
    t.teardown(() => server.stop());
    const redis = connect(server.url, { blocking: 100 });
    t.teardown(() => closeAtOnce(redis));
    t.ok(await whenReady(redis, always));
    let lost = 0;
    redis.on('close', () => void lost++);
    const answer = redis.callBuffer('BLPOP', 'nothing', 0.1);
    await immediate();
    // Nothing of this process runs for longer than a peer may be silent: the answer is there long before.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    t.equal(await answer, null, 'Redis has answered');
    t.equal(String(await redis.ping()), 'PONG');
    t.equal(lost, 0);
  },
);

t.test('waiting ends with the last caller', async (t) => {
  const redis = connect('unix:///nonexistent/redis.sock');
  t.teardown(() => closeAtOnce(redis));
  const stop = new AbortController();
  const listeners = redis.listenerCount('ready');
  const waiting = whenReady(redis, stop.signal);
  stop.abort();
  t.equal(await waiting, false);
  t.equal(await whenReady(redis, stop.signal), false);
  const left = [redis.listenerCount('ready'), getEventListeners(stop.signal, 'abort').length];
  t.strictSame(left, [listeners, 0]);
});

t.test('a loop of reads starts again after failures, with longer pauses', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const clock = new FakeClock();
  const start = clock.now();
  const seen: string[] = [];
  const note = (what: string) => void seen.push(`${what} ${clock.now() - start}`);
  const failing = new Error('no');
  let round: (redis: ReturnType<typeof connect>) => Promise<unknown> = () =>
    Promise.reject(failing);
  const context = { url: server.url, process: 'p', clock, log: silent, random: () => 1 };
  const loop = new Loop(context, {
    name: 'reads',
    blocking: 5_000,
    begin: async () => note('begin'),
    async round(redis) {
      await round(redis);
    },
    down: () => note('down'),
  });
  t.teardown(() => loop.stop());
  const next = async (pause: number, ...told: string[]) => {
    await until(() => clock.pending === 1, 'it rests');
    seen.length = 0;
    await clock.advance(pause - 1);
    t.same(seen, [], 'not before');
    await clock.advance(1);
    await until(() => seen.length >= told.length, told.join());
    t.strictSame(seen, told);
  };
  await until(() => seen.length === 2, 'the first failure');
  t.strictSame(seen, ['begin 0', 'down 0']);
  await next(100, 'begin 100', 'down 100');
  t.equal(loop.state, 'down');
  await next(200, 'begin 300', 'down 300');
  let rounds = 0;
  round = async () => {
    if (++rounds === 3) throw failing;
  };
  await next(400, 'begin 700', 'down 700');
  t.equal(rounds, 3);
  round = (redis) => redis.callBuffer('BLPOP', 'nothing', 0);
  await next(100, 'begin 800');
  t.equal(loop.state, 'up');
  await loop.stop();
  t.strictSame([loop.state, ...seen], ['down', 'begin 800', 'down 800']);
  t.equal(clock.pending, 0);
});

t.test('a loop finishes the round that is under way, and no wait', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const clock = new FakeClock();
  const context = { url: server.url, process: 'p', clock, log: silent, random: () => 1 };
  const under = Promise.withResolvers<void>();
  let rounds = 0;
  const round = () => {
    rounds += 1;
    return under.promise;
  };
  const loop = new Loop(context, { name: 'reads', blocking: 5_000, begin: async () => {}, round });
  await until(() => rounds === 1, 'a round is under way');
  let isOver = false;
  const finished = loop.finish().then(() => {
    isOver = true;
  });
  await clock.advance(0);
  t.equal(isOver, false);
  under.resolve();
  await finished;
  t.strictSame([rounds, loop.state], [1, 'down']);

  const begin = () => Promise.reject(new Error('no'));
  const resting = new Loop(context, { name: 'reads', blocking: 5_000, begin, round });
  await until(() => clock.pending === 1, 'it rests');
  await resting.finish();
  t.equal(clock.pending, 0);

  const other = Promise.withResolvers<void>();
  const idle = {
    name: 'reads',
    blocking: 5_000,
    begin: async () => {},
    round: () => other.promise,
  };
  const lost = new Loop(context, idle);
  await until(() => lost.state === 'up', 'a round is under way');
  await server.kill();
  await until(() => lost.state === 'down', 'the connection is lost');
  other.resolve();
  await lost.stop();
});
