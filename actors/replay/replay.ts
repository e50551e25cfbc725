/** Recordings as tardis-machine serves them: messages as they came, and in one form for all exchanges. */
import type { RecordLine } from '../sources/recording/format.ts';
import type { Venue } from '../sources/venue.ts';
import { followed } from './follow.ts';
import { dataTypeOf, isoOf, Messages } from './messages.ts';
import { exchangeName, symbolName } from './names.ts';
import { Normaliser } from './normaliser.ts';
import { linesIn, type Range } from './reader.ts';

/** A channel, and the markets whose messages are wanted; all when absent or empty. */
export interface Filter {
  channel: string;
  symbols?: readonly string[];
}

export interface RawOptions extends Range {
  exchange: string;
  filters?: readonly Filter[];
}

export interface LiveOptions {
  exchange: string;
  symbols?: readonly string[];
  dataTypes: readonly string[];
  withDisconnectMessages?: boolean;
}

export type NormalisedOptions = LiveOptions & Range;

/** A message as it came; null for a gap. `local` is Unix microseconds. */
export interface RawMessage {
  local: number;
  text: string | null;
}

/** A message as JSON, with the time of its receipt, Unix microseconds. */
export interface TimedText {
  local: number;
  text: string;
}

/** A request that cannot be answered; the message says why. */
export class ReplayError extends Error {
  override name = 'ReplayError';
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

/** What a line says to a client of `/replay`. */
function messagesIn(
  line: RecordLine,
  streams: ReadonlyMap<number, string>,
  filters: readonly Filter[],
): RawMessage[] {
  if (line.kind !== 'frame' && line.kind !== 'end') return [];
  const stream = streams.get(line.c);
  if (stream === undefined) return [];
  if (line.kind === 'end') return [{ local: line.t, text: null }];
  const { text } = line;
  const isWanted = filters.length === 0 || filters.some((one) => passes(stream, text, one));
  return isWanted ? [{ local: line.t, text }] : [];
}

/** Whether Tardis has the name for markets of an exchange: `binance` is spot there. */
const isNameOf = ({ id, parts, kinds }: Pick<Venue, 'id' | 'parts' | 'kinds'>, name: string) =>
  parts.some((part) => kinds.some((kind) => exchangeName(id, part, { kind }) === name));

/** The exchanges that can be replayed, and where they were recorded. */
export class Replay {
  readonly #folder: string;
  readonly #venues: readonly Venue[];

  constructor(folder: string, venues: readonly Venue[]) {
    this.#folder = folder;
    this.#venues = venues;
  }

  /** Throws ReplayError. */
  check({
    exchange,
    from,
    to,
    dataTypes = [],
  }: Range & { exchange: string; dataTypes?: readonly string[] }): void {
    this.#venueOf(exchange);
    if (!(from < to)) throw new ReplayError('from must be before to');
    const unknown = dataTypes.find((name) => dataTypeOf(name) === null);
    if (unknown !== undefined) throw new ReplayError(`there is no data type ${unknown}`);
  }

