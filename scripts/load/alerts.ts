/**
 * `npm run load:alerts -- --rules 10000 --symbols 1000 --rows 6000 --seconds 30`: what one alerts process costs while so many rows a
 * second change prices, and how long it takes from a publication to the receiver. With `--kills 1000` instead: so many expected
 * firings while the process and Redis are killed (SIGKILL) at random moments. Each must be delivered at least once, and what is
 * delivered twice must have one id. Exit status 1 where that is not so.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createBus } from '../../actors/bus/bus.ts';
import { silent } from '../../actors/bus/log.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import type { PriceRow, ProcessReport } from '../../actors/topics/index.ts';
import { newSecret } from '../../alerts/rules/signature.ts';
import { RuleStore } from '../../alerts/store/rule-store.ts';
import { flagsOf } from '../../cmd/process/flags.ts';
import { childEnv } from '../../config/config.ts';
import { issueKey } from '../../http/auth/issue.ts';
import { alertRule, startReceiver } from '../../test/support/alerts.ts';
import { priceRow, reading } from '../../test/support/makers.ts';
import { startRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { isUsage, whole } from './arguments.ts';

const root = join(import.meta.dirname, '..', '..');
const account = 'load';
/** Between two publications of what has changed: as feeds do, ms. */
const publishEvery = 250;
const exchanges = ['binance', 'okx', 'bybit', 'gate', 'bitget', 'kraken'] as const;

/** A script has no test that ends: what it started ends with it. */
const endings: (() => unknown)[] = [];
const teardown = { teardown: (end: () => unknown) => void endings.push(end) };

