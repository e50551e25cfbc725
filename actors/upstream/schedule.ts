/** Arithmetic of a weighted sliding window: whose turn comes when. */
import type { Budget } from './request.ts';

/** A request that wants weight. It may become urgent or get more time while it waits. */
export interface Claim {
  readonly weight: number;
  /** Goes before every claim that is not. */
  readonly urgent: boolean;
  /** Unix ms. */
  readonly deadline: number;
}

/** Weight spent at a time; it counts for `per` ms from then on. */
export interface Spent {
  readonly at: number;
  readonly weight: number;
}

/** What a window holds, oldest first, and its sum. */
export interface Holding {
  readonly spent: readonly Spent[];
  readonly used: number;
}

/**
 * When the turn of each claim comes (Unix ms, `from` at the earliest) if they go strictly one after the other;
 * null where that is not before its deadline, and then it takes no room from those behind it.
 */
export function schedule(
  claims: readonly Claim[],
  budget: Budget,
  { spent, used }: Holding,
  from: number,
): (number | null)[] {
  const planned: Spent[] = [];
  let last = { at: from, used, expired: 0 };
  return claims.map(({ weight, deadline }) => {
    if (weight > budget.weight) return null;
    let { at, used: sum, expired } = last;
    while (sum + weight > budget.weight) {
      const oldest = spent[expired] ?? planned[expired - spent.length];
      if (!oldest) break;
      at = Math.max(at, oldest.at + budget.per);
      sum -= oldest.weight;
      expired++;
    }
    if (at >= deadline) return null;
    last = { at, used: sum + weight, expired };
    planned.push({ at, weight });
    return at;
  });
}
