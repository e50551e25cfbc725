import { type NearName, nearNames } from './near-names.ts';
import { table } from './table.ts';

export type Config = {
  readonly [K in keyof typeof table]:
    | ReturnType<(typeof table)[K]['read']>
    | (typeof table)[K]['fallback'];
};

/** Thrown at start; the message lists every fault, and never the value of a secret. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A rule that the table cannot know, because it needs other settings or the registries of the processes. */
export interface Check {
  /** The variable that the rule is about. The rule is skipped when the text of this variable has a fault already. */
  env: string;
  /** Throws an Error whose message is the fault. */
  check(config: Config): unknown;
}

/**
 * Reads the settings and applies the rules of `checks`. An absent or empty variable means its default. Throws one
 * ConfigError that lists all faults.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  checks: readonly Check[] = [],
): Config {
  const faults = new Map<string, string[]>();
  const entries = Object.entries(table).map(([name, row]) => {
    const text = env[row.env];
    if (text === undefined || text === '') return [name, row.fallback];
    try {
      return [name, row.read(text)];
    } catch (error) {
      faults.set(row.env, faultsOf(row, text, error as Error));
      return [name, row.fallback];
    }
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
    throw new ConfigError(
      `the configuration has ${found.length} fault(s):\n  ${found.join('\n  ')}`,
    );
  }
  return config;
}

/** A reader that finds several faults in one value throws an AggregateError, whose messages stand for themselves. */
function faultsOf(row: { env: string; secret?: true }, text: string, error: Error): string[] {
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
