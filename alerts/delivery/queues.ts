/** Reads the queues of the shards that this process holds into lanes. */
import { readStreams } from '../../actors/bus/codec.ts';
import { block } from '../../actors/bus/keys.ts';
import { type BusContext, Loop } from '../../actors/bus/loop.ts';
import type { Redis } from '../../actors/bus/redis.ts';
import { queueOf } from '../store/keys.ts';
import { queuedIn } from '../store/queued.ts';
import type { StateStore } from '../store/state-store.ts';
import type { Lanes } from './lanes.ts';

/** Entries of a queue that are read at once. */
const batch = 256;

export class Queues {
  readonly #store: Pick<StateStore, 'queue' | 'tries' | 'receivers'>;
  readonly #lanes: Lanes;
  /** The last entry that was read, by shard. */
  readonly #read = new Map<number, string>();
  /** Shards whose waiting entries have not been read yet. */
  readonly #fresh = new Set<number>();
  readonly #loop: Loop;
  #wake: () => void = () => {};

  constructor(
    context: BusContext,
    store: Pick<StateStore, 'queue' | 'tries' | 'receivers'>,
    lanes: Lanes,
  ) {
    this.#store = store;
    this.#lanes = lanes;
    this.#loop = new Loop(context, {
      name: 'alert-queues',
      blocking: block,
      begin: async () => {},
      round: (redis) => this.#round(redis),
    });
  }

  begin(shard: number): void {
    this.#fresh.add(shard);
    this.#wake();
  }

  end(shard: number): void {
    this.#fresh.delete(shard);
    this.#read.delete(shard);
    this.#lanes.drop(shard);
  }

  stop(): Promise<void> {
    this.#wake();
    return this.#loop.stop();
  }

  async #round(redis: Redis): Promise<void> {
    for (const shard of [...this.#fresh]) await this.#load(shard);
    const shards = [...this.#read.keys()];
    if (shards.length === 0) return this.#rest();
    const ids = shards.map((shard) => this.#read.get(shard) ?? '0-0');
    // Short, so that a shard which is gained meanwhile does not wait for long.
    const options = ['COUNT', batch, 'BLOCK', 250, 'STREAMS'];
    const reply = await redis.callBuffer('XREAD', ...options, ...shards.map(queueOf), ...ids);
    const streams = readStreams(reply);
    for (const shard of shards) {
      for (const { id, fields } of streams.get(queueOf(shard)) ?? []) {
        if (!this.#read.has(shard)) break;
        this.#read.set(shard, id);
        const queued = queuedIn(fields);
        if (queued !== null) this.#lanes.add(shard, { id, queued });
      }
    }
  }

  /** Reads what waits from before, with the attempts so far. */
  async #load(shard: number): Promise<void> {
    const tries = await this.#store.tries(shard);
    const entries = await this.#store.queue(shard);
    for (const account of new Set(entries.map(({ queued }) => queued.event.account)))
      for (const [key, state] of await this.#store.receivers(account))
        this.#lanes.know(account, key, state);
    // It may have been lost meanwhile.
    if (!this.#fresh.delete(shard)) return;
    for (const entry of entries) this.#lanes.add(shard, entry, tries.get(entry.id));
    this.#read.set(shard, entries.at(-1)?.id ?? '0-0');
  }

  /** Until there is a shard, a second at most. */
  async #rest(): Promise<void> {
    await new Promise<void>((done) => {
      const timer = setTimeout(done, block).unref();
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
