/**
 * Prints what is wrong with the settings, which of them are set and which have their default, and which processes use each:
 * `npm run check-config`, with the names of roles for those alone. Exit status 2 where a process would not start. No secret is
 * printed.
 */
import {
  type Config,
  ConfigError,
  givenIn,
  loadConfig,
  loadEnvFile,
  strayNames,
} from '../../config/config.ts';
import { Plans } from '../../config/plans.ts';
import type { Row } from '../../config/row.ts';
import { table } from '../../config/table.ts';
import { type Role, roles, uses } from '../../config/uses.ts';
import { checksOf } from './checks.ts';
import { Given, runCommand } from './command.ts';
import { misconfigured } from './process.ts';

const usage = `usage: npm run check-config -- [ROLE…]
  ROLE        web, feed, compute, history or alerts; all of them when absent.
  --help      Prints this.`;

/** The faults of the settings, and the processes that would not start by each. */
function faultsOf(chosen: readonly Role[]): Map<string, Role[]> {
  const faults = new Map<string, Role[]>();
  for (const role of chosen) {
    try {
      loadConfig(undefined, checksOf[role]);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) faults.set(fault, [...(faults.get(fault) ?? []), role]);
    }
  }
  return faults;
}

/** A value as people read it. */
function shownValue({ secret, shown, fallback }: Row<unknown>, value: unknown): string {
  if (value === fallback) {
    const isPlain = fallback !== null && typeof fallback !== 'object';
    const words = shown?.replaceAll('`', '');
    if (words === undefined || !isPlain) return words ?? String(fallback);
    return `${fallback}, ${words}`;
  }
  if (secret) return '(set, not shown)';
  if (value instanceof Plans) return value.names.join(', ');
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The settings that some of the processes use: name, value, and where it is from and who uses it; those that are set apart. */
function linesOf(config: Config, chosen: readonly Role[]) {
  const set: string[] = [];
  const usual: string[] = [];
  for (const name of Object.keys(table) as (keyof typeof table)[]) {
    const row: Row<unknown> = table[name];
    const users = chosen.filter((role) => uses[role].some((one) => one === name));
    if (users.length === 0) continue;
    const given = givenIn(row);
    const from = given === null || given.from === row.env ? '' : `, by ${given.from}`;
    const line = `  ${row.env} = ${shownValue(row, config[name])}  (${users.join(' ')}${from})`;
    if (given === null) usual.push(line);
    else set.push(line);
  }
  return { set, usual };
}

function check(chosen: readonly Role[]): void {
  const faults = faultsOf(chosen);
  const print = (title: string, lines: readonly string[]) =>
    lines.length > 0 && console.log(`${title}\n${lines.join('\n')}\n`);
  print(
    'These processes would not start:',
    [...faults].map(([fault, by]) => `  ${by.join(' ')}: ${fault}`),
  );
  print(
    'No settings:',
    strayNames().map(({ name, meant }) =>
      meant === null ? `  ${name}` : `  ${name}: did you mean ${meant}?`,
    ),
  );
  if (faults.size > 0) {
    process.exitCode = misconfigured;
    return;
  }
  const { set, usual } = linesOf(loadConfig(), chosen);
  print('Set, and the processes that use it:', set);
  print('By default:', usual);
}

await runCommand(usage, async (args) => {
  const given = new Given(args, usage, { more: true });
  const unknown = given.more.filter((name) => !roles.some((role) => role === name));
  if (unknown.length > 0) throw given.fault(`no process: ${unknown.join(', ')}`);
  loadEnvFile();
  check(roles.filter((role) => given.more.length === 0 || given.more.includes(role)));
});
