/** Durations counted by size, ready for a Prometheus histogram. */

/** Upper bounds, seconds: a job in the loop takes tens of microseconds, one that waits its turn up to seconds. */
const bounds = [
  0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5,
] as const;

/** What was counted: `counts` has one more element than `bounds`, for what is beyond them; `sum` in seconds. */
export interface DurationCounts {
  bounds: number[];
  counts: number[];
  sum: number;
}

export class DurationCounter {
  readonly #counts = new Float64Array(bounds.length + 1);
  #sum = 0;

  add(ms: number): void {
    const seconds = Math.max(0, ms) / 1_000;
    const found = bounds.findIndex((bound) => seconds <= bound);
    const bucket = found < 0 ? bounds.length : found;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  read(): DurationCounts {
    return { bounds: [...bounds], counts: [...this.#counts], sum: this.#sum };
  }
}
