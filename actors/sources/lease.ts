/** The lease of a source: its offer, and how the streams and publishers of its holder see it: they publish under it, and not on standby. */
import type { Logger } from '../../config/log.ts';
import type { Bus } from '../bus/bus.ts';
import { isLogged } from '../bus/script.ts';
import { type Failure, failed } from '../failure.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import { Lease, type LeaseOptions } from '../kernel/lease.ts';
import type {
  changesOf,
  LiveTopic,
  MarketRows,
  MarketTopic,
  Reading,
  Topic,
  Topics,
} from '../topics/index.ts';

/** The context of a lease. */
export interface LeaseContext extends Pick<LeaseOptions, 'process' | 'random'> {
  bus: Pick<Bus, 'leases'>;
  clock: Clock;
  log: Logger;
}

/** The offer to hold a lease, which is a source of its own in the log. */
export function leaseOf(
  name: string,
  { bus, log, ...context }: LeaseContext,
  holder: Pick<LeaseOptions, 'holder' | 'isFenced'>,
): Lease {
  const note: LeaseOptions['note'] = (what, error) => {
    if (error === undefined) log.info({ source: name }, what);
    else if (!isLogged(error)) log.warn({ err: error, source: name }, what);
  };
  return new Lease({ name, store: bus.leases(), note, ...context, ...holder });
}

/** The topics as the holder of a source has them. */
export interface HolderTopics {
  /** As that of a job. The first forms are for rows of any market topic, and for those of them that a stream has changed. */
  publish<T extends MarketTopic>(
    topic: T,
    key: string,
    value: Reading<MarketRows[T]>,
  ): Promise<Failure | null>;
  publish<T extends LiveTopic>(
    topic: (typeof changesOf)[T],
    key: string,
    value: Reading<MarketRows[T]>,
  ): Promise<Failure | null>;
  publish<T extends Topic>(topic: T, key: string, value: Topics[T]): Promise<Failure | null>;
  last<T extends MarketTopic>(topic: T, key: string): Promise<Reading<MarketRows[T]> | undefined>;
  last<T extends Topic>(topic: T, key: string): Promise<Topics[T] | undefined>;
}

const unpublished = {
  refused: failed('stopped', 'another process runs this source now').failure,
  unavailable: failed('unavailable', 'Redis did not take the reading').failure,
  standby: failed('stopped', 'another process still runs this source').failure,
};

/** Whether a source is on standby here, held, or handed over. */
export class HolderState {
  readonly name: string;
  /** Null on standby: another process publishes. */
  fence: number | null = null;
  /** Whether another process has gone on from where this one ends. */
  isHandedOver = false;
  readonly #streams = new Set<() => boolean>();

  constructor(name: string) {
    this.name = name;
  }

  /** Whether it may publish. */
  get isHeld(): boolean {
    return this.fence !== null;
  }

  /** Adds a stream, which says whether it can go on for the holder. */
  watch(isReady: () => boolean): Cancel {
    this.#streams.add(isReady);
    return () => void this.#streams.delete(isReady);
  }

  /** Whether so many streams are there and each has what it needs. */
  isReady(streams: number): boolean {
    return this.#streams.size >= streams && [...this.#streams].every((isReady) => isReady());
  }
}

export type StreamLease = Pick<HolderState, 'isHeld' | 'isHandedOver' | 'watch'>;

/** Counts the rows that this process publishes. */
export const processRows = {
  published: 0,
  last: { at: 0, published: 0 },
  /** How many they were in a second since the last call. */
  perSecond(clock: Pick<Clock, 'monotonic'>): number {
    const { last, published } = this;
    this.last = { at: clock.monotonic(), published };
    return Math.round((1_000 * (published - last.published)) / Math.max(1, this.last.at - last.at));
  },
};

const rowsIn = (value: object): number =>
  'rows' in value && Array.isArray(value.rows) ? value.rows.length : 1;

/** The topics of a bus for the holder of a lease, or for one who needs none. */
export const holderTopics = (
  bus: Pick<Bus, 'publish' | 'lastOf'>,
  lease?: Pick<HolderState, 'name' | 'fence'>,
): HolderTopics => ({
  async publish<T extends Topic>(topic: T, key: string, value: Topics[T]) {
    const fence = lease?.fence;
    if (fence === null) return unpublished.standby;
    if (topic !== 'status') processRows.published += rowsIn(value);
    const under = lease && fence !== undefined ? { name: lease.name, fence } : undefined;
    const outcome = await bus.publish(topic, key, value, under);
    return outcome === 'published' ? null : unpublished[outcome];
  },
  last: <T extends Topic>(topic: T, key: string) => bus.lastOf(topic, key).catch(() => undefined),
});
