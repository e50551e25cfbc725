/**
 * Actors and their life cycle. An actor handles one message at a time and is the only code that uses its
 * state; others send it messages.
 */
import { setImmediate } from 'node:timers/promises';
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
  /** Queues a message. False when the mailbox is full, or the actor is down or stopped. */
  tell(message: M): boolean;
}

/** The context of an actor from `started` to `stopped`. */
export interface ActorContext<M> {
  readonly name: string;
  readonly clock: Clock;
  readonly self: ActorRef<M>;
  /** Aborts when the actor stops or crashes: hand it to everything that waits. */
  readonly signal: AbortSignal;
  /**
   * Tells self in `ms` milliseconds. Such a message takes no room in the mailbox, so a full one cannot break
   * a chain of polls, and it never reaches a later life. Throws RangeError when 1,024 of them are pending.
   */
  after(ms: number, message: M): Cancel;
}

/** A queued message; boxed, so that any value can be one. */
export interface Envelope<M> {
  readonly message: M;
}

export interface LifeOptions<M> {
  behaviour: Behaviour<M>;
  self: ActorRef<M>;
  /** The oldest first; whoever adds to it calls `wake`. */
  mailbox: Envelope<M>[];
  clock: Clock;
  /** `started` has settled; messages follow. */
  onRunning(): void;
  /** The end was not clean: `stopped` threw, or work outlasted the deadline. */
  onStopFailed(error: Error): void;
}

const maxTimers = 1_024;

/** Messages handled before other work of the process gets a turn. */
const batch = 64;

/** The thrown value as an Error. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** One life of an actor, from its factory to `stopped`. */
export class Life<M> {
  /** Settles when no more messages are handled: with the error of a crash, or null. Never rejects. */
  readonly ended: Promise<Error | null>;
  readonly #options: LifeOptions<M>;
  readonly #abort = new AbortController();
  readonly #timers = new Set<Cancel>();
  /** Timer messages whose time has come. Their own lane, because they end with this life. */
  readonly #due = new Set<Envelope<M>>();
  #actor: Actor<M> | null = null;
  #dueFirst = false;
  #wake: () => void = () => {};
  #closed: Promise<void> | null = null;

  constructor(options: LifeOptions<M>) {
    this.#options = options;
    this.ended = this.#run();
  }

  /** The mailbox may hold a message. */
  wake(): void {
    this.#wake();
  }

  /**
   * Ends this life: no further message, then `stopped`. Waits at most `deadline` ms for the message in progress
   * and as long again for `stopped`. Never rejects; calling it again gives the same promise.
   */
  close(deadline: number): Promise<void> {
    this.#closed ??= this.#close(deadline);
    return this.#closed;
  }

  async #run(): Promise<Error | null> {
    try {
      const actor = this.#options.behaviour(this.#context());
      this.#actor = actor;
      await actor.started?.();
      if (!this.#abort.signal.aborted) this.#options.onRunning();
      await this.#handle(actor);
    } catch (thrown) {
      // An exception of the current message after `stop` does not count as a crash.
      if (!this.#abort.signal.aborted) {
        this.#end();
        return asError(thrown);
      }
    }
    return null;
  }

  async #handle(actor: Actor<M>): Promise<void> {
    for (let handled = 1; !this.#abort.signal.aborted; ) {
      const envelope = this.#take();
      if (!envelope) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      await actor.receive(envelope.message);
      // Settled promises alone never let IO in: an actor that keeps telling itself would stall the process.
      if (handled++ % batch === 0) await setImmediate();
    }
  }

  /** The two lanes take turns, so that neither starves the other. */
  #take(): Envelope<M> | undefined {
    const { mailbox } = this.#options;
    this.#dueFirst = !this.#dueFirst;
    return this.#dueFirst
      ? (this.#takeDue() ?? mailbox.shift())
      : (mailbox.shift() ?? this.#takeDue());
  }

  #takeDue(): Envelope<M> | undefined {
    const [oldest] = this.#due;
    if (oldest) this.#due.delete(oldest);
    return oldest;
  }

  #end(): void {
    for (const cancel of this.#timers) cancel();
    this.#abort.abort();
    this.#wake();
  }

  async #close(deadline: number): Promise<void> {
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

  #context(): ActorContext<M> {
    const { self, clock } = this.#options;
    return {
      name: self.name,
      clock,
      self,
      signal: this.#abort.signal,
      after: (ms, message) => this.#after(ms, message),
    };
  }

  #after(ms: number, message: M): Cancel {
    if (this.#abort.signal.aborted) return () => {};
    if (this.#timers.size + this.#due.size >= maxTimers) {
      throw new RangeError(`actor ${this.#options.self.name}: more than ${maxTimers} timers`);
    }
    const envelope = { message };
    const stop = this.#options.clock.after(ms, () => {
      this.#timers.delete(stop);
      this.#due.add(envelope);
      this.#wake();
    });
    this.#timers.add(stop);
    return () => {
      stop();
      this.#timers.delete(stop);
      this.#due.delete(envelope);
    };
  }
}
