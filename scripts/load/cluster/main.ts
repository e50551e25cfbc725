/** `npm run load -- cluster`: what clients notice while processes of every role are killed. */
import { setTimeout as rest } from 'node:timers/promises';
import { onStage } from '../../bench/stage.ts';
import { Random } from '../fuzz/random.ts';
import { Balancer } from './balancer.ts';
import { connectDead } from './clients.ts';
import {
  type Age,
  ageFindings,
  type Finding,
  type Kill,
  listed,
  most,
  note,
  some,
  textOf,
} from './findings.ts';
import { type Around, Followers, orders } from './followers.ts';
import { Keys } from './keys.ts';
import { type ClusterOptions, clusterHelp, clusterOptions } from './options.ts';
import { answerable, Requests } from './requests.ts';
import { Cluster, roles } from './service.ts';
import { storedFindings } from './stored.ts';
import { Truth } from './truth.ts';

/** Until the service is ready, ms. */
const patience = 600_000;
/** Symbols that are asked for. */
const wanted = 12;

async function ready(balancer: Balancer, webs: number): Promise<void> {
  for (const end = performance.now() + patience; performance.now() < end; await rest(500)) {
    if (balancer.readyCount === webs) return;
  }
  throw new Error('not every web process is ready');
}

/** Kills one process after another; those that are away come back meanwhile. Resolves when all are started again. */
async function strike(cluster: Cluster, options: ClusterOptions, around: Around): Promise<Kill[]> {
  const random = new Random(options.seed, 0);
  const { balancer, key } = around;
  const kills: Kill[] = [];
  const back: Promise<void>[] = [];
  const end = performance.now() + options.seconds * 1_000;
  const every = options.every * 1_000;
  while (every > 0 && performance.now() + every < end) {
    await rest(every);
    const [first, ...others] = cluster.killable(balancer.readyCount);
    if (first === undefined) continue;
    const role = random.pick([first, ...others]);
    const kill: Kill = { role, at: Date.now(), until: Number.POSITIVE_INFINITY };
    kills.push(kill);
    // As for an update.
    const isAsked = options.push && role === 'web' && random.chance(0.5);
    const signal = isAsked ? 'SIGTERM' : 'SIGKILL';
    const replaced = cluster
      .replace(role, () => random.below(1_000) / 1_000, signal)
      .then(() => {
        kill.until = Date.now();
      });
    // Awaited at the end: without a listener a failure until then would end this process.
    replaced.catch(() => {});
    back.push(replaced);
    if (options.push) void connectDead({ balancer, key, path: orders });
  }
  await rest(Math.max(0, end - performance.now()));
  await Promise.all(back);
  return kills;
}

function killFindings({ died }: Cluster, kills: readonly Kill[]): Finding[] {
  const counts = roles.map((role) => {
    const own = kills.filter((kill) => kill.role === role);
    return [role, own.length] as const;
  });
  return [note('killed', listed(counts)), most('processes that ended by themselves', died, 0)];
}

function valueFindings({ compared: { checked, wrong, unknown, examples } }: Truth): Finding[] {
  return [
    some('values compared', checked),
    most('wrong values', wrong, 0),
    ...examples.map((one) => note('wrong', one)),
    note('values of markets that are not in the model', `${unknown}`),
  ];
}

/** Runs the load on a cluster that was started. */
async function measure(cluster: Cluster, options: ClusterOptions): Promise<Finding[]> {
  const { ports, token, redis, historyUrl } = cluster.shared;
  const balancer = new Balancer(ports);
  await ready(balancer, ports.length);
  await rest(options.settle * 1_000);
  const keys = new Keys(balancer, token);
  const truth = new Truth(options);
  const around = { balancer, key: await keys.make(), truth, symbols: truth.symbols(wanted) };
  const ages: Age[] = [];
  const names = answerable(options);
  const requests = new Requests({ ...around, names, onAge: (age) => void ages.push(age) });
  const followers = new Followers(options.clients, around);
  const running = Promise.all([requests.run(options.rate), keys.run()]);
  let isCalm = false;
  const stalled = options.push ? followers.stallSome(() => isCalm) : null;
  const kills = await strike(cluster, options, around);
  isCalm = true;
  await rest(options.calm * 1_000);
  await stalled;
  requests.stop();
  keys.stop();
  await running;
  const { findings, log } = await followers.end(redis.url);
  const stored = options.events ? await storedFindings(historyUrl, log) : [];
  await balancer.stop();
  return [
    ...killFindings(cluster, kills),
    ...requests.findings(),
    note('requests that were sent again to another process', `${balancer.retried}`),
    ...valueFindings(truth),
    ...findings,
    ...stored,
    ...ageFindings(ages, kills),
    ...keys.findings(),
  ];
}

/** Starts a cluster, loads it and ends it. */
export const runCluster = (options: ClusterOptions): Promise<Finding[]> =>
  onStage(async (stage) => {
    const cluster = await Cluster.start(stage, options);
    try {
      return await measure(cluster, options);
    } finally {
      await cluster.end();
    }
  });

/** Whether every goal was reached. */
export async function loadCluster(args: string[]): Promise<boolean> {
  const options = clusterOptions(args);
  if (options === null) {
    console.log(clusterHelp);
    return true;
  }
  const findings = await runCluster(options);
  console.log(textOf(findings));
  return findings.every(({ ok }) => ok !== false);
}
