/** The form of a venue file: what an exchange offers, as data and pure functions. */
import type {
  Candle,
  DerivativeRow,
  Instrument,
  Interval,
  Kind,
  Level,
  OpenInterestRow,
  PriceRow,
} from '../topics.ts';
import type { Api, UpstreamRequest } from '../upstream/request.ts';

/** Instruments of one part, by the venue's own id. */
export type InstrumentMap = ReadonlyMap<string, Instrument>;

/** What a parser may know besides the bodies. */
export interface ParseContext {
  /** When the last byte arrived, Unix ms. */
  received: number;
  /** The instruments of the part that is parsed, as far as they are known. */
  instruments: InstrumentMap;
}

/** Why a row of a good body was not used; the metric label. */
export type DropCode = 'bad_row' | 'unknown_instrument';

/**
 * Rows read from the bodies of one poll. Markets we do not follow are left out in silence; a row that should
 * have been readable is named in `dropped`, so that the machinery keeps its last good value and counts it.
 */
export interface Parsed<Row> {
  rows: Row[];
  dropped: { key: string; code: DropCode }[];
}

/** Hours between fundings by market, as the instruments known before say: what stands when nobody states them now. */
export const hoursBefore = ({ instruments }: ParseContext): ReadonlyMap<string, number | null> =>
  new Map([...instruments.values()].map((row) => [row.market, row.funding_hours]));

/** Unix ms at which a request is made, for venues that want a time in it; the machinery always gives it. */
export interface Now {
  now?: number;
}

/** What a poll is to cover. */
export interface Plan extends Now {
  /**
   * For a part that rotates, the native ids to ask in this poll: the most traded ones every time, the others in
   * turn. Empty for the others, which get everything in bulk.
   */
  markets: readonly string[];
}

/** One request group of a feed, polled, failed and published by itself. */
export interface Part<Row> {
  requests(plan: Plan): readonly UpstreamRequest[];
  /**
   * `bodies` in the order of the requests. Undefined for a request about one `market` that failed, or that was about
   * a market the exchange does not know: its row is left out in silence. Undefined as well for an `optional` request
   * that failed: what only it says is unknown. Throws ShapeError (or any error) when a body is not what it should be.
   */
  parse(bodies: readonly unknown[], context: ParseContext): Parsed<Row>;
  /** True when `parse` needs the part's instruments: the first poll then waits for them. */
  needsInstruments?: boolean;
  /** True when the venue has no bulk answer: `requests` asks market by market (`Plan.markets`), within the budget. */
  rotates?: boolean;
  /** With `rotates`: the most markets that one poll may ask within the budget; as many as it takes when absent. */
  most?: number;
  /** What the venue says of the same markets over WebSocket only. */
  stream?: JoinedStream<Row>;
}

/**
 * A channel of a venue's WebSocket, open for as long as this process runs the source. An `Item` is what its messages
 * bring: a row about a market, of which the newest counts, or an event, of which each counts.
 */
export interface Stream<Item> {
  /** `wss://HOST/PATH`; goes through the gateway as the requests do. */
  url: string;
  /** Messages to send after every connect. */
  subscribe(instruments: InstrumentMap): readonly string[];
  /** A message that keeps the connection open, sent every so many ms. */
  keepAlive?: { every: number; message: string };
  /** What the venue wants to hear to this message (its own ping); null to any other, whatever it is. */
  reply?(message: unknown): string | null;
  /** Milliseconds without a message after which the connection is dead; where items are rows, without any of them. */
  silence: number;
  /**
   * `message` is the JSON of a message, or its text where that is no JSON. Null for one that is not about data
   * (a greeting, a pong). Throws ShapeError (or any error) for one that should have been readable: it is counted. A
   * snapshot is read like an update: a market that it does not name leaves by its age.
   */
  parse(message: unknown, context: ParseContext): Parsed<Item> | null;
}

/** A stream beside the requests of a part. A market that only one of the two knows is told as that one has it. */
export interface JoinedStream<Row> extends Stream<Row> {
  /** One row out of what the requests and what the stream said last of a market; each is of the topic's age at most. */
  join(polled: Row, streamed: Row): Row;
}

/** Rows found in the bodies that the part of the same name of `prices` fetches anyway: no request of its own. */
export interface SharedPart<Row> {
  bodiesOf: 'prices';
  parse: Part<Row>['parse'];
}

/** A topic as one venue feeds it. */
export interface Feed<Row, P = Part<Row>> {
  /** Milliseconds between the end of a poll and the start of the next. */
  every: number;
  parts: Readonly<Record<string, P>>;
}

/** A feed that may draw on the bodies of `prices`; the part must then be one of its parts. */
export type SharingFeed<Row> = Feed<Row, Part<Row> | SharedPart<Row>>;

/** What an on-demand question resolves to before it is asked. */
export interface MarketAsk {
  market: string;
  part: string;
  /** Null when the venue's list does not hold it: the venue itself shall say so. */
  instrument: Instrument | null;
}

export interface OrderBookQuery {
  /** Most levels a side that we serve from this venue: 20 or 50. */
  cap: 20 | 50;
  /** `depth` is at most `cap`; the request asks for the smallest legal depth that covers it. */
  request(ask: MarketAsk & { depth: number } & Now): UpstreamRequest;
  /** Levels in canonical price and base quantity, any order; `stated` null when the venue gives no time. */
  parse(body: unknown, ask: MarketAsk): { bids: Level[]; asks: Level[]; stated: number | null };
}

export interface CandleQuery {
  /** Our interval to the venue's word for it; a missing one is built from the largest that divides it. */
  intervals: Readonly<Partial<Record<Interval, string>>>;
  /** Most rows in one answer. */
  page: number;
  /**
   * Rows that end before `before` (exclusive, an open time), or the newest ones; `now` is for venues that want a
   * range of times.
   */
  request(
    ask: MarketAsk & { interval: string; limit: number; before?: number } & Now,
  ): UpstreamRequest;
  /** Rows in any order; the machinery sorts, removes duplicates and decides what is closed. */
  parse(body: unknown, ask: MarketAsk): Omit<Candle, 'closed'>[];
}

/** An exchange: one of these per file in this folder, one line each in registry.ts. */
export interface Venue {
  id: string;
  name: string;
  kinds: readonly Exclude<Kind, 'other'>[];
  /** A native symbol as a client would send it. */
  example: string;
  apis: Readonly<Record<string, Api>>;
  /** Part names in the order in which a symbol is looked up. */
  parts: readonly string[];
  /** The part of a symbol that no instrument list holds, by its form. */
  partOf(market: string): string;
  feeds: {
    instruments: Feed<Instrument>;
    prices: Feed<PriceRow>;
    derivatives?: SharingFeed<DerivativeRow>;
    openInterest?: SharingFeed<OpenInterestRow>;
  };
  queries: {
    orderBook?: OrderBookQuery;
    candles?: CandleQuery;
  };
}

/** Checks a venue at load and keeps its literal type, so that a capability it lacks is a compile error. */
export function defineVenue<const V extends Venue>(venue: V): V {
  for (const api of Object.values(venue.apis)) {
    if (api.hosts.length === 0) throw new Error(`venue ${venue.id}: an api without hosts`);
    if (!api.budgets.default) throw new Error(`venue ${venue.id}: an api without a default budget`);
  }
  for (const part of Object.keys(venue.feeds.prices.parts)) {
    if (!venue.parts.includes(part))
      throw new Error(`venue ${venue.id}: part ${part} has no place in the order`);
  }
  return venue;
}
