/**
 * Resolves when `condition` holds. It is asked again `pause` ms after each answer; after the first second less often, down
 * to every 100 ms, as asking a browser or a process takes what they need themselves. Rejects with `what` after `within` ms,
 * a bound that only something broken reaches.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  within = 90_000,
  pause = 5,
): Promise<void> {
  const began = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - began;
    if (waited > within) {
      const said = typeof what === 'string' ? what : what();
      throw new Error(`timed out waiting until ${said}`);
    }
    const rest = waited < 1_000 ? pause : Math.max(pause, Math.min(100, waited / 20));
    await new Promise((resolve) => setTimeout(resolve, rest));
  }
}
