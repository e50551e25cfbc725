/** One budget of an API: the requests of this process wait here for the window that all processes behind one address share. */
import type { BudgetUse, Failure } from '../failure.ts';
import { type Cancel, type Clock, late, within } from '../kernel/clock.ts';
import type { Room, SharedPause, SharedWindow, SharedWindows } from '../kernel/shared-window.ts';
import type { Limits } from './limits.ts';
import type { Budget } from './request.ts';
import { type Spent, SpentWeight, type Wanted } from './spent.ts';

/** A request that wants its turn. */
export interface Claim extends Wanted {
  /** Monotonic ms; later when another caller joins. */
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

interface Waiting {
  readonly claim: Claim;
  settle(outcome: Pass | Failure): void;
}

/** How long Redis is waited for, and how long it is then left alone, ms. */
const patience = { answer: 250, away: 1_000 };
/** After those of all accounts. */
const last = Number.MAX_SAFE_INTEGER;

/** Those of this process. */
const open = new Set<BudgetWindow>();

/** What is counted of the budgets of this process that are used, waited for or paused. */
export const budgetUses = (): BudgetUse[] => [...open].flatMap((window) => window.use() ?? []);

/**
 * No `per` ms hold more than the weight, whenever between its turn and its end the upstream counts a request. The window in Redis
 * decides; while Redis is away, the count of this process. Polls and each account have one turn after the other, the service's own
 * questions come last. Questions have what the polls leave, and no account more of that than it leaves free.
 */
export class BudgetWindow {
  readonly #options: WindowOptions;
  readonly #window: SharedWindow;
  readonly #spent: SpentWeight;
  /** By asker, those whose turn is next first, and of each by arrival. */
  readonly #queue = new Map<string | null, Waiting[]>();
  #pause: { until: number; code: SharedPause['code'] } | null = null;
  /** Who has no room before `until`, monotonic ms; those behind it wait as long. */
  #blocked: { by: Waiting; until: number } | null = null;
  #away = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #timer: Cancel = () => {};

  constructor(options: WindowOptions) {
    const { name, api, budget, limits, reserved } = options;
    this.#options = options;
    this.#window = { name, api, weight: budget.weight, per: budget.per + limits.spread };
    this.#spent = new SpentWeight(this.#window, reserved);
    open.add(this);
  }