async function openStage() {
  const dir = mkdtempSync(join(tmpdir(), 'tidemark-alerts-'));
  const redis = await startRedis({ dir, args: ['--appendonly', 'yes', '--appendfsync', 'always'] });
  endings.push(() => rmSync(dir, { recursive: true, force: true }));
  endings.push(() => redis.stop());
  await issueKey({ redisUrl: redis.url, account, plan: 'local', name: 'load', log: silent });
  const bus = createBus({ url: redis.url, process: 'load' });
  endings.push(() => bus.close());
  const store = new RuleStore(redis.url, { name: 'load/rules', clock, log: silent });
  endings.push(() => store.close());
  await store.setSecret(account, newSecret(), { now: clock.now(), isFirst: true });
  const receiver = await startReceiver(teardown);
  return { redis, bus, store, receiver };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

let child: ChildProcess | null = null;
endings.push(() => child?.kill('SIGKILL'));

function start({ redis, receiver }: Stage): ChildProcess {
  const env = {
    ...{ REDIS_URL: redis.url, ALERT_HOSTS_ALLOWED: receiver.host, LOG_LEVEL: 'error' },
    ...{ SOURCES: exchanges.join(), RELAY: '0', UPSTREAM_GATEWAY: `http://${receiver.host}` },
  };
  child = spawn(process.execPath, [...flagsOf('cmd/alerts.ts'), 'cmd/alerts.ts'], {
    ...{ cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    env: childEnv(env),
  });
  return child;
}

const symbolAt = (i: number): string => `S${i}`;

const rowOf = (i: number, price: number): PriceRow =>
  priceRow({ symbol: symbolAt(i), market: `${symbolAt(i)}USDT`, price, volume: 1e6 });

const readingOf = (source: string, rows: PriceRow[]) => {
  const at = Date.now();
  return reading(rows, { source, part: 'spot', asked: at, received: at });
};

/** Publishes whole lists of prices, of all symbols. */
async function publishAll({ bus }: Stage, symbols: number, price: (i: number) => number) {
  for (const source of exchanges) {
    const rows = Array.from({ length: symbols }, (_, i) => rowOf(i, price(i)));
    await bus.publish('prices', `${source}/spot`, readingOf(source, rows));
  }
}

async function putRules({ store, receiver }: Stage, count: number, symbols: number): Promise<void> {
  const deliver = [{ type: 'webhook', url: receiver.url }] as const;
  const made = Array.from({ length: count }, (_, n) => {
    const path = `/v1/prices?symbol=${symbolAt(n % symbols)}`;
    // Ten levels above and below, none of which small changes reach.
    const away = 1.05 + 0.01 * Math.floor(n / symbols);
    const condition =
      Math.floor(n / symbols) % 2 === 0
        ? ({ type: 'above', value: 100 * away } as const)
        : ({ type: 'below', value: 100 / away } as const);
    const times = { created_at: clock.now(), updated_at: clock.now() };
    return alertRule({ id: `al_${n}`, account, path, condition, deliver, ...times });
  });
  for (let i = 0; i < made.length; i += 200)
    await Promise.all(made.slice(i, i + 200).map((rule) => store.put(rule)));
}

interface CostOptions {
  rules: number;
  symbols: number;
  rows: number;
  seconds: number;
}

/** The share of a core and the memory of the process while prices change, and the time to the receiver. */
async function cost(stage: Stage, { rules, symbols, rows, seconds }: CostOptions): Promise<void> {
  const { bus, receiver } = stage;
  let report: ProcessReport | null = null;
  await bus.follow({
    processes(_key, one) {
      if (one.role === 'alerts') report = one;
    },
  }).ready;
  await publishAll(stage, symbols, () => 100);
  await putRules(stage, rules, symbols);
  start(stage);
  const all = () => report?.alerts?.rules === rules;
  await until(all, 'all rules are evaluated', 120_000, 200);
  const newest = (): ProcessReport => {
    if (report === null) throw new Error('no report');
    return report;
  };
  const each = Math.round(rows / exchanges.length / (1_000 / publishEvery));
  const reached: { at: number; symbol: string }[] = [];
  let [turn, next] = [0, 0];
  const began = performance.now();
  const first = { ...newest() };
  while (performance.now() - began < seconds * 1_000) {
    turn += 1;
    // Once a second one symbol passes a level, on all exchanges.
    const isReached = turn % 4 === 0;
    for (const source of exchanges) {
      const changed = Array.from({ length: each }, () => {
        next = (next + 1) % symbols;
        return rowOf(next, 100 + Math.sin(next + turn));
      });
      const passed = isReached ? [rowOf(turn / 4, 130)] : [];
      await bus.publish(
        'priceChanges',
        `${source}/spot`,
        readingOf(source, [
          ...passed,
          ...changed.filter(({ symbol }) => passed[0]?.symbol !== symbol),
        ]),
      );
    }
    if (isReached) reached.push({ at: Date.now(), symbol: symbolAt(turn / 4) });
    await rest(Math.max(0, turn * publishEvery - (performance.now() - began)));
  }
  await rest(6_000);
  const last = newest();
  const cpu = ((last.cpu_s ?? 0) - (first.cpu_s ?? 0)) / ((last.at - first.at) / 1_000);
  const times = reached.flatMap(({ at, symbol }) => {
    const found = receiver.got.find(({ body }) =>
      JSON.parse(body).data.path.endsWith(`=${symbol}`),
    );
    return found === undefined ? [] : [found.at - at];
  });
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  console.log(
    JSON.stringify({
      ...{ rules, symbols, rows_per_second: rows, core_share: Number(cpu.toFixed(3)) },
      cpu_us_per_row: Number(((cpu * 1e6) / rows).toFixed(1)),
      rss_mb: Math.round(last.rss_bytes / 2 ** 20),
      delivered: `${times.length} of ${reached.length}`,
      ms_to_receiver: { p50: at(0.5), p99: at(0.99) },
    }),
  );
}

/** Whether each of so many expected firings is delivered, and those that come twice have one id. */
async function kills(stage: Stage, { firings }: { firings: number }): Promise<boolean> {
  const { redis, receiver } = stage;
  const symbols = 50;
  const rounds = Math.ceil(firings / symbols);
  await publishAll(stage, symbols, () => 99);
  for (let n = 0; n < symbols; n++) {
    const deliver = [{ type: 'webhook', url: receiver.url }] as const;
    const times = { created_at: clock.now(), updated_at: clock.now() };
    await stage.store.put(
      alertRule({
        id: `al_${n}`,
        account,
        path: `/v1/prices?symbol=${symbolAt(n)}`,
        deliver,
        ...times,
      }),
    );
  }
  start(stage);
  // Some answers fail: what they were for is tried again.
  receiver.answer = () => ({ status: Math.random() < 0.05 ? 503 : 204 });
  const ids = new Map<string, Set<string>>();
  const count = (): number => {
    for (const { body } of receiver.got.splice(0)) {
      const { data } = JSON.parse(body);
      const own = ids.get(data.alert_id) ?? new Set();
      ids.set(data.alert_id, own.add(data.id));
      deliveries += 1;
    }
    return [...ids.values()].reduce((sum, own) => sum + own.size, 0);
  };
  let deliveries = 0;
  const killed = { alerts: 0, redis: 0 };
  const resolved = new Set<string>();
  stage.bus.follow({
    alertEvents(_key, event) {
      if (event.kind === 'resolved') resolved.add(event.id);
    },
  });
  /** Kills one of them some time after the condition was reached. */
  const strike = async (round: number): Promise<void> => {
    await rest(Math.random() * 1_500);
    if (round % 5 === 0) {
      killed.redis += 1;
      await redis.restart();
    }
    if (round % 2 === 0) {
      killed.alerts += 1;
      child?.kill('SIGKILL');
      if (child) await once(child, 'close');
      start(stage);
    }
  };
  for (let round = 1; round <= rounds; round++) {
    const struck = strike(round);
    await stageUntil(stage, symbols, 101, () => count() >= round * symbols);
    await struck;
    await stageUntil(stage, symbols, 99, () => resolved.size >= round * symbols);
  }
  const distinct = count();
  const isWhole = [...ids.values()].every((own) => own.size === rounds);
  console.log(
    JSON.stringify({
      expected: rounds * symbols,
      distinct,
      deliveries,
      doubles: deliveries - distinct,
      killed,
      isWhole,
    }),
  );
  return isWhole && distinct === rounds * symbols;
}

/** Publishes one price of all symbols until something holds. */
async function stageUntil(stage: Stage, symbols: number, price: number, holds: () => boolean) {
  const end = Date.now() + 120_000;
  do {
    await publishAll(stage, symbols, (i) => price + i / 1_000);
    await rest(300);
    if (Date.now() > end) throw new Error(`not all that was expected has come at ${price}`);
  } while (!holds());
}

try {
  const { values } = parseArgs({
    options: {
      rules: { type: 'string', default: '10000' },
      symbols: { type: 'string', default: '1000' },
      rows: { type: 'string', default: '6000' },
      seconds: { type: 'string', default: '30' },
      kills: { type: 'string' },
    },
  });
  const stage = await openStage();
  if (values.kills === undefined) {
    await cost(stage, {
      rules: whole('rules', values.rules, [1, 100_000]),
      symbols: whole('symbols', values.symbols, [1, 5_000]),
      rows: whole('rows', values.rows, [24, 100_000]),
      seconds: whole('seconds', values.seconds, [5, 3_600]),
    });
  } else if (!(await kills(stage, { firings: whole('kills', values.kills, [50, 100_000]) }))) {
    process.exitCode = 1;
  }
} catch (error) {
  console.error(isUsage(error) ? error.message : error);
  process.exitCode = 2;
}
for (const end of endings.reverse()) await end();
process.exit();
