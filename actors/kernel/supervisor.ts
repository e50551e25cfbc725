/**
 * Keeps actors alive, one for one: a crashed child is restarted alone, after a backoff with full jitter.
 * One that crashes too often is `down` and gets one trial at a time, far apart, until it stays healthy.
 */
import { type ActorRef, type Behaviour, type Envelope, Life } from './actor.ts';
import { type Backoff, fullJitter } from './backoff.ts';
import type { Cancel, Clock } from './clock.ts';

/** When a crashed child is restarted. Times in milliseconds. */
export interface Policy extends Backoff {
  /** Restarts allowed in any `window`; the next crash takes the child down. */
  restarts: number;
  window: number;
  /** Between the crash that took a child down and its next trial. */
  probe: number;
  /** Running this long without a crash forgets all earlier crashes. */
  healthy: number;
  /** Longest wait for the message in progress, and again for `stopped`, when an actor ends. */
  stopDeadline: number;
}

export const defaultPolicy: Readonly<Policy> = {
  base: 250,
  cap: 10_000,
  restarts: 5,
  window: 60_000,
  probe: 60_000,
  healthy: 60_000,
  stopDeadline: 5_000,
};

/** An event to log or count. `crashed` comes before the `down` that it may cause. */
export type SupervisorEvent = { supervisor: string; child: string } & (
  | { type: 'crashed'; error: Error }
  | { type: 'restarted'; restarts: number; trial: boolean }
  /** `nextTrial` in Unix ms; it comes later by the time that the crashed actor takes to stop. */
  | { type: 'down'; nextTrial: number }
  /** Healthy again after it was down. */
  | { type: 'recovered' }
  | { type: 'refused'; reason: 'full' | 'down' | 'stopped' }
  /** `stopped` threw, or an ending outlasted its deadline; what still runs is left behind. */
  | { type: 'stop_failed'; error: Error }
);

export interface SupervisorOptions {
  name: string;
  clock: Clock;
  /** Uniform in [0, 1). */
  random?: () => number;
  policy?: Partial<Policy>;
  /** An exception in the listener is ignored. */
  onEvent?: (event: SupervisorEvent) => void;
}

export interface SpawnOptions<M> {
  name: string;
  behaviour: Behaviour<M>;
  /** Bound of the mailbox; 1,024 when absent. */
  mailbox?: number;
}

export interface Supervisor {
  /** Starts a child. Throws when the name is taken or the supervisor is stopped. */
  spawn<M>(options: SpawnOptions<M>): ActorRef<M>;
  /** Stops all children at once; resolves when all have ended or their deadlines have passed. Idempotent. */
  stop(): Promise<void>;
}

type Detail<E = SupervisorEvent> = E extends SupervisorEvent
  ? Omit<E, 'supervisor' | 'child'>
  : never;

interface SupervisorContext {
  clock: Clock;
  random: () => number;
  policy: Readonly<Policy>;
  emit(detail: Detail): void;
}

class Child<M> implements ActorRef<M> {
  readonly name: string;
  readonly #behaviour: Behaviour<M>;
  readonly #around: SupervisorContext;
  readonly #mailbox: Envelope<M>[] = [];
  readonly #most: number;
  /** Messages are queued, also between two lives; `down` and `stopped`: they are refused, and none is queued. */
  #state: 'up' | 'down' | 'stopped' = 'up';
  #life: Life<M> | null = null;
  #restarts = 0;
  /** Crashes since it was last healthy. */
  #crashes = 0;
  /** When it was restarted within the window. */
  #recent: number[] = [];
  #trial = false;
  /** The one timer: the next restart, or the end of the healthy period. */
  #timer: Cancel = () => {};

  constructor({ name, behaviour, mailbox = 1_024 }: SpawnOptions<M>, around: SupervisorContext) {
    this.name = name;
    this.#behaviour = behaviour;
    this.#around = around;
    this.#most = mailbox;
  }

