/** Arithmetic of a sliding window: when there is room in it. */

/** A weight that counts until `over`, monotonic ms; infinite while that is not known. */
export interface Spent {
  over: number;
  readonly weight: number;
}

export const sum = (entries: Iterable<{ readonly weight: number }>): number => {
  let total = 0;
  for (const { weight } of entries) total += weight;
  return total;
};

/** What a window holds: what has ended, oldest first, what is under way, and both together. */
interface Held {
  spent: readonly Spent[];
  flying: number;
  used: number;
}

/**
 * The turns of requests one after the other in a window of `per` ms, from `from` on: `of` gives the time at which a weight has
 * room, not before anything planned, and infinite for more than `most`; `plan` takes the room then. What is under way counts as
 * ended now, so that no turn is later than necessary.
 */
export function turnsIn(
  { spent, flying, used }: Held,
  { most, per, now, from }: { most: number; per: number; now: number; from: number },
) {
  const planned: Spent[] = flying > 0 ? [{ over: now + per, weight: flying }] : [];
  const entry = (index: number) => spent[index] ?? planned[index - spent.length];
  let [at, rest, over] = [from, used, 0];
  const turnOf = (weight: number) => {
    let [turn, left, index] = [at, rest, over];
    for (let next = entry(index); next && left + weight > most; next = entry(++index)) {
      turn = Math.max(turn, next.over);
      left -= next.weight;
    }
    return turn;
  };
  return {
    of: (weight: number): number => (weight > most ? Number.POSITIVE_INFINITY : turnOf(weight)),
    plan(turn: number, weight: number): void {
      at = Math.max(at, turn);
      for (let next = entry(over); next && next.over <= at; next = entry(++over))
        rest -= next.weight;
      rest += weight;
      planned.push({ over: at + per, weight });
    },
  };
}
