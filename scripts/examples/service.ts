/** A demo of the service whose time starts at a fixed moment. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnv } from '../../config/config.ts';

const root = join(import.meta.dirname, '..', '..');

/** The moment, Unix ms: a Thursday, so that weekly options have not expired. */
const start = Date.UTC(2026, 0, 15, 12);

/** Longest time until it is ready, ms. */
const patience = 90_000;

/** A running demo. */
export interface Demo {
  url: string;
  /** Credentials by the name of their security scheme. */
  credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
  stop(): Promise<void>;
}

/** The first match of `pattern` in what the process writes. */
function written(child: ChildProcess, pattern: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    const found = pattern.exec(text);
    if (found) resolve(found[1] ?? found[0]);
  });
  child.once('exit', (code) => reject(new Error(`the demo has ended (${code}): ${text}`)));
  setTimeout(() => reject(new Error('the demo did not start')), patience).unref();
  return promise;
}

async function ready(url: string): Promise<void> {
  for (const end = performance.now() + patience; performance.now() < end; ) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('the demo is not ready');
}

/**
 * Starts a demo in a folder of its own. Its time starts at the moment: the simulator's numbers are a function of the time, so that all
 * runs give the same examples.
 */
export async function startDemo(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-examples-'));
  const env = childEnv({
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    WEB_CONCURRENCY: '1',
    METRICS_PUBLIC: '1',
    SECURITY_CONTACT: 'mailto:security@example.org',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'clock.mjs')}`,
    AHEAD: String(start - Date.now()),
  });
  const node = process.execPath;
  const child = spawn(node, ['cmd/local.ts', '--demo'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [key, url] = await Promise.all([
    written(child, /tm_live_\w+/),
    written(child, /http:\/\/[\d.:]+/),
  ]);
  await ready(url);
  const token = execFileSync(node, ['cmd/token.ts', '--sub', 'example'], { cwd: root, env });
  const authorization = `Bearer ${token.toString().trim().split('\n').at(-1)}`;
  return {
    url,
    credentials: { ApiKey: { 'x-api-key': key }, Bearer: { authorization } },
    async stop() {
      child.removeAllListeners('exit');
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
