import type { FakeClock } from './clock.ts';

/** What a test watches while it waits. */
export interface Watched {
  clock: FakeClock;
  /** Grows with every request that arrives. */
  seen: { readonly length: number };
}

/**
 * Moves the clock on by `step` ms at a time, and only while nothing has arrived for `quiet` ms of real time, until
 * `work` has settled.
 */
export async function meanwhile<T>(
  { clock, seen }: Watched,
  work: Promise<T>,
  { step, quiet }: { step: number; quiet: number },
): Promise<T> {
  let settled = false;
  const done = work.finally(() => {
    settled = true;
  });
  done.catch(() => {});
  for (let steps = 0; steps < 60 && !settled; steps++) {
    for (let before = -1; before !== seen.length && !settled; ) {
      before = seen.length;
      await new Promise<void>((resolve) => setTimeout(resolve, quiet));
    }
    if (!settled) await clock.advance(step);
  }
  return done;
}
