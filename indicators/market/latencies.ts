/** How long things took, counted by size, so that the counts of several processes add up. */

/** Of the last 60 to 120 seconds. */
const span = 60_000;

/** The greatest latency of each step, ms: from 4 ms on it is at most a third more than that of the step before. */
const steps: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 8],
  ...[1, 10, 100, 1_000].flatMap((unit) =>
    [10, 12, 15, 20, 25, 30, 40, 50, 60, 80].map((bound) => bound * unit),
  ),
].filter((bound) => bound <= 60_000);
const longest = 60_000;
/** A negative latency of more than this, ms, is that of a wrong clock. */
const mostAhead = 60_000;

/** How many latencies there were, by the greatest one of their step, ms: 0 and less count as 1, what exceeds 60,000 as 60,000. */
export type LatencyCounts = Readonly<Record<number, number>>;

/** Latencies in ms: of each share of them the greatest one, as the upper end of its step. */
export interface LatencyQuantiles {
  p50: number;
  p95: number;
  p99: number;
}

/** Counts the latencies of the last minute or two, whatever their number, in the same memory. */
export class Latencies {
  #counts = new Map<number, number>();
  #before: ReadonlyMap<number, number> = new Map();
  #began = Number.NEGATIVE_INFINITY;

  /** Counts one, at `now` (Unix ms). */
  add(ms: number, now: number): void {
    if (ms < -mostAhead) return;
    this.#turn(now);
    const step = steps.find((bound) => ms <= bound) ?? longest;
    this.#counts.set(step, (this.#counts.get(step) ?? 0) + 1);
  }

  /** The counts at `now`; null without any. */
  read(now: number): LatencyCounts | null {
    this.#turn(now);
    if (this.#counts.size + this.#before.size === 0) return null;
    return sumOfCounts([this.#before, this.#counts].map((one) => Object.fromEntries(one)));
  }

  #turn(now: number): void {
    // A clock may have been set back.
    const passed = Math.abs(now - this.#began);
    if (passed < span) return;
    this.#before = passed < 2 * span ? this.#counts : new Map();
    this.#counts = new Map();
    this.#began = now;
  }
}

/** The counts of all of them. */
export function sumOfCounts(all: Iterable<LatencyCounts>): LatencyCounts {
  const sum: Record<number, number> = {};
  for (const counts of all)
    for (const [step, count] of Object.entries(counts))
      sum[Number(step)] = (sum[Number(step)] ?? 0) + count;
  return sum;
}

/** The quantiles of counts; null without any. */
export function latencyQuantiles(counts: LatencyCounts): LatencyQuantiles | null {
  const sorted = Object.entries(counts).map(([step, count]) => [Number(step), count] as const);
  sorted.sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const at = (percent: number): number => {
    let counted = 0;
    for (const [step, count] of sorted) {
      counted += count;
      if (counted * 100 >= percent * total) return step;
    }
    return longest;
  };
  return { p50: at(50), p95: at(95), p99: at(99) };
}
