/** The actor that does one duty of a desk again and again. */
import type { Failure } from '../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../kernel/actor.ts';
import { fullJitter } from '../kernel/backoff.ts';
import type { Board } from './board.ts';

/** One time that a duty is done. */
export interface Round {
  /** When it began, Unix ms. */
  now: number;
  /** Aborts when the duty is to end. */
  signal: AbortSignal;
}

/** Something to be done every so often. */
export interface Duty {
  /** Unique within its desk; the topic of its rows in `/v1/status`. */
  name: string;
  /** Milliseconds between two rounds. */
  every: number;
  /** Names in `/v1/status` of what it asks for besides, not in every round. */
  figures?: readonly string[];
  /** Milliseconds until the first round, for what is known from an earlier life; at once when absent. */
  wait?(now: number, signal: AbortSignal): number | Promise<number>;
  /** Done once more. Null when it went well, else why not; what it throws is a bug. */
  run(round: Round): Promise<Failure | null>;
}

/** The duty is due. */
export type DutyMessage = 'run';

/** First rounds start within this time, so that a process does not ask everything at once, ms. */
const spread = 500;
const retryDelay = { base: 2_000, cap: 60_000 };

export interface DutyOptions {
  duty: Duty;
  board: Pick<Board, 'plan' | 'done'>;
  /** Uniform in [0, 1). */
  random(): number;
}

class Worker implements Actor<DutyMessage> {
  readonly #context: ActorContext<DutyMessage>;
  readonly #options: DutyOptions;
  #failures = 0;

  constructor(context: ActorContext<DutyMessage>, options: DutyOptions) {
    this.#context = context;
    this.#options = options;
  }

  async started(): Promise<void> {
    const { duty, random } = this.#options;
    const { clock, signal } = this.#context;
    const wait = (await duty.wait?.(clock.now(), signal)) ?? 0;
    this.#plan(Math.max(wait, 0) + random() * spread);
  }

  async receive(): Promise<void> {
    const { clock, signal } = this.#context;
    const { duty, board } = this.#options;
    const began = clock.now();
    const failure = await duty.run({ now: began, signal });
    if (signal.aborted) return;
    board.done(duty.name, failure, { asked: began, received: clock.now() });
    this.#failures = failure === null ? 0 : this.#failures + 1;
    this.#plan(this.#delay(failure, clock.now() - began));
  }

  /** After a failure soon again, but never before the upstream allows it; else so that rounds keep their distance. */
  #delay(failure: Failure | null, took: number): number {
    const { duty, random } = this.#options;
    if (failure === null) return Math.max(0, duty.every - took);
    const soon = retryDelay.base + fullJitter(this.#failures - 1, retryDelay, random);
    return Math.max(failure.retryAfter ?? 0, Math.min(duty.every, soon));
  }

  #plan(delay: number): void {
    const { duty, board } = this.#options;
    board.plan(duty.name, this.#context.clock.now() + Math.round(delay), duty.figures);
    this.#context.after(delay, 'run');
  }
}

/** The behaviour of a duty, for a supervisor. */
export const doing =
  (options: DutyOptions): Behaviour<DutyMessage> =>
  (context) =>
    new Worker(context, options);
