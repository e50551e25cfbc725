/**
 * `npm run load -- --url … --endpoint …`: how much a server takes, and how fast it answers meanwhile.
 * `npm run load -- questions …`: what exchanges' limits do not carry.
 * `npm run load -- attacks …`: what one hostile client does to others.
 * `npm run load -- cluster …`: what clients notice while processes of every role are killed.
 */
import { isUsage, UsageError } from './arguments.ts';
import { attack } from './attacks/main.ts';
import { loadCluster } from './cluster/main.ts';
import { help, loadOptions, type Options } from './options.ts';
import { askQuestions } from './questions/main.ts';
import { progressLine, table, warnings } from './report.ts';
import { load, passed } from './run.ts';

/** Milliseconds for the first answer. */
const patience = 10_000;

/** One request ahead, so that a wrong address is reported at once. */
async function reach({ url }: Options): Promise<void> {
  try {
    const answer = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(patience) });
    await answer.body?.cancel();
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`--url: ${url.origin} does not answer (${why})`);
  }
}

/** Loads with a name of their own: whether nothing was found. */
const named: Readonly<Record<string, (args: string[]) => Promise<boolean>>> = {
  questions: askQuestions,
  attacks: attack,
  cluster: loadCluster,
};

/** The exit status. */
async function main(): Promise<number> {
  const [first = '', ...others] = process.argv.slice(2);
  const other = Object.hasOwn(named, first) ? named[first] : undefined;
  if (other !== undefined) return (await other(others)) ? 0 : 1;
  const options = loadOptions(process.argv.slice(2));
  if (options === null) {
    console.log(help);
    return 0;
  }
  if (options.url.protocol === 'http:') await reach(options);
  const live = process.stderr.isTTY;
  const result = await load(options, (now) => {
    if (live) process.stderr.write(`\r${progressLine(now, options.seconds)}`);
  });
  if (live) process.stderr.write(`\r${' '.repeat(70)}\r`);
  console.log(options.json ? JSON.stringify(result) : table(result, options));
  for (const warning of warnings(result)) console.error(`warning: ${warning}`);
  return passed(result) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!isUsage(error)) throw error;
  console.error(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}
