/** What can be checked of recorded answers: what we read of them and what ccxt reads of them. */

import type { Exchange } from 'ccxt';
import type { FailureCode } from '../../../../actors/failure.ts';
import { isRecord } from '../../../../actors/read.ts';
import type { ParseContext } from '../../../../actors/sources/define.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument, Level } from '../../../../actors/topics/index.ts';
import { readFault } from '../../../../actors/upstream/faults.ts';
import { recording } from '../../../support/recordings.ts';
import { type FeedPart, type FeedTopic, feedPart, pollOf as topicPoll } from '../fixtures.ts';
import { About, type Columns, columns, type Loose, parsers, type Wire } from './columns.ts';

type Read = (name: string) => Loose;
/** A recording by its name, a body made of recordings, or a body of our own. */
export type Body = string | object | ((read: Read) => unknown);

/** A row of the table of venues. */
export interface RecordedVenue {
  /** The library, with the markets of the recordings. */
  load(read: Read): Promise<Exchange>;
  /** The recorded list of a part. */
  lists?: Readonly<Record<string, Body>>;
  /** Markets beside those of the list, by part: recorded rows are often of others. */
  known?: Readonly<Record<string, readonly Instrument[]>>;
  /** When the answers were received, Unix ms. */
  received?: number;
  checks: readonly Check[];
}

export interface Stage {
  venue: Venue;
  row: RecordedVenue;
  exchange: Exchange;
  read: Read;
}

type Recorded = Omit<Stage, 'exchange'>;

/** Recorded answers to the requests of one poll, and what is known of their part. */
export interface RecordedPoll {
  topic: FeedTopic;
  part: string;
  feed: FeedPart['feed'];
  bodies: readonly Loose[];
  context: ParseContext;
}

/** What a check reads: a topic of a part, or the book or candles of one market. */
export interface Subject {
  topic: FeedTopic | 'candles' | 'books';
  part: string;
  bodies: readonly Body[];
  known?: readonly Instrument[] | undefined;
  market?: string;
  instrument?: Instrument;
}

/** A subject that is polled. */
type PollSubject = Subject & { topic: FeedTopic };

export const isPolled = (about: Subject): about is PollSubject =>
  about.topic !== 'candles' && about.topic !== 'books';

/** Returns in words where we and the library differ. */
export interface Check {
  name: string;
  about?: Subject;
  run(stage: Stage): Promise<string[]>;
}

/** The value at a path such as `result.list`; an empty path is the body itself. */
export const valueAt = (body: unknown, path: string): Loose =>
  path === '' ? body : path.split('.').reduce<unknown>((value, key) => Object(value)[key], body);

const rowsAt = (body: unknown, path: string): Wire[] => {
  const found = valueAt(body, path);
  return Array.isArray(found) ? found.filter((row) => typeof row === 'object' && row !== null) : [];
};

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

const isNear = (ours: unknown, theirs: unknown): boolean => {
  if (theirs instanceof About) return Math.abs(Number(ours) - theirs.value) <= theirs.error;
  if (typeof ours !== 'number' || typeof theirs !== 'number') {
    return (ours ?? null) === (theirs ?? null);
  }
  return Math.abs(ours - theirs) <= 1e-9 * Math.abs(theirs);
};

function unequal(what: string, ours: Columns, theirs: Columns): string[] {
  return Object.entries(theirs)
    .filter(([key, value]) => value !== undefined && !isNear(ours[key], value))
    .map(([key, value]) => `${what} ${key}: ${ours[key]} is ${JSON.stringify(value)}`);
}

