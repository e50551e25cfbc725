/** How the rows of each topic of an exchange are used before they are published. */
import { type MarketRows, type MarketTopic, type Reading, topics } from '../../topics/index.ts';
import type { AnyRow } from '../define.ts';
import type { VenueEvidence } from '../quality/evidence.ts';
import type { FrozenGuard } from '../quality/frozen.ts';
import { holdBack } from '../quality/suspects.ts';
import type { LiveParts } from '../streams/live-parts.ts';
import type { PublisherOptions } from './publisher.ts';

export interface Use<Row extends AnyRow> {
  /** The reading that is published in place of that of a poll. */
  whole?(reading: Reading<Row>): Reading<Row>;
  /**
   * Looks at the rows of a poll, received at `received` (Unix ms); true when the part is frozen. Without it the rows of a
   * frozen part are marked.
   */
  watch?(part: string, rows: readonly Row[], received: number): boolean;
  /** Makes the check of a part's rows; they are published unchecked when absent. */
  checks?(): NonNullable<PublisherOptions<Row>['check']>;
}

/** By topic; a topic that is absent here is published as it is parsed. */
export type Uses = { readonly [T in MarketTopic]?: Use<MarketRows[T]> };

/** Lists and option chains change rarely: they are never frozen. */
const neverFrozen = { watch: () => false };

/** A held back contract size lasts until the second list after it. */
const listAge = 3 * 3_600_000;

/** The uses of the rows of one exchange; `live` has what is streamed, where anything is. */
export const feedUses = ({
  guard,
  evidence,
  live,
}: {
  guard: FrozenGuard;
  evidence: VenueEvidence;
  live: LiveParts | null;
}): Uses => ({
  instruments: { ...neverFrozen, checks: () => holdBack(evidence.instruments, listAge) },
  prices: {
    whole: (reading) => live?.polled('prices', reading) ?? reading,
    watch(part, rows, received) {
      guard.observe(part, rows, received);
      return guard.frozen(part);
    },
    checks: () => holdBack(evidence.prices, topics.prices.maxAge),
  },
  derivatives: {
    whole: (reading) => live?.polled('derivatives', reading) ?? reading,
    watch(part, rows) {
      evidence.observe(rows);
      return guard.frozen(part);
    },
    checks: () => evidence.derivatives,
  },
  openInterest: {
    whole: (reading) => live?.polled('openInterest', reading) ?? reading,
    checks: () => holdBack(evidence.openInterest, topics.openInterest.maxAge),
  },
  options: neverFrozen,
});
