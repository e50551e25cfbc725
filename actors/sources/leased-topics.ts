/** A lease as the streams and publishers of a source see it: they publish under it, and not while on standby. */
import type { Bus } from '../bus/bus.ts';
import { type Failure, failed } from '../failure.ts';
import type { Cancel } from '../kernel/clock.ts';
import type { MarketRows, MarketTopic, Reading, Topic, Topics } from '../topics/index.ts';

/** The topics as a source has them while it holds its lease. */
export interface LeasedTopics {
  /** As that of a job. The first form is for rows of any market topic. */
  publish<T extends MarketTopic>(
    topic: T,
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

/** Whether a stream on standby can go on for the holder. `isLate`: what the upstream may not bring is not waited for. */
type IsReady = (isLate: boolean) => boolean;

/** The lease of a source as its streams see it. */
export interface StreamLease {
  /** Whether it may publish; on standby another process does. */
  readonly isHeld: boolean;
  /** Whether another process has gone on from where this one ends. */
  readonly isHandedOver: boolean;
  /** Takes part in the decision whether the source can be taken over. */
  watch(isReady: IsReady): Cancel;
}

/** The lease of a source from the time that this process stands by for it or has it. */
export class SourceLease implements StreamLease {
  readonly name: string;
  /** Null on standby. */
  fence: number | null = null;
  isHandedOver = false;
  readonly #streams = new Set<IsReady>();

  constructor(name: string) {
    this.name = name;
  }

  get isHeld(): boolean {
    return this.fence !== null;
  }

  watch(isReady: IsReady): Cancel {
    this.#streams.add(isReady);
    return () => void this.#streams.delete(isReady);
  }

  /** Whether so many streams are there and each has what it needs. */
  isReady(streams: number, isLate: boolean): boolean {
    return this.#streams.size >= streams && [...this.#streams].every((ready) => ready(isLate));
  }
}

/** Counts the rows that this process publishes. */
export const processRows = { published: 0 };

const rowsIn = (value: object): number =>
  'rows' in value && Array.isArray(value.rows) ? value.rows.length : 1;

/** The topics of a bus for one who publishes with a lease, or without any. */
export const leasedTopics = (
  bus: Pick<Bus, 'publish' | 'lastOf'>,
  lease?: Pick<SourceLease, 'name' | 'fence'>,
): LeasedTopics => ({
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