/** What is known of a part: its recorded list and what the table adds to it. */
export const contextOf = (
  { venue, row, read }: Recorded,
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

/** How rows are compared, where that is not as they stand. */
export interface How {
  /** Path of the rows in the first body; `data` else. */
  at?: string;
  /** The rows themselves, where they are elsewhere or fewer than there are. */
  native?: (bodies: readonly Loose[]) => Wire[];
  /** What the library makes of a row, where it is not its parser of such rows. */
  theirs?: (exchange: Loose, native: Wire, i: number) => unknown;
  /** Other values than the library gives, or values that it does not read. */
  but?: Columns | ((native: Wire, theirs: Loose, market: string) => Columns);
  known?: readonly Instrument[];
}

/** What is recorded of the poll that a check reads. */
export function pollOf(stage: Recorded, { topic, part, bodies, known }: PollSubject): RecordedPoll {
  const found = feedPart(stage.venue, topic, part);
  if (!found) throw new Error(`no ${topic} of ${part}`);
  const read = bodies.map((body) => bodyOf(stage, body));
  return { topic, part, feed: found.feed, bodies: read, context: contextOf(stage, part, known) };
}

/** Every row of a topic: none is dropped, each has the library's values. */
export const rows = (
  topic: FeedTopic,
  part: string,
  bodies: readonly Body[],
  how: How = {},
): Check => ({
  name: `${topic} of ${part}: ${bodies.filter((body) => typeof body === 'string')}`,
  about: { topic, part, bodies, known: how.known },
  async run(stage) {
    const asked = { topic, part, bodies, known: how.known };
    const { feed, bodies: found, context } = pollOf(stage, asked);
    const theirsOf = how.theirs ?? parsers[topic];
    const parsed = feed.parse(found, context);
    const native = how.native ? how.native(found) : rowsAt(found[0], how.at ?? 'data');
    const differences = parsed.dropped.map(({ key, code }) => `${key} is dropped: ${code}`);
    if (parsed.rows.length !== native.length) {
      differences.push(`${parsed.rows.length} rows of ${native.length}`);
    }
    for (const [i, row] of parsed.rows.entries()) {
      const wire = native[i] ?? {};
      const theirs: Loose = await theirsOf(stage.exchange, wire, i);
      const expected = {
        ...columns[topic](theirs ?? {}),
        ...butOf(how, [wire, theirs, row.market]),
      };
      differences.push(...unequal(row.market, ownColumns(row), expected));
    }
    return differences;
  },
});

const butOf = ({ but }: How, row: [native: Wire, theirs: Loose, market: string]) =>
  typeof but === 'function' ? but(...row) : but;

/** A row with what only the library names so. */
const ownColumns = (row: object): Columns => {
  const kind = isRecord(row) ? row.kind : undefined;
  const { tick, scale } = { tick: undefined, scale: undefined, ...row };
  return {
    ...row,
    followed: kind === 'spot' || kind === 'perpetual',
    swap: kind === 'perpetual',
    // The library's steps are those of the exchange's own prices.
    step: tick === undefined ? undefined : Number(tick) * Number(scale),
  };
};

/** The `count` instruments of a list, each with the library's market of the same id; of two, that of the `type`. */
export const instruments = (
  part: string,
  count: number,
  how: How & { type?: string; delimiter?: string } = {},
): Check => ({
  name: `instruments of ${part}`,
  run: async (stage) => {
    const list = stage.row.lists?.[part];
    if (!list) throw new Error(`no list of ${part}`);
    const { type, delimiter } = how;
    const feed = topicPoll(stage.venue, 'instruments', part);
    const empty = { received: 0, instruments: new Map() };
    const ids = feed?.parse([bodyOf(stage, list)], empty).rows.map(({ market }) => market) ?? [];
    const found = await rows('instruments', part, [list], {
      native: () => ids.map((id) => ({ id })),
      theirs: (exchange, { id }) => exchange.safeMarket(id, undefined, delimiter, type),
      ...how,
    }).run(stage);
    return ids.length === count ? found : [`${ids.length} instruments`, ...found];
  },
});

interface AskHow {
  /** Path of the book, or of the rows of candles. */
  at?: string;
  /** What the library makes of the body. */
  theirs?: (exchange: Loose, body: Loose) => unknown;
  /** What one unit of theirs is in base, at its price. */
  base?: (quantity: number, price: number) => number;
  instrument?: Instrument;
}

const askOf = (stage: Stage, part: string, market: string, { instrument }: AskHow) => ({
  ...{ market, part },
  instrument: instrument ?? contextOf(stage, part).instruments.get(market) ?? handMade(market),
});

const aboutOne = (
  topic: 'candles' | 'books',
  part: string,
  body: Body,
  { market, instrument }: Pick<AskHow, 'instrument'> & { market: string },
): Subject => ({ topic, part, bodies: [body], market, ...(instrument && { instrument }) });

const itself = (quantity: number, _price: number) => quantity;

export interface BookHow extends AskHow {
  /** Keys of bids, asks, price and quantity, where the library is to be told. */
  keys?: readonly string[];
  /** Least number of levels a side; 1 else. */
  levels?: number;
  /** When the book was so; the library's time else, where it has one. */
  stated?: number | null | ((body: Loose) => number);
}

const sorted = (levels: readonly Level[], side: 'bids' | 'asks'): Level[] =>
  levels.toSorted((a, b) => (side === 'bids' ? b.price - a.price : a.price - b.price));

/** A side of the library's book, in base units. */
const sideOf = (
  levels: readonly [number, number][],
  base: typeof itself,
): { price: number; quantity: number }[] =>
  levels.map(([price, quantity]) => ({ price, quantity: base(quantity, price) }));

/** An order book, level by level. */
export const book = (part: string, body: Body, market: string, how: BookHow = {}): Check => ({
  name: `order book of ${market}: ${body}`,
  about: aboutOne('books', part, body, { market, ...how }),
  async run(stage) {
    const { at = '', keys = [], base = itself, levels = 1 } = how;
    const wire = bodyOf(stage, body);
    const query = stage.venue.queries.orderBook;
    const ours = query?.parse(wire, askOf(stage, part, market, how));
    const parse = (exchange: Loose) =>
      exchange.parseOrderBook(valueAt(wire, at), market, undefined, ...keys);
    const theirs: Loose = await (how.theirs ?? parse)(stage.exchange, wire);
    const found = (['bids', 'asks'] as const).flatMap((side) => {
      const [own, other] = [sorted(ours?.[side] ?? [], side), sideOf(theirs[side], base)];
      const count = own.length === other.length && own.length >= levels;
      return [
        ...(count ? [] : [`${own.length} ${side} of ${other.length}`]),
        ...own.flatMap((level, i) => unequal(`${side} ${i}`, { ...level }, other[i] ?? {})),
      ];
    });
    const stated = typeof how.stated === 'function' ? how.stated(wire) : how.stated;
    const expected = stated === undefined ? theirs.timestamp : stated;
    return [...found, ...unequal('book', { stated: ours?.stated }, { stated: expected })];
  },
});

export interface BarsHow extends AskHow {
  /** The library's name of the market, where its reading depends on it. */
  symbol?: string;
  /** Turnovers from the oldest candle on; the library reads none. */
  turnover?: readonly (number | null | undefined)[];
  /** True where the recorded turnover and volume are of different things. */
  odd?: boolean;
  /** What our values are in theirs, where the library leaves the market's unit. */
  ours?: (bar: Wire) => Wire;
}

/** Candles, from the oldest on. */
export const bars = (part: string, body: Body, market: string, how: BarsHow = {}): Check => ({
  name: `candles of ${market}: ${body}`,
  about: aboutOne('candles', part, body, { market, ...how }),
  async run(stage) {
    const { at = 'data', base = itself, turnover, ours: unit = (bar) => bar } = how;
    const wire = bodyOf(stage, body);
    const parsed = stage.venue.queries.candles?.parse(wire, askOf(stage, part, market, how)) ?? [];
    const own = parsed.toSorted((a, b) => a.timestamp - b.timestamp);
    const parse = (exchange: Loose) => {
      const rows = rowsAt(wire, at);
      return exchange.parseOHLCVs(rows, exchange.markets?.[how.symbol ?? '']);
    };
    const theirs: Loose = await (how.theirs ?? parse)(stage.exchange, wire);
    const found = own.flatMap((bar, i) => {
      const [timestamp, open, high, low, close, volume] = theirs[i] ?? [];
      const expected = { timestamp, open, high, low, close, volume: base(volume, close) };
      const mean = bar.turnover === null ? bar.close : bar.turnover / bar.volume;
      const isPrice = bar.volume === 0 || (mean >= bar.low * 0.999 && mean <= bar.high * 1.001);
      return [
        ...unequal(`candle ${i}`, unit({ ...bar }), { ...expected, turnover: turnover?.[i] }),
        ...(isPrice || how.odd ? [] : [`candle ${i} traded at ${mean} on average`]),
      ];
    });
    const count = own.length === theirs.length && own.length > 0;
    const told = turnover === undefined || turnover.length === own.length;
    return [...found, ...(count && told ? [] : [`${own.length} candles of ${theirs.length}`])];
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

/** Anything else that is said of recorded answers: pairs of what is and what should be. */
export const facts = (
  name: string,
  state: (stage: Stage & { exchange: Loose }) => Promise<Columns[]> | Columns[],
): Check => ({
  name,
  async run(stage) {
    const [ours = {}, theirs = {}] = await state(stage);
    return unequal(name, ours, theirs);
  },
});

/** A market outside the recorded list. */
export const handMade = (market: string, more: Partial<Instrument> = {}): Instrument => ({
  ...{ market, kind: 'spot', symbol: 'X', quote: 'USDT', scale: 1, contract: 1, inverse: false },
  ...{ funding_hours: null, ...more },
});

export const perpetual = (market: string, more: Partial<Instrument> = {}): Instrument =>
  handMade(market, { kind: 'perpetual', ...more });