  tell(message: M): boolean {
    if (this.#state !== 'up') return this.#refuse(this.#state);
    if (this.#mailbox.length >= this.#most) return this.#refuse('full');
    this.#mailbox.push({ message });
    this.#life?.wake();
    return true;
  }

  start(): void {
    const life = new Life({
      behaviour: this.#behaviour,
      self: this,
      mailbox: this.#mailbox,
      clock: this.#around.clock,
      onRunning: () => this.#running(),
      onStopFailed: (error) => this.#around.emit({ type: 'stop_failed', error }),
    });
    this.#life = life;
    void this.#watch(life);
  }

  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.#timer();
    this.#mailbox.length = 0;
    await this.#life?.close(this.#around.policy.stopDeadline);
  }

  #refuse(reason: 'full' | 'down' | 'stopped'): false {
    this.#around.emit({ type: 'refused', reason });
    return false;
  }

  async #watch(life: Life<M>): Promise<void> {
    const error = await life.ended;
    if (error === null || this.#state === 'stopped') return;
    await this.#replace(life, this.#crashed(error));
  }

  /** The next life begins `wait` ms after the last one has ended, so that no two overlap. */
  async #replace(life: Life<M>, wait: number): Promise<void> {
    const { clock, policy } = this.#around;
    await life.close(policy.stopDeadline);
    if (this.#state !== 'stopped') this.#timer = clock.after(wait, () => this.#restart());
  }

  /** Milliseconds until the next restart. */
  #crashed(error: Error): number {
    const { clock, policy, random, emit } = this.#around;
    const at = clock.monotonic();
    this.#timer();
    this.#recent = this.#recent.filter((restart) => restart > at - policy.window);
    const down = this.#trial || this.#recent.length >= policy.restarts;
    this.#state = down ? 'down' : 'up';
    emit({ type: 'crashed', error });
    if (!down) return fullJitter(this.#crashes++, policy, random);
    this.#trial = true;
    this.#mailbox.length = 0;
    emit({ type: 'down', nextTrial: clock.now() + policy.probe });
    return policy.probe;
  }

  #restart(): void {
    this.#state = 'up';
    this.#restarts++;
    this.#recent.push(this.#around.clock.monotonic());
    this.start();
  }

  #running(): void {
    const { clock, policy, emit } = this.#around;
    this.#timer = clock.after(policy.healthy, () => this.#healthy());
    if (this.#restarts > 0) {
      emit({ type: 'restarted', restarts: this.#restarts, trial: this.#trial });
    }
  }

  #healthy(): void {
    this.#crashes = 0;
    this.#recent = [];
    if (!this.#trial) return;
    this.#trial = false;
    this.#around.emit({ type: 'recovered' });
  }
}

/** Throws RangeError when a number of the policy is negative or not a number. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { name: supervisor, clock, random = Math.random, onEvent } = options;
  const policy = { ...defaultPolicy, ...options.policy };
  for (const [key, value] of Object.entries(policy)) {
    if (!(value >= 0)) throw new RangeError(`policy.${key} must be 0 or more, not ${value}`);
  }
  const children = new Map<string, Pick<Child<never>, 'stop'>>();
  let stopping = false;
  let stopped: Promise<void> | null = null;
  const emitFor = (child: string) => (detail: Detail) => {
    try {
      onEvent?.({ supervisor, child, ...detail });
    } catch {
      // See SupervisorOptions.onEvent.
    }
  };
  return {
    spawn(spec) {
      if (stopping) throw new Error(`supervisor ${supervisor} is stopped`);
      if (children.has(spec.name))
        throw new Error(`${supervisor} has a child ${spec.name} already`);
      const child = new Child(spec, { clock, random, policy, emit: emitFor(spec.name) });
      children.set(spec.name, child);
      child.start();
      return child;
    },
    stop() {
      stopping = true;
      stopped ??= Promise.all([...children.values()].map((child) => child.stop())).then(() => {});
      return stopped;
    },
  };
}
