/** The process of a role. */
import type { Check } from '../../config/config.ts';
import type { Role } from '../../config/uses.ts';
import { Given, runCommand } from './command.ts';
import { type ProcessContext, runProcess } from './process.ts';

/** What each role does. */
const roleDoes: Readonly<Record<Role, string>> = {
  web: 'Serves the API, its streams, the dashboard and /metrics on HOST and PORT.',
  feed: 'Reads the upstreams, shared with the other feed processes, and publishes what they say.',
  compute: 'Computes technical indicators, in COMPUTE_THREADS threads.',
  history: 'Records the series that no upstream keeps, and answers questions about the past.',
  alerts: 'Evaluates the alerts of all accounts, and delivers what they fire.',
};

/** Runs the process of a role as `runProcess` does; `checks` are rules for its settings beside those of the table. */
export function runRole(
  role: Role,
  start: (context: ProcessContext) => Promise<() => Promise<void>>,
  checks: readonly Check[],
): Promise<void> {
  const usage = `usage: npm run ${role}
${roleDoes[role]}
Settings are environment variables: npm run check-config -- ${role}
  --help      Prints this.`;
  return runCommand(usage, async (args) => {
    // It takes none.
    new Given(args, usage, {});
    await runProcess(role, start, { checks });
  });
}
