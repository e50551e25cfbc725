/** What is recorded of an exchange: bodies that the probe reads, lists beside those of ccxt, and refusals. */
import type { Exchange } from 'ccxt';
import type { FailureCode } from '../../../../actors/failure.ts';
import { isRecord } from '../../../../actors/read.ts';
import type { ParseContext } from '../../../../actors/sources/define.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument } from '../../../../actors/topics/index.ts';
import { readFault } from '../../../../actors/upstream/faults.ts';
import { instrument } from '../../../support/makers.ts';
import { recording } from '../../../support/recordings.ts';
import { type FeedPart, type FeedTopic, feedPart, pollOf as topicPoll } from '../fixtures.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies, and what the library makes of them, are compared value by value.
export type Loose = any;
export type Wire = Record<string, Loose>;
/** Expected values by column; a column that is undefined is not compared. */
export type Columns = Readonly<Record<string, unknown>>;

export type Read = (name: string) => Loose;
/** A recording by its name, a body made of recordings, or a body of our own. */
export type Body = string | object | ((read: Read) => unknown);

/** What a probe reads of recordings: a topic of a part, or the book or candles of one market. */
export interface Recorded {
  topic: FeedTopic | 'candles' | 'books';
  part: string;
  bodies: readonly Body[];
  known?: readonly Instrument[] | undefined;
  market?: string;
  instrument?: Instrument;
}

/** Returns in words where we and the library, or the document, differ. */
export interface Check {
  name: string;
  run(stage: Stage): Promise<string[]>;
}

export interface RecordedVenue {
  /** The library, with the markets of the recordings. */
  load(read: Read): Promise<Exchange>;
  /** The recorded list of a part. */
  lists?: Readonly<Record<string, Body>>;
  /** Markets beside those of the list, by part: recorded rows are often of others. */
  known?: Readonly<Record<string, readonly Instrument[]>>;
  /** When the answers were received, Unix ms. */
  received?: number;
  bodies: readonly Recorded[];
  checks: readonly Check[];
}

export interface Stage {
  venue: Venue;
  row: RecordedVenue;
  exchange: Exchange;
  read: Read;
}

type Recordings = Omit<Stage, 'exchange'>;

/** Recorded answers to the requests of one poll, and what is known of their part. */
export interface RecordedPoll {
  topic: FeedTopic;
  part: string;
  feed: FeedPart['feed'];
  bodies: readonly Loose[];
  context: ParseContext;
}

type PollSubject = Recorded & { topic: FeedTopic };

export const isPolled = (about: Recorded): about is PollSubject =>
  about.topic !== 'candles' && about.topic !== 'books';

/** The value at a path such as `result.list`; an empty path is the body itself. */
export const valueAt = (body: unknown, path: string): Loose =>
  path === '' ? body : path.split('.').reduce<unknown>((value, key) => Object(value)[key], body);

export function reader(venue: string): Read {
  return (name) => {
    const found = recording(venue, name);
    if (!found) throw new Error(`no recording ${venue}/${name}`);
    return found.response;
  };
}

export const bodyOf = ({ read }: Pick<Stage, 'read'>, body: Body): unknown => {
  if (typeof body === 'string') return read(body);
  return typeof body === 'function' ? body(read) : body;
};

/** What is known of a part: its recorded list and what the table adds to it. */
export const contextOf = (
  { venue, row, read }: Recordings,
  part: string,
  known: readonly Instrument[] = [],
): ParseContext => {
  const { received = 0 } = row;
  const context = { received, instruments: new Map<string, Instrument>() };
  const list = row.lists?.[part];
  const rows = list
    ? (topicPoll(venue, 'instruments', part)?.parse([bodyOf({ read }, list)], context).rows ?? [])
    : [];
  const all = [...rows, ...(row.known?.[part] ?? []), ...known];
  return { received, instruments: new Map(all.map((one) => [one.market, one])) };
};

/** What is recorded of the poll that a probe reads. */
export function pollOf(
  stage: Recordings,
  { topic, part, bodies, known }: PollSubject,
): RecordedPoll {
  const found = feedPart(stage.venue, topic, part);
  if (!found) throw new Error(`no ${topic} of ${part}`);
  const read = bodies.map((body) => bodyOf(stage, body));
  return { topic, part, feed: found.feed, bodies: read, context: contextOf(stage, part, known) };
}

/** Answers to the requests of a poll. */
export const polled = (
  topic: FeedTopic,
  part: string,
  bodies: readonly Body[],
  { known }: Pick<Recorded, 'known'> = {},
): Recorded => ({ topic, part, bodies, known });

const ofMarket =
  (topic: 'candles' | 'books') =>
  (part: string, body: Body, market: string, more: { instrument?: Instrument } = {}): Recorded => ({
    topic,
    part,
    bodies: [body],
    market,
    ...more,
  });

/** The order book of a market. */
export const book = ofMarket('books');
/** Candles of a market. */
export const bars = ofMarket('candles');

const isNear = (ours: unknown, theirs: unknown): boolean => {
  if (typeof ours !== 'number' || typeof theirs !== 'number') {
    return (ours ?? null) === (theirs ?? null);
  }
  return Math.abs(ours - theirs) <= 1e-9 * Math.abs(theirs);
};

