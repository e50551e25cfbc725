/** Arguments of the commands. */
import { parseArgs } from 'node:util';
import { StartError } from './process.ts';

/** What a command takes. */
export interface Usage<Name extends string> {
  /** How it is called, such as `npm run key -- [--restore]`. */
  line: string;
  /** What each option does. */
  options: Readonly<Record<Name, string>>;
  /** Further arguments are taken as they are; without this there are none. */
  more?: true;
}

/** The text that `--help` prints. */
export function helpOf({ line, options }: Usage<string>): string {
  const all = Object.entries({ ...options, help: 'Prints this.' });
  const rows = all.map(([name, does]) => `  --${name.padEnd(10)} ${does}`);
  return [`usage: ${line}`, ...rows].join('\n');
}

/** What is given: options, all of them without a value, and further arguments. */
interface Given {
  flags: Readonly<Record<string, boolean | undefined>>;
  more: readonly string[];
}

/** What is given; null where help is asked for, which is printed. Throws StartError, which has the usage, for any other argument. */
export function argumentsIn<Name extends string>(
  args: readonly string[],
  usage: Usage<Name>,
): Given | null {
  const flag = { type: 'boolean' } as const;
  const names = [...Object.keys(usage.options), 'help'];
  try {
    const options = Object.fromEntries(names.map((name) => [name, flag]));
    const { more: allowPositionals = false } = usage;
    const { values, positionals: more } = parseArgs({ args: [...args], options, allowPositionals });
    if (values.help !== true)
      return {
        flags: Object.fromEntries(names.map((name) => [name, values[name] === true])),
        more,
      };
    console.log(helpOf(usage));
    return null;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\n${helpOf(usage)}`);
  }
}

/** The options that are given, of a command without further arguments; otherwise as `argumentsIn`. */
export const flagsIn = <Name extends string>(args: readonly string[], usage: Usage<Name>) =>
  argumentsIn(args, usage)?.flags ?? null;
