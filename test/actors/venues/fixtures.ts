import { existsSync, readFileSync } from 'node:fs';
import { ShapeError } from '../../../actors/failure.ts';
import { isRecord } from '../../../actors/read.ts';
import type { Feed, MarketPoll, ParseContext, Parsed } from '../../../actors/sources/define.ts';
import type { MarketAsk } from '../../../actors/sources/queries/forms.ts';
import type { LatestStream, StreamContext } from '../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type {
  Instrument,
  LiveTopic,
  MarketRows,
  MarketTopic,
} from '../../../actors/topics/index.ts';

export const received = 1_750_000_001_000;

/** What `read` makes of bodies; null where it refuses them as a whole. Any other error is a bug. */
export function unlessRefused<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

/** Read once, parsed each time: a test may change what it got. */
const texts = new Map<string, string>();

/**
 * A body of our own making in the venue's documented format:
 * `test/fixtures/<venue>/<part>-<what>.json`.
 */
export function fixture(venue: Venue, name: string): unknown {
  const file = new URL(`../../fixtures/${venue.id}/${name}.json`, import.meta.url);
  const text = texts.get(file.href) ?? readFileSync(file, 'utf8');
  texts.set(file.href, text);
  return JSON.parse(text);
}

/** The bodies of a poll: what `{ "bodies": [...] }` holds, or the fixture as the only one. */
export function bodiesOf(venue: Venue, name: string): readonly unknown[] {
  const whole = fixture(venue, name);
  if (!isRecord(whole) || !Array.isArray(whole.bodies)) return [whole];
  return whole.bodies;
}

/**
 * Topics about the markets of a part that are followed; option chains have parts of their own (`option-rows.test.ts`), dated
 * futures rows of their own (`suite/futures.ts`).
 */
export type FeedTopic = Exclude<keyof Venue['feeds'], 'options' | 'futures'>;

/** The second word of a fixture's name. */
const words: Readonly<Record<FeedTopic, string>> = {
  instruments: 'instruments',
  prices: 'prices',
  derivatives: 'derivatives',
  openInterest: 'open-interest',
};
export const feedTopics: readonly FeedTopic[] = [
  'instruments',
  'prices',
  'derivatives',
  'openInterest',
];

/** What a row of any topic has. */
interface Row {
  market: string;
}

/** A poll of a part, whose parser gives the rows of one topic. */
export interface TopicPoll<R extends Row = Row>
  extends Pick<MarketPoll<never>, 'requests' | 'rotates' | 'names' | 'most'> {
  parse(bodies: readonly unknown[], context: ParseContext): Parsed<R>;
}

/** One topic of one part, whether its requests are its own or those of the prices. */
export interface FeedPart {
  topic: FeedTopic;
  part: string;
  every: number;
  /** True when it has no requests of its own. */
  shared: boolean;
  /** `requests` are those of the prices where it draws on their bodies. */
  feed: TopicPoll;
  /** Name of the fixture with the bodies. */
  fixture: string;
}

/** The poll of a topic of a part; undefined where the venue has none. */
export function pollOf<T extends MarketTopic>(
  venue: Pick<Venue, 'feeds' | 'id'>,
  topic: T,
  part: string,
): TopicPoll<MarketRows[T]> | undefined {
  const feeds: { [K in MarketTopic]?: Feed<K> } = venue.feeds;
  const poll: MarketPoll<T> | undefined = feeds[topic]?.parts[part];
  return poll && { ...poll, parse: (bodies, context) => poll.parse(bodies, context)[topic] };
}

/** The same where it must be there. */
export function ownPoll<T extends MarketTopic>(
  venue: Pick<Venue, 'feeds' | 'id'>,
  topic: T,
  part: string,
): TopicPoll<MarketRows[T]> {
  const found = pollOf(venue, topic, part);
  if (!found) throw new Error(`${venue.id} has no ${topic} of ${part}`);
  return found;
}

/** A stream whose parser gives the rows of one topic. */
export type TopicStream<T extends LiveTopic> = Omit<LatestStream<T>, 'parse'> & {
  parse(message: unknown, context: StreamContext): Parsed<MarketRows[T]> | null;
};

/** A stream as one of a topic. */
export const streamOf = <T extends LiveTopic>(
  stream: LatestStream<T>,
  topic: T,
): TopicStream<T> => ({
  ...stream,
  parse: (message, context) => stream.parse(message, context)?.[topic] ?? null,
});

/** A topic of a part, or null where the venue feeds none. */
export function feedPart(venue: Venue, topic: FeedTopic, part: string): FeedPart | null {
  const { every = 0, parts = {} } = venue.feeds[topic] ?? {};
  const feed = pollOf(venue, topic, part);
  if (!feed) return null;
  const shared = topic !== 'prices' && parts[part] === venue.feeds.prices.parts[part];
  const word = shared ? 'prices' : words[topic];
  return { topic, part, every, shared, feed, fixture: fixtureName(venue, topic, part, word) };
}

/** Topics of one poll have one fixture, named after the first of them. */
function fixtureName(venue: Venue, topic: FeedTopic, part: string, word: string): string {
  const isOfRates =
    topic === 'openInterest' &&
    word !== 'prices' &&
    venue.feeds.openInterest?.parts[part] === venue.feeds.derivatives?.parts[part] &&
    !existsSync(new URL(`../../fixtures/${venue.id}/${part}-open-interest.json`, import.meta.url));
  return `${part}-${isOfRates ? words.derivatives : word}`;
}

/** Everything a venue feeds, part by part in the order in which they are needed. */
export const feedParts = (venue: Venue): FeedPart[] =>
  venue.parts.flatMap((part) => feedTopics.flatMap((topic) => feedPart(venue, topic, part) ?? []));

const parseInstruments = (venue: Venue, part: string): Parsed<Instrument> =>
  ownPoll(venue, 'instruments', part).parse(bodiesOf(venue, `${part}-instruments`), {
    received,
    instruments: new Map(),
  });

/** What the other feeds of a part are parsed with once its instruments are known. */
export const contextOf = (venue: Venue, part: string): ParseContext => ({
  received,
  instruments: new Map(parseInstruments(venue, part).rows.map((row) => [row.market, row])),
});

/** One instrument of the fixture. */
export function instrumentOf(venue: Venue, part: string, market: string): Instrument {
  const found = contextOf(venue, part).instruments.get(market);
  if (!found) throw new Error(`no ${market} in the fixture of ${venue.id} ${part}`);
  return found;
}

/** A question about a market of the fixture. */
export const askFor = (venue: Venue, part: string, market: string): MarketAsk => ({
  market,
  part,
  instrument: instrumentOf(venue, part, market),
});

/** The fixture of a topic of a part, parsed. */
const parsedOf =
  <T extends FeedTopic>(topic: T) =>
  (venue: Venue, part: string, context = contextOf(venue, part)): Parsed<MarketRows[T]> => {
    const { fixture: name } = feedPart(venue, topic, part) ?? { fixture: '' };
    return ownPoll(venue, topic, part).parse(bodiesOf(venue, name), context);
  };

export const pricesOf = parsedOf('prices');
export const derivativesOf = parsedOf('derivatives');
export const openInterestOf = parsedOf('openInterest');
