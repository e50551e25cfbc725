/** Resolves when `condition` holds (asked every few milliseconds); rejects with `what` after `within` ms. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  within = 10_000,
): Promise<void> {
  const end = performance.now() + within;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
