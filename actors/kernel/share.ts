/** How several processes share work: which piece one of them should take from another. Pure. */

/**
 * Pieces by which two may differ, as a share of the mean: within it nothing moves. With two processes it leaves each
 * 45 to 55 %, with three 30 to 37 %.
 */
const tolerance = 0.2;

export interface ShareOptions {
  /** How many pieces the process has, and those of each other process that has any. */
  own: number;
  others: readonly (readonly string[])[];
  /** Whether it may take a piece. */
  canTake(name: string): boolean;
  /** Uniform in [0, 1). */
  random(): number;
}

/** Any piece of the process that has the most, where that has more than its part and this one less; else null. */
export function toTake({ own, others, canTake, random }: ShareOptions): string | null {
  const mean = others.reduce((sum, { length }) => sum + length, own) / (others.length + 1);
  const free = others
    .map((all) => ({ count: all.length, names: all.filter(canTake) }))
    .filter(({ count, names }) => {
      const more = count - own;
      return names.length > 0 && more >= 2 && more > tolerance * mean;
    });
  const most = Math.max(...free.map(({ count }) => count));
  const names = free.find(({ count }) => count === most)?.names ?? [];
  return names[Math.floor(random() * names.length)] ?? null;
}
