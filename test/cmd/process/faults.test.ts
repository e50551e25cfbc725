/** What is wrong with the settings or the machine is said once, and no process is started again because of it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { createBus } from '../../../actors/bus/bus.ts';
import { diskOf, historyFolder } from '../../../cmd/process/folder.ts';
import { misconfigured } from '../../../cmd/process/process.ts';
import { socketPath, startRedis } from '../../../cmd/process/redis.ts';
import { createLogger } from '../../../config/log.ts';
import { runCommand } from '../../support/command.ts';
import { startRedis as startTestRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-faults-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const commands = {
  compute: new URL('../../../cmd/process/compute.ts', import.meta.url),
  feed: new URL('../../../cmd/process/feed.ts', import.meta.url),
  health: new URL('../../../cmd/process/health.ts', import.meta.url),
  history: new URL('../../../cmd/process/history.ts', import.meta.url),
  'history-move': new URL('../../../cmd/process/history-move.ts', import.meta.url),
  key: new URL('../../../cmd/process/key.ts', import.meta.url),
  local: new URL('../../../cmd/process/local.ts', import.meta.url),
  web: new URL('../../../cmd/process/web.ts', import.meta.url),
};

/** Runs a command of ours to its end. */
function run(
  command: keyof typeof commands,
  settings: Record<string, string>,
  ...args: string[]
): ReturnType<typeof runCommand> {
  const none = { REDIS_URL: '', SOURCES: '', AUTH_JWKS_URL: '', AUTH_ISSUER: '', NODE_ENV: '' };
  return runCommand(fileURLToPath(commands[command]), args, { ...none, PORT: '0', ...settings });
}

/** A log that keeps its lines. */
function logBook() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  return { lines, log: createLogger({ logLevel: 'info' }, 'test', { write }) };
}

t.test('a process lists all faults of its settings and ends with 2', async (t) => {
  const settings = { SOURCES: 'foo', AUTH_ISSUER: 'x', LOG_LEVEL: 'loud' };
  const [web, feed, compute, history] = await Promise.all([
    run('web', settings),
    run('feed', { SOURCES: 'foo' }),
    run('compute', {}),
    run('history', {}),
  ]);
  t.match(web, { out: '', code: misconfigured });
  t.match(web.err, /^the configuration has 4 fault\(s\):\n/);
  for (const name of ['LOG_LEVEL', 'SOURCES: foo unknown', 'REDIS_URL is not set', 'AUTH_JWKS_URL'])
    t.match(web.err, name);
  t.equal(web.err.trim().split('\n').length, 5, 'one line for each');
  t.match(feed, { err: /2 fault\(s\).*foo unknown.*REDIS_URL is not set/s, code: 2 });
  const one = { err: /^the configuration has 1 fault.*REDIS_URL is not/s, code: 2 };
  t.match([compute, history], [one, one]);
});

t.test('URLs of Redis that lead to a replica, or nowhere', async (t) => {
  const group = 'redis+sentinel://h:26379/tidemark?role=replica';
  const { err, code } = await run('compute', { REDIS_URL: group, REDIS_BUS_URL: group });
  t.match(err, /2 fault\(s\).*REDIS_URL: role=replica leads.*REDIS_BUS_URL: role=replica leads/s);
  t.equal(code, misconfigured);
  const bad = { REDIS_URL: 'redis://h?replica=1', REDIS_READ_URL: 'redis+sentinel://h' };
  const nowhere = await run('compute', bad);
  t.match(nowhere.err, /2 fault\(s\).*REDIS_URL: the value given is not.*REDIS_READ_URL/s);
});

t.test('commands take the options that they have, and print them', async (t) => {
  const [help, move, role, extra, unknown, start, live] = await Promise.all([
    run('key', {}, '--help'),
    run('history-move', {}, '--help'),
    run('compute', {}, '--help'),
    run('compute', {}, '--threads'),
    run('key', {}, '--restroe'),
    run('local', { DATA_DIR: folder(t) }, '--dmeo'),
    run('feed', { LIVE: 'foo', REDIS_URL: 'redis://127.0.0.1:1' }),
  ]);
  t.match(help, { code: 0, out: /^usage: npm run key.*--restore.*--help/s });
  t.match(move, { code: 0, out: /^usage: HISTORY_URL=.* npm run history:move.*--help/s });
  t.match(role, { code: 0, out: /^usage: npm run compute.*check-config -- compute.*--help/s });
  t.match(extra, { code: misconfigured, out: '', err: /--threads.*usage: npm run compute/s });
  t.match(unknown, { code: misconfigured, out: '', err: /--restroe.*usage: npm run key/s });
  t.match(start, { code: misconfigured, out: '', err: /--dmeo.*usage: npm start/s });
  t.match(live, { code: misconfigured, err: /LIVE: foo unknown; it is on, off, or some of/ });
});

t.test('a variable that is probably meant as a setting is named at the start', async (t) => {
  const settings = { PROT: '1', LOGLEVEL: 'warn', REDIS_URL: 'redis://127.0.0.1:1' };
  const { out } = await run('history-move', { ...settings, DATA_DIR: folder(t) });
  t.match(out, /PROT is no setting: did you mean PORT\?/);
  t.match(out, /LOGLEVEL is no setting: did you mean LOG_LEVEL\?/);
});

