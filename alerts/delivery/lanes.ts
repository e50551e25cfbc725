/**
 * Delivers what is queued: the deliveries of a rule to a receiver one after the other, and those of different rules or receivers at
 * the same time, so that a receiver which is slow or dead delays no other.
 */
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import type { AlertDelivery } from '../../actors/topics/index.ts';
import { targetOf } from '../store/queued.ts';
import type { AttemptOutcome, QueueEntry, Tries } from '../store/state-store.ts';
import { nextAttempt } from './schedule.ts';
import type { Attempt } from './sender.ts';

/** Most requests at once: to one receiver, of one account, and of all. */
const most = { receiver: 4, account: 32, all: 512 } as const;
/** Most deliveries that wait in one line; the oldest are given up beyond it. */
const longestLine = 1_000;
/** Before an outcome is noted again that could not be, ms. */
const retryNote = 500;

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
  shard: number;
  tries: Tries;
}

/** The deliveries of one rule to one receiver, in order. */
interface Line {
  key: string;
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

/** How many requests are under way, by name, and whether one more may begin. */
class InFlight {
  readonly #counts = new Map<string, number>();
  #all = 0;

  mayBegin({ receiver, account }: Line): boolean {
    const of = (name: string) => this.#counts.get(name) ?? 0;
    return (
      this.#all < most.all &&
      of(`receiver ${receiver}`) < most.receiver &&
      of(`account ${account}`) < most.account
    );
  }

  add({ receiver, account }: Line, by: 1 | -1): void {
    this.#all += by;
    for (const name of [`receiver ${receiver}`, `account ${account}`]) {
      const count = (this.#counts.get(name) ?? 0) + by;
      if (count === 0) this.#counts.delete(name);
      else this.#counts.set(name, count);
    }
  }
}

export class Lanes {
  readonly #options: LanesOptions;
  readonly #lines = new Map<string, Line>();
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

  /** Takes an entry of the queue of a shard; entries come in the order of the queue. */
  add(shard: number, entry: QueueEntry, tries: Tries = { attempts: 0, next: 0 }): void {
    const { event, receiver } = entry.queued;
    const name = JSON.stringify([event.account, receiver]);
    const key = `${event.alert_id} ${name}`;
    const line: Line = this.#lines.get(key) ?? {
      ...{ key, receiver: name, account: event.account, waiting: [], isBusy: false, timer: null },
    };
    this.#lines.set(key, line);
    line.waiting.push({ entry, shard, tries });
    this.#plan(line);
  }

  /** Forgets what waits of a shard: another process goes on with it. */
  drop(shard: number): void {
    for (const line of this.#lines.values()) {
      line.waiting = line.waiting.filter((one) => one.shard !== shard);
      if (line.waiting.length === 0) this.#end(line);
    }
  }

  /** Begins nothing more. Resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const line of this.#lines.values()) line.timer?.();
    await Promise.all(this.#underWay);
  }

  #end(line: Line): void {
    line.timer?.();
    line.timer = null;
    this.#due.delete(line);
    if (this.#lines.get(line.key) === line) this.#lines.delete(line.key);
  }

  /** Begins with the first delivery of a line once it is due. */
  #plan(line: Line): void {
    const [first] = line.waiting;
    if (first === undefined || line.isBusy || this.#isStopped) return;
    if (line.waiting.length > longestLine) {
      this.#run(line, 'too many deliveries wait');
      return;
    }
    if (line.timer !== null) return;
    const { clock } = this.#options;
    const wait = first.tries.next - clock.now();
    if (wait > 0) {
      line.timer = clock.after(wait, () => {
        line.timer = null;
        this.#begin(line);
      });
      return;
    }
    this.#begin(line);
  }

  #begin(line: Line): void {
    if (this.#flight.mayBegin(line)) this.#run(line, null);
    else this.#due.add(line);
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
    await this.#settle(line, first, attempt);
    line.isBusy = false;
    if (line.waiting.length === 0) this.#end(line);
    else this.#plan(line);
    for (const other of [...this.#due]) if (this.#flight.mayBegin(other)) this.#run(other, null);
  }

  async #settle(line: Line, first: Waiting, attempt: Attempt): Promise<void> {
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
    await this.#note(line, first, { delivery, tries: first.tries });
    if (settled !== 'failed') line.waiting = line.waiting.filter((one) => one !== first);
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
