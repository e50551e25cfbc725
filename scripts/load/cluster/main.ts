/** `npm run load -- cluster`: what clients notice while processes of every role are killed. */
import { setTimeout as rest } from 'node:timers/promises';
import { createBus } from '../../../actors/bus/bus.ts';
import { Balancer } from './balancer.ts';
import { StreamClient } from './clients.ts';
import { Holders } from './holders.ts';
import { Keys } from './keys.ts';
import { type ClusterOptions, clusterHelp, clusterOptions } from './options.ts';
import { type Age, answerable, Requests } from './requests.ts';
import { Cluster, type Role, roles } from './service.ts';
import {
  compareEvents,
  EventAccount,
  type EventFindings,
  eventKey,
  PriceAccount,
  type StreamMessage,
} from './streams.ts';
import {
  type Figures,
  goalsOf,
  groupFigures,
  type Kill,
  longestAges,
  summaryText,
} from './summary.ts';
import { Truth } from './truth.ts';

/** Until the service is ready, ms. */
const patience = 600_000;
const wanted = 12;
const orders = '/v1/liquidations/orders';
/** Until a client has what the log has, ms. */
const delivery = 5_000;

/** Uniform in [0, 1), the same for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function ready(balancer: Balancer, webs: number): Promise<void> {
  for (const end = performance.now() + patience; performance.now() < end; await rest(500)) {
    if (balancer.readyCount === webs) return;
  }
  throw new Error('not every web process is ready');
}

/** Kills one process after another; those that are away come back meanwhile. Resolves when all are started again. */
async function strike(
  cluster: Cluster,
  balancer: Pick<Balancer, 'readyCount'>,
  { every, length, seed }: ClusterOptions,
): Promise<Kill[]> {
  const random = randomOf(seed);
  const kills: Kill[] = [];
  const back: Promise<void>[] = [];
  const end = performance.now() + length;
  while (every !== null && performance.now() + every < end) {
    await rest(every);
    const able = cluster.killable(balancer.readyCount);
    const role = able[Math.floor(random() * able.length)];
    if (role === undefined) continue;
    const kill: Kill = { role, at: Date.now(), until: Number.POSITIVE_INFINITY };
    kills.push(kill);
    const replaced = cluster.replace(role, random).then(() => {
      kill.until = Date.now();
    });
    // Awaited at the end: without a listener a failure until then would end this process.
    replaced.catch(() => {});
    back.push(replaced);
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
    return new StreamClient({ ...about, path, mode: 'full', onConnected, onMessage }, transport);
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

/** Ends the clients some seconds after the log was read, which they then must have. */
async function eventFigures(
  url: string,
  { logs, clients }: Pick<ReturnType<typeof follow>, 'logs' | 'clients'>,
): Promise<Figures['events']> {
  const { keys: early } = await logOf(url);
  await rest(delivery);
  for (const client of clients) client.end();
  const { keys: all, doubled } = await logOf(url);
  const found = logs.map((one) => compareEvents(one, { early, all }));
  return {
    ...{ logged: all.length, doubled, missing: sum(found, (one) => one.missing.length) },
    examples: missed(all, found),
    ...{ repeated: sum(found, (one) => one.repeated), beyond: sum(found, (one) => one.beyond) },
    unordered: sum(logs, (one) => one.unordered),
    unrecovered: sum(logs, (one) => one.unrecovered),
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

/** Runs the load on a cluster that was started, and stops what it has started itself. */
async function measure(cluster: Cluster, options: ClusterOptions): Promise<Figures> {
  const { ports, token, redis } = cluster;
  const balancer = new Balancer(ports);
  await ready(balancer, ports.length);
  await rest(options.settle);
  const keys = new Keys(balancer, token);
  const truth = new Truth(options);
  const symbols = truth.symbols(wanted);
  const around = { balancer, key: await keys.make(), truth, symbols };
  const holders = new Holders(cluster);
  const sources = await holders.learn();
  holders.watch();
  const ages: Age[] = [];
  const names = answerable(options);
  const requests = new Requests({ ...around, names, onAge: (age) => void ages.push(age) });
  const { logs, prices, clients } = follow(options, around);
  const running = Promise.all([requests.run(options.rate), keys.run()]);
  const kills = await strike(cluster, balancer, options);
  const last = await filled(holders, options.calm);
  requests.stop();
  keys.stop();
  await running;
  const shares = [...holders.shares.values()].map((held) => held / sources);
  await holders.stop();
  const events = await eventFigures(redis.url, { logs, clients });
  balancer.stop();
  const counts = roles.map((role): [Role, number] => [
    role,
    kills.filter((kill) => kill.role === role).length,
  ]);
  const { made, revoked, refused, asked, worked, lost } = keys;
  return {
    kills: Object.fromEntries(counts) as Record<Role, number>,
    died: cluster.died,
    ...{ groups: groupFigures(requests.accounts), unsent: requests.unsent },
    ...{ retried: balancer.retried, values: truth.compared },
    events,
    prices: {
      messages: sum(prices, (one) => one.messages),
      unordered: sum(prices, (one) => one.unordered),
      repeated: sum(prices, (one) => one.repeated),
    },
    clients: {
      ...{ count: clients.length, connections: sum(clients, (one) => one.connections) },
      ...{ refused: sum(clients, (one) => one.refused), errors: errorsOf(clients) },
    },
    ...{ ages: longestAges(ages, kills), sources },
    vacancy: { longest: holders.vacancies.longest, last },
    shares: shares.sort((a, b) => b - a),
    keys: { made, revoked, refused, asked, worked, lost },
  };
}

/** Starts a cluster, loads it and ends it. */
export async function runCluster(options: ClusterOptions): Promise<Figures> {
  const cluster = await Cluster.start(options);
  try {
    return await measure(cluster, options);
  } finally {
    await cluster.end();
  }
}

/** Whether every goal was reached. */
export async function loadCluster(args: string[]): Promise<boolean> {
  const options = clusterOptions(args);
  if (options === null) {
    console.log(clusterHelp);
    return true;
  }
  const figures = await runCluster(options);
  console.log(options.json ? JSON.stringify(figures) : summaryText(figures));
  return goalsOf(figures).every(({ ok }) => ok);
}
