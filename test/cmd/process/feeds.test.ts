/** Two feed processes on a real Redis, with simulated exchanges: they share the sources, and the one that stays goes on with all. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ProcessReport } from '../../../actors/topics/index.ts';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { busStage } from '../../support/bus-stage.ts';
import { until } from '../../support/until.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const sources = [
  'kraken',
  'bitstamp',
  'coinbase',
  'woo',
  'backpack',
  'lighter',
  'bitfinex',
  'wallets',
];

interface Line {
  msg: string;
  time: number;
  source?: string;
}

interface Feed {
  child: ChildProcess;
  /** Its log. */
  said: Line[];
}

/** Starts a feed process; it ends with the test. */
function startFeed(t: Test, env: Record<string, string>): Feed {
  const child = spawn(process.execPath, ['cmd/feed.ts'], {
    cwd: root,
    env: { ...process.env, ...env, SOURCES: sources.join(), LOG_LEVEL: 'info', LOG_FORMAT: 'json' },
    stdio: ['ignore', 'pipe', 2],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const said: Line[] = [];
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) said.push(JSON.parse(line));
  });
  return { child, said };
}

t.test('the second process takes over half, and all when the first one ends', async (t) => {
  const { server, bus, raw } = await busStage(t, { process: 'test' });
  const simulator = await startSimulator({ symbols: 12 });
  t.teardown(() => simulator.close());
  const env = { REDIS_URL: server.url, UPSTREAM_GATEWAY: simulator.url };
  /** How many sources each process holds, the largest number first. */
  const shares = async () => {
    const holders = await raw.mget(sources.map((name) => `lease:${name}`));
    const held = holders.flatMap((holder) => holder ?? []);
    const counts = [...Map.groupBy(held, (process) => process).values()].map(
      ({ length }) => length,
    );
    return counts.sort((a, b) => b - a).join();
  };
  const reports = async (): Promise<ProcessReport[]> => [...(await bus.last('processes')).values()];

  const first = startFeed(t, env);
  await until(async () => (await shares()) === '8', 'the first process runs all', 90_000, 100);
  const second = startFeed(t, env);
  const isShared = async () => /^(4,4|5,3)$/.test(await shares());
  // No source moves within its first minute.
  await until(isShared, 'each runs about half', 150_000, 100);
  const handedOver = () => first.said.filter(({ msg }) => msg === 'another process goes on').length;
  const shared = handedOver();
  t.ok(shared >= 3, `${shared} sources were handed over`);
  // What a process states of itself is up to five seconds old.
  const stated = async () => {
    const all = await reports();
    const counts = all.map(({ load }) => load?.sources ?? 0).sort();
    return /^(4,4|3,5)$/.test(counts.join());
  };
  await until(stated, 'both state what they run', 30_000, 100);
  for (const { load } of await reports())
    t.ok(load && load.cpu > 0 && load.rows_per_second > 0, JSON.stringify(load));
  const before = await bus.last('prices');
  t.ok(before.size >= 7, 'every exchange has prices');

  first.child.kill('SIGTERM');
  const [status] = await once(first.child, 'exit');
  t.equal(status, 0);
  const left = handedOver() - shared;
  // What the other one is not ready for within six seconds it begins anew.
  t.ok(left >= 1, `${left} more were handed over before its end`);
  await until(async () => (await shares()) === '8', 'the second process runs all', 90_000, 100);
  const taken = (name: string) =>
    second.said.findLast(({ msg, source }) => msg === 'running' && source === name);
  const isFresh = async () =>
    [...(await bus.last('prices'))].every(([key, { received }]) => {
      const { time = Number.POSITIVE_INFINITY } = taken(key.split('/')[0] ?? '') ?? {};
      return received >= time;
    });
  await until(isFresh, 'it has read every price since it took the source over', 90_000, 100);
  second.child.kill('SIGTERM');
  t.strictSame(await once(second.child, 'exit'), [0, null]);
});
