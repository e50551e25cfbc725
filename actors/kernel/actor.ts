/**
 * Actors and their life cycle. An actor handles one message at a time and is the only code that uses its
 * state; others send it messages.
 */
import { type Cancel, type Clock, late, within } from './clock.ts';

/** A throw in `started` or `receive` is a crash: expected failures are values, handled inside. */
export interface Actor<M> {
  /** Runs before the first message. */
  started?(): void | Promise<void>;
  /** The next message waits until the promise settles. */
  receive(message: M): void | Promise<void>;
  /** Runs once at the end of every life, after a crash too; a throw is reported and changes nothing. */
  stopped?(): void | Promise<void>;
}

/** Makes an actor with fresh state, once per life; a throw is a crash. */
export type Behaviour<M> = (context: ActorContext<M>) => Actor<M>;

/** The address of an actor; it stays valid over restarts. */
export interface ActorRef<M> {
  readonly name: string;
  /** Queues a message. False when the mailbox is full, or the actor has crashed or stopped. */
  tell(message: M): boolean;
}

/** The context of an actor from `started` to `stopped`. */
export interface ActorContext<M> {
  readonly clock: Clock;
  readonly self: ActorRef<M>;
  /** Aborts when the actor stops or crashes: hand it to everything that waits. */
  readonly signal: AbortSignal;
  /**
   * Tells self in `ms` milliseconds. Such a message takes no room in the mailbox, so a full one cannot break
   * a chain of polls, and it never reaches a later life.
   */
  after(ms: number, message: M): Cancel;
}

export interface LifeOptions<M> {
  behaviour: Behaviour<M>;
  self: ActorRef<M>;
  clock: Clock;
  /** The end was not clean: `stopped` threw, or work outlasted the deadline. */
  onStopFailed(error: Error): void;
}

/** Most messages that wait in a mailbox. */
const mailbox = 16;

/** The thrown value as an Error. */
const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** A message that waits; boxed, so that any value can be one. */
interface Envelope<M> {
  readonly message: M;
  readonly isTimer: boolean;
}

/** One life of an actor, from its factory to `stopped`. Messages that wait at its end are lost. */
export class Life<M> {
  /** Settles when no more messages are handled: with the error of a crash, or null. Never rejects. */
  readonly ended: Promise<Error | null>;
  readonly #options: LifeOptions<M>;
  readonly #abort = new AbortController();
  readonly #timers = new Set<Cancel>();
  /** The oldest first. */
  readonly #queue: Envelope<M>[] = [];
  #actor: Actor<M> | null = null;
  #wake: () => void = () => {};

  constructor(options: LifeOptions<M>) {
    this.#options = options;
    // Not before `self` leads here.
    this.ended = Promise.resolve().then(() => this.#run());
  }

  tell(message: M): boolean {
    const waiting = this.#queue.length - this.#due;
    if (this.#abort.signal.aborted || waiting >= mailbox) return false;
    this.#add({ message, isTimer: false });
    return true;
  }

  /**
   * Ends this life: no further message, then `stopped`. Waits at most `deadline` ms for the message in progress
   * and as long again for `stopped`. Called once; never rejects.
   */
  async close(deadline: number): Promise<void> {
    const { clock, self, onStopFailed } = this.#options;
    const overdue = (what: string) =>
      onStopFailed(new Error(`actor ${self.name}: ${what} did not settle within ${deadline} ms`));
    this.#end();
    if ((await within(clock, deadline, this.ended)) === late) overdue('the message in hand');
    try {
      const stopped = (async () => this.#actor?.stopped?.())();
      if ((await within(clock, deadline, stopped)) === late) overdue('stopped');
    } catch (thrown) {
      onStopFailed(asError(thrown));
    }
  }

  /** Timers whose messages wait. */
  get #due(): number {
    return this.#queue.filter(({ isTimer }) => isTimer).length;
  }

  async #run(): Promise<Error | null> {
    const { behaviour, self, clock } = this.#options;
    const { signal } = this.#abort;
    const after: ActorContext<M>['after'] = (ms, message) => this.#after(ms, message);
    try {
      this.#actor = behaviour({ clock, self, signal, after });
      await this.#actor.started?.();
      while (!signal.aborted) {
        const next = this.#queue.shift();
        if (next) await this.#actor.receive(next.message);
        else await this.#more();
      }
    } catch (thrown) {
      // An exception of the current message after `stop` does not count as a crash.
      if (!signal.aborted) {
        this.#end();
        return asError(thrown);
      }
    }
    return null;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #add(envelope: Envelope<M>): void {
    this.#queue.push(envelope);
    this.#wake();
  }

  #end(): void {
    for (const cancel of this.#timers) cancel();
    this.#abort.abort();
    this.#wake();
  }

  #after(ms: number, message: M): Cancel {
    if (this.#abort.signal.aborted) return () => {};
    const envelope = { message, isTimer: true };
    const stop = this.#options.clock.after(ms, () => {
      this.#timers.delete(stop);
      this.#add(envelope);
    });
    this.#timers.add(stop);
    return () => {
      stop();
      this.#timers.delete(stop);
      const at = this.#queue.indexOf(envelope);
      if (at >= 0) this.#queue.splice(at, 1);
    };
  }
}
