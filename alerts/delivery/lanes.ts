/**
 * Delivers what is queued: the deliveries of a rule to a receiver one after the other, and those of different rules or receivers at
 * the same time, so that a receiver which is slow or dead delays no other.
 */
import { type Cancel, type Clock, within } from '../../actors/kernel/clock.ts';
import type { AlertDelivery } from '../../actors/topics/index.ts';
import { limits } from '../store/limits.ts';
import { type ReceiverState, receiverKey, targetOf } from '../store/queued.ts';
import type { AttemptOutcome, QueueEntry, Tries } from '../store/state-store.ts';
import { InFlight } from './in-flight.ts';
import { Receivers } from './receivers.ts';
import { nextAttempt, retryFor } from './schedule.ts';
import type { Attempt } from './sender.ts';

/** Before an outcome is noted again that could not be, ms. */
const retryNote = 500;
/** Longest that a stop waits for receivers, ms: less than a process has to end. */
const lastAnswers = 3_000;

export interface LanesOptions {
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  /** Never rejects. */
  send(queued: QueueEntry['queued']): Promise<Attempt>;
  /** Notes an outcome. Rejects when Redis is away. */
  note(entry: QueueEntry, outcome: AttemptOutcome): Promise<void>;
}

interface Waiting {
  entry: QueueEntry;
  line: Line;
  shard: number;
  tries: Tries;
}

/** The deliveries of one rule to one receiver, in order. */
interface Line {
  key: string;
  rule: string;
  receiver: string;
  account: string;
  waiting: Waiting[];
  isBusy: boolean;
  timer: Cancel | null;
}

/** Deliveries since the start, and what waits. */
export interface LaneCounts {
  delivered: number;
  failed: number;
  dead: number;
  /** Deliveries that wait, and lines that have any. */
  waiting: number;
  lanes: number;
  /** Age of the oldest delivery that waits, ms. */
  oldest_ms: number;
}

/** The time of an entry, Unix ms: its id begins with it. */
const queuedAt = ({ id }: QueueEntry): number => Number(id.split('-')[0]);

export class Lanes {
  readonly #options: LanesOptions;
  readonly #lines = new Map<string, Line>();
  /** What waits of each account, the oldest first. */
  readonly #accounts = new Map<string, Set<Waiting>>();
  readonly #receivers = new Receivers();
  readonly #flight = new InFlight();
  /** Lines whose first delivery is due, and that wait for a place. */
  readonly #due = new Set<Line>();
  readonly #counts = { delivered: 0, failed: 0, dead: 0 };
  readonly #underWay = new Set<Promise<void>>();
  #isStopped = false;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  counts(): LaneCounts {
    let [waiting, oldest] = [0, Number.POSITIVE_INFINITY];
    for (const line of this.#lines.values()) {
      waiting += line.waiting.length;
      for (const { entry } of line.waiting.slice(0, 1)) oldest = Math.min(oldest, queuedAt(entry));
    }
    const age = Number.isFinite(oldest) ? this.#options.clock.now() - oldest : 0;
    return { ...this.#counts, waiting, lanes: this.#lines.size, oldest_ms: Math.max(0, age) };
  }

  /** Takes what is known of a receiver of an account that failed. */
  know(account: string, key: string, state: ReceiverState): void {
    this.#receivers.know(`${account} ${key}`, state);
  }

