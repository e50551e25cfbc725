import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from '../../config/log.ts';
import { type ChildService, keepRunning } from './child-service.ts';
import { longestSocketPath, makeFolder } from './folder.ts';
import { type ProcessContext, StartError } from './process.ts';

/**
 * Ends a process when standard input closes, which the kernel does when the process that holds the other end
 * dies, however it dies: no server is left behind after a SIGKILL.
 */
const leash = 'cat >/dev/null; kill "$1" 2>/dev/null';

/** Number of redis-server's last lines that are logged when it ends. */
const mostLines = 12;

/** Takes the output of redis-server: logs it, and says with the last lines why a server ended that should not. */
class Output {
  readonly #log: Logger;
  #lines: string[] = [];
  /** Servers that ended with a fault. */
  ends = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The last line, without the process id and the date that begin it. */
  get last(): string {
    return (this.#lines.at(-1) ?? 'it printed nothing').replace(/^\d+:\w .*? [#*.-] /, '');
  }

  /** The lines of a server stay until the next one prints any. */
  follow(child: ChildProcess): void {
    let printed: string[] = [];
    const take = (text: Buffer) => {
      const lines = text.toString().trim().split('\n');
      this.#log.debug({ redis: lines });
      printed = [...printed, ...lines].slice(-mostLines);
      this.#lines = printed;
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('close', (code, signal) => {
      if (code === 0) return;
      this.ends++;
      this.#log.error({ code, signal, output: printed }, 'redis-server ended');
    });
  }
}

/** Runs redis-server as a child that ends with this process. */
function spawnRedis(args: readonly string[], output: Output): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
  const child = spawn('redis-server', args, { stdio, detached: true });
  output.follow(child);
  if (child.pid === undefined) return child;
  const guard = spawn('sh', ['-c', leash, 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.once('exit', () => guard.kill('SIGKILL'));
  return child;
}

/** The socket of the private redis-server of a data folder. */
export const socketPath = (dataDir: string): string => {
  const folder = resolve(dataDir);
  const path = join(folder, 'redis.sock');
  if (path.length <= longestSocketPath) return path;
  return join(
    tmpdir(),
    `tidemark-${createHash('sha1').update(path).digest('hex').slice(0, 12)}.sock`,
  );
};

/** The number of failures of redis-server after which a first start ends: a later try would fail as well. */
const mostEnds = 3;

function remake(folder: string, log: Logger): void {
  try {
    makeFolder(folder);
  } catch (error) {
    log.error({ err: error }, 'the folder of redis-server cannot be made');
  }
}

/** True when a server replies on the socket: one that cannot open its files accepts connections, and then ends. */
const answers = (path: string) =>
  new Promise<boolean>((done) => {
    const socket = createConnection(path);
    socket.setTimeout(1_000, () => socket.destroy());
    socket.write('PING\r\n');
    socket.once('data', () => socket.end(() => done(true)));
    socket.once('error', () => done(false)).once('close', () => done(false));
  });

/**
 * Starts the private redis-server of local mode under `dataDir`, on a unix socket only. Every write is on disk
 * before it is confirmed (`appendfsync always`): API keys are the one thing that may not be lost.
 */
export async function startRedis(
  dataDir: string,
  context: Pick<ProcessContext, 'log' | 'end'>,
): Promise<{ url: string; service: ChildService }> {
  makeFolder(dataDir);
  const socket = socketPath(dataDir);
  if (spawnSync('redis-server', ['--version']).error) {
    throw new StartError('redis-server is not on the path: run `npm run setup`, or set REDIS_URL');
  }
  if (await answers(socket)) {
    throw new StartError(
      `another instance runs on ${dataDir}: stop it, or set DATA_DIR to another folder`,
    );
  }
  const settings = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir: makeFolder(dataDir, 'redis'),
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
    loglevel: 'warning',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const output = new Output(context.log);
  const spawnAgain = () => {
    // Somebody may have removed the folder since.
    remake(settings.dir, context.log);
    return spawnRedis(args, output);
  };
  const service = keepRunning('redis', spawnAgain, context);
  for (const end = performance.now() + 15_000; !(await answers(socket)); ) {
    if (performance.now() > end || output.ends >= mostEnds) {
      await service.stop();
      throw new StartError(`redis-server cannot start under ${dataDir}: ${output.last}`);
    }
    await new Promise((wait) => setTimeout(wait, 20));
  }
  return { url: `unix://${socket}`, service };
}
