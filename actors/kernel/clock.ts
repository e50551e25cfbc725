/** Stops a timer; calling it twice or after the timer fired does nothing. */
export type Cancel = () => void;

/** Time as the rest of the code sees it, so that tests can move it by hand. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Calls `fn` once, `ms` milliseconds from now. The timer alone does not keep the process alive. */
  after(ms: number, fn: () => void): Cancel;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms).unref();
    return () => clearTimeout(timer);
  },
};

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
