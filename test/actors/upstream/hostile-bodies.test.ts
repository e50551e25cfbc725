/** Bodies that are made to use up memory, from every exchange at once: a process that reads them stays small. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { startSimulator } from '../../../scripts/simulator/main.ts';

const child = fileURLToPath(new URL('../../support/hostile-bodies.ts', import.meta.url));

/** Beyond its start: the budget of 64 MiB, the body that is parsed, and what awaits collection. */
const mostGrowth = 256;

// A busy machine does not read every body before its deadline. The first is asked for again: what it took was given back.
const cases = [
  ['huge', ['too_large', 'over_budget', 'timeout']],
  ['gzip_bomb', ['too_large', 'over_budget', 'timeout']],
  ['nested', ['shape', 'over_budget', 'timeout']],
  ['huge', ['too_large', 'over_budget', 'timeout']],
] as const;

t.test('every list of prices at once', async (t) => {
  const gateways: string[] = [];
  for (const [kind] of cases) {
    const simulator = await startSimulator({ symbols: 20 });
    t.teardown(() => simulator.close());
    simulator.faults.set([{ host: '*', kind }]);
    gateways.push(simulator.url);
  }
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await promisify(execFile)(process.execPath, [child, ...gateways], { env });
  const [before, ...measured] = stdout.trim().split('\n');
  t.equal(measured.length, cases.length);
  for (const [at, [kind, allowed]] of cases.entries()) {
    const { outcomes, peak } = JSON.parse(measured[at] ?? '{}');
    t.comment(`${kind}: ${before} MB before, ${peak} MB at the peak, ${JSON.stringify(outcomes)}`);
    t.same(
      Object.keys(outcomes).filter((code) => !(allowed as readonly string[]).includes(code)),
      [],
    );
    t.ok(
      peak - Number(before) < mostGrowth,
      `${kind}: ${peak - Number(before)} MB more than before`,
    );
  }
});
