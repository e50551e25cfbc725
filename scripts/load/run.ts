import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';
import type { Options } from './options.ts';

/** What a load test measured. */
export interface Result {
  /** Seconds. */
  seconds: number;
  connections: number;
  endpoints: readonly string[];
  /** Answers, whatever their status. */
  requests: number;
  per_second: { average: number; min: number };
  /** From sending a request to the last byte of its answer, milliseconds; null without an answer. */
  latency_ms: Record<'p50' | 'p90' | 'p99' | 'p99_9' | 'max', number> | null;
  /** Connections that failed. */
  errors: number;
  /** Answers that did not come in time. */
  timeouts: number;
  /** Answers other than 2xx, by status. */
  non_2xx: Record<string, number>;
  succeeded: number;
  /** Received, heads included. */
  bytes: number;
}

/** How it goes so far. */
export interface Progress {
  /** Seconds since the start. */
  elapsed: number;
  /** Answers in the last second. */
  rate: number;
  errors: number;
  non2xx: number;
}

/** A run ends early when each connection has failed this often: the server is gone, or refuses. */
const failuresPerConnection = 50;

/** Microseconds; a latency is kept to three figures. */
const range = { lowest: 1, highest: 3_600_000_000, figures: 3 };

const isSuccess = (status: number) => status >= 200 && status < 300;

/**
 * Loads the server. autocannon keeps latencies in whole milliseconds, which on a fast network are all 0 or 1, so
 * they are recorded here, in microseconds.
 */
export async function load(
  options: Options,
  progress: (now: Progress) => void = () => {},
): Promise<Result> {
  const { url, key, connections, seconds, endpoints, timeout } = options;
  const histogram = createHistogram(range);
  const now = { elapsed: 0, rate: 0, errors: 0, non2xx: 0 };
  const run = autocannon({
    url: url.origin,
    connections,
    duration: seconds,
    timeout,
    bailout: connections * failuresPerConnection,
    requests: endpoints.map((path) => ({ method: 'GET', path })),
    headers: key === null ? {} : { 'x-api-key': key },
  });
  run.on('response', (_client: unknown, status: number, _bytes: number, ms: number) => {
    histogram.record(Math.min(range.highest, Math.max(1, Math.round(ms * 1_000))));
    now.rate++;
    if (!isSuccess(status)) now.non2xx++;
  });
  run.on('reqError', () => now.errors++);
  run.on('tick', () => {
    now.elapsed = Math.min(seconds, now.elapsed + 1);
    progress({ ...now });
    now.rate = 0;
  });
  const found = await run;
  const ms = (share: number) => histogram.percentile(share) / 1_000;
  const statuses = Object.entries(found.statusCodeStats).map(
    ([status, { count }]): [string, number] => [status, count],
  );
  const total = (list: [string, number][]) => list.reduce((sum, [, count]) => sum + count, 0);
  const failed = statuses.filter(([status]) => !isSuccess(Number(status)));
  return {
    seconds: found.duration,
    connections,
    endpoints,
    requests: total(statuses),
    per_second: { average: found.requests.average, min: found.requests.min },
    latency_ms:
      histogram.count === 0
        ? null
        : { p50: ms(50), p90: ms(90), p99: ms(99), p99_9: ms(99.9), max: histogram.max / 1_000 },
    errors: found.errors - found.timeouts,
    timeouts: found.timeouts,
    non_2xx: Object.fromEntries(failed),
    succeeded: total(statuses) - total(failed),
    bytes: found.throughput.total,
  };
}

/** Whether the server did what is expected of one under load. */
export const passed = ({ errors, timeouts, non_2xx, succeeded }: Result): boolean =>
  errors + timeouts === 0 && succeeded > 0 && !Object.keys(non_2xx).some((s) => Number(s) >= 500);
