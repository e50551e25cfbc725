/** A private PostgreSQL server in a temporary folder, on a unix socket, with the binaries of the system's packages. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './until.ts';

export interface TestPostgres {
  /** Connects as a superuser. */
  readonly url: string;
  /** Ends it at once (SIGQUIT to the whole server), as after a crash. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
  /** Ends it and removes its folder. Idempotent. */
  stop(): Promise<void>;
}

/** Debian keeps the server's programs out of the path, in a folder for each version. */
function binaries(): string {
  const packaged = '/usr/lib/postgresql';
  const versions = existsSync(packaged) ? readdirSync(packaged) : [];
  const [newest] = versions
    .filter((version) => existsSync(join(packaged, version, 'bin', 'initdb')))
    .sort((a, b) => Number(b) - Number(a));
  return newest === undefined ? '' : join(packaged, newest, 'bin');
}

/** PostgreSQL refuses to run as root: `nobody` then. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** For tests, which need neither speed nor durability. */
const forTests = ['fsync=off', 'shared_buffers=16MB', 'max_connections=20', 'autovacuum=off'];

export async function startPostgres(settings: readonly string[] = forTests): Promise<TestPostgres> {
  // The path of a unix socket may have 107 characters.
  const folder = mkdtempSync('/tmp/pg-');
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const bin = binaries();
  const data = join(folder, 'data');
  const around = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const made = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  execFileSync(join(bin, 'initdb'), made, { ...around, stdio: 'ignore' });
  const args = ['-D', data, '-k', folder, '-h', '', ...settings.flatMap((one) => ['-c', one])];
  const url = `postgres://postgres@localhost/postgres?host=${folder}`;
  let server: ChildProcess | null = null;
  const end = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  const start = async () => {
    server = spawn(join(bin, 'postgres'), args, { ...around, stdio: 'ignore' });
    await once(server, 'spawn');
    watch(server);
    await until(() => answers(url), 'postgres answers');
  };
  await start();
  return {
    url,
    start,
    kill: () => end('SIGQUIT'),
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Its standard input ends when this process does, and with it the server (SIGQUIT: at once, with all its processes). */
function watch(server: ChildProcess): void {
  const watchdog = spawn('/bin/sh', ['-c', `read -r _ || kill -QUIT ${server.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  watchdog.stdin?.on('error', () => {});
  server.once('exit', () => watchdog.stdin?.end('\n'));
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
