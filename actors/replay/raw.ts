/** Messages of a recording as they came, for clients that read the words of the exchange. */
import { continues, type RecordLine } from '../sources/recording/format.ts';
import { isoOf } from './messages.ts';

/** A channel, and the markets whose messages are wanted; all when absent or empty. */
export interface Filter {
  channel: string;
  symbols?: readonly string[];
}

/** A message as it came; null for a gap. `local` is Unix microseconds. */
export interface RawMessage {
  local: number;
  text: string | null;
}

/** Words of a channel that select nothing: its depth and its interval. */
const idle = /^\d+(ms|s|m)?$/;

/**
 * Whether a message is of a filter: its stream is named so (`trades`, `books/linear`), or its text has all words of the channel; and
 * its text has one of the symbols, in any letter case.
 */
function passes(stream: string, text: string, { channel, symbols = [] }: Filter): boolean {
  const lower = text.toLowerCase();
  const words = channel
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word !== '' && !idle.test(word));
  const isNamed = stream === channel || stream.startsWith(`${channel}/`);
  const isOf = isNamed || words.every((word) => lower.includes(word));
  return isOf && (symbols.length === 0 || symbols.some((one) => lower.includes(one.toLowerCase())));
}

/** What lines say of some parts: messages that pass one of the filters, or all without any, and gaps. */
export class RawReader {
  readonly #parts: ReadonlySet<string>;
  readonly #filters: readonly Filter[];
  /** Names of streams by connection. */
  readonly #streams = new Map<number, string>();
  #file: string | undefined;

  constructor(parts: ReadonlySet<string>, filters: readonly Filter[]) {
    this.#parts = parts;
    this.#filters = filters;
  }

  take(line: RecordLine): RawMessage[] {
    const { kind, t: local } = line;
    if (kind === 'open' && this.#parts.has(line.part)) this.#streams.set(line.c, line.stream);
    if (kind === 'frame') return this.#wants(line.c, line.text) ? [{ local, text: line.text }] : [];
    return this.#isGap(line) ? [{ local, text: null }] : [];
  }

  #wants(c: number, text: string): boolean {
    const stream = this.#streams.get(c);
    if (stream === undefined) return false;
    return this.#filters.length === 0 || this.#filters.some((one) => passes(stream, text, one));
  }

  #isGap(line: RecordLine): boolean {
    if (line.kind === 'end') return this.#streams.has(line.c);
    if (line.kind !== 'file') return line.kind === 'lost';
    const before = this.#file;
    this.#file = line.name;
    if (continues(line, before)) return false;
    // A process that was started again numbers its connections anew.
    this.#streams.clear();
    return before !== undefined;
  }
}

/** A message as a line of `/replay`, without its end: a gap is an empty line. */
export function rawLine({ local, text }: RawMessage): string {
  if (text === null) return '';
  // Ends of lines are between the parts of a JSON text, never within them.
  const message = /^[[{]/.test(text) ? text.replaceAll('\n', ' ') : JSON.stringify(text);
  return `{"localTimestamp":"${isoOf(local)}","message":${message}}`;
}
