/** `npm run load -- cluster`: what clients notice while processes of every role are killed. */
import { setTimeout as rest } from 'node:timers/promises';
import { createBus } from '../../../actors/bus/bus.ts';
import { onStage } from '../../bench/stage.ts';
import { Random } from '../fuzz/random.ts';
import { Balancer } from './balancer.ts';
import { connectDead, StreamClient } from './clients.ts';
import { Holders } from './holders.ts';
import { Keys } from './keys.ts';
import { type ClusterOptions, clusterHelp, clusterOptions } from './options.ts';
import { type Age, answerable, Requests } from './requests.ts';
import { Cluster, type Role, roles } from './service.ts';
import { storedFindings } from './stored.ts';
import {
  compareEvents,
  EventAccount,
  type EventFindings,
  eventKey,
  PriceAccount,
  type StreamMessage,
} from './streams.ts';
import { type Figures, goalsOf, type Kill, longestAges, summaryText } from './summary.ts';
import { Truth } from './truth.ts';

/** Until the service is ready, ms. */
const patience = 600_000;
const wanted = 12;
const orders = '/v1/liquidations/orders';
/** Until a client has what the log has, and how old the newest reading of a client's price may be; ms. */
const delivery = 5_000;
const newest = 15_000;

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

/** The events of the log in its order: their keys, and how many are there twice. */
async function logOf(url: string): Promise<{ keys: string[]; doubled: number }> {
  const bus = createBus({ url, process: 'load-cluster-log' });
  const keys: string[] = [];
  const following = bus.follow({
    liquidations: (_key, { source, events: own }) => {
      for (const event of own) keys.push(eventKey({ exchange: source, ...event }));
    },
  });
  await following.ready;
  await bus.close();
  return { keys, doubled: keys.length - new Set(keys).size };
}

/** Starts the clients of streams: half of them of the log of events, the others of prices, whole ones and patches. */
function follow(options: ClusterOptions, around: Around) {
  const { balancer, key, truth, symbols } = around;
  const logs: EventAccount[] = [];
  const prices: PriceAccount[] = [];
  const clients = Array.from({ length: options.clients }, (_, i) => {
    const transport = i % 2 === 0 ? 'socket' : 'events';
    const symbol = symbols[i % symbols.length] ?? 'BTC';
    const about = { balancer, key, onConnected: () => {} };
    if (i % 4 < 2) {
      const account = new EventAccount();
      logs.push(account);
      const onMessage = (message: StreamMessage) => {
        if (message.type === 'events') account.take(message, truth);
      };
      return new StreamClient({ ...about, path: orders, mode: 'log', onMessage }, transport);
    }
    const account = new PriceAccount(symbol);
    prices.push(account);
    const path = `/v1/prices?symbol=${symbol}`;
    const onMessage = (message: StreamMessage) => account.take(message, truth);
    const onConnected = () => account.connected();
    const mode = i % 8 < 4 ? 'full' : 'patch';
    return new StreamClient({ ...about, path, mode, onConnected, onMessage }, transport);
  });
  return { logs, prices, clients };
}

interface Around {
  balancer: Balancer;
  key: string;
  truth: Truth;
  symbols: string[];
}

const sum = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((all, one) => all + of(one), 0);

/** The first few events that clients miss, as text. */
function missed(all: readonly string[], found: readonly EventFindings[]): string[] {
  const keys = [...new Set(found.flatMap(({ missing }) => missing))].slice(0, 10);
  return keys.map((key) => {
    const clients = found.filter(({ missing }) => missing.includes(key)).length;
    return `${key}, number ${all.indexOf(key) + 1} of the log, for ${clients} of ${found.length} clients`;
  });
}

/** Now and then every fifth client reads nothing for some seconds, until `isOver` says so. */
async function stallSome(clients: readonly StreamClient[], isOver: () => boolean): Promise<void> {
  const slow = clients.filter((_, i) => i % 5 === 0);
  while (!isOver()) {
    await Promise.all(slow.map((client) => client.stall(1_000 + Math.random() * 3_000)));
    await rest(2_000, undefined, { ref: false });
  }
}

