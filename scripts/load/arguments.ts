/** The options of a command. */
import { parseArgs } from 'node:util';

/** Arguments that cannot be used; the message names the option and what is allowed. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Reads a whole number from `min` to `max`, both included. */
export function whole(option: string, text: string, [min, max]: readonly [number, number]): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(`--${option}: ${text} is not a whole number from ${min} to ${max}`);
  }
  return value;
}

/** Reads the address of a server: a scheme of `protocols`, a host, maybe a port, and nothing after them. */
export function origin(option: string, text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const bare = url !== null && url.pathname === '/' && url.search === '' && url.username === '';
  if (url === null || !bare || !protocols.includes(url.protocol)) {
    const allowed = protocols.map((protocol) => `${protocol}//HOST[:PORT]`).join(' or ');
    throw new UsageError(`--${option}: ${text} is not ${allowed}`);
  }
  return url;
}

/** What `parseArgs` throws for options that do not exist or lack their value. */
export const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_'));

/** Options that are whole numbers: what each is, its default, the least and the greatest. */
type Numbers<N extends string> = Readonly<
  Record<N, readonly [what: string, absent: number, min: number, max: number]>
>;

/** Options that are switched on, or have a text: what each is. */
type Words<W extends string> = Readonly<Record<W, string>>;

/** The options of a command, by what they are. */
export interface Known {
  numbers: Numbers<string>;
  flags: Words<string>;
  texts: Words<string>;
}

/** Reads the arguments. Throws UsageError, or parseArgs' own error for unknown options. */
export function readOptions<const K extends Known>(args: string[], known: K) {
  const { numbers, flags, texts }: Known = known;
  const names = [...Object.keys(numbers), ...Object.keys(texts)];
  const { values } = parseArgs({
    args,
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      ...Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'boolean' as const }])),
    },
  });
  const given: Readonly<Record<string, unknown>> = values;
  const textIn = (name: string) => {
    const value = given[name];
    return typeof value === 'string' ? value : undefined;
  };
  const all = Object.entries(numbers).map(([name, [, absent, min, max]]) => {
    const text = textIn(name);
    return [name, text === undefined ? absent : whole(name, text, [min, max])];
  });
  return {
    is: (flag: keyof K['flags'] & string): boolean => given[flag] === true,
    text: (name: keyof K['texts'] & string) => textIn(name),
    numbers: Object.fromEntries(all) as Readonly<Record<keyof K['numbers'], number>>,
  };
}

/** The lines of a help about these options. */
export function helpOf({ numbers, flags, texts }: Known): string {
  const lines = [
    ...Object.entries(texts).map(([name, what]) => [`${name} TEXT`, what]),
    ...Object.entries(numbers).map(([name, [what, absent]]) => [
      `${name} N`,
      `${what} [${absent}]`,
    ]),
    ...Object.entries(flags).map(([name, what]) => [name, what]),
  ];
  return lines.map(([name = '', what]) => `  --${name.padEnd(16)} ${what}`).join('\n');
}
