/** How the questions of clients share a budget: whose turn is next, and how much one account may have. */
import { minute } from '../../config/time.ts';
import { type Claim, PlannedWindow, Window } from './schedule.ts';

/** A question in its turn, with the account that it counts against. */
export interface Ranked<Q> {
  readonly question: Q;
  readonly account: string;
}

/** Time for which the use of each account counts, ms, or the budget's window where that is longer. */
const memory = minute;
/** Part of the questions' budget that is shared out; the rest is there for the next account to come. */
const shared = 0.75;
/** Multiple of its past use that is reserved for an account that does not ask now. */
const growth = 10;

/** How much each of `count` may have of `whole` beside others who have had `used`, but for what exceeds that much. */
function level(whole: number, count: number, used: number[]): number {
  let [rest, sharing] = [whole, count + used.length];
  for (const had of used.sort((a, b) => a - b)) {
    if (had >= rest / sharing) break;
    rest -= had;
    sharing -= 1;
  }
  return rest / Math.max(1, sharing);
}

/** Use of one budget by account. It holds the accounts that were served within `memory` only. */
export class Shares {
  readonly #per: number;
  readonly #horizon: number;
  readonly #accounts = new Map<string, Window>();

  /** `per`: length of the budget's window, ms. */
  constructor(per: number) {
    this.#per = per;
    this.#horizon = Math.max(per, memory);
  }

  /** Accounts that are remembered. */
  get size(): number {
    return this.#accounts.size;
  }

  spend(account: string, at: number, weight: number): void {
    const window = this.#accounts.get(account) ?? new Window(this.#horizon);
    this.#accounts.set(account, window);
    window.spend(at, weight);
  }

  expire(now: number): void {
    for (const [account, window] of this.#accounts) {
      window.expire(now);
      if (window.used === 0) this.#accounts.delete(account);
    }
  }

  /**
   * The questions in the order of their turns: the account that has had the least is next. A question that several
   * accounts wait for counts against the one that has had the least of them.
   */
  rank<Q extends { readonly claim: Claim }>(questions: readonly Q[]): Ranked<Q>[] {
    const load = new Map<string, number>();
    const loadOf = (account: string) => load.get(account) ?? this.#used(account);
    const ranked = questions.map((question) => {
      const accounts = [...(question.claim.accounts ?? [])];
      const account = accounts.reduce((a, b) => (loadOf(b) < loadOf(a) ? b : a), accounts[0] ?? '');
      const before = loadOf(account);
      load.set(account, before + question.claim.weight);
      return { question, account, before };
    });
    return ranked.sort((a, b) => a.before - b.before);
  }

  /**
   * `share` is the weight that an account may use within `memory`, where `cap` is the weight of all queries together in
   * one window: an equal part for everyone, and parts that accounts will hardly use are shared again. `of` gives the
   * time at which an account has room.
   */
  plan(waiting: readonly string[], cap: number, from: number) {
    const asking = new Set(waiting);
    const others = [...this.#accounts.keys()].filter((account) => !asking.has(account));
    const whole = shared * cap * (this.#horizon / this.#per);
    const share = level(
      whole,
      asking.size,
      others.map((account) => growth * this.#used(account)),
    );
    const plannedByAccount = new Map<string, PlannedWindow>();
    const of = (account: string): PlannedWindow => {
      const window = this.#accounts.get(account) ?? new Window(this.#horizon);
      const planned = plannedByAccount.get(account) ?? new PlannedWindow(window, from);
      plannedByAccount.set(account, planned);
      return planned;
    };
    return { share: Math.ceil(share), of };
  }

  /** What an account has used of late, and in which time, ms. */
  of(account: string): { used: number; horizon: number } {
    return { used: this.#used(account), horizon: this.#horizon };
  }

  #used(account: string): number {
    return this.#accounts.get(account)?.used ?? 0;
  }
}
