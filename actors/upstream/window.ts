/** One budget of an API: the requests of this process wait here for the window that all processes behind one address share. */
import type { BudgetUse, Failure } from '../failure.ts';
import { type Cancel, type Clock, late, within } from '../kernel/clock.ts';
import type { Room, SharedPause, SharedWindow, SharedWindows } from '../kernel/shared-window.ts';
import type { Budget, Limits } from './request.ts';

/** A request that wants its turn. */
export interface Claim {
  readonly weight: number;
  /** The account whose question it is, empty for the service's own (back-fill); null for a poll. */
  readonly asker: string | null;
  /** Monotonic ms. */
  readonly deadline: number;
  /** Gives it up. */
  readonly signal: AbortSignal;
}

/** How a request has ended. `abandoned`: the upstream may count it later; `counted`: it was sent, and was no proof that a ban is over. */
export interface Ending {
  how: 'answered' | 'counted' | 'abandoned' | 'unsent';
  /** The used weight that the upstream states. */
  stated?: number;
}

/** A request may go; to be called once, when it has ended. */
export type Pass = (ending: Ending) => void;

export interface WindowOptions {
  /** `source/api/budget` and `source/api`, among all processes. */
  name: string;
  api: string;
  budget: Budget;
  /** What the polls need of a window: questions leave it to them. */
  reserved: number;
  clock: Clock;
  limits: Pick<Limits, 'spread' | 'abandoned' | 'patience'>;
  /** Absent where no other process uses the budget. */
  shared: SharedWindows | undefined;
  /** The API was asked for silence until then, monotonic ms. */
  onPause(until: number, code: SharedPause['code']): void;
}

/** Weight that counts, or will. `ended`: monotonic ms, infinite before. `asker` undefined: of others, as the upstream states. */
interface Entry {
  readonly weight: number;
  readonly asker: string | null | undefined;
  ended: number;
}

interface Waiting extends Entry {
  readonly claim: Claim;
  /** One of each asker goes after the other, back-fill last. */
  readonly turn: number;
  settle(outcome: Pass | Failure): void;
}

/** How long Redis is waited for, and how long it is then left alone, ms. */
const patience = { answer: 250, away: 1_000 };
/** The least part of a budget that questions have, whatever the polls need, and the time over which accounts share what they have, ms. */
const asking = { least: 0.1, time: 20_000 };

/** Those of this process. */
const open = new Set<BudgetWindow>();

/** What is counted of the budgets of this process that are used, waited for or paused. */
export const budgetUses = (): BudgetUse[] => [...open].flatMap((window) => window.use() ?? []);

const sum = (entries: readonly Entry[]): number =>
  entries.reduce((all, { weight }) => all + weight, 0);
/**
 * No `per` ms hold more than the weight, whenever between its turn and its end the upstream counts a request. The window in Redis
 * decides; while Redis is away, the count of this process. Questions have what the polls leave, and no account more of that than it
 * leaves free: one that would have more is refused at once.
 */
export class BudgetWindow {
  readonly #options: WindowOptions;
  readonly #window: SharedWindow;
  /** Time over which accounts share, ms, and the weight that they share in it. */
  readonly #sharing: { time: number; weight: number };
  #spent: Entry[] = [];
  /** In the order of their turns. */
  #queue: Waiting[] = [];
  #pause: { until: number; code: SharedPause['code'] } | null = null;
  /** There is no room before, monotonic ms. */
  #fullUntil = Number.NEGATIVE_INFINITY;
  /** Redis is left alone until then. */
  #awayUntil = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #timer: Cancel = () => {};

  constructor(options: WindowOptions) {
    const { name, api, budget, limits, reserved } = options;
    const { weight } = budget;
    const per = budget.per + limits.spread;
    const time = Math.max(asking.time, per);
    this.#options = options;
    this.#window = { name, api, weight, per };
    const left = Math.max(weight - reserved, asking.least * weight);
    this.#sharing = { time, weight: (left * time) / per };
    open.add(this);
  }

