/** What a probe is, and how we and ccxt read the same bodies: pairs of rows. */
import type { ParseContext } from '../../../../actors/sources/define.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument } from '../../../../actors/topics/index.ts';
import { type FeedTopic, feedPart, feedParts, received } from '../fixtures.ts';
import { type Loose, valueAt, type Wire } from './recorded.ts';

export type Topic = FeedTopic | 'candles' | 'books';

export interface Probe {
  topic: Topic;
  part: string;
  /** Path of the rows in the body; a map of rows by market id is taken too. */
  at?: string;
  /** Which of the bodies has the rows; 0 when absent. */
  body?: number;
  /** The key of the market in a row. */
  id?: string;
  /** The row of a market in the bodies, where it is not at a key. */
  row?: (bodies: readonly Loose[], market: string) => Loose;
  /** What ccxt makes of a row (of a book: of the body at `at`), where that is not its parser of such rows. */
  theirs?: (exchange: Loose, wire: Loose, market: Loose, bodies: readonly Loose[]) => Loose;
  /** True where ccxt reads none of it. */
  alone?: boolean;
  /** True where our scale is that of the integers on the wire, which ccxt applies too. */
  scaled?: boolean;
}

type How = Omit<Probe, 'topic' | 'part'>;
type HowOf = How | ((part: string) => How | null);

/** The probes of a venue: of each topic that it feeds, of candles and of order books, part by part. */
export function probesOf(venue: Venue, { probes = {} }: ProbedVenue): Probe[] {
  const fed = feedParts(venue).map(
    ({ topic, part }): Pick<Probe, 'topic' | 'part'> => ({ topic, part }),
  );
  const pages = venue.parts.flatMap((part) =>
    (['candles', 'books'] as const).map((topic) => ({ topic, part })),
  );
  return [...fed, ...pages].flatMap(({ topic, part }) => {
    const how = probes[topic] ?? (topic === 'instruments' ? null : {});
    const own = typeof how === 'function' ? how(part) : how;
    return own ? [{ topic, part, ...own }] : [];
  });
}

/** The lists of a venue with numbers of their own, by part. */
export type Lists = (part: string) => Loose[];

export interface ProbedVenue {
  /** ccxt with the markets of the lists. */
  load(lists: Lists): Promise<Loose>;
  /**
   * How the rows of a topic are found and read, where that is not plain: for all parts, or by part; null for what is not probed. Of
   * instruments only those that are stated are.
   */
  probes?: Readonly<Partial<Record<Topic, HowOf>>>;
  /** Libraries beside the one of the recordings, where `load` joins several. */
  also?: Readonly<Record<string, Loose>>;
  /** Topics of parts whose recordings are not probed, with the reason. */
  skipped?: Readonly<Record<string, string>>;
}
export const names: Readonly<Record<Topic, Readonly<Record<string, readonly string[]>>>> = {
  instruments: { contract: ['contractSize'] },
  prices: {
    price: ['last', 'close'],
    bid: ['bid'],
    ask: ['ask'],
    high: ['high'],
    low: ['low'],
    base: ['baseVolume'],
    volume: ['quoteVolume'],
    change: ['percentage'],
    stated: ['timestamp'],
  },
  derivatives: {
    mark: ['markPrice'],
    index: ['indexPrice'],
    funding_rate: ['fundingRate'],
    predicted_rate: ['nextFundingRate'],
    next_funding: ['fundingTimestamp', 'nextFundingTimestamp'],
    stated: ['timestamp'],
  },
  openInterest: {
    units: ['openInterestAmount'],
    value: ['openInterestValue'],
    stated: ['timestamp'],
  },
  candles: {
    timestamp: ['0'],
    open: ['1'],
    high: ['2'],
    low: ['3'],
    close: ['4'],
    volume: ['5'],
    turnover: [],
  },
  books: { price: ['0'], quantity: ['1'] },
};

/** Columns that our scale divides, and those that it multiplies. */
const prices = new Set(['price', 'bid', 'ask', 'high', 'low', 'open', 'close', 'mark', 'index']);
const amounts = new Set(['base', 'units', 'quantity']);

export type Reading = Readonly<Record<string, unknown>>;

/** A row in units of the exchange, as ccxt gives them: without our scale. */
function unscaled(topic: Topic, row: object, scale: number): Reading {
  const isAmount = (key: string) => amounts.has(key) || (topic === 'candles' && key === 'volume');
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => {
      if (typeof value !== 'number') return [key, value];
      if (prices.has(key)) return [key, value * scale];
      return [key, isAmount(key) ? value / scale : value];
    }),
  );
}

export interface Case {
  venue: Venue;
  probe: Probe;
  /** The library with another list of a part. */
  load(part: string, list: readonly unknown[]): Promise<Loose>;
  exchange: Loose;
  bodies: readonly unknown[];
  /** Unix ms. */
  received: number;
  instruments: ReadonlyMap<string, Instrument>;
  /** The market of a book or of candles. */
  instrument?: Instrument;
}

/** The instruments of a part in the bodies of its list. */
export function listedIn({ feeds }: Venue, part: string, list: readonly unknown[]) {
  const context: ParseContext = { received, instruments: new Map<string, Instrument>() };
  const parsed = feeds.instruments.parts[part]?.parse(list, context).instruments;
  return new Map((parsed?.rows ?? []).map((row): [string, Instrument] => [row.market, row]));
}

/** The market of ccxt with this id and of this kind. */
function marketOf(exchange: Loose, { market, kind }: Pick<Instrument, 'market' | 'kind'>): Loose {
  const found: Loose[] = exchange.markets_by_id?.[market] ?? [];
  return found.find((one) => (kind === 'spot' ? one.spot : one.swap)) ?? undefined;
}

