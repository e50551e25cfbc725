/** What one process has spent of a budget, and how the accounts share what the polls leave of it. */
import type { SharedWindow } from '../kernel/shared-window.ts';

/** A request that wants weight. */
export interface Wanted {
  readonly weight: number;
  /** The account whose question it is, empty for the service's own (back-fill); null for a poll. */
  readonly asker: string | null;
}

/** A request from its turn on. `ended`: monotonic ms, infinite while it is under way. */
export interface Spent extends Wanted {
  readonly isOwn: boolean;
  ended: number;
}

/** The least part of a budget that questions have, whatever the polls need. */
const leastAsked = 0.1;
/** Time over which accounts share what questions have, ms, or the window where that is longer. */
const shareTime = 20_000;

const sum = (entries: readonly Wanted[]): number =>
  entries.reduce((all, { weight }) => all + weight, 0);

export class SpentWeight {
  readonly #most: number;
  readonly #per: number;
  readonly #span: number;
  /** Of all questions in the time that accounts share. */
  readonly #asked: number;
  #spent: Spent[] = [];

  /** `reserved`: what the polls need of each window. */
  constructor({ weight, per }: SharedWindow, reserved: number) {
    this.#most = weight;
    this.#per = per;
    this.#span = Math.max(shareTime, per);
    this.#asked = (Math.max(weight - reserved, leastAsked * weight) * this.#span) / per;
  }

  /** Counts a request from `now` on, and forgets what is over. */
  begin({ weight, asker }: Wanted, now: number): Spent {
    this.#spent = this.#spent.filter(({ ended }) => ended + this.#span > now);
    const spent = { weight, asker, isOwn: true, ended: Number.POSITIVE_INFINITY };
    this.#spent.push(spent);
    return spent;
  }

  /** Adopts the used weight that the upstream states, where it is more than our count. */
  correct(stated: number, now: number): void {
    const weight = stated - this.within(now).used;
    if (weight > 0) this.#spent.push({ weight, asker: null, isOwn: false, ended: now });
  }

  /** The weight that counts now, and that of the process's own requests. */
  within(now: number): { used: number; own: number } {
    const counted = this.#counted(now);
    return { used: sum(counted), own: sum(counted.filter(({ isOwn }) => isOwn)) };
  }

  /** When there is room by this count alone: monotonic ms, `now` where there is. What is under way may end now. */
  room(weight: number, now: number): number {
    const counted = this.#counted(now);
    return freeAt(counted, sum(counted) + weight - this.#most, { now, life: this.#per });
  }

  /** When the asker has room: no account has more of what the polls leave than it leaves free, so its own counts twice. */
  share({ asker, weight }: Wanted, now: number): number {
    if (asker === null) return now;
    let used = weight;
    for (const one of this.#spent) {
      if (one.asker !== null) used += one.asker === asker ? 2 * one.weight : one.weight;
    }
    // As a rule: without the lists that say when there will be room.
    if (used <= this.#asked) return now;
    const asked = this.#spent.filter((one) => one.asker !== null);
    const counted = asked.flatMap((one) => (one.asker === asker ? [one, one] : [one]));
    return freeAt(counted, sum(counted) + weight - this.#asked, { now, life: this.#span });
  }

  /** Why the asker has to wait for its share. */
  refusal({ asker }: Wanted): string {
    const own = sum(this.#spent.filter((one) => one.asker === asker));
    return `the account has used a weight of ${own} in ${this.#span / 1000} s, and none may have more than it leaves free`;
  }

  #counted(now: number): Spent[] {
    return this.#spent.filter(({ ended }) => ended + this.#per > now);
  }
}

/** When entries have ended `life` ms ago that weigh what is lacking; the oldest come first. */
function freeAt(
  entries: readonly Spent[],
  lacks: number,
  { now, life }: { now: number; life: number },
): number {
  let [at, left] = [now, lacks];
  for (const { ended, weight } of entries) {
    if (left <= 0) break;
    at = Math.max(at, Math.min(ended, now) + life);
    left -= weight;
  }
  return at;
}
