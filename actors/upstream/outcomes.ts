/** How the requests to upstreams ended. */
import type { FailureCode, OutcomeCounts, Result } from '../failure.ts';

/** Counts the requests of a process, by source and outcome. */
export class Outcomes {
  readonly #counts = new Map<string, Partial<Record<FailureCode | 'ok', number>>>();

  /** A request to `source` has ended. */
  add(source: string, result: Result<unknown>): void {
    const outcome = result.ok ? 'ok' : result.failure.code;
    const counts = this.#counts.get(source) ?? {};
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    this.#counts.set(source, counts);
  }

  counts(): OutcomeCounts[] {
    return [...this.#counts].map(([source, outcomes]) => ({ source, outcomes: { ...outcomes } }));
  }
}

/** Those of this process. */
export const processOutcomes = new Outcomes();
