/** Stops a timer; calling it twice or after the timer fired does nothing. */
export type Cancel = () => void;

/** Time as the rest of the code sees it, so that tests can move it by hand. */
export interface Clock {
  /** Unix milliseconds, for what is shown, stored, or compared with times of others. It may step. */
  now(): number;
  /** Whole milliseconds that never step nor go back, for durations, deadlines and ages in this process. Only differences mean something. */
  monotonic(): number;
  /** Calls `fn` once, `ms` milliseconds from now. The timer alone does not keep the process alive. */
  after(ms: number, fn: () => void): Cancel;
}

/** What is to be called at the end of this turn of the event loop. */
let ending = new Set<() => void>();

/** Calls what has been planned, as one task: what it writes leaves together. An exception is uncaught, as that of a timer. */
function endTurn(): void {
  const planned = ending;
  ending = new Set();
  for (const call of planned) {
    try {
      call();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

function atEndOfTurn(fn: () => void): Cancel {
  // With a reference: one without does not wake the event loop, so that a quiet process would wait for its next event.
  if (ending.size === 0) setImmediate(endTurn);
  const planned = ending;
  // A function of its own, so that one may be planned twice.
  const call = () => fn();
  planned.add(call);
  return () => void planned.delete(call);
}

/** A time that is lived again. */
export interface Replayed {
  /** Unix ms. The clock stands before the first and after the second. */
  from: number;
  to: number;
  /** When it begins, Unix ms of the system, and how often faster than that it goes. */
  began: number;
  speed: number;
}

/** A host whose clock differs from the one of the service by more is named, and its clock is not used, ms. */
export const mostApart = 1_000;
/** A change of the host's clock that is followed: it is a step, and no inexact reading, ms. */
const leastStep = 10;

/**
 * The time of the service. The clock of Redis decides it where the host's own differs by more than a second, so that all
 * processes agree and a step of one host's clock changes nothing; until Redis has said its time it is the host's own.
 */
export class ServiceClock implements Clock {
  /** What is added to the monotonic time; null while the service's time is not known. */
  #base: number | null = null;
  #ahead = 0;
  #replayed: Replayed | null = null;

  /** From now on the time is that of a recording, for all that this clock says; nothing is to have asked it before. */
  replay(replayed: Replayed): void {
    this.#replayed = replayed;
  }

  now(): number {
    if (this.#replayed) return this.monotonic();
    return this.#base === null ? Date.now() : Math.round(this.#base + performance.now());
  }

  monotonic(): number {
    if (this.#replayed === null) return Math.floor(performance.now());
    const { from, to, began, speed } = this.#replayed;
    const since = performance.timeOrigin + performance.now() - began;
    return Math.floor(Math.min(to, from + Math.max(0, since) * speed));
  }

  /** By how much the host's clock is ahead of that of Redis, ms; negative where it is behind, 0 while that is not known. */
  get ahead(): number {
    return this.#ahead;
  }

  /** Takes the time of Redis, Unix ms, as it was at a monotonic time of this process. */
  agree(time: number, at: number): void {
    if (this.#replayed) return;
    const said = time - at;
    const own = Date.now() - performance.now();
    this.#ahead = own - said;
    const base = this.#base ?? Number.NaN;
    if (Math.abs(this.#ahead) <= mostApart) {
      if (!(Math.abs(base - own) <= leastStep)) this.#base = own;
    } else if (!(Math.abs(base - said) <= mostApart)) this.#base = said;
  }

  /** Without a delay a call comes as soon as the events that are there have been handled. */
  after(ms: number, fn: () => void): Cancel {
    if (ms <= 0) return atEndOfTurn(fn);
    const timer = setTimeout(fn, this.#delay(ms)).unref();
    return () => clearTimeout(timer);
  }

  /** What a duration takes by the clock of the system, ms. While this clock stands, timers go on as ever. */
  #delay(ms: number): number {
    if (this.#replayed === null) return ms;
    const { from, to, began, speed } = this.#replayed;
    const due = this.monotonic() + ms;
    if (due > to) return ms;
    const left = began + (due - from) / speed - performance.timeOrigin - performance.now();
    // A timer of Node may run a millisecond early.
    return Math.max(1, Math.ceil(Math.min(ms, left)) + 1);
  }
}

/** The clock of the processes of the service. */
export const systemClock = new ServiceClock();

/** The time that the host lives in, also where that of the service is lived again. */
const hostClock: Clock = new ServiceClock();

/**
 * The clock of what processes agree on with each other, such as leases. A time that is lived again 60 times as fast would leave them a
 * sixtieth of their deadlines.
 */
export const amongProcesses = (clock: Clock): Clock =>
  clock instanceof ServiceClock ? hostClock : clock;

const warn = (error: unknown): void =>
  process.emitWarning(error instanceof Error ? error : String(error));

/**
 * Calls `work` again and again until cancelled, first `ms` milliseconds from now. Where it returns a promise, the next call
 * comes `ms` after that has settled: calls never overlap. One that rejects is warned of, and called again.
 */
export function every(clock: Clock, ms: number, work: () => void | Promise<void>): Cancel {
  let isOver = false;
  let cancel: Cancel = () => {};
  const plan = () => {
    if (!isOver) cancel = clock.after(ms, turn);
  };
  const turn = () => {
    let done: unknown;
    try {
      done = work();
    } finally {
      // Work that throws is called again as well.
      if (!(done instanceof Promise)) plan();
    }
    if (done instanceof Promise) void done.catch(warn).finally(plan);
  };
  plan();
  return () => {
    isOver = true;
    cancel();
  };
}

/** Resolves after `ms` milliseconds, or as soon as `signal` is aborted. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}

/** The result of `within` when the time is up. */
export const late: unique symbol = Symbol('late');

/**
 * The result of `work`, or `late` once `ms` milliseconds have passed; its outcome after that is ignored. In a process that was held up
 * what has arrived meanwhile is read first.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
): Promise<T | typeof late> {
  const { promise: expired, resolve } = Promise.withResolvers<typeof late>();
  let cancel = clock.after(ms, () => {
    cancel = clock.after(0, () => resolve(late));
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    cancel();
  }
}
