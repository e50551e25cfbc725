import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from '../config/log.ts';
import { type Kept, keep } from './keep.ts';
import { StartError } from './process.ts';

/** Longest path of a unix socket on Linux and macOS, with room to spare. */
const longestSocketPath = 100;

/**
 * Ends a process when standard input closes, which the kernel does when the process that holds the other end
 * dies, however it dies: no server is left behind after a SIGKILL.
 */
const leash = 'cat >/dev/null; kill "$1" 2>/dev/null';

/** Runs redis-server as a child that does not outlive this process. */
function spawnRedis(args: readonly string[], log: Logger): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
  const child = spawn('redis-server', args, { stdio, detached: true });
  child.stdout?.on('data', (text: Buffer) => log.debug({ redis: text.toString().trim() }));
  if (child.pid === undefined) return child;
  const guard = spawn('sh', ['-c', leash, 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.once('exit', () => guard.kill('SIGKILL'));
  return child;
}

const socketPath = (folder: string) => {
  const path = join(folder, 'redis.sock');
  if (path.length <= longestSocketPath) return path;
  return join(
    tmpdir(),
    `tidemark-${createHash('sha1').update(path).digest('hex').slice(0, 12)}.sock`,
  );
};

/** True when something accepts connections on the socket. */
const answers = (path: string) =>
  new Promise<boolean>((done) => {
    const socket = createConnection(path);
    socket.setTimeout(1_000, () => socket.destroy());
    socket.once('connect', () => socket.end(() => done(true)));
    socket.once('error', () => done(false)).once('close', () => done(false));
  });

/**
 * Starts the private redis-server of local mode under `dataDir`, on a unix socket only. Every write is on disk
 * before it is confirmed (`appendfsync always`): API keys are the one thing that may not be lost.
 */
export async function startRedis(
  dataDir: string,
  log: Logger,
): Promise<{ url: string; kept: Kept }> {
  const folder = resolve(dataDir);
  const socket = socketPath(folder);
  if (spawnSync('redis-server', ['--version']).error) {
    throw new StartError('redis-server is not on the path: run `npm run setup`, or set REDIS_URL');
  }
  mkdirSync(join(folder, 'redis'), { recursive: true, mode: 0o700 });
  if (await answers(socket)) {
    throw new StartError(
      `another instance runs on ${dataDir}: stop it, or set DATA_DIR to another folder`,
    );
  }
  const settings = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir: join(folder, 'redis'),
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
    loglevel: 'warning',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const kept = keep('redis', () => spawnRedis(args, log), log);
  for (const end = Date.now() + 15_000; !(await answers(socket)); ) {
    if (Date.now() > end) throw new StartError(`redis-server did not start under ${dataDir}`);
    await new Promise((wait) => setTimeout(wait, 20));
  }
  return { url: `unix://${socket}`, kept };
}