  /** Unix ms before which nothing goes; null where nothing is paused. */
  get pausedUntil(): number | null {
    const { clock } = this.#options;
    const left = (this.#pause?.until ?? Number.NEGATIVE_INFINITY) - clock.monotonic();
    return left > 0 ? clock.now() + left : null;
  }

  /**
   * The pass when the claim's turn has come; else, as soon as that is certain, why it will not come in time: `over_budget`, or
   * the code of a pause. `retryAfter`: the earliest time at which it might have come.
   */
  enter(claim: Claim): Promise<Pass | Failure> {
    const { promise, resolve } = Promise.withResolvers<Pass | Failure>();
    const leave = () => {
      this.#settle(waiting, { code: 'stopped', message: 'abandoned' });
      this.review();
    };
    const settle = (outcome: Pass | Failure) => {
      claim.signal.removeEventListener('abort', leave);
      resolve(outcome);
    };
    const waiting = { claim, settle };
    claim.signal.addEventListener('abort', leave, { once: true });
    this.#queue.set(claim.asker, [...(this.#queue.get(claim.asker) ?? []), waiting]);
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
    const { used, own } = this.#spent.within(this.#options.clock.monotonic());
    const waiting = [...this.#queue.values()].flat().length;
    const paused_until = this.pausedUntil;
    if (used === 0 && waiting === 0 && paused_until === null) return null;
    return { name, weight: budget.weight, per_ms: budget.per, own, used, waiting, paused_until };
  }

  close(): void {
    this.#timer();
    open.delete(this);
  }

  /** Refuses what cannot come in time, and asks for the turn of the first that may go. */
  review(): void {
    this.#timer();
    if (this.#isAsking || this.#queue.size === 0) return;
    const { clock } = this.#options;
    const now = clock.monotonic();
    const { first, next } = this.#plan(now);
    if (first) void this.#take(first);
    else if (Number.isFinite(next)) this.#timer = clock.after(next - now, () => this.review());
  }

  #plan(now: number): { first: Waiting | undefined; next: number } {
    const { weight: most, per } = this.#window;
    const shares = new Map<string | null, number>();
    let [ahead, next, first]: [number, number, Waiting | undefined] = [0, Infinity, undefined];
    for (const waiting of this.#inOrder()) {
      const { claim } = waiting;
      const from = Math.max(now, this.#pause?.until ?? now, this.#blocked?.until ?? now);
      const share = shares.get(claim.asker) ?? this.#spent.share(claim, now);
      shares.set(claim.asker, share);
      // A question that waits for its share takes no room from those behind it.
      if (share <= from) ahead += Math.min(claim.weight, most);
      // No sooner than when all before it have gone, as many in each window as it holds.
      const turn = Math.max(share, from + per * Math.max(0, Math.ceil(ahead / most) - 1));
      if (turn >= this.#endOf(claim, now))
        this.#settle(waiting, this.#refusal(claim, turn, share > from));
      else if (turn <= now) first ??= waiting;
      else next = Math.min(next, turn);
    }
    return { first, next };
  }

  /** One of each asker after the other. */
  #inOrder(): Waiting[] {
    const all = [...this.#queue].flatMap(([asker, own]) =>
      own.map((waiting, turn) => ({ waiting, turn: asker === '' ? last : turn })),
    );
    return all.sort((a, b) => a.turn - b.turn).map(({ waiting }) => waiting);
  }

  async #take(waiting: Waiting): Promise<void> {
    const { clock, limits, shared, onPause } = this.#options;
    const { weight, deadline } = waiting.claim;
    this.#isAsking = true;
    const before = clock.monotonic();
    let room: Room | typeof late = late;
    if (shared && before >= this.#away) {
      const turn = { weight, life: deadline - before + limits.abandoned };
      const asked = shared.take(this.#window, turn).catch((): typeof late => late);
      room = await within(clock, patience.answer, asked);
      if (room === late) this.#away = clock.monotonic() + patience.away;
    }
    const now = clock.monotonic();
    const { place, wait, pause } =
      room === late
        ? { place: null, wait: this.#spent.room(weight, now) - now, pause: null }
        : room;
    this.#isAsking = false;
    if (pause) onPause(now + pause.ms, pause.code);
    else if (wait > 0) this.#blocked = { by: waiting, until: now + wait };
    else this.#go(waiting, place);
    this.review();
  }

  #go(waiting: Waiting, place: number | null): void {
    const spent = this.#spent.begin(waiting.claim, this.#options.clock.monotonic());
    const pass: Pass = ({ how, stated = 0 }) => this.#end(spent, { how, stated }, place);
    if (waiting.claim.signal.aborted) pass({ how: 'unsent' });
    else this.#settle(waiting, pass);
  }

  #end(spent: Spent, { how, stated }: Required<Ending>, place: number | null): void {
    const { clock, limits, shared } = this.#options;
    const now = clock.monotonic();
    const later = how === 'abandoned' ? limits.abandoned : 0;
    spent.ended = how === 'unsent' ? Number.NEGATIVE_INFINITY : now + later;
    if (stated > 0) this.#spent.correct(stated, now);
    if (how === 'unsent') this.#blocked = null;
    const keep = how === 'unsent' ? 0 : this.#window.per + later;
    const ended = { place, weight: spent.weight, keep, isAnswer: how === 'answered', stated };
    void shared?.end(this.#window, ended).catch(() => {});
    this.review();
  }

  /** The others who ask have their turns before the next of its asker. */
  #settle(waiting: Waiting, outcome: Pass | Failure): void {
    const { asker } = waiting.claim;
    const left = this.#queue.get(asker)?.filter((other) => other !== waiting) ?? [];
    if (this.#blocked?.by === waiting) this.#blocked = null;
    this.#queue.delete(asker);
    if (left.length > 0) this.#queue.set(asker, left);
    waiting.settle(outcome);
  }

  /** Before then a turn must come, monotonic ms: after a wait there must be time for two tries, else as long as there is any. */
  #endOf({ deadline }: Claim, now: number): number {
    return Math.max(deadline - 2 * this.#options.limits.patience, Math.min(deadline, now + 1));
  }

  #refusal(claim: Claim, turn: number, isShare: boolean): Failure {
    const { budget, clock } = this.#options;
    const now = clock.monotonic();
    const { until = now, code } = this.#pause ?? {};
    if (code && until >= claim.deadline && now < until)
      return { code, message: 'the upstream asked for silence', retryAfter: until - now };
    const bound = isShare
      ? this.#spent.refusal(claim)
      : `the weight of ${budget.weight} in ${budget.per / 1000} s that the exchange allows is used or waited for`;
    return { code: 'over_budget', message: bound, bound, retryAfter: turn - now };
  }
}
