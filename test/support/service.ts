import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * Processes that carry a marker in their environment or command line (redis-server writes its title over its
 * environment). Linux only, like the rest of these tests.
 */
function processes(marker: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const environ = readFileSync(`/proc/${name}/environ`, 'utf8');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const marked = environ.includes(marker) || command.includes(marker);
        return marked && command !== '' ? [{ pid: Number(name), command }] : [];
      } catch {
        return [];
      }
    });
}

/** Kills a process that may have ended by itself since it was found. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const answersAt = async (url: string) => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok === true;
};

/** The whole service, running. */
export interface Service {
  url: string;
  /** The API key that was printed. */
  key: string;
  child: ChildProcess;
  /** The processes of this service, whoever their parent is by now. */
  running(part?: string): number[];
  /** What it has printed so far. */
  printed(): string;
  /** Its data folder. */
  folder: string;
  /** With that key. */
  get(path: string): Promise<{ status: number; data: Record<string, object> }>;
}

/**
 * Starts the one command with its own Redis on a free port, and waits until it answers at the URL that it printed; it
 * ends with the test. `args` and `env` go on top; `folder` is that of an earlier start.
 */
export async function startService(
  t: Test,
  {
    args = [],
    env: more = {},
    folder = mkdtempSync(join(tmpdir(), 'tidemark-local-')),
  }: { args?: readonly string[]; env?: Record<string, string>; folder?: string },
): Promise<Service> {
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    WEB_CONCURRENCY: '2',
    REDIS_URL: '',
    UPSTREAM_GATEWAY: '',
    ...more,
  };
  const child = spawn(process.execPath, ['cmd/local.ts', ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 2, 'pipe'],
  });
  const running = (part = '') =>
    processes(folder)
      .filter(({ command }) => command.includes(part))
      .map(({ pid }) => pid);
  t.teardown(() => {
    for (const pid of running()) kill(pid);
    rmSync(folder, { recursive: true, force: true });
  });
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await until(() => text.includes('curl'), 'the URL is printed', 90_000);
  const url = /http:\/\/[\d.:]+/.exec(text)?.[0] ?? '';
  await until(() => answersAt(`${url}/healthz`), 'it answers', 90_000, 100);
  const key = /tm_live_\w+/.exec(text)?.[0] ?? '';
  const get = async (path: string) => {
    const response = await fetch(url + path, {
      headers: { 'x-api-key': key },
      signal: AbortSignal.timeout(30_000),
    });
    const body: { data?: Record<string, object> } = JSON.parse(await response.text());
    return { status: response.status, data: body.data ?? {} };
  };
  return { url, key, folder, child, running, get, printed: () => text };
}