  /** Takes an entry of the queue of a shard; entries come in the order of the queue. */
  add(shard: number, entry: QueueEntry, tries: Tries = { attempts: 0, next: 0 }): void {
    const { event, receiver: to, resent } = entry.queued;
    const { account, alert_id: rule } = event;
    const receiver = `${account} ${receiverKey(to)}`;
    const key = `${rule} ${receiver}`;
    const line: Line = this.#lines.get(key) ?? {
      ...{ key, rule, receiver, account, waiting: [], isBusy: false, timer: null },
    };
    this.#lines.set(key, line);
    const waiting = { entry, line, shard, tries };
    line.waiting.push(waiting);
    const all = this.#accounts.get(account) ?? new Set();
    this.#accounts.set(account, all.add(waiting));
    if (all.size > limits.waiting) this.#giveUpOldest(all);
    if (event.kind === 'test' || resent !== undefined) this.#tryNow(line);
    this.#plan(line);
  }

  /** Forgets what waits of a shard: another process goes on with it. */
  drop(shard: number): void {
    this.#forget((one) => one.shard === shard);
  }

  /** Forgets what waits of a rule, which is no more. */
  dropRule(id: string): void {
    this.#forget(({ line }) => line.rule === id);
  }

  /** Begins nothing more. Resolves when what is under way has ended, or receivers take too long. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const line of this.#lines.values()) line.timer?.();
    await within(this.#options.clock, lastAnswers, Promise.all(this.#underWay));
  }

  #forget(isGone: (one: Waiting) => boolean): void {
    for (const all of [...this.#accounts.values()])
      for (const one of all) if (isGone(one)) this.#remove(one);
  }

  #remove(one: Waiting): void {
    const { line } = one;
    line.waiting = line.waiting.filter((other) => other !== one);
    const all = this.#accounts.get(line.account);
    all?.delete(one);
    if (all?.size === 0) this.#accounts.delete(line.account);
    if (line.waiting.length === 0) this.#end(line);
  }

  /** Too many wait of an account: in Redis the oldest are dead letters already. */
  #giveUpOldest(all: ReadonlySet<Waiting>): void {
    for (const one of all) {
      if (one.line.isBusy && one === one.line.waiting[0]) continue;
      this.#counts.dead += 1;
      this.#remove(one);
      return;
    }
  }

  #end(line: Line): void {
    line.timer?.();
    line.timer = null;
    this.#due.delete(line);
    if (this.#lines.get(line.key) === line) this.#lines.delete(line.key);
  }

  /** Its owner wants to see whether a receiver is there. */
  #tryNow(line: Line): void {
    const [first] = line.waiting;
    this.#receivers.tryNow(line.receiver);
    if (first !== undefined) first.tries = { ...first.tries, next: 0 };
    line.timer?.();
    line.timer = null;
  }

  /** Begins with the first delivery of a line once it is due, and its receiver does not pause. */
  #plan(line: Line): void {
    const [first] = line.waiting;
    if (first === undefined || line.isBusy || line.timer !== null || this.#isStopped) return;
    const { clock } = this.#options;
    const now = clock.now();
    if (now - queuedAt(first.entry) > retryFor) {
      this.#run(line, 'its receiver was not there for 24 hours');
      return;
    }
    const wait = Math.max(first.tries.next, this.#receivers.until(line.receiver)) - now;
    if (wait <= 0) {
      if (this.#mayBegin(line)) this.#run(line, null);
      else this.#due.add(line);
      return;
    }
    this.#due.delete(line);
    line.timer = clock.after(wait, () => {
      line.timer = null;
      this.#plan(line);
    });
  }

  #mayBegin(line: Line): boolean {
    return this.#flight.mayBegin(line, this.#receivers.isDead(line.receiver));
  }

  #run(line: Line, giveUp: string | null): void {
    this.#due.delete(line);
    const done = this.#deliver(line, giveUp).finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** One attempt of the first delivery of a line. */
  async #deliver(line: Line, giveUp: string | null): Promise<void> {
    const [first] = line.waiting;
    if (first === undefined || this.#isStopped) return;
    line.timer?.();
    line.timer = null;
    line.isBusy = true;
    this.#flight.add(line, 1);
    const { send } = this.#options;
    const attempt: Attempt =
      giveUp === null
        ? await send(first.entry.queued)
        : { outcome: 'refused', error: giveUp, retryAfter: null, status: null, tookMs: 0 };
    this.#flight.add(line, -1);
    await this.#settle(line, first, attempt, giveUp === null);
    line.isBusy = false;
    this.#plan(line);
    for (const other of [...this.#due]) if (this.#mayBegin(other)) this.#plan(other);
  }

  /** How the receiver does after an attempt; null where it takes deliveries. */
  #judge({ receiver }: Line, { outcome, error, retryAfter }: Attempt): ReceiverState | null {
    const { clock, random } = this.#options;
    if (outcome !== 'delivered') {
      const fault = { error: error ?? '', refused: outcome === 'refused', retryAfter };
      return this.#receivers.failed(receiver, { ...fault, now: clock.now(), random: random() });
    }
    const wasDead = this.#receivers.isDead(receiver);
    this.#receivers.delivered(receiver);
    if (wasDead) this.#goOn(receiver);
    return null;
  }

  /** A receiver is back: what waits for it does not wait for its pause any more. */
  #goOn(receiver: string): void {
    for (const line of this.#lines.values()) {
      if (line.receiver !== receiver || line.timer === null) continue;
      this.#tryNow(line);
      this.#plan(line);
    }
  }

  async #settle(line: Line, first: Waiting, attempt: Attempt, wasSent: boolean): Promise<void> {
    const { clock, random } = this.#options;
    const now = clock.now();
    const attempts = first.tries.attempts + 1;
    const since = queuedAt(first.entry);
    const { outcome, retryAfter } = attempt;
    const next =
      outcome === 'failed'
        ? nextAttempt({ attempts, since, now, retryAfter, random: random() })
        : null;
    const settled = outcome === 'delivered' ? outcome : next === null ? 'dead' : 'failed';
    this.#counts[settled] += 1;
    first.tries = { attempts, next: next ?? now };
    const { event, receiver } = first.entry.queued;
    const delivery: AlertDelivery = {
      ...{ event_id: event.id, alert_id: event.alert_id, account: event.account },
      ...{ receiver: receiver.type, target: targetOf(receiver), attempt: attempts, at: now },
      ...{ took_ms: Math.round(attempt.tookMs), outcome: settled },
      ...{ status: attempt.status, error: attempt.error },
    };
    const state = wasSent ? this.#judge(line, attempt) : this.#receivers.of(line.receiver);
    await this.#note(line, first, { delivery, tries: first.tries, receiver: state });
    if (settled !== 'failed') this.#remove(first);
  }

  /** Notes an outcome as soon as Redis takes it, unless another process goes on with the line. */
  async #note(line: Line, waiting: Waiting, outcome: AttemptOutcome): Promise<void> {
    const { clock, note } = this.#options;
    while (line.waiting.includes(waiting)) {
      try {
        return await note(waiting.entry, outcome);
      } catch {
        if (this.#isStopped) return;
        await new Promise<void>((again) => void clock.after(retryNote, again));
      }
    }
  }
}
