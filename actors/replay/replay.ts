/** Recordings as tardis-machine serves them: messages as they came, and in one form for all exchanges. */
import type { RecordLine } from '../sources/recording/format.ts';
import type { Venue } from '../sources/venue.ts';
import { followed } from './follow.ts';
import { dataTypeOf, Messages } from './messages.ts';
import { exchangeName, isNamed, symbolName, venueNamed } from './names.ts';
import { Normaliser } from './normaliser.ts';
import { type Filter, type RawMessage, RawReader } from './raw.ts';
import { linesIn, type Range } from './reader.ts';

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

/** A message as JSON, with the time of its receipt, Unix microseconds. */
export interface TimedText {
  local: number;
  text: string;
}

/** A request that cannot be answered; the message says why. */
export class ReplayError extends Error {
  override name = 'ReplayError';
}

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
    const reader = new RawReader(parts, filters);
    for await (const lines of linesIn(this.#folder, venue.id, { from, to }))
      yield lines.flatMap((line) => reader.take(line)).filter(({ local }) => local >= from * 1_000);
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
    // `binance` is spot at Tardis.
    const isTheirs = venue.parts.some((part) => isNamed(venue, part, exchange));
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
        const { part } = event;
        if (part !== null && isTheirs && !isNamed(venue, part, exchange)) return;
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

  #venueOf(exchange: string) {
    const found = venueNamed(this.#venues, exchange);
    if (found) return found;
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

/** A source with those of its messages that wait for their turn: from the place `at` on. */
interface Head {
  source: AsyncGenerator<TimedText[]>;
  waiting: TimedText[];
  at: number;
}

const timeOf = ({ waiting, at }: Head): number => waiting[at]?.local ?? 0;
const isEmpty = ({ waiting, at }: Head): boolean => at >= waiting.length;

/** Asks the source until a message waits; false where there is none any more. */
async function fill(head: Head): Promise<boolean> {
  while (isEmpty(head)) {
    const { value, done } = await head.source.next();
    if (done === true) return false;
    head.waiting = value;
    head.at = 0;
  }
  return true;
}

/** Several sources of messages as one, by time; of equal times the earlier source first. */
async function* merged(
  sources: readonly AsyncGenerator<TimedText[]>[],
): AsyncGenerator<TimedText[]> {
  const heads = sources.map((source): Head => ({ source, waiting: [], at: 0 }));
  try {
    for (;;) {
      for (const head of [...heads]) if (!(await fill(head))) heads.splice(heads.indexOf(head), 1);
      if (heads.length === 0) return;
      const found: TimedText[] = [];
      while (!heads.some(isEmpty)) {
        const next = heads.reduce((first, one) => (timeOf(one) < timeOf(first) ? one : first));
        found.push(...next.waiting.slice(next.at, ++next.at));
      }
      yield found;
    }
  } finally {
    for (const source of sources) await source.return(undefined);
  }
}
