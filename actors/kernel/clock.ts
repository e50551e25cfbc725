/** Stops a timer; calling it twice or after the timer fired does nothing. */
export type Cancel = () => void;

/** Time as the rest of the code sees it, so that tests can move it by hand. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
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

/** The machine's own clock. Without a delay a call comes as soon as the events that are there have been handled. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    if (ms <= 0) return atEndOfTurn(fn);
    const timer = setTimeout(fn, ms).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Calls `work` again and again until cancelled, first `ms` milliseconds from now. Where it returns a promise, the next call
 * comes `ms` after that has settled: calls never overlap.
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
    if (done instanceof Promise) void done.finally(plan);
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

/** The result of `work`, or `late` once `ms` milliseconds have passed; its outcome after that is ignored. */
export async function within<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
): Promise<T | typeof late> {
  const { promise: expired, resolve } = Promise.withResolvers<typeof late>();
  const cancel = clock.after(ms, () => resolve(late));
  try {
    return await Promise.race([work, expired]);
  } finally {
    cancel();
  }
}
