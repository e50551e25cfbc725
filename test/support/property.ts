/** Properties that hold for all values: the one place that runs them, with a seed that is printed and can be given. */
import fc from 'fast-check';
import type { Test } from 'tap';

const given = (name: 'FC_SEED' | 'FC_RUNS'): number | undefined => {
  const text = process.env[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} is a whole number, not ${text}`);
  return value;
};

/**
 * Runs the check with values of the arbitrary; what it throws is a failure, which is reported with the smallest values that
 * fast-check finds and with the seed: `FC_SEED=<seed>` before the command gives the same values again. `FC_RUNS=10000` runs
 * more than the `runs` that keep a test file below a few seconds.
 */
export async function property<T>(
  t: Test,
  values: fc.Arbitrary<T>,
  check: (value: T) => unknown,
  runs = 300,
): Promise<void> {
  const seed = given('FC_SEED');
  const numRuns = given('FC_RUNS') ?? runs;
  const done = await fc.check(
    fc.asyncProperty(values, async (value) => {
      await check(value);
    }),
    { numRuns, ...(seed !== undefined && { seed }) },
  );
  if (!done.failed) {
    t.pass(`${done.numRuns} runs`);
    return;
  }
  const found = `FC_SEED=${done.seed} FC_RUNS=${numRuns} gives this again. ${fc.defaultReportMessage(done)}`;
  t.fail(`${found}\n${done.errorInstance}`);
}

/** One step of a sequence of commands, with the name that a counterexample shows. It applies to every state. */
export const command = <Real extends object>(
  name: string,
  run: (real: Real) => unknown,
): fc.AsyncCommand<object, Real> => ({
  check: () => true,
  run: async (_, real) => {
    await run(real);
  },
  toString: () => name,
});

/** Runs a sequence of commands with what `begin` makes, then `end`. */
export async function play<Real extends object>(
  commands: Iterable<fc.AsyncCommand<object, Real>>,
  begin: () => Real,
  end: (real: Real) => unknown,
): Promise<void> {
  const real = begin();
  await fc.asyncModelRun(() => ({ model: {}, real }), commands);
  await end(real);
}
