/** How several processes share work: which piece one of them should take from another. Pure. */

/** A process as its sign of life states it. */
export interface Member {
  id: string;
  /** Processor time per time: 1 is one core. */
  cpu: number;
  /** What it runs, with the rows that each reads and publishes a second. */
  runs: Readonly<Record<string, number>>;
}

/** A piece of work, and its holder. */
export interface Choice {
  name: string;
  from: string;
  /** What its holder has too much of. */
  because: 'count' | 'load';
}

/**
 * Pieces by which two may differ, as a share of the mean: within it nothing moves. With two processes it leaves each
 * 45 to 55 %, with three 30 to 37 %.
 */
const tolerance = 0.2;
/** A holder is busy from this share of a core on; another one relieves it that has so much less to do. */
const busy = { from: 0.5, less: 0.25 };

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0);
const rowsOf = ({ runs }: Member): number => sum(Object.values(runs));
const countOf = ({ runs }: Member): number => Object.keys(runs).length;

/** The one of `names` whose rows are nearest to `rows`; of several any. Null without names. */
function nearest(
  { runs }: Member,
  names: readonly string[],
  { rows, random }: { rows: number; random: () => number },
): string | null {
  const off = (name: string) => Math.abs((runs[name] ?? 0) - rows);
  const least = Math.min(...names.map(off));
  const found = names.filter((name) => off(name) === least);
  return found[Math.floor(random() * found.length)] ?? null;
}

export interface ShareOptions {
  self: Member;
  /** The other living processes, each piece of work with one of them at most. */
  others: readonly Member[];
  /** Whether `self` can take a piece of work now. */
  canTake(name: string): boolean;
  /** Uniform in [0, 1). */
  random(): number;
}

/**
 * What `self` should take, and from whom; null where nothing should move. First everyone gets about as many pieces, and of those
 * that move the rows decide which; within the tolerance a busy process is relieved of rows.
 */
export function toTake({ self, others, canTake, random }: ShareOptions): Choice | null {
  const mean = sum([self, ...others].map(countOf)) / (others.length + 1);
  const free = (from: Member) => Object.keys(from.runs).filter(canTake);
  const givers = others.filter((other) => free(other).length > 0);
  const largest = givers.sort((a, b) => countOf(b) - countOf(a))[0];
  if (largest === undefined) return null;
  const more = countOf(largest) - countOf(self);
  if (more >= 2 && more > tolerance * mean) {
    const rows = (rowsOf(largest) - rowsOf(self)) / more;
    const name = nearest(largest, free(largest), { rows, random });
    return name === null ? null : { name, from: largest.id, because: 'count' };
  }
  return toRelieve({ self, givers, canTake, random }, tolerance * mean);
}

/** As `toTake`, of the busiest; `most` is by how many pieces `self` may have more afterwards. */
function toRelieve(
  { self, givers, canTake, random }: Omit<ShareOptions, 'others'> & { givers: readonly Member[] },
  most: number,
): Choice | null {
  const busiest = [...givers].sort((a, b) => b.cpu - a.cpu)[0];
  if (busiest === undefined || busiest.cpu < busy.from) return null;
  if (busiest.cpu - self.cpu < busy.less) return null;
  if (countOf(self) + 1 - (countOf(busiest) - 1) > most) return null;
  const more = rowsOf(busiest) - rowsOf(self);
  // Afterwards the other one must not have more rows than the busy one had.
  const names = Object.entries(busiest.runs)
    .filter(([name, rows]) => rows > 0 && rows < more && canTake(name))
    .map(([name]) => name);
  const name = nearest(busiest, names, { rows: more / 2, random });
  return name === null ? null : { name, from: busiest.id, because: 'load' };
}