const unequal = (what: string, ours: Columns, theirs: Columns): string[] =>
  Object.entries(theirs)
    .filter(([key, value]) => value !== undefined && !isNear(ours[key], value))
    .map(([key, value]) => `${what} ${key}: ${ours[key]} is ${JSON.stringify(value)}`);

/** How instruments are compared, where that is not as they stand. */
interface How {
  /** The rows of the lists on the wire, which the library parses then. */
  native?: (bodies: readonly Loose[]) => readonly Wire[];
  /** What the library makes of a row; its market of the same id else. */
  theirs?: (exchange: Loose, native: Wire) => unknown;
  /** Other values than the library gives, or values that it does not read. */
  but?: Columns | ((native: Wire, theirs: Loose) => Columns);
  /** Of two markets with an id, that of the type. */
  type?: string;
  delimiter?: string;
  /** Bodies behind the list. */
  more?: readonly Body[];
}

/** What the library calls the columns of an instrument. */
const listedColumns = (market: Loose): Columns => {
  const theirs = market ?? {};
  return {
    symbol: theirs.base,
    quote: theirs.quote,
    contract: theirs.contractSize ?? 1,
    inverse: theirs.inverse ?? false,
    followed: theirs.active && (theirs.spot || theirs.swap),
    swap: theirs.swap,
    step: theirs.precision?.price,
  };
};

/** A row with what only the library names so; its steps are those of the exchange's own prices. */
function ownColumns(row: Instrument): Columns {
  const { kind, tick, scale } = row;
  return {
    ...row,
    followed: kind === 'spot' || kind === 'perpetual',
    swap: kind === 'perpetual',
    step: tick === undefined ? undefined : Number(tick) * Number(scale),
  };
}

/** What the library makes of each row of a list, or its market of the same id. */
async function theirsOf(library: Loose, row: Instrument, native: Wire | undefined, how: How) {
  const { type, delimiter, theirs } = how;
  const wire = native ?? { id: row.market };
  if (theirs) return { wire, theirs: await theirs(library, wire) };
  const listed = () => library.safeMarket(row.market, undefined, delimiter, type);
  return { wire, theirs: native ? library.parseMarket(native) : listed() };
}

/** The `count` instruments of a list, each beside the library's market of the same id. */
export const instruments = (part: string, count: number, how: How = {}, list?: Body): Check => ({
  name: `instruments of ${part}`,
  async run(stage) {
    const { but, more = [] } = how;
    const first = list ?? stage.row.lists?.[part];
    const feed = topicPoll(stage.venue, 'instruments', part);
    if (!first || !feed) throw new Error(`no list of ${part}`);
    const bodies = [first, ...more].map((body) => bodyOf(stage, body));
    const { rows, dropped } = feed.parse(bodies, { received: 0, instruments: new Map() });
    const found = dropped.map(({ key, code }) => `${key} is dropped: ${code}`);
    if (rows.length !== count) found.push(`${rows.length} instruments of ${count}`);
    const natives = how.native?.(bodies) ?? [];
    for (const [i, row] of rows.entries()) {
      const { wire, theirs } = await theirsOf(stage.exchange, row, natives[i], how);
      const other = typeof but === 'function' ? but(wire, theirs) : but;
      found.push(...unequal(row.market, ownColumns(row), { ...listedColumns(theirs), ...other }));
    }
    return found;
  },
});

/** A recorded refusal, and what it is called; null where its status says it all. */
export const refusal = (
  api: string,
  name: string,
  expected: { code: FailureCode; message?: string; status?: number } | FailureCode | null,
): Check => ({
  name: `refusal: ${name}`,
  async run({ venue }) {
    const found = recording(venue.id, name);
    const fault = readFault(venue.apis[api] ?? {}, found?.status ?? 0, found?.response) ?? null;
    if (expected === null) return fault === null ? [] : [`${fault.code}`];
    const wanted = typeof expected === 'string' ? { code: expected } : expected;
    return unequal(name, { ...fault }, wanted);
  },
});

/** Anything else that is said of recorded answers: what is and what should be. */
export const facts = (
  name: string,
  state: (stage: Stage) => readonly [Columns, Columns],
): Check => ({
  name,
  async run(stage) {
    return unequal(name, ...state(stage));
  },
});

/** A market outside the recorded list. */
export const handMade = (market: string, more: Partial<Instrument> = {}): Instrument =>
  instrument({ market, kind: 'spot', symbol: 'X', ...more });

export const perpetual = (market: string, more: Partial<Instrument> = {}): Instrument =>
  handMade(market, { kind: 'perpetual', ...more });

/** Rows of a recorded poll that are dropped, and polls without any. */
export function lost(stage: Recordings, about: Recorded): string[] {
  if (!isPolled(about)) return [];
  const { feed, bodies, context } = pollOf(stage, about);
  const { rows, dropped } = feed.parse(bodies, context);
  const name = `${about.topic} of ${about.part}`;
  const found = dropped.map(({ key, code }) => `${name}: ${key} is dropped: ${code}`);
  return rows.some(isRecord) ? found : [...found, `${name}: no rows`];
}
