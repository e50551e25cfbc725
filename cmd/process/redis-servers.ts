/** The servers of Redis that the settings name, which may be one, two or three. */
import {
  type Bus,
  type BusOptions,
  createBus,
  type Fence,
  type Follower,
} from '../../actors/bus/bus.ts';
import { type Cancel, type Clock, every, systemClock } from '../../actors/kernel/clock.ts';
import type { Topic, Topics } from '../../actors/topics/index.ts';
import type { Config } from '../../config/config.ts';
import type { RedisServer } from '../../http/views/health.ts';
import { needRedis } from './process.ts';
import { problemOf } from './redis-problem.ts';

/** Settings that name a server. */
export type RedisSettings = Pick<Config, 'redisUrl' | 'redisBusUrl' | 'redisReadUrl'>;

/** What each server is for. */
interface RedisUrls {
  /** Keys, accounts, quotas, tickets and leases. */
  keys: string;
  /** Market data and questions. */
  bus: string;
  /** Where market data are read: a replica of that server, or the same. */
  read: string;
}

/** Throws StartError without REDIS_URL. */
export function urlsOf(settings: RedisSettings): RedisUrls {
  const keys = needRedis(settings);
  const bus = settings.redisBusUrl ?? keys;
  return { keys, bus, read: settings.redisReadUrl ?? bus };
}

interface ServersOptions extends Omit<BusOptions, 'url'> {
  clock: Clock;
  /** Whether market data are read from a replica, where there is one. */
  reads?: boolean;
}

export interface RedisServers {
  /** One bus over all of them: it publishes and asks at one server, follows at another, and has its leases at a third. */
  bus: Bus;
  /** Each server that has a setting of its own. */
  read(): RedisServer[];
  close(): Promise<void>;
}

const states = ['down', 'read_only', 'slow'] as const;

/** The state of the server that is worst. */
export const worstOf = (servers: readonly RedisServer[]): RedisServer['state'] =>
  states.find((state) => servers.some((one) => one.state === state)) ?? 'up';

/** A replica that is further behind is named, ms. */
const mostBehind = 10_000;
/** Between two looks how far it is behind, ms. */
const lookEvery = 1_000;

/** How far a replica is behind its master: by the times that this process leaves there. */
class Lag {
  readonly #process: string;
  readonly #master: Bus;
  readonly #replica: Bus;
  readonly #clock: Clock;
  readonly #since: number;
  readonly #stop: Cancel;
  #left: number | null = null;
  #seen: number | null = null;

  constructor({ process, clock }: ServersOptions, master: Bus, replica: Bus) {
    this.#process = process;
    this.#master = master;
    this.#replica = replica;
    this.#clock = clock;
    this.#since = clock.monotonic();
    this.#stop = every(clock, lookEvery, () => this.#look());
  }

  /** What is wrong, and what to do; null while it keeps up. */
  problem(): string | null {
    if (this.#left === null || this.#clock.monotonic() - this.#since <= mostBehind) return null;
    if (this.#seen === null) {
      return 'REDIS_READ_URL is no replica of REDIS_BUS_URL: what is written there does not arrive. Set it to a replica, or remove it.';
    }
    const behind = this.#left - this.#seen;
    if (behind <= mostBehind) return null;
    return `REDIS_READ_URL is ${Math.round(behind / 1_000)} s behind REDIS_BUS_URL, and so are all market data. Look at its network and its load, or set REDIS_READ_URL to another replica.`;
  }

  stop(): void {
    this.#stop();
  }

  async #look(): Promise<void> {
    const now = this.#clock.now();
    await this.#master.mark(now).then(
      () => {
        this.#left = now;
      },
      () => {},
    );
    // It keeps the last time where the replica is away: then that is what is said.
    this.#seen = await this.#replica.marked(this.#process).catch(() => this.#seen);
  }
}

/** Two followers as one, whose state is that of the first one: the second has nothing that a start waits for. */
const together = (first: Follower, second: Follower): Follower => ({
  ...{ ready: first.ready, state: () => first.state() },
  stop: async () => void (await Promise.all([first.stop(), second.stop()])),
});

/** Connects to the servers of the settings, retrying without limit. Throws StartError without REDIS_URL. */
export function openRedis(settings: RedisSettings, options: ServersOptions): RedisServers {
  const urls = urlsOf(settings);
  const onTime = (time: number, at: number) => systemClock.agree(time, at);
  // All processes take the time of one server.
  const connectTo = (url: string) =>
    createBus({ ...options, url, ...(url === urls.keys ? { onTime } : {}) });
  const bus = connectTo(urls.bus);
  const open = (url: string) => (url === urls.bus ? bus : connectTo(url));
  const keys = open(urls.keys);
  const read = options.reads ? open(urls.read) : bus;
  const lag = read === bus ? null : new Lag(options, bus, read);
  const servers = [
    { setting: 'REDIS_URL', server: keys, url: urls.keys, problem: () => null },
    { setting: 'REDIS_BUS_URL', server: bus, url: urls.bus, problem: () => null },
    { setting: 'REDIS_READ_URL', server: read, url: urls.read, problem: () => lag?.problem() },
  ].filter((one, at, all) => all.findIndex(({ server }) => server === one.server) === at);
  return {
    bus: {
      ...bus,
      publish: <T extends Topic>(topic: T, key: string, value: Topics[T], lease?: Fence) =>
        (topic === 'accounts' ? keys : bus).publish(topic, key, value, lease),
      follow({ accounts, alertRules, alertEvents, alertDeliveries, ...handlers }, about) {
        const kept = { accounts, alertRules, alertEvents, alertDeliveries };
        const own = Object.fromEntries(Object.entries(kept).filter(([, handler]) => handler));
        const isKept = Object.keys(own).length > 0;
        if (!isKept || keys === read) return read.follow({ ...handlers, ...own }, about);
        if (Object.keys(handlers).length === 0) return keys.follow(own, about);
        return together(read.follow(handlers, about), keys.follow(own, about));
      },
      leases: () => (keys === bus ? bus.leases() : keys.leases(bus.fence)),
    },
    read: () =>
      servers.map(({ setting, server, url, problem }) => ({
        setting,
        state: server.state(),
        problem: problemOf(setting, url, server.fault()) ?? problem() ?? null,
      })),
    async close() {
      lag?.stop();
      await Promise.all([...new Set([keys, bus, read])].map((one) => one.close()));
    },
  };
}
