/** What the scorecard is made of, of one feed: how old its data became, and how often something was wrong. */
import type { FailureCode } from '../../failure.ts';
import type { FeedTally } from '../../topics/index.ts';

/** Failures by which the upstream says that it does not want the request. */
const refusals: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'rate_limited',
  'banned',
  'blocked',
  'refused',
]);

/** Age is counted for so long before it ends, ms: what was before it is in the records of its own minutes. */
const span = 60_000;
/** Data of a former process that are older, ms, are those from before a stop of the service. */
const mostAdopted = 600_000;

export class Tally {
  readonly #counts: FeedTally;
  /** Markets whose newest number is held back. */
  readonly #held = new Set<string>();

  /** `since` is Unix ms. */
  constructor(since: number) {
    const none = { failed: 0, refused: 0, suspect: 0, differs: 0 };
    this.#counts = { since, ...none, age_area: 0, age_span: 0, age_max: 0 };
  }

  /** Newer data were received, the last ones at `last`; Unix ms, null without any. */
  renewed(received: number, last: number | null): void {
    const counts = this.#counts;
    if (last === null || counts.since - last > mostAdopted) return;
    const age = Math.max(0, received - last);
    const counted = Math.min(age, span);
    counts.age_area += (counted * (2 * age - counted)) / 2;
    counts.age_span += counted;
    counts.age_max = Math.max(counts.age_max, age);
  }

  failed(code: FailureCode): void {
    this.#counts.failed += 1;
    if (refusals.has(code)) this.#counts.refused += 1;
  }

  /** Numbers of these markets are held back, those of the other `used` ones are not; each is counted when that begins. */
  held(suspect: readonly string[], used: readonly { market: string }[]): void {
    const before = new Set(this.#held);
    if (before.size > 0) for (const { market } of used) this.#held.delete(market);
    for (const market of suspect) this.#held.add(market);
    this.#counts.suspect += suspect.filter((market) => !before.has(market)).length;
  }

  /** The markets on which polls and the stream have differed since it began. */
  set differs(count: number) {
    this.#counts.differs = count;
  }

  /** The numbers, with the greatest age since the last call. */
  take(): FeedTally {
    const counts = { ...this.#counts };
    this.#counts.age_max = 0;
    return counts;
  }
}
