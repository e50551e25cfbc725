/** The status of the history in `/v1/status` and the metrics: the store, and each sampled series. */
import type { Bus, Fence } from '../bus/bus.ts';
import { type Clock, every } from '../kernel/clock.ts';
import { type FeedStatus, historySource } from '../topics/index.ts';
import type { Series } from './define.ts';
import type { Store } from './store.ts';
import type { Writer } from './writer.ts';

const source = historySource;
/** Between two statuses of the store, ms. */
const interval = 5_000;

export interface StatusOptions {
  bus: Pick<Bus, 'publish'>;
  clock: Clock;
  writer: Pick<Writer, 'problem' | 'counts'>;
  store: Pick<Store, 'damage'>;
  lease: Fence;
}

type Shown = Pick<FeedStatus, 'topic' | 'part'> & Partial<FeedStatus>;

function publish(
  { bus, clock, lease }: Pick<StatusOptions, 'bus' | 'clock' | 'lease'>,
  status: Shown,
): void {
  const { topic, part } = status;
  const now = clock.now();
  const whole: FeedStatus = {
    source,
    ...{ state: 'up', reason: null, last_success: now, last_attempt: now, latency_ms: null },
    ...{ last_error: null, breaker: 'closed', next_poll: null, rows: 0, dropped: {}, failures: 0 },
    ...status,
  };
  void bus.publish('status', `${source}/${topic}/${part}`, whole, lease);
}

/** Publishes that the store cannot be opened. */
export function reportClosed(
  options: Pick<StatusOptions, 'bus' | 'clock' | 'lease'>,
  message: string,
): void {
  const last_error = { code: 'unavailable', message, at: options.clock.now() } as const;
  const failing = { state: 'failing', last_success: null, last_error, failures: 1 } as const;
  publish(options, { topic: 'store', part: 'writes', ...failing });
}

/** Publishes until stopped. */
export function beginStatus(options: StatusOptions) {
  const { clock, writer, store } = options;
  let failures = 0;
  let written: number | null = null;
  const noticed = clock.now();
  const report = () => {
    const { problem, counts } = writer;
    const message = problem?.message ?? store.damage?.().notice ?? null;
    const at = problem?.since ?? noticed;
    failures = problem ? failures + 1 : 0;
    if (!problem) written = clock.now();
    publish(options, {
      ...{ topic: 'store', part: 'writes', state: problem ? 'failing' : 'up', failures },
      ...{ last_success: written, rows: counts.waiting },
      dropped: counts.lost > 0 ? { lost: counts.lost } : {},
      last_error: message === null ? null : { code: 'unavailable', message, at },
    });
  };
  report();
  return {
    /** A step has been sampled, with the number of rows of each series. */
    sampled(rows: ReadonlyMap<Series, number>, at: number): void {
      for (const [{ name, tiers, sample }, count] of rows) {
        const next_poll = at + (sample ? tiers[0].step : 60_000);
        publish(options, {
          ...{ topic: 'series', part: name, rows: count },
          ...{ last_success: at, next_poll },
        });
      }
    },
    stop: every(clock, interval, report),
  };
}