  /** The messages of an exchange as they came, some at a time. */
  async *raw({ exchange, from, to, filters = [] }: RawOptions): AsyncGenerator<RawMessage[]> {
    const { venue, parts } = this.#venueOf(exchange);
    const streams = new Map<number, string>();
    const note = (line: RecordLine) => {
      if (line.kind === 'open' && parts.has(line.part)) streams.set(line.c, line.stream);
    };
    for await (const lines of linesIn(this.#folder, venue.id, { from, to })) {
      for (const line of lines) note(line);
      yield lines.flatMap((line) =>
        line.t < from * 1_000 ? [] : messagesIn(line, streams, filters),
      );
    }
  }

  /** The messages of several exchanges in one form, by the time of their receipt, those of an earlier request first. */
  async *normalised(options: readonly NormalisedOptions[]): AsyncGenerator<TimedText[]> {
    if (options.length === 1 && options[0]) yield* this.#normalised(options[0]);
    else yield* merged(options.map((one) => this.#normalised(one)));
  }

  /** The messages of several exchanges in one form, as they are recorded; ends by the signal. */
  async *live(options: readonly LiveOptions[], signal: AbortSignal): AsyncGenerator<TimedText[]> {
    const from = Date.now();
    const sources = options.map((one) => {
      const { venue } = this.#venueOf(one.exchange);
      const lines = followed(this.#folder, venue.id, signal);
      return this.#read({ ...one, from }, lines);
    });
    yield* asTheyCome(sources);
  }

  async *#normalised(options: NormalisedOptions): AsyncGenerator<TimedText[]> {
    const { venue } = this.#venueOf(options.exchange);
    yield* this.#read(options, linesIn(this.#folder, venue.id, options));
  }

  async *#read(
    options: LiveOptions & Pick<Range, 'from'>,
    lines: AsyncGenerator<RecordLine[]>,
  ): AsyncGenerator<TimedText[]> {
    const { exchange, symbols = [], dataTypes, withDisconnectMessages = false, from } = options;
    const { venue } = this.#venueOf(exchange);
    const types = dataTypes.flatMap((name) => dataTypeOf(name) ?? []);
    const messages = new Messages(venue.id, types, withDisconnectMessages ? exchange : null);
    const names = new Set(symbols.map((symbol) => symbol.toLowerCase()));
    const isTheirs = isNameOf(venue, exchange);
    let found: TimedText[] = [];
    const normaliser = new Normaliser({
      venue,
      types: new Set(types.map(({ of }) => of)),
      from,
      wants: (part, instrument) => {
        const { market } = instrument;
        const isNamed = [market, symbolName(market)].some((name) => names.has(name.toLowerCase()));
        const isOf = !isTheirs || exchangeName(venue.id, part, instrument) === exchange;
        return isOf && (names.size === 0 || isNamed);
      },
      emit(event) {
        for (const message of messages.of(event))
          found.push({ local: event.local, text: JSON.stringify(message) });
      },
    });
    for await (const some of lines) {
      for (const line of some) normaliser.take(line);
      yield found;
      found = [];
    }
  }

  /** The exchange that a name of ours or of Tardis is about, and its parts of that name. */
  #venueOf(exchange: string): { venue: Venue; parts: ReadonlySet<string> } {
    for (const venue of this.#venues) {
      const parts = venue.parts.filter(
        (part) => venue.id === exchange || isNameOf({ ...venue, parts: [part] }, exchange),
      );
      if (parts.length > 0) return { venue, parts: new Set(parts) };
    }
    throw new ReplayError(`there is no exchange ${exchange}`);
  }
}

/**
 * What several sources give, as it comes; ends when all have. A race of their promises would hold all that comes until the quietest one
 * has come too.
 */
async function* asTheyCome(
  sources: readonly AsyncGenerator<TimedText[]>[],
): AsyncGenerator<TimedText[]> {
  const came: (() => Promise<TimedText[] | null>)[] = [];
  let wake = () => {};
  const ask = (source: AsyncGenerator<TimedText[]>) => {
    const next = source.next();
    const arrive = () => {
      came.push(async () => {
        const { done, value } = await next;
        if (done === true) return null;
        ask(source);
        return value;
      });
      wake();
    };
    next.then(arrive, arrive);
  };
  for (const source of sources) ask(source);
  try {
    for (let open = sources.length; open > 0; ) {
      const take = came.shift();
      if (take === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else {
        const found = await take();
        if (found === null) open -= 1;
        else yield found;
      }
    }
  } finally {
    await Promise.all(sources.map((source) => source.return(undefined)));
  }
}

/** Messages of one source that wait for their turn. */
class Head {
  readonly #source: AsyncGenerator<TimedText[]>;
  #waiting: TimedText[] = [];
  #at = 0;
  #isOver = false;

  constructor(source: AsyncGenerator<TimedText[]>) {
    this.#source = source;
  }

  /** Of the next message; undefined where the source must be asked, or has ended. */
  get time(): number | undefined {
    return this.#waiting[this.#at]?.local;
  }

  take(): TimedText[] {
    return this.#waiting.slice(this.#at, ++this.#at);
  }

  /** Asks the source until there is a message, or no more. */
  async fill(): Promise<void> {
    while (!this.#isOver && this.time === undefined) {
      const { value, done } = await this.#source.next();
      this.#isOver = done === true;
      this.#waiting = value ?? [];
      this.#at = 0;
    }
  }

  end(): Promise<unknown> {
    return this.#source.return(undefined);
  }
}

/** The head with the earliest message, of equal ones the first; undefined where one of them must be asked. */
function earliest(heads: readonly Head[]): Head | undefined {
  if (heads.some(({ time }) => time === undefined)) return undefined;
  return heads.toSorted((one, other) => (one.time ?? 0) - (other.time ?? 0))[0];
}

/** Several sources of messages as one, by time; of equal times the earlier source first. */
async function* merged(
  sources: readonly AsyncGenerator<TimedText[]>[],
): AsyncGenerator<TimedText[]> {
  let heads = sources.map((source) => new Head(source));
  try {
    while (heads.length > 0) {
      for (const head of heads) await head.fill();
      heads = heads.filter(({ time }) => time !== undefined);
      const found: TimedText[] = [];
      for (let next = earliest(heads); next; next = earliest(heads)) found.push(...next.take());
      yield found;
    }
  } finally {
    for (const head of heads) await head.end();
  }
}

const isJson = (text: string): boolean => /^[[{]/.test(text);

/** A message as a line of `/replay`, without its end: a gap is an empty line. */
export function rawLine({ local, text }: RawMessage): string {
  if (text === null) return '';
  const message = isJson(text) ? text : JSON.stringify(text);
  return `{"localTimestamp":"${isoOf(local)}","message":${message}}`;
}
