import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { until } from './until.ts';

export interface TestRedisOptions {
  /** Kept at the end; a temporary one, removed at the end, when absent. */
  dir?: string;
  /** A TCP port on 127.0.0.1; a unix socket in `dir` when absent. */
  port?: number;
  /** Further arguments, such as `['--appendonly', 'yes']`; nothing is kept on disk when absent. */
  args?: readonly string[];
}

export interface TestRedis {
  readonly url: string;
  readonly dir: string;
  readonly pid: number;
  /** Ends it by SIGTERM and cleans up. Idempotent. */
  stop(): Promise<void>;
  /** Ends it by SIGKILL; `restart` may follow. */
  kill(): Promise<void>;
  /** Starts it again at the same address, after killing it if it runs: empty unless `args` say otherwise. */
  restart(): Promise<void>;
  /** SIGSTOP: the connections stay, no answer comes. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
}

/**
 * A real redis-server that accepts commands. Call `stop` in a teardown; should the test process die before,
 * however it dies, a watchdog kills the server.
 */
export async function startRedis(options: TestRedisOptions = {}): Promise<TestRedis> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'redis-')));
  const socket = join(dir, 'redis.sock');
  const { port } = options;
  const address = port === undefined ? { path: socket } : { host: '127.0.0.1', port };
  const where =
    port === undefined
      ? ['--port', '0', '--unixsocket', socket]
      : ['--port', `${port}`, '--bind', '127.0.0.1'];
  const args = [
    ...where,
    '--dir',
    dir,
    '--save',
    '',
    '--appendonly',
    'no',
    ...(options.args ?? []),
  ];
  let server = await start(args, address);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGCONT');
    server.kill(signal);
    await ended;
  };
  return {
    url: port === undefined ? `unix://${socket}` : `redis://127.0.0.1:${port}`,
    dir,
    get pid() {
      return server.pid ?? 0;
    },
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
      if (options.dir === undefined) await rm(dir, { recursive: true, force: true });
    },
    async restart() {
      await end('SIGKILL');
      server = await start(args, address);
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
  };
}

/** The same, which ends with the test. */
export async function redisOf(
  t: Pick<Test, 'teardown'>,
  options?: TestRedisOptions,
): Promise<TestRedis> {
  const server = await startRedis(options);
  t.teardown(() => server.stop());
  return server;
}

type Address = { path: string } | { host: string; port: number };

/** Starts redis-server with these arguments: resolves when it answers. It dies with this process. */
export async function start(args: readonly string[], address: Address): Promise<ChildProcess> {
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  server.stdout?.on('data', (chunk) => {
    output = (output + chunk).slice(-2_000);
  });
  await once(server, 'spawn');
  watch(server);
  const answers = async (): Promise<boolean> => {
    if (server.exitCode !== null) throw new Error(`redis-server ended:\n${output}`);
    return ping(address);
  };
  try {
    await until(answers, 'redis-server answers');
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  }
  return server;
}

/** Its standard input ends when this process does, and with it the server; a line means that all is well. */
function watch(server: ChildProcess): void {
  const watchdog = spawn('/bin/sh', ['-c', `read -r _ || kill -9 ${server.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  watchdog.stdin?.on('error', () => {});
  server.once('exit', () => watchdog.stdin?.end('\n'));
}

function ping(address: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
    socket.on('data', (data) => {
      resolve(/^(\+PONG|-NOAUTH)/.test(data.toString()));
      socket.destroy();
    });
    socket.write('PING\r\n');
  });
}