  /** Unix ms before which nothing goes; null where nothing is paused. */
  get pausedUntil(): number | null {
    const { clock } = this.#options;
    const left = (this.#pause?.until ?? 0) - clock.monotonic();
    return this.#pause && left > 0 ? clock.now() + left : null;
  }

  /**
   * The pass when the claim's turn has come; else, as soon as that is certain, why it will not come in time: `over_budget`, or
   * the code of a pause. `retryAfter`: the earliest time at which it might have come.
   */
  enter(claim: Claim): Promise<Pass | Failure> {
    const over = this.#overShare(claim);
    if (over) return Promise.resolve(over);
    const { promise, resolve } = Promise.withResolvers<Pass | Failure>();
    const leave = () => {
      this.#remove(waiting, { code: 'stopped', message: 'abandoned' });
      this.review();
    };
    const settle = (outcome: Pass | Failure) => {
      claim.signal.removeEventListener('abort', leave);
      resolve(outcome);
    };
    const { weight, asker } = claim;
    const ahead = this.#queue.filter((one) => one.asker === asker).length;
    const turn = asker === '' ? Number.MAX_SAFE_INTEGER : ahead;
    const ended = Number.POSITIVE_INFINITY;
    const waiting: Waiting = { claim, turn, settle, weight, asker, ended };
    claim.signal.addEventListener('abort', leave, { once: true });
    this.#queue.push(waiting);
    this.#queue.sort((a, b) => a.turn - b.turn);
    this.review();
    return promise;
  }

  /** Nothing goes before `until` (monotonic ms); never shortened. */
  pause(until: number, code: SharedPause['code']): void {
    if (this.#pause && this.#pause.until >= until) return;
    this.#pause = { until, code };
    this.review();
  }

  /** What is counted; null where nothing is, nobody waits, and nothing is paused. */
  use(): BudgetUse | null {
    const { name, budget } = this.#options;
    const counted = this.#counted();
    const used = sum(counted);
    const own = sum(counted.filter(({ asker }) => asker !== undefined));
    const waiting = this.#queue.length;
    const paused_until = this.pausedUntil;
    if (used === 0 && waiting === 0 && paused_until === null) return null;
    return { name, weight: budget.weight, per_ms: budget.per, own, used, waiting, paused_until };
  }

  close(): void {
    this.#timer();
    open.delete(this);
  }

  /** Refuses what cannot come in time, and asks for the turn of the first where it may have come. */
  review(): void {
    this.#timer();
    if (this.#isAsking) return;
    const { clock } = this.#options;
    const { weight: most, per } = this.#window;
    const now = clock.monotonic();
    const from = Math.max(now, this.#pause?.until ?? now, this.#fullUntil);
    let ahead = 0;
    for (const waiting of [...this.#queue]) {
      ahead += Math.min(waiting.weight, most);
      // No sooner than when all before it have gone, as many in each window as it holds.
      const turn = from + per * Math.max(0, Math.ceil(ahead / most) - 1);
      if (turn < this.#endOf(waiting.claim, now)) continue;
      this.#remove(waiting, this.#refusal(waiting.claim, turn));
      ahead -= Math.min(waiting.weight, most);
    }
    const [first] = this.#queue;
    if (first === undefined) return;
    if (from <= now) void this.#take(first);
    else this.#timer = clock.after(from - now, () => this.review());
  }

  async #take(waiting: Waiting): Promise<void> {
    const { clock, limits, shared, onPause } = this.#options;
    const { weight, deadline } = waiting.claim;
    this.#isAsking = true;
    const before = clock.monotonic();
    let room: Room | typeof late = late;
    if (shared && before >= this.#awayUntil) {
      const turn = { weight, life: deadline - before + limits.abandoned };
      const asked = shared.take(this.#window, turn).catch((): typeof late => late);
      room = await within(clock, patience.answer, asked);
      if (room === late) this.#awayUntil = clock.monotonic() + patience.away;
    }
    const now = clock.monotonic();
    const { place, wait, pause } =
      room === late ? { place: null, wait: this.#ownWait(weight), pause: null } : room;
    this.#isAsking = false;
    if (pause) onPause(now + pause.ms, pause.code);
    else if (wait > 0) this.#fullUntil = now + wait;
    else this.#go(waiting, place);
    this.review();
  }

  #go(waiting: Waiting, place: number | null): void {
    const now = this.#options.clock.monotonic();
    this.#spent = this.#spent.filter(({ ended }) => ended + this.#sharing.time > now);
    this.#spent.push(waiting);
    const pass: Pass = ({ how, stated = 0 }) => this.#end(waiting, { how, stated }, place);
    // It may have been given up while Redis was asked.
    if (waiting.claim.signal.aborted) pass({ how: 'unsent' });
    else this.#remove(waiting, pass);
  }

  #end(entry: Entry, { how, stated }: Required<Ending>, place: number | null): void {
    const { clock, limits, shared } = this.#options;
    const now = clock.monotonic();
    const later = how === 'abandoned' ? limits.abandoned : 0;
    entry.ended = how === 'unsent' ? Number.NEGATIVE_INFINITY : now + later;
    const more = stated - sum(this.#counted());
    if (more > 0) this.#spent.push({ weight: more, asker: undefined, ended: now });
    if (how === 'unsent') this.#fullUntil = now;
    const keep = how === 'unsent' ? 0 : this.#window.per + later;
    const ended = { place, weight: entry.weight, keep, isAnswer: how === 'answered', stated };
    void shared?.end(this.#window, ended).catch(() => {});
    this.review();
  }

  /** Where it was the first, the next one may need less room. */
  #remove(waiting: Waiting, outcome: Pass | Failure): void {
    if (this.#queue[0] === waiting) this.#fullUntil = Number.NEGATIVE_INFINITY;
    this.#queue = this.#queue.filter((other) => other !== waiting);
    waiting.settle(outcome);
  }

  #counted(): Entry[] {
    const now = this.#options.clock.monotonic();
    return this.#spent.filter(({ ended }) => ended + this.#window.per > now);
  }

  /** Ms until there is room by the count of this process; what is under way may end now. What is larger than the window takes all of it. */
  #ownWait(weight: number): number {
    const now = this.#options.clock.monotonic();
    const counted = this.#counted().sort((a, b) => a.ended - b.ended);
    let left = sum(counted) + weight - this.#window.weight;
    let wait = 0;
    for (const { ended, weight } of counted) {
      if (left <= 0) break;
      wait = Math.min(ended, now) + this.#window.per - now;
      left -= weight;
    }
    return wait;
  }

  /** The refusal of a question whose account has its share; its own weight counts twice: none has more than it leaves free. */
  #overShare({ asker, weight }: Claim): Failure | null {
    if (asker === null) return null;
    const { time, weight: most } = this.#sharing;
    const now = this.#options.clock.monotonic();
    const all = [...this.#spent, ...this.#queue].filter(
      (one) => typeof one.asker === 'string' && one.ended + time > now,
    );
    const own = all.filter((one) => one.asker === asker);
    if (sum(all) + sum(own) + weight <= most) return null;
    const bound = `the account has used a weight of ${sum(own)} in ${time / 1000} s, and none may have more than it leaves free`;
    const first = Math.min(now, ...all.map(({ ended }) => ended));
    return { code: 'over_budget', message: bound, bound, retryAfter: first + time - now };
  }

  /** Before then a turn must come, monotonic ms: after a wait there must be time for two tries, else as long as there is any. */
  #endOf({ deadline }: Claim, now: number): number {
    return Math.max(deadline - 2 * this.#options.limits.patience, Math.min(deadline, now + 1));
  }

  #refusal(claim: Claim, turn: number): Failure {
    const { budget, clock } = this.#options;
    const now = clock.monotonic();
    const { until = now, code } = this.#pause ?? {};
    if (code && until >= claim.deadline && now < until)
      return { code, message: 'the upstream asked for silence', retryAfter: until - now };
    const bound = `the weight of ${budget.weight} in ${budget.per / 1000} s that the exchange allows is used or waited for`;
    return { code: 'over_budget', message: bound, bound, retryAfter: turn - now };
  }
}
