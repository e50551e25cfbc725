/** The process of a role. */
import type { Check } from '../../config/config.ts';
import type { Role } from '../../config/uses.ts';
import { flagsIn } from './arguments.ts';
import { misconfigured, type ProcessContext, runProcess, StartError } from './process.ts';

/** What each role does. */
const roleDoes: Readonly<Record<Role, string>> = {
  web: 'Serves the API, its streams, the dashboard and /metrics on HOST and PORT.',
  feed: 'Reads the upstreams, shared with the other feed processes, and publishes what they say.',
  compute: 'Computes technical indicators, in COMPUTE_THREADS threads.',
  history: 'Records the series that no upstream keeps, and answers questions about the past.',
  alerts: 'Evaluates the alerts of all accounts, and delivers what they fire.',
};

/** Whether the arguments let a role start: it takes none, and `--help` is printed. Throws StartError for any other. */
function isStarted(role: Role): boolean {
  const line = `npm run ${role}\n${roleDoes[role]}\nSettings are environment variables: npm run check-config -- ${role}`;
  return flagsIn(process.argv.slice(2), { line, options: {} }) !== null;
}

/** Runs the process of a role as `runProcess` does; `checks` are rules for its settings beside those of the table. */
export async function runRole(
  role: Role,
  start: (context: ProcessContext) => Promise<() => Promise<void>>,
  checks: readonly Check[],
): Promise<void> {
  try {
    if (!isStarted(role)) return;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    process.exit(misconfigured);
  }
  await runProcess(role, start, { checks });
}
