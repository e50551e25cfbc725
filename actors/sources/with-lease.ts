/** Work that runs for as long as this process holds its lease. */
import type { Logger } from '../../config/log.ts';
import type { Bus, Fence } from '../bus/bus.ts';
import { isLogged } from '../bus/script.ts';
import { type Failure, failed } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import { contend } from '../kernel/lease.ts';
import type { MarketRows, MarketTopic, Reading, Topic, Topics } from '../topics/index.ts';

/** Of the supervisors at work: a stop waits twice this at most, well within the ten seconds that a process has. */
export const stopPolicy = { stopDeadline: 3_000 };

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
};

/** The topics of a bus for one who publishes with a lease, or without any. */
export const leasedTopics = (
  bus: Pick<Bus, 'publish' | 'lastOf'>,
  lease?: Fence,
): LeasedTopics => ({
  async publish<T extends Topic>(topic: T, key: string, value: Topics[T]) {
    const outcome = await bus.publish(topic, key, value, lease);
    return outcome === 'published' ? null : unpublished[outcome];
  },
  last: <T extends Topic>(topic: T, key: string) => bus.lastOf(topic, key).catch(() => undefined),
});

/** The context of a lease. */
export interface LeaseContext {
  bus: Pick<Bus, 'leases'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Logger;
  /** This process, as the leases and `/v1/status` name it. */
  process: string;
  /** Those of this process when absent. */
  failedStarts?: FailedStarts;
}

/** The time from gaining a lease to losing it. */
export interface Run {
  stop(): Promise<void>;
}

/** Mean pause, ms. With the 6 s of a lease this leaves 3 s of a pending query's 10 s to the next holder. */
const retry = 500;

/**
 * Offers to hold the lease `name` until stopped; `begin` starts the work each time that it is gained. Where it throws, that is
 * counted, and the lease is given up until a later attempt.
 */
export function withLease(
  name: string,
  context: LeaseContext,
  begin: (at: { fence: number; log: Logger }) => Run,
): Run {
  const { bus, clock, random, process, failedStarts = processFailedStarts } = context;
  const log = context.log.child({ source: name });
  let run: Run | null = null;
  let ending: Promise<void> | undefined;
  const contention = contend({
    name,
    holder: process,
    store: bus.leases(),
    clock,
    random,
    retry,
    onGained(fence) {
      log.info({ fence }, 'running this source');
      try {
        run = begin({ fence, log });
      } catch (error) {
        failedStarts.add(name);
        throw error;
      }
    },
    onLost() {
      log.info('no longer running this source');
      ending = run?.stop();
      run = null;
      return ending;
    },
    onError(error) {
      if (!isLogged(error)) log.warn({ err: error }, 'lease');
    },
  });
  return {
    async stop() {
      ending = run?.stop() ?? ending;
      await contention.stop();
      await ending;
    },
  };
}

/** Counts the failed starts of a process, by source. */
export class FailedStarts {
  readonly #counts = new Map<string, number>();

  /** A source was gained, and threw as it began. */
  add(source: string): void {
    this.#counts.set(source, (this.#counts.get(source) ?? 0) + 1);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}

/** Those of this process. */
export const processFailedStarts = new FailedStarts();
