/** The topics of a bus for one who publishes under a lease. */
import type { Bus } from '../bus/bus.ts';
import { type Failure, failed } from '../failure.ts';
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

/** Who publishes: its lease, with the fencing number or, on standby, null. */
interface Holder {
  readonly name: string;
  readonly fence: number | null;
  /** Takes how many rows are published. */
  count?(rows: number): void;
}

const rowsIn = (value: object): number =>
  'rows' in value && Array.isArray(value.rows) ? value.rows.length : 1;

/** The topics of a bus for one who publishes with a lease, or without any. */
export const leasedTopics = (
  bus: Pick<Bus, 'publish' | 'lastOf'>,
  holder?: Holder,
): LeasedTopics => ({
  async publish<T extends Topic>(topic: T, key: string, value: Topics[T]) {
    if (holder?.fence === null) return unpublished.standby;
    holder?.count?.(topic === 'status' ? 0 : rowsIn(value));
    const lease = holder && { name: holder.name, fence: holder.fence };
    const outcome = await bus.publish(topic, key, value, lease);
    return outcome === 'published' ? null : unpublished[outcome];
  },
  last: <T extends Topic>(topic: T, key: string) => bus.lastOf(topic, key).catch(() => undefined),
});
