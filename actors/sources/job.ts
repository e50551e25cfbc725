/** Periodic work of a source, and the actor that runs it. */
import type { Failure } from '../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../kernel/actor.ts';
import { type Backoff, fullJitter } from '../kernel/backoff.ts';
import type { Cancel } from '../kernel/clock.ts';
import type { SourceStatus } from './status/status.ts';

/** One run of a job. */
export interface Round {
  /** When it began, Unix ms. */
  now: number;
  /** Aborts when the job is to end. */
  signal: AbortSignal;
}

/** Periodic work. */
export interface Job {
  /** Unique within its source; the topic of its rows in `/v1/status`. */
  name: string;
  /** Milliseconds between the beginnings of two rounds. */
  every: number;
  /** Other names in `/v1/status`, under which it asks sources, not in every round, or publishes. */
  also?: readonly string[];
  /** Milliseconds until the first round, where an earlier process's result is still valid; at once when absent. */
  wait?(now: number, signal: AbortSignal): number | Promise<number>;
  /** Null for a success, else the failure; an exception is a bug. */
  run(round: Round): Promise<Failure | null>;
  /**
   * Milliseconds from the end of a good round to the next, in place of `every`. The first pause is shorter or longer, by up to a
   * half: jobs that began together are spread over their interval, and the process is not busy with all of them at once.
   */
  pause?(): number;
  /** Calls `run` for a round before it is due; the result ends that. */
  watch?(run: () => void): Cancel;
}

/** `run`: a round is due. `hurry`: a round now, unless one began within the last minute, or a sixth of the usual time. */
export type JobMessage = 'run' | 'hurry';

export interface JobOptions {
  /** The job; created again after every crash of the actor. */
  job(): Job;
  status: Pick<SourceStatus, 'plan' | 'done'>;
  /** Uniform in [0, 1). */
  random(): number;
}

/** First rounds start within this time, so that a process does not ask everything at once, ms. */
const spread = 1_000;
/** How soon `hurry` may follow a round of this job, ms. */
const hurryPause = ({ every }: Pick<Job, 'every'>): number => Math.min(60_000, every / 6);
const retryDelay: Backoff = { floor: 2_000, base: 2_000, cap: 60_000 };

class JobActor implements Actor<JobMessage> {
  readonly #context: ActorContext<JobMessage>;
  readonly #options: JobOptions;
  readonly #job: Job;
  #failures = 0;
  #hasPaused = false;
  #last = Number.NEGATIVE_INFINITY;
  #unwatch: Cancel = () => {};
  #cancel: Cancel = () => {};

  constructor(context: ActorContext<JobMessage>, options: JobOptions) {
    this.#context = context;
    this.#options = options;
    this.#job = options.job();
  }

  async started(): Promise<void> {
    const { clock, signal, self } = this.#context;
    const wait = (await this.#job.wait?.(clock.now(), signal)) ?? 0;
    this.#unwatch = this.#job.watch?.(() => self.tell('run')) ?? this.#unwatch;
    this.#plan(Math.max(wait, 0) + this.#options.random() * spread);
  }

  stopped(): void {
    this.#unwatch();
  }

  async receive(message: JobMessage): Promise<void> {
    const { clock, signal } = this.#context;
    const began = clock.monotonic();
    if (message === 'hurry' && began - this.#last < hurryPause(this.#job)) return;
    this.#last = began;
    const asked = clock.now();
    const failure = await this.#job.run({ now: asked, signal });
    if (signal.aborted) return;
    const received = clock.now();
    this.#options.status.done(this.#job.name, failure, { asked, received });
    this.#failures = failure === null ? 0 : this.#failures + 1;
    this.#plan(this.#delay(failure, clock.monotonic() - began));
  }

  /** A failed round is repeated soon, but never before the upstream allows it. */
  #delay(failure: Failure | null, took: number): number {
    const { every } = this.#job;
    if (failure === null) return this.#pause() ?? Math.max(0, every - took);
    const soon = fullJitter(this.#failures - 1, retryDelay, this.#options.random);
    return Math.max(failure.retryAfter ?? 0, Math.min(every, soon));
  }

  #pause(): number | undefined {
    const share = this.#hasPaused ? 1 : 0.5 + this.#options.random();
    this.#hasPaused = true;
    const pause = this.#job.pause?.();
    return pause && pause * share;
  }

  #plan(delay: number): void {
    const { name, also } = this.#job;
    const next = this.#context.clock.now() + Math.round(delay);
    this.#cancel();
    this.#cancel = this.#context.after(delay, 'run');
    this.#options.status.plan(name, next, also);
  }
}

/** The behaviour of a job, for a supervisor. */
export const jobActor =
  (options: JobOptions): Behaviour<JobMessage> =>
  (context) =>
    new JobActor(context, options);
