/** Bodies that are made to use up memory, from every exchange at once: a process that reads them stays small. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import type { FaultKind } from '../../../scripts/simulator/faults.ts';
import { startSimulator } from '../../../scripts/simulator/main.ts';

const child = fileURLToPath(new URL('../../support/hostile-bodies.ts', import.meta.url));

interface Measured {
  outcomes: Record<string, number>;
  before: number;
  peak: number;
}

/** Beyond its start: the budget of 64 MiB, the body that is parsed, and what awaits collection. */
const mostGrowth = 256;

t.test('every list of prices at once', async (t) => {
  const simulator = await startSimulator({ symbols: 20 });
  t.teardown(() => simulator.close());
  const measure = async (kind: FaultKind, rounds: string): Promise<Measured> => {
    simulator.faults.set([{ host: '*', kind }]);
    const env = { ...process.env, NODE_OPTIONS: '', GATEWAY: simulator.url, ROUNDS: rounds };
    const { stdout } = await promisify(execFile)(process.execPath, [child], { env });
    return JSON.parse(stdout);
  };
  // A busy machine does not read every body before its deadline.
  const cases = [
    ['huge', '2', ['too_large', 'over_budget', 'timeout']],
    ['gzip_bomb', '1', ['too_large', 'over_budget', 'timeout']],
    ['nested', '1', ['shape', 'over_budget', 'timeout']],
  ] as const;
  for (const [kind, rounds, allowed] of cases) {
    const { outcomes, before, peak } = await measure(kind, rounds);
    t.comment(`${kind}: ${before} MB before, ${peak} MB at the peak, ${JSON.stringify(outcomes)}`);
    t.same(
      Object.keys(outcomes).filter((code) => !(allowed as readonly string[]).includes(code)),
      [],
    );
    t.ok(peak - before < mostGrowth, `${kind}: ${peak - before} MB more than before`);
  }
});
