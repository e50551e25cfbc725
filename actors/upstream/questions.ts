/** How the questions of clients share what polls leave of a budget. */
import { sum } from './turns.ts';

/** A request that wants weight. */
export interface Wanted {
  readonly weight: number;
  /** Null for a poll, else the accounts that ask, empty for the service's own questions (back-fill). */
  readonly accounts: ReadonlySet<string> | null;
}

/** A question: when it has ended, monotonic ms, infinite while it is under way, and how long it counts from then. */
interface Asked {
  readonly account: string;
  readonly weight: number;
  readonly life: number;
  ended: number;
}

/** Time over which accounts share what questions have, ms, or the window where that is longer. */
const shareTime = 20_000;

/** All questions together have `most` of each `per` ms, and no account more of that than it leaves free. */
export class Questions {
  readonly #most: number;
  readonly #per: number;
  readonly #span: number;
  /** Of all accounts within the time that they share. */
  readonly #all: number;
  #asked: Asked[] = [];

  constructor(most: number, per: number) {
    this.#most = most;
    this.#per = per;
    this.#span = Math.max(shareTime, per);
    this.#all = (most * this.#span) / per;
  }

  /** Forgets what is over. */
  expire(now: number): void {
    this.#asked = this.#asked.filter(({ ended }) => ended + this.#span > now);
  }

  /** Counts a question from now on; the result ends it, at a time or as not sent. */
  begin({ accounts, weight }: Wanted): (ended: number | null) => void {
    if (accounts === null) return () => {};
    // A question that is larger than their part of a window counts for several.
    const life = this.#per * Math.max(1, weight / this.#most);
    const { account } = this.#least(accounts);
    const question = { account, weight, life, ended: Number.POSITIVE_INFINITY };
    this.#asked.push(question);
    return (ended) => {
      question.ended = ended ?? Number.NEGATIVE_INFINITY;
    };
  }

  /** When all of them, and the account that has had the least, have room: monotonic ms, not before `from`. A poll needs none of it. */
  turn(claim: Wanted, { now, from }: { now: number; from: number }) {
    if (claim.accounts === null) return from;
    return Math.max(this.#room(claim.weight, now, from), this.#share(claim, now, from));
  }

  /** What the account has used, in words, where that is the reason; else null. */
  refusal({ accounts, weight }: Wanted): string | null {
    if (accounts === null) return null;
    const { used } = this.#least(accounts);
    const free = Math.max(0, this.#all - sum(this.#asked));
    if (used + weight <= free) return null;
    return `the account has used a weight of ${used} of the exchange's budget in ${this.#span / 1000} s, ${free.toFixed(1)} is free, and none may have more than is free`;
  }

  /** What is under way may end now. */
  #room(weight: number, now: number, from: number): number {
    const recent = this.#asked.filter(({ ended, life }) => ended + life > now);
    let [at, used] = [from, sum(recent)];
    for (const past of recent) {
      if (used + weight <= this.#most) break;
      at = Math.max(at, Math.min(past.ended, now) + past.life);
      used -= past.weight;
    }
    return at;
  }

  #share({ accounts, weight }: Wanted, now: number, from: number) {
    const { account, used } = this.#least(accounts ?? new Set());
    let [at, own, all] = [from, used, sum(this.#asked)];
    for (const past of this.#asked) {
      if (own + weight <= this.#all - all) break;
      at = Math.max(at, Math.min(past.ended, now) + this.#span);
      all -= past.weight;
      if (past.account === account) own -= past.weight;
    }
    return at;
  }

  /** The one of the accounts that has had the least, and what it has had. */
  #least(accounts: ReadonlySet<string>): { account: string; used: number } {
    const uses = [...accounts].map((account) => ({
      account,
      used: sum(this.#asked.filter((one) => one.account === account)),
    }));
    return uses.reduce((least, use) => (use.used < least.used ? use : least));
  }
}