/** Ends the clients some seconds after the log was read, which they then must have. */
async function eventFigures(
  url: string,
  { logs, prices, clients }: ReturnType<typeof follow>,
): Promise<Pick<Figures, 'events' | 'prices'> & { all: readonly string[] }> {
  const { keys: early } = await logOf(url);
  await rest(delivery);
  for (const client of clients) client.end();
  const { keys: all, doubled } = await logOf(url);
  const found = logs.map((one) => compareEvents(one, { early, all }));
  const late = Date.now() - newest;
  return {
    all,
    events: {
      logged: all.length,
      doubled,
      missing: sum(found, (one) => one.missing.length),
      examples: missed(all, found),
      repeated: sum(found, (one) => one.repeated),
      beyond: sum(found, (one) => one.beyond),
      unordered: sum(logs, (one) => one.unordered),
      unrecovered: sum(logs, (one) => one.unrecovered),
    },
    prices: {
      messages: sum(prices, (one) => one.messages),
      unordered: sum(prices, (one) => one.unordered),
      repeated: sum(prices, (one) => one.repeated),
      unfit: sum(prices, (one) => one.unfit),
      behind: prices.filter(({ asOf }) => asOf < late).length,
    },
  };
}

/** Until every source has one holder, at most `calm` ms; the time, null where it did not come about. */
async function filled({ vacancies }: Holders, calm: number): Promise<number | null> {
  const begun = performance.now();
  let last: number | null = null;
  while (performance.now() - begun < calm) {
    await rest(250);
    if (vacancies.since !== null) last = null;
    else last ??= performance.now() - begun;
  }
  return last;
}

const errorsOf = (clients: readonly StreamClient[]): Record<string, number> => {
  const all: Record<string, number> = {};
  for (const { errors } of clients) {
    for (const [code, count] of errors) all[code] = (all[code] ?? 0) + count;
  }
  return all;
};

/** Runs the load on a cluster that was started. */
async function measure(cluster: Cluster, options: ClusterOptions): Promise<Figures> {
  const { ports, token, redis, historyUrl } = cluster.shared;
  const balancer = new Balancer(ports);
  await ready(balancer, ports.length);
  await rest(options.settle * 1_000);
  const keys = new Keys(balancer, token);
  const truth = new Truth(options);
  const around = { balancer, key: await keys.make(), truth, symbols: truth.symbols(wanted) };
  const holders = new Holders(cluster);
  const sources = await holders.learn();
  holders.watch();
  const ages: Age[] = [];
  const names = answerable(options);
  const requests = new Requests({ ...around, names, onAge: (age) => void ages.push(age) });
  const followers = follow(options, around);
  const { clients } = followers;
  const running = Promise.all([requests.run(options.rate), keys.run()]);
  let isCalm = false;
  const stalled = options.push ? stallSome(clients, () => isCalm) : null;
  const kills = await strike(cluster, options, around);
  isCalm = true;
  const last = await filled(holders, options.calm * 1_000);
  await stalled;
  requests.stop();
  keys.stop();
  await running;
  const shares = [...holders.shares.values()].map((held) => held / sources);
  await holders.stop();
  const { all, ...streams } = await eventFigures(redis.url, followers);
  const stored = options.events ? await storedFindings(historyUrl, all) : null;
  await balancer.stop();
  const counts = roles.map((role): [Role, number] => [
    role,
    kills.filter((kill) => kill.role === role).length,
  ]);
  return {
    kills: Object.fromEntries(counts) as Record<Role, number>,
    died: cluster.died,
    groups: requests.accounts,
    unsent: requests.unsent,
    retried: balancer.retried,
    values: truth.compared,
    ...streams,
    stored,
    clients: {
      ...{ count: clients.length, connections: sum(clients, (one) => one.connections) },
      ...{ refused: sum(clients, (one) => one.refused), errors: errorsOf(clients) },
    },
    ...{ ages: longestAges(ages, kills), sources },
    vacancy: { longest: holders.vacancies.longest, last },
    shares: shares.sort((a, b) => b - a),
    keys,
  };
}

/** Starts a cluster, loads it and ends it. */
export const runCluster = (options: ClusterOptions): Promise<Figures> =>
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
  const figures = await runCluster(options);
  console.log(summaryText(figures));
  return goalsOf(figures).every(({ ok }) => ok);
}
