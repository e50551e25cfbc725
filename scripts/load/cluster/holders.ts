/** Which feed process holds which source, read from Redis. */
import { setTimeout as rest } from 'node:timers/promises';
import { createBus } from '../../../actors/bus/bus.ts';
import { leaseKey } from '../../../actors/bus/keys.ts';
import { type Finding, note, seconds } from './findings.ts';
import type { Cluster } from './service.ts';

const pause = 250;
const patience = 1_000;

/** For how long not every source had a holder that lives. */
export class Vacancies {
  /** Longest time so far, ms. */
  longest = 0;
  /** Since when, ms; null while every source has one. */
  since: number | null = null;

  take(isComplete: boolean, now: number): void {
    if (!isComplete) this.since ??= now;
    if (this.since !== null) this.longest = Math.max(this.longest, now - this.since);
    if (isComplete) this.since = null;
  }
}

export class Holders {
  readonly #vacancies = new Vacancies();
  /** How many sources each feed process held when they were last read, by its id. */
  #shares = new Map<string, number>();
  readonly #cluster: Cluster;
  readonly #pids = new Map<string, number>();
  readonly #bus: ReturnType<typeof createBus>;
  /** Every source that has had a holder. */
  readonly #sources = new Set<string>();
  #isOver = false;
  #running: Promise<void> | null = null;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#bus = createBus({ url: cluster.shared.redis.url, process: 'load-cluster' });
    this.#bus.follow({ processes: (id, { pid }) => void this.#pids.set(id, pid) });
  }

  /** Notes all leases that there are: from now on each of them must have a holder. */
  async learn(): Promise<void> {
    const client = await this.#cluster.shared.redis.client();
    for (const key of await client.keys(leaseKey('*'))) {
      const name = key.slice(leaseKey('').length);
      const holder = await client.get(key);
      if (holder?.startsWith('feed-')) this.#sources.add(name);
    }
  }

  watch(): void {
    this.#running = this.#run();
  }

  /** Waits until every source has one holder, at most `calm` ms, and ends. */
  async findings(calm: number): Promise<Finding[]> {
    const begun = performance.now();
    let last: number | null = null;
    for (; last === null && performance.now() - begun < calm; await rest(pause))
      if (this.#vacancies.since === null) last = performance.now() - begun;
    this.#isOver = true;
    await this.#running;
    await this.#bus.close();
    const shares = [...this.#shares.values()].map((held) => held / this.#sources.size);
    const isFair = shares.every((share) => share >= 0.25 && share <= 0.42);
    const parts = shares.map((share) => `${Math.round(100 * share)} %`).join(', ');
    return [
      note('longest time without a holder of every source', seconds(this.#vacancies.longest)),
      {
        name: 'every source has one holder at the end',
        bound: 'yes',
        ok: last !== null,
        found: last === null ? 'no' : `after ${seconds(last)}`,
      },
      {
        name: `shares of ${this.#sources.size} sources`,
        found: parts,
        ...(shares.length === 3 && { bound: '25 to 42 % of each of three feeds', ok: isFair }),
      },
    ];
  }

  async #run(): Promise<void> {
    for (; !this.#isOver; await rest(pause)) {
      const isComplete = await Promise.race([
        this.#isComplete().catch(() => false),
        rest(patience, false),
      ]);
      this.#vacancies.take(isComplete, performance.now());
    }
  }

  async #isComplete(): Promise<boolean> {
    const client = await this.#cluster.shared.redis.client();
    const values = await client.mget([...this.#sources].map(leaseKey));
    const living = this.#cluster.feeds();
    const shares = new Map<string, number>();
    let vacant = 0;
    for (const value of values) {
      // The token of an attempt: the id of the process and a number.
      const id = value?.split('/')[0] ?? '';
      if (living.has(this.#pids.get(id) ?? 0)) shares.set(id, (shares.get(id) ?? 0) + 1);
      else vacant++;
    }
    this.#shares = shares;
    return vacant === 0;
  }
}
