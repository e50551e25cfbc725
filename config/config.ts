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

/** Reads the settings. An absent or empty variable means its default. Throws one ConfigError that lists all faults. */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const faults: string[] = [];
  const entries = Object.entries(table).map(([name, row]) => {
    const text = env[row.env];
    if (text === undefined || text === '') return [name, row.fallback];
    try {
      return [name, row.read(text)];
    } catch (error) {
      const shown = 'secret' in row ? 'the value given' : JSON.stringify(text);
      faults.push(`${row.env}: ${shown} is not ${(error as Error).message}`);
      return [name, row.fallback];
    }
  });
  if (faults.length > 0) {
    throw new ConfigError(
      `the configuration has ${faults.length} fault(s):\n  ${faults.join('\n  ')}`,
    );
  }
  return Object.freeze(Object.fromEntries(entries)) as Config;
}

/** Environment variables of a child process: ours, with `changes` on top. */
export function childEnv(
  changes: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...process.env, ...changes };
}

/** Adds the variables of a `.env` file in the working directory, if there is one; what is set already wins. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