t.test('the health check of a process says whether it works', async (t) => {
  const redis = await startTestRedis();
  t.teardown(() => redis.stop());
  const bus = createBus({ url: redis.url, process: 'test' });
  t.teardown(() => bus.close());
  // Of a time to come: on a busy machine the checks take longer to start than a sign of life is valid.
  const at = Date.now() + 600_000;
  const status = { pid: 1, started: 1, rss_bytes: 1, loop_p99_ms: 1, at };
  const alive = { id: 'a', role: 'history', host: hostname(), ...status } as const;
  const elsewhere = { ...alive, id: 'b', role: 'feed', host: 'elsewhere.test' } as const;
  const dead = { ...alive, id: 'c', role: 'compute', at: Date.now() - 3_600_000 } as const;
  for (const process of [alive, elsewhere, dead])
    await bus.publish('processes', process.id, process);
  const codes = [200, 503];
  const web = createHttpServer((request, response) => {
    response.statusCode = request.url === '/healthz' ? (codes.shift() ?? 500) : 404;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
  t.teardown(() => web.close());
  const address = web.address();
  const PORT = typeof address === 'object' && address !== null ? `${address.port}` : '';
  t.match(
    await run('health', { PORT }),
    { out: '', err: '', code: 0 },
    'a web process, when none is named',
  );
  const ill = { err: `http://127.0.0.1:${PORT}/healthz answers 503\n`, code: 1 };
  t.match(await run('health', { PORT }, 'web'), ill);
  const REDIS_URL = redis.url;
  const found = await Promise.all(
    ['history', 'feed', 'compute'].map((role) => run('health', { REDIS_URL }, role)),
  );
  const silent = (role: string) => `no ${role} process of this host gives signs of life\n`;
  t.strictSame(
    found.map(({ err, code }) => [code, err]),
    [
      [0, ''],
      [1, silent('feed')],
      [1, silent('compute')],
    ],
  );
  t.match(await run('health', {}, 'feed'), { err: /REDIS_URL is not set/, code: 1 });

  const key = await run('key', { REDIS_URL });
  t.match(key, { out: /^tm_live_\w+\n$/, err: '', code: 0 }, 'another key, and nothing else');
});

t.test('another key needs a service that has run', async (t) => {
  const { out, err, code } = await run('key', { DATA_DIR: folder(t) });
  t.match(err, /^nothing runs with the data folder .*: start the service first .*\n$/);
  t.same({ out, code }, { out: '', code: misconfigured });
});

t.test('the one command starts nothing with a wrong setting', async (t) => {
  const dataDir = folder(t);
  const { out, err, code } = await run('local', { SOURCES: 'foo', DATA_DIR: dataDir });
  t.match(err, /1 fault\(s\):\n {2}SOURCES: foo unknown/);
  t.same({ out, code }, { out: '', code: misconfigured });
});

t.test('the disk of a folder', async (t) => {
  const path = folder(t);
  const { blocks, bsize } = statfsSync(path);
  const { size, free = 0 } = diskOf(path) ?? {};
  t.equal(size, blocks * bsize);
  t.ok(free > 1e6 && free <= blocks * bsize);
  t.equal(diskOf(join(path, 'nowhere')), null);
});

t.test('a data folder that cannot be written is one line', async (t) => {
  const file = join(folder(t), 'file');
  writeFileSync(file, '');
  const { err, code } = await run('local', { DATA_DIR: join(file, 'data') });
  t.match(err, /^DATA_DIR: .*data cannot be written \(ENOTDIR\); set DATA_DIR .*\n$/);
  t.equal(code, misconfigured);
});

t.test('series are moved where they are and where they shall be', async (t) => {
  const nowhere = { DATA_DIR: folder(t), HISTORY_URL: 'postgres://127.0.0.1:1/x' };
  const found = await Promise.all([run('history-move', {}), run('history-move', nowhere)]);
  t.match(found, [
    { err: /^HISTORY_URL is not set: where should the series go\?\n$/, code: misconfigured },
    { err: /history does not exist: there is nothing to move\n$/, code: misconfigured },
  ]);
});

t.test('a copy of the series that is stopped half way has failed', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const path = folder(t);
  mkdirSync(join(path, historyFolder));
  const script = fileURLToPath(commands['history-move']);
  const move = fork(script, [], {
    silent: true,
    env: { ...process.env, DATA_DIR: path, HISTORY_URL: `postgres://127.0.0.1:${port}/x` },
  });
  const [socket] = await once(silent, 'connection');
  t.teardown(() => socket.destroy());
  const ended = once(move, 'exit');
  move.kill('SIGTERM');
  t.strictSame(await ended, [1, null]);
});

t.test('redis-server that cannot start says why, and its folder is made again', async (t) => {
  const dataDir = folder(t);
  const silent = createServer().listen(socketPath(dataDir));
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const { lines, log } = logBook();
  const { service } = await startRedis(dataDir, { log, end: () => {} });
  t.teardown(() => service.stop());
  t.ok(service.pid, 'a socket that accepts connections and says nothing is no instance');
  const { pid } = service;
  rmSync(join(dataDir, 'redis'), { recursive: true });
  process.kill(pid ?? 0, 'SIGKILL');
  await until(() => service.pid !== undefined && service.pid !== pid, 'it is started again');
  await until(() => existsSync(join(dataDir, 'redis', 'appendonlydir')), 'it writes its file');
  const errors = lines.filter(({ level }) => level === 50);
  t.match(errors, [{ signal: 'SIGKILL', msg: 'redis-server ended' }]);
  await service.stop();

  const broken = folder(t);
  mkdirSync(join(broken, 'redis'));
  writeFileSync(join(broken, 'redis', 'appendonlydir'), 'a file in the place of a folder');
  const book = logBook();
  await t.rejects(startRedis(broken, { log: book.log, end: () => {} }), {
    message: /redis-server cannot start under .*: Can't open or create append-only dir/,
  });
  const [failure] = book.lines.filter(({ level }) => level === 50);
  t.match(failure, { msg: 'redis-server ended', code: 1 });
  t.match(String(failure?.output), /append/i, 'with what it printed');
});
