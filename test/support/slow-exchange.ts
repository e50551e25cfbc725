/** A market of an exchange whose order book is two maps by price: the slow model of books that are followed. */
import fc from 'fast-check';

/** Of a bid or an ask so many steps from the middle; a quantity of 0 deletes the level. */
export interface Change {
  side: 'bids' | 'asks';
  steps: number;
  quantity: number;
}

/** Changes of one message, in any order; a level may be named twice. */
export const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    side: fc.constantFrom('bids' as const, 'asks' as const),
    steps: fc.integer({ min: 1, max: 15 }),
    quantity: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 6 },
);

interface Maps {
  bids: ReadonlyMap<number, number>;
  asks: ReadonlyMap<number, number>;
}

/** Price and quantity in turns, the best first, as `LiveBook.native` has them. */
export function sidesOf({ bids, asks }: Maps, depth = Number.POSITIVE_INFINITY) {
  const levels = (side: ReadonlyMap<number, number>, sign: 1 | -1): number[] =>
    [...side]
      .filter(([, quantity]) => quantity > 0)
      .sort(([a], [b]) => sign * (a - b))
      .slice(0, depth)
      .flat();
  return { bids: levels(bids, -1), asks: levels(asks, 1) };
}

const middle = 1_000;

/** Has a level on each side at all times, so that its book is never empty; bids are below the middle and asks above it. */
export class SlowExchange {
  readonly #levels = { bids: new Map([[middle - 16, 7]]), asks: new Map([[middle + 16, 7]]) };

  /** The best levels of each side. */
  top(depth: number) {
    return sidesOf(this.#levels, depth);
  }

  /** Takes the changes; returns them as a message has them. */
  change(message: readonly Change[]): { bids: number[]; asks: number[] } {
    const told: { bids: number[]; asks: number[] } = { bids: [], asks: [] };
    for (const { side, steps, quantity } of message) {
      const price = side === 'bids' ? middle - steps : middle + steps;
      this.#levels[side].set(price, quantity);
      told[side].push(price, quantity);
    }
    return told;
  }

  /**
   * The message of a stream that is kept to so many levels: those that are new among the best or have another quantity, and
   * those that are gone. Levels that others have pushed out are not named.
   */
  windowed(message: readonly Change[], depth: number): { bids: number[]; asks: number[] } {
    const before = this.top(depth);
    this.change(message);
    const after = this.top(depth);
    const told = (side: 'bids' | 'asks'): number[] => {
      const [old, now] = [pairs(before[side]), pairs(after[side])];
      const gone = [...old.keys()].filter((price) => (this.#levels[side].get(price) ?? 0) === 0);
      const news = [...now].filter(([price, quantity]) => old.get(price) !== quantity);
      return [...gone.flatMap((price) => [price, 0]), ...news.flat()];
    };
    return { bids: told('bids'), asks: told('asks') };
  }
}

const pairs = (flat: readonly number[]): Map<number, number> =>
  new Map(flat.flatMap((price, i) => (i % 2 === 0 ? [[price, flat[i + 1] ?? 0] as const] : [])));
