/** The arguments of the commands, and how a command says what its reader can mend. */
import { parseArgs } from 'node:util';
import { ConfigError } from '../../config/config.ts';
import { misconfigured, StartError } from './process.ts';

/** The options of a command: those with a value, those without one, and whether further arguments are taken as they are. */
interface Options<Name extends string> {
  values?: readonly Name[];
  flags?: readonly Name[];
  more?: boolean;
}

/** What is given of a command's options. What is wrong is thrown as a StartError, with the usage. */
export class Given<Name extends string> {
  /** The further arguments. */
  readonly more: readonly string[];
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #usage: string;

  constructor(
    args: readonly string[],
    usage: string,
    { values = [], flags = [], more: allowPositionals = false }: Options<Name>,
  ) {
    this.#usage = usage;
    const options = Object.fromEntries([
      ...values.map((name) => [name, { type: 'string' }] as const),
      ...flags.map((name) => [name, { type: 'boolean' }] as const),
    ]);
    try {
      const given = parseArgs({ args: [...args], options, allowPositionals });
      this.#given = given.values;
      this.more = given.positionals;
    } catch (error) {
      throw this.fault(`${error instanceof Error ? error.message : error}`);
    }
  }

  /** An error that has the usage. */
  fault(why: string): StartError {
    return new StartError(`${why}\n${this.#usage}`);
  }

  /** Whether an option without a value is given. */
  has(name: Name): boolean {
    return this.#given[name] === true;
  }

  get(name: Name): string | undefined {
    const value = this.#given[name];
    return typeof value === 'string' ? value : undefined;
  }

  required(name: Name): string {
    const value = this.get(name);
    if (value !== undefined && value !== '') return value;
    throw this.fault(`--${name} is missing`);
  }

  /** One of some words; the first where it is absent. */
  oneOf<Word extends string>(name: Name, words: readonly Word[]): Word {
    const given = this.get(name) ?? words[0];
    const found = words.find((word) => word === given);
    if (found === undefined) throw this.fault(`--${name} must be one of ${words.join(', ')}`);
    return found;
  }

  /** Unix ms of a day or a time without a zone, which is UTC. */
  time(name: Name): number {
    const value = this.required(name);
    const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?)?$/.test(value);
    const zoned = value.length > 10 ? `${value.replace('Z', '')}Z` : value;
    const time = isTime ? Date.parse(zoned) : Number.NaN;
    if (!Number.isNaN(time)) return time;
    throw this.fault(
      `--${name} must be a day such as 2026-01-31 or a time such as 2026-01-31T12:00, in UTC`,
    );
  }

  /** Both in Unix ms; `end` is not included. Where `now` is given it is the latest end, and that where there is none. */
  range(start: Name, end: Name, now?: number): { from: number; to: number } {
    const from = this.time(start);
    const given = this.get(end) === undefined ? now : undefined;
    const to = Math.min(now ?? Number.POSITIVE_INFINITY, given ?? this.time(end));
    if (from < to) return { from, to };
    throw this.fault(
      `--${start} must be before --${end}${now === undefined ? '' : ', and in the past'}`,
    );
  }
}

/** The words of a list with commas. */
export const listOf = (value = ''): string[] => value.split(',').filter((word) => word !== '');

/** Runs a command; an error that its reader can mend ends it with status 2 and without a stack. */
export async function runCommand(
  usage: string,
  run: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2);
  try {
    if (args.includes('--help')) console.log(usage);
    else await run(args);
  } catch (error) {
    if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exitCode = misconfigured;
  }
}
