/** The shards that this process holds: several processes divide them among each other. */
import { type Cancel, type Clock, every } from '../../actors/kernel/clock.ts';
import { Lease, type LeaseOptions, type LeaseStore } from '../../actors/kernel/lease.ts';
import { leaseOf, shardCount } from '../rules/shards.ts';

/** Mean pause between attempts to get a shard while this process has too few, and else; and between two looks at the shares, ms. */
const pauses = { few: 300, enough: 2_500, look: 5_000 } as const;

export interface ShardsOptions {
  leases: LeaseStore;
  process: string;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  /** How many processes of the role give signs of life, this one among them. */
  processes(): number;
  onGained(shard: number): void;
  /** Work on the shard ends at once. */
  onLost(shard: number): Promise<void> | void;
  note: LeaseOptions['note'];
}

export class Shards {
  readonly #options: ShardsOptions;
  readonly #held = new Set<number>();
  readonly #leases: Lease[];
  readonly #stopLooking: Cancel;

  constructor(options: ShardsOptions) {
    this.#options = options;
    this.#leases = Array.from({ length: shardCount }, (_, shard) => this.#seekLease(shard));
    this.#stopLooking = every(options.clock, pauses.look, () => this.#look());
  }

  get held(): ReadonlySet<number> {
    return this.#held;
  }

  async stop(): Promise<void> {
    this.#stopLooking();
    await Promise.all(this.#leases.map((one) => one.stop()));
  }

  get #fair(): number {
    return Math.ceil(shardCount / Math.max(1, this.#options.processes()));
  }

  #seekLease(shard: number): Lease {
    const { leases, onGained, onLost, ...around } = this.#options;
    const lease = new Lease({
      name: leaseOf(shard),
      store: leases,
      ...around,
      holder: () => ({
        begin: () => {
          this.#held.add(shard);
          onGained(shard);
        },
        stop: () => {
          this.#held.delete(shard);
          return onLost(shard);
        },
      }),
    });
    return lease.seek(() => (this.#held.size < this.#fair ? pauses.few : pauses.enough));
  }

  /** Gives up one shard where this process has more than its share. */
  #look(): void {
    if (this.#held.size <= this.#fair) return;
    const [first] = this.#held;
    if (first !== undefined) void this.#leases[first]?.handOver();
  }
}
