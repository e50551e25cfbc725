import { readFileSync } from 'node:fs';
import { isRecord } from '../../../actors/read.ts';
import type { ParseContext, Parsed } from '../../../actors/sources/define.ts';
import type { MarketAsk, MarketPoll, SharedPoll, Venue } from '../../../actors/sources/venue.ts';
import type { Instrument } from '../../../actors/topics/index.ts';

export const received = 1_750_000_001_000;

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

/** Topics about the markets of a part; option chains have parts of their own (`option-rows.test.ts`). */
export type FeedTopic = Exclude<keyof Venue['feeds'], 'options'>;

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

/** One topic of one part, whether its requests are its own or those of the prices. */
export interface FeedPart {
  topic: FeedTopic;
  part: string;
  every: number;
  /** True when it has no requests of its own. */
  shared: boolean;
  /** `requests` are those of the prices where it draws on their bodies. */
  feed: MarketPoll<Row>;
  /** Name of the fixture with the bodies. */
  fixture: string;
}

/** A topic of a part, or null where the venue feeds none. */
export function feedPart(venue: Venue, topic: FeedTopic, part: string): FeedPart | null {
  const { every = 0, parts = {} } = venue.feeds[topic] ?? {};
  const found: MarketPoll<Row> | SharedPoll<Row> | undefined = parts[part];
  if (!found) return null;
  const about = { topic, part, every };
  if ('requests' in found) {
    return { ...about, shared: false, feed: found, fixture: `${part}-${words[topic]}` };
  }
  const host = venue.feeds.prices.parts[part];
  if (!host) throw new Error(`${venue.id}: ${topic} of ${part} draws on prices that are not there`);
  const feed = { ...host, parse: found.parse };
  return { ...about, shared: true, feed, fixture: `${part}-prices` };
}

/** Everything a venue feeds, part by part in the order in which they are needed. */
export const feedParts = (venue: Venue): FeedPart[] =>
  venue.parts.flatMap((part) => feedTopics.flatMap((topic) => feedPart(venue, topic, part) ?? []));

const parseInstruments = (venue: Venue, part: string): Parsed<Instrument> => {
  const context = { received, instruments: new Map<string, Instrument>() };
  const found = venue.feeds.instruments.parts[part];
  if (!found) throw new Error(`${venue.id} lists no instruments of ${part}`);
  return found.parse(bodiesOf(venue, `${part}-instruments`), context);
};

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

/** The prices fixture of a part, parsed. */
export function pricesOf(venue: Venue, part: string, context = contextOf(venue, part)) {
  const found = venue.feeds.prices.parts[part];
  if (!found) throw new Error(`${venue.id} has no prices of ${part}`);
  return found.parse(bodiesOf(venue, `${part}-prices`), context);
}

/** The bodies of a part that has requests of its own, or those of the prices that it draws on. */
const feedBodies = (venue: Venue, found: object, name: string, part: string) =>
  bodiesOf(venue, 'requests' in found ? name : `${part}-prices`);

/** The derivatives of a part, parsed. */
export function derivativesOf(venue: Venue, part: string, context = contextOf(venue, part)) {
  const found = venue.feeds.derivatives?.parts[part];
  if (!found) throw new Error(`${venue.id} has no derivatives of ${part}`);
  return found.parse(feedBodies(venue, found, `${part}-derivatives`, part), context);
}

/** The open interest of a part, parsed. */
export function openInterestOf(venue: Venue, part: string, context = contextOf(venue, part)) {
  const found = venue.feeds.openInterest?.parts[part];
  if (!found) throw new Error(`${venue.id} has no open interest of ${part}`);
  return found.parse(feedBodies(venue, found, `${part}-open-interest`, part), context);
}