/** What the two read, row by row. */
export interface Pair {
  key: string;
  ours: Reading;
  theirs: Reading;
}

function rowOf({ at = '', body = 0, id = 'symbol', row }: Probe, bodies: readonly Loose[]) {
  if (row) return (market: string) => row(bodies, market);
  const found = valueAt(bodies[body], at);
  if (!Array.isArray(found)) return (market: string) => found?.[market];
  const byId = new Map(found.map((one: Wire) => [String(one[id]), one]));
  return (market: string) => byId.get(market);
}

const parsers: Readonly<Record<FeedTopic, (exchange: Loose, wire: Wire, market: Loose) => Loose>> =
  {
    instruments: (_, __, market) => market,
    prices: (exchange, wire, market) => exchange.parseTicker(wire, market),
    derivatives: (exchange, wire, market) => exchange.parseFundingRate(wire, market),
    openInterest: (exchange, wire, market) => exchange.parseOpenInterest(wire, market),
  };

/** What ccxt reads in the row of a market, beside ours; null where it has no such row or market. */
async function theirsOf(
  { probe, exchange, bodies, instruments }: Case,
  topic: FeedTopic,
  { row, wire }: { row: { market: string }; wire: Loose },
): Promise<Pair | null> {
  // Recorded rows may be of markets that no recorded list holds; their ids tell what they are.
  const instrument = instruments.get(row.market) ?? {
    kind: 'perpetual' as const,
    scale: 1,
    ...row,
  };
  const market = marketOf(exchange, instrument);
  const isThere = probe.alone || (topic === 'instruments' ? market : wire) !== undefined;
  if (instrument.kind === 'other' || !isThere) return null;
  const read = probe.theirs ?? parsers[topic];
  const theirs = probe.alone ? {} : await read(exchange, wire, market, bodies);
  const ours = unscaled(topic, row, probe.scaled ? 1 : instrument.scale);
  return { key: row.market, ours, theirs: theirs ?? {} };
}

async function feedPairs(one: Case, topic: FeedTopic): Promise<Pair[]> {
  const { venue, probe, bodies, instruments } = one;
  const feed = feedPart(venue, topic, probe.part);
  if (!feed) throw new Error(`${venue.id} has no ${topic} of ${probe.part}`);
  const { rows } = feed.feed.parse(bodies, { received: one.received, instruments });
  // Lists may overlap: the first row of a market counts.
  const isFirst = ({ market }: { market: string }, i: number) =>
    rows.findIndex((row) => row.market === market) === i;
  const find = rowOf(probe, bodies);
  const pairs = rows.filter(isFirst).map(async ({ ...row }) => {
    const found = await theirsOf(one, topic, { row, wire: find(row.market) });
    return found ?? [];
  });
  return (await Promise.all(pairs)).flat();
}

/** The market of a book or of candles: the first one of a part where none is given. */
export function firstOf(one: Case) {
  const [first] = one.instruments.values();
  const instrument = one.instrument ?? first;
  if (!instrument) throw new Error(`${one.venue.id}: no market of ${one.probe.part}`);
  return instrument;
}

async function barPairs(one: Case): Promise<Pair[]> {
  const { venue, probe, exchange, bodies } = one;
  const instrument = firstOf(one);
  const ask = { market: instrument.market, part: probe.part, instrument };
  const ours = venue.queries.candles?.parse(bodies[0], ask) ?? [];
  const rows = probe.row
    ? probe.row(bodies, instrument.market)
    : valueAt(bodies[0], probe.at ?? '');
  const market = marketOf(exchange, instrument);
  const theirs: Loose[] = probe.theirs
    ? await probe.theirs(exchange, rows, market, bodies)
    : rows.map((row: Loose) => exchange.parseOHLCV(row, market));
  const byTime = new Map(theirs.map((bar) => [bar[0], bar]));
  return ours.flatMap(({ ...bar }) => {
    const found = byTime.get(bar.timestamp);
    const key = String(bar.timestamp);
    return found
      ? [
          {
            key,
            ours: unscaled('candles', bar, probe.scaled ? 1 : instrument.scale),
            theirs: found,
          },
        ]
      : [];
  });
}

async function levelPairs(one: Case): Promise<Pair[]> {
  const { venue, probe, exchange, bodies } = one;
  const instrument = firstOf(one);
  const ask = { market: instrument.market, part: probe.part, instrument };
  const ours = venue.queries.orderBook?.parse(bodies[0], ask);
  const { at = '', theirs: read } = probe;
  const market = marketOf(exchange, instrument);
  const body = valueAt(bodies[0], at.replace('$', instrument.market));
  const theirs: Loose = read
    ? await read(exchange, body, market, bodies)
    : exchange.parseOrderBook(body, instrument.market);
  return (['bids', 'asks'] as const).flatMap((side) => {
    const byPrice = new Map<string, Loose>(
      theirs[side].map((level: Loose) => [Number(level[0]).toPrecision(12), level]),
    );
    return (ours?.[side] ?? []).flatMap(({ ...level }, i) => {
      const own = unscaled('books', level, probe.scaled ? 1 : instrument.scale);
      const found = byPrice.get(Number(own.price).toPrecision(12));
      return found ? [{ key: `${side} ${i}`, ours: own, theirs: found }] : [];
    });
  });
}

export function pairsOf(one: Case): Promise<Pair[]> {
  const { topic } = one.probe;
  if (topic === 'candles') return barPairs(one);
  return topic === 'books' ? levelPairs(one) : feedPairs(one, topic);
}
