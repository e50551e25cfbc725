/**
 * Resolves when `condition` holds, asked again `pause` ms after each answer. Rejects with `what` after `within` ms,
 * a bound that only something broken reaches.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  within = 90_000,
  pause = 5,
): Promise<void> {
  const end = performance.now() + within;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
