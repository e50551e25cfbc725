/** Arithmetic of a weighted sliding window: what it holds, and when there is room in it. */

/** A request that wants weight. More accounts may come to wait for it, and it may get more time. */
export interface Claim {
  readonly weight: number;
  /** The accounts that wait for it; null for a poll. */
  readonly accounts: ReadonlySet<string> | null;
  /** Unix ms. */
  readonly deadline: number;
  /** Where its turn must be waited for, the time that is then still needed for the answer, ms; 0 when absent. */
  readonly leeway?: number;
}

/** Weight spent at a time (Unix ms). */
export interface Spent {
  readonly at: number;
  readonly weight: number;
}

/** The weights spent in the last `per` ms, entry by entry, and those held that will be spent at a time not known yet. */
export class Window {
  readonly per: number;
  #spent: Spent[] = [];
  #used = 0;
  #held = 0;
  #holds = 0;

  constructor(per: number) {
    this.per = per;
  }

  /** Oldest first. */
  get spent(): readonly Spent[] {
    return this.#spent;
  }

  /** The sum of what is spent and held. */
  get used(): number {
    return this.#used + this.#held;
  }

  get held(): number {
    return this.#held;
  }

  hold(weight: number): void {
    this.#held += weight;
    this.#holds++;
  }

  /** A weight that was held is spent at `at`. */
  settle(at: number, weight: number): void {
    this.#holds--;
    this.#held = this.#holds === 0 ? 0 : this.#held - weight;
    this.spend(at, weight);
  }

  spend(at: number, weight: number): void {
    this.#used += weight;
    const newest = this.#spent.at(-1);
    if (newest?.at === at)
      this.#spent[this.#spent.length - 1] = { at, weight: newest.weight + weight };
    else if (weight > 0) this.#spent.push({ at, weight });
  }

  /** Forgets what is over at `now`. */
  expire(now: number): void {
    const end = now - this.per;
    let gone = 0;
    for (let entry = this.#spent[0]; entry && entry.at <= end; entry = this.#spent[gone]) {
      this.#used -= entry.weight;
      gone++;
    }
    this.#spent.splice(0, gone);
    if (this.#spent.length === 0) this.#used = 0;
  }
}

/**
 * A window from `from` (Unix ms) on, with what is planned in it one after the other. Weight that is held counts as
 * spent at `from`, so that no turn is planned later than necessary.
 */
export class PlannedWindow {
  readonly #window: Window;
  readonly #planned: Spent[];
  #at: number;
  #used: number;
  /** How many of the entries are over at `#at`. */
  #over = 0;

  constructor(window: Window, from: number) {
    this.#window = window;
    this.#at = from;
    this.#used = window.used;
    this.#planned = window.held > 0 ? [{ at: from, weight: window.held }] : [];
  }

  /**
   * When `weight` has room under `cap`: Unix ms, not before anything planned. An empty window has room for everything.
   */
  turn(weight: number, cap: number): number {
    let [at, used, over] = [this.#at, this.#used, this.#over];
    for (
      let oldest = this.#entry(over);
      oldest && used + weight > cap;
      oldest = this.#entry(over)
    ) {
      at = Math.max(at, oldest.at + this.#window.per);
      used -= oldest.weight;
      over++;
    }
    return at;
  }

  /** Takes the room for `weight` at the time that `turn` gave, or later. */
  plan(at: number, weight: number): void {
    this.#at = at;
    const end = at - this.#window.per;
    let oldest = this.#entry(this.#over);
    while (oldest && oldest.at <= end) {
      this.#used -= oldest.weight;
      oldest = this.#entry(++this.#over);
    }
    this.#used += weight;
    this.#planned.push({ at, weight });
  }

  #entry(index: number): Spent | undefined {
    const { spent } = this.#window;
    return spent[index] ?? this.#planned[index - spent.length];
  }
}
