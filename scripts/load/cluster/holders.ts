/** Which feed process holds which source, read from the leases in Redis. */
import { setTimeout as rest } from 'node:timers/promises';
import { createBus } from '../../../actors/bus/bus.ts';
import { leaseKey } from '../../../actors/bus/keys.ts';
import { type Finding, seconds } from './findings.ts';
import type { Cluster } from './service.ts';

const pause = 250;

export class Holders {
  readonly #cluster: Cluster;
  readonly #pids = new Map<string, number>();
  readonly #bus: ReturnType<typeof createBus>;
  /** Every source that has had a holder. */
  readonly #sources = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#bus = createBus({ url: cluster.shared.redis.url, process: 'load-cluster' });
    this.#bus.follow({ processes: (id, { pid }) => void this.#pids.set(id, pid) });
  }

  /** Notes all leases that there are: at the end each of them must have a holder. */
  async learn(): Promise<void> {
    const client = await this.#cluster.shared.redis.client();
    for (const key of await client.keys(leaseKey('*'))) {
      const holder = await client.get(key);
      if (holder?.startsWith('feed-')) this.#sources.add(key.slice(leaseKey('').length));
    }
  }

  /** Waits until every source has a holder that lives, at most `calm` ms. */
  async findings(calm: number): Promise<Finding[]> {
    const begun = performance.now();
    const passed = () => performance.now() - begun;
    let held = await this.#held();
    for (; held.length < this.#sources.size && passed() < calm; await rest(pause))
      held = await this.#held();
    const isWhole = held.length === this.#sources.size;
    await this.#bus.close();
    const counts = [...Map.groupBy(held, (id) => id).values()].map(({ length }) => length);
    const shares = counts.map((count) => count / this.#sources.size);
    const isFair = shares.every((share) => share >= 0.25 && share <= 0.42);
    return [
      {
        name: 'every source has one holder at the end',
        bound: 'yes',
        ok: isWhole,
        found: isWhole ? `after ${seconds(passed())}` : 'no',
      },
      {
        name: `shares of ${this.#sources.size} sources`,
        found: shares.map((share) => `${Math.round(100 * share)} %`).join(', '),
        ...(shares.length === 3 && { bound: '25 to 42 % of each of three feeds', ok: isFair }),
      },
    ];
  }

  /** The id of the holder of each source whose holder lives. */
  async #held(): Promise<string[]> {
    const client = await this.#cluster.shared.redis.client();
    const values = await client.mget([...this.#sources].map(leaseKey));
    const living = this.#cluster.feeds();
    // The token of an attempt: the id of the process and a number.
    const ids = values.map((value) => value?.split('/')[0] ?? '');
    return ids.filter((id) => living.has(this.#pids.get(id) ?? 0));
  }
}
