/**
 * Keeps actors alive, one for one: a crashed child is restarted alone, after a backoff with full jitter.
 * One that crashes too often is `down` and gets one trial at a time, far apart, until it stays healthy.
 */
import { type ActorRef, type Behaviour, Life } from './actor.ts';
import { fullJitter } from './backoff.ts';
import { type Clock, sleep } from './clock.ts';

/** Of the restarts of a child, ms. */
const backoff = { base: 250, cap: 10_000 };
/** Restarts allowed in any `window` ms: the next crash takes the child down. A life of that length is healthy. */
const most = { restarts: 5, window: 60_000 };
/** Between the crash that took a child down and its next trial, ms. */
const probe = 60_000;
/** A stop waits twice this at most, for the message in progress and for `stopped`: well within the ten seconds of a process, ms. */
const stopDeadline = 3_000;

/** An event to log or count. `crashed` comes before the `down` that it may cause. */
export type SupervisorEvent = { child: string } & (
  | { type: 'crashed'; error: Error }
  | { type: 'restarted' }
  /** `nextTrial` in Unix ms. */
  | { type: 'down'; nextTrial: number }
  /** `stopped` threw, or an ending outlasted its deadline; what still runs is left behind. */
  | { type: 'stop_failed'; error: Error }
);

export interface SupervisorOptions {
  name: string;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  onEvent: (event: SupervisorEvent) => void;
}

export interface SpawnOptions<M> {
  name: string;
  behaviour: Behaviour<M>;
}

class Child<M> implements ActorRef<M> {
  readonly name: string;
  readonly #spec: SpawnOptions<M>;
  readonly #options: SupervisorOptions;
  readonly #stopped = new AbortController();
  readonly #lives: Promise<void>;
  #life: Life<M> | null = null;
  #end: () => void = () => {};
  /** When it was restarted within the window. */
  #restarts: number[] = [];
  /** It was down, and has not been healthy since. */
  #isTrial = false;

  constructor(spec: SpawnOptions<M>, options: SupervisorOptions) {
    this.name = spec.name;
    this.#spec = spec;
    this.#options = options;
    this.#lives = this.#live();
  }

  tell(message: M): boolean {
    return this.#life?.tell(message) ?? false;
  }

  stop(): Promise<void> {
    this.#stopped.abort();
    this.#end();
    return this.#lives;
  }

  /** One life after the other, each after the last one has ended. */
  async #live(): Promise<void> {
    const { clock, onEvent } = this.#options;
    const { behaviour } = this.#spec;
    const { signal } = this.#stopped;
    const onStopFailed = (error: Error) =>
      onEvent({ child: this.name, type: 'stop_failed', error });
    while (!signal.aborted) {
      const began = clock.monotonic();
      const life: Life<M> = new Life({ behaviour, self: this, clock, onStopFailed });
      this.#life = life;
      const stop = new Promise<null>((resolve) => {
        this.#end = () => resolve(null);
      });
      const error = await Promise.race([life.ended, stop]);
      this.#life = null;
      const pause = error && !signal.aborted ? this.#crashed(error, began) : 0;
      await life.close(stopDeadline);
      await sleep(clock, pause, signal);
      if (!signal.aborted) onEvent({ child: this.name, type: 'restarted' });
    }
  }

  /** Milliseconds until the next life. */
  #crashed(error: Error, began: number): number {
    const { clock, random, onEvent } = this.#options;
    const at = clock.monotonic();
    if (at - began >= most.window) this.#isTrial = false;
    this.#restarts = this.#restarts.filter((restart) => restart > at - most.window);
    onEvent({ child: this.name, type: 'crashed', error });
    this.#isTrial ||= this.#restarts.length >= most.restarts;
    if (this.#isTrial) {
      onEvent({ child: this.name, type: 'down', nextTrial: clock.now() + probe });
      return probe;
    }
    const pause = fullJitter(this.#restarts.length, backoff, random);
    this.#restarts.push(at + pause);
    return pause;
  }
}

export interface Supervisor {
  /** Starts a child. Throws when the supervisor is stopped. */
  spawn<M>(options: SpawnOptions<M>): ActorRef<M>;
  /** Stops all children at once; resolves when all have ended or their deadlines have passed. */
  stop(): Promise<void>;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const children: Pick<Child<never>, 'stop'>[] = [];
  let isStopped = false;
  return {
    spawn(spec) {
      if (isStopped) throw new Error(`supervisor ${options.name} is stopped`);
      const child = new Child(spec, options);
      children.push(child);
      return child;
    },
    async stop() {
      isStopped = true;
      await Promise.all(children.map((child) => child.stop()));
    },
  };
}
