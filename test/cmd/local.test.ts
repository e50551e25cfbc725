/** The whole service as a stranger starts it: every process, a real redis-server, the simulator. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { venues } from '../../actors/venues/registry.ts';
import { until } from '../support/until.ts';

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

interface Service {
  url: string;
  child: ChildProcess;
  /** The processes of this service, whoever their parent is by now. */
  running(part?: string): number[];
  get(path: string): Promise<{ status: number; data: Record<string, object> }>;
}

async function start(t: Test): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-local-'));
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    WEB_CONCURRENCY: '2',
    REDIS_URL: '',
    UPSTREAM_GATEWAY: '',
  };
  const child = spawn(process.execPath, ['cmd/local.ts', '--demo'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const running = (part = '') =>
    processes(folder)
      .filter(({ command }) => command.includes(part))
      .map(({ pid }) => pid);
  t.teardown(() => {
    for (const pid of running()) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await until(() => text.includes('curl'), 'the URL is printed', 40_000);
  const url = /http:\/\/[\d.:]+/.exec(text)?.[0] ?? '';
  const get = async (path: string) => {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(12_000) });
    const body: { data?: Record<string, object> } = JSON.parse(await response.text());
    return { status: response.status, data: body.data ?? {} };
  };
  return { url, child, running, get };
}

const works = async ({ get }: Service) => {
  try {
    const price = await get('/v1/prices?symbol=BTC');
    const book = await get('/v2/orderbook?exchange=okx&symbol=BTC-USDT-SWAP&depth=1');
    return price.status === 200 && book.status === 200;
  } catch {
    return false;
  }
};

t.test(
  'it serves, survives the death of any of its processes, and leaves none behind',
  async (t) => {
    const service = await start(t);
    const { get, running } = service;

    const prices = await get('/v1/prices?symbol=btc');
    const exchanges = Object.keys(venues).sort();
    t.same(Object.keys(prices.data.exchanges ?? {}).sort(), exchanges, 'all of the registry');
    const status = await get('/v1/status');
    t.same(Object.keys(status.data.sources ?? {}).sort(), exchanges);
    t.equal((await get('/v1/bars?symbol=ETH&interval=1d&limit=3')).status, 200);

    const parts = ['cmd/web.ts', 'cmd/feed.ts', 'redis-server', 'simulator/main.ts'];
    for (const part of parts) {
      const before = running(part);
      t.ok(before.length > 0, `${part} runs`);
      for (const pid of before) process.kill(pid, 'SIGKILL');
      await until(() => running(part).some((pid) => !before.includes(pid)), `${part} is back`);
      await until(
        () => works(service),
        `the service works again without the killed ${part}`,
        40_000,
      );
      t.pass(`killed ${part}: it came back`);
    }

    const ended = once(service.child, 'exit');
    service.child.kill('SIGTERM');
    const [code] = await ended;
    t.equal(code, 0, 'SIGTERM ends it with status 0');
    t.same(running(), [], 'and no process is left');
  },
);

t.test('a SIGKILL of the one command takes everything with it', async (t) => {
  const service = await start(t);
  t.ok(service.running().length > 4);
  service.child.kill('SIGKILL');
  await until(() => service.running().length === 0, 'all processes are gone', 15_000);
  t.pass('nothing is left');
});
