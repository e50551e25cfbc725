import { readFileSync } from 'node:fs';
import { fileSuffix, type NearName, nearNames } from './near-names.ts';
import type { Row } from './row.ts';
import { table } from './table.ts';

export type Config = {
  readonly [K in keyof typeof table]:
    | ReturnType<(typeof table)[K]['read']>
    | (typeof table)[K]['fallback'];
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown at start; the message lists every fault, and never the value of a secret. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(message: string, faults: readonly string[] = [message]) {
    super(message);
    this.faults = faults;
  }
}

/** A rule that the table cannot know, because it needs other settings or the registries of the processes. */
export interface Check {
  /** The variable that the rule is about. The rule is skipped when the text of this variable has a fault already. */
  env: string;
  /** Throws an Error whose message is the fault. */
  check(config: Config): unknown;
}

/** A setting as the environment has it: its text, of the file that `NAME_FILE` names where there is no `NAME`. */
interface Given {
  text: string;
  /** The variable. */
  from: string;
}

/** Null for a setting that is not given. Throws an Error, which names the variable, for a file that cannot be read. */
export function givenIn(
  { env: name, byPath }: Row<unknown>,
  env: Environment = process.env,
): Given | null {
  const text = env[name];
  if (text !== undefined && text !== '') return { text, from: name };
  const path = env[name + fileSuffix];
  if (path === undefined || path === '') return null;
  const from = name + fileSuffix;
  if (byPath) return { text: path, from };
  try {
    return { text: readFileSync(path, 'utf8').replace(/\r?\n$/, ''), from };
  } catch (error) {
    throw new Error(`${from}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/**
 * Reads the settings and applies the rules of `checks`. An absent or empty variable means its default, unless `NAME_FILE` names a
 * file with the text. Throws one
 * ConfigError that lists all faults.
 */
export function loadConfig(env: Environment = process.env, checks: readonly Check[] = []): Config {
  const faults = new Map<string, string[]>();
  const entries = Object.entries(table).map(([name, row]) => {
    const { value, found = [] } = readRow(env, row);
    if (found.length > 0) faults.set(row.env, found);
    return [name, value];
  });
  const config: Config = Object.freeze(Object.fromEntries(entries));
  for (const rule of checks) {
    if (faults.has(rule.env)) continue;
    try {
      rule.check(config);
    } catch (error) {
      faults.set(rule.env, [(error as Error).message]);
    }
  }
  const found = [...faults.values()].flat();
  if (found.length > 0) {
    const message = `the configuration has ${found.length} fault(s):\n  ${found.join('\n  ')}`;
    throw new ConfigError(message, found);
  }
  return config;
}

/** The value of a setting, its default where it has faults. */
function readRow(env: Environment, row: Row<unknown>): { value: unknown; found?: string[] } {
  let given: Given | null;
  try {
    given = givenIn(row, env);
  } catch (error) {
    return { value: row.fallback, found: [(error as Error).message] };
  }
  if (given === null) return { value: row.fallback };
  try {
    return { value: row.read(given.text) };
  } catch (error) {
    const found = faultsOf({ ...row, env: given.from }, given.text, error as Error);
    return { value: row.fallback, found };
  }
}

/** A reader that finds several faults in one value throws an AggregateError, whose messages stand for themselves. */
function faultsOf(row: Pick<Row<unknown>, 'env' | 'secret'>, text: string, error: Error): string[] {
  if (error instanceof AggregateError) {
    return error.errors.map(({ message }: Error) => `${row.env}: ${message}`);
  }
  const shown = row.secret ? 'the value given' : JSON.stringify(text);
  return [`${row.env}: ${shown} is not ${error.message}`];
}

/** Environment variables of a child process: ours, with `changes` on top. */
export function childEnv(
  changes: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...process.env, ...changes };
}

/** Variables of this process that look like settings and are none. */
export const strayNames = (): NearName[] => nearNames(process.env);

/** Adds the variables of a `.env` file in the working directory, if there is one; what is set already wins. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The key of the API with which a command of ours is a client; null without one. */
export const clientKey = (): string | null => process.env.TIDEMARK_KEY || null;
