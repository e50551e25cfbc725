/** Arguments of the commands. */
import { parseArgs } from 'node:util';
import { StartError } from './process.ts';

/** What a command takes. */
export interface Usage<Name extends string> {
  /** How it is called, such as `npm run key -- [--restore]`. */
  line: string;
  /** What each option does. */
  options: Readonly<Record<Name, string>>;
}

/** The text that `--help` prints. */
export function helpOf({ line, options }: Usage<string>): string {
  const all = Object.entries({ ...options, help: 'Prints this.' });
  const rows = all.map(([name, does]) => `  --${name.padEnd(10)} ${does}`);
  return [`usage: ${line}`, ...rows].join('\n');
}

/**
 * The options that are given, all of them without a value; null where help is asked for, which is printed. Throws StartError,
 * which has the usage, for any other argument.
 */
export function flagsIn<Name extends string>(
  args: readonly string[],
  usage: Usage<Name>,
): Readonly<Record<string, boolean | undefined>> | null {
  const flag = { type: 'boolean' } as const;
  const names = [...Object.keys(usage.options), 'help'];
  try {
    const options = Object.fromEntries(names.map((name) => [name, flag]));
    const { values } = parseArgs({ args: [...args], options });
    if (values.help !== true)
      return Object.fromEntries(names.map((name) => [name, values[name] === true]));
    console.log(helpOf(usage));
    return null;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\n${helpOf(usage)}`);
  }
}
