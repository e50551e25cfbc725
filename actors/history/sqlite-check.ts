/** The reading of all complete blocks of a file, some at a time, which finds those that no question has asked for. */
import { storeErrorOf } from './sqlite-tables.ts';
import type { Tier } from './sqlite-tier.ts';
import { StoreError } from './store.ts';

/** What one call of `next` found. */
export interface Checked {
  /** The last block of the last table has been read: the next call begins again. */
  isEnd: boolean;
  /** The table with a page that SQLite cannot read, and its words; null without one. Later calls go on behind the page. */
  unreadable: { table: string; reason: string } | null;
}

export class BlockCheck {
  readonly #tiers: readonly Tier[];
  #tier = 0;
  /** The last id that was read, or skipped. */
  #id = -1;
  /** Ids that are skipped where a page cannot be read; doubles until one can. */
  #skip = 1;

  constructor(tiers: readonly Tier[]) {
    this.#tiers = tiers;
  }

  /** Reads as many blocks of one table. Sets damaged ones aside; throws what is no damage. */
  next(count: number): Checked {
    const tier = this.#tiers[this.#tier];
    try {
      const last = tier?.verify(this.#id, count) ?? null;
      this.#skip = 1;
      return { isEnd: this.#goTo(last), unreadable: null };
    } catch (error) {
      const failure = storeErrorOf(error);
      if (!tier || !(failure instanceof StoreError) || failure.code !== 'damaged') throw error;
      const isFirst = this.#skip === 1;
      const to = this.#id + this.#skip;
      this.#skip *= 2;
      const unreadable = isFirst ? { table: tier.table, reason: failure.message } : null;
      return { isEnd: this.#goTo(to < Number.MAX_SAFE_INTEGER ? to : null), unreadable };
    }
  }

  /** Goes on after an id, or with the next table; whether that is the first one again. */
  #goTo(id: number | null): boolean {
    this.#id = id ?? -1;
    if (id !== null) return false;
    this.#skip = 1;
    this.#tier = (this.#tier + 1) % Math.max(1, this.#tiers.length);
    return this.#tier === 0;
  }
}
