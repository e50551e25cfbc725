/** The form of an exchange: a source with markets. */
import { minute } from '../../config/time.ts';
import type { FollowedKind } from '../../indicators/market/market-names.ts';
import type { BorrowRow } from '../../indicators/market/rows.ts';
import type { Liquidation, LiveTopic, OptionTrade, Queries } from '../topics/index.ts';
import {
  type Apis,
  defineSource,
  type Feed,
  type Poll,
  type RequestOf,
  type Source,
} from './define.ts';
import { excessesOf } from './polling/plan.ts';
import type {
  CandleQuery,
  MarketQuery,
  MarketQueryName,
  OrderBookQuery,
  SourceQuery,
  SourceQueryName,
} from './queries/forms.ts';
import type {
  BookStream,
  EachStream,
  LatestStream,
  RelayStream,
  TradeStream,
} from './streams/stream.ts';

type Parts = Readonly<Record<string, object>>;

/** Makes feeds whose polls begin so many ms after the end of the last one. */
const every =
  (ms: number) =>
  <const P extends Parts>(parts: P) => ({ every: ms, parts });

/** A feed of lists that change rarely. */
export const everyTenMinutes = every(10 * minute);
/** A feed of large lists that change little within half a minute. */
export const everyMinute = every(minute);
/** A feed of values that change all the time. */
export const everyHalfMinute = every(minute / 2);

/** The results of `make` for each of the parts, by part. */
export const byPart = <const Part extends string, Made>(
  make: (part: Part) => Made,
  ...parts: readonly Part[]
) => Object.fromEntries(parts.map((part) => [part, make(part)])) as Record<Part, Made>;

/** Streams by topic: of parts whose messages hold prices alone, and of those whose messages hold the rows of all topics. */
export const byTopic = <Spot extends object, Contracts extends object>(
  spot: Spot,
  contracts: Contracts,
) => ({
  prices: { ...spot, ...contracts },
  derivatives: contracts,
  openInterest: contracts,
});

/** The same of polls, as feeds. */
export const pollsByTopic = <Spot extends Parts, Contracts extends Parts>(
  spot: Spot,
  contracts: Contracts,
) => ({
  prices: everyHalfMinute({ ...spot, ...contracts }),
  derivatives: everyHalfMinute(contracts),
  openInterest: everyHalfMinute(contracts),
});

type LiveStreams<T extends LiveTopic> = Readonly<Record<string, LatestStream<T>>>;

/** An exchange: one folder each in actors/venues, one line each in its registry.ts. */
export interface Venue<A extends Apis = Apis, Part extends string = string> extends Source<A> {
  kinds: readonly FollowedKind[];
  /** A native symbol as a client would send it. */
  example: string;
  /** Part names in the order in which a symbol is looked up: that of spot markets first, if there are any. */
  parts: readonly Part[];
  feeds: {
    instruments: Feed<'instruments', RequestOf<A>>;
    prices: Feed<'prices', RequestOf<A>>;
    derivatives?: Feed<'derivatives', RequestOf<A>>;
    openInterest?: Feed<'openInterest', RequestOf<A>>;
    /** Dated futures: marks, indices, open interest and turnover in one row. */
    futures?: Feed<'futures', RequestOf<A>>;
    /**
     * Option chains, each list a part of its own, named after the asset, or after the currency in which the options of all
     * assets settle. They need no instrument list: the name of an option states its terms.
     */
    options?: Feed<'options', RequestOf<A>>;
  };
  /** Logs of events, each a stream a part. */
  events?: {
    liquidations?: Readonly<Record<string, EachStream<Liquidation>>>;
    /** Trades of options. They need no instrument list: the name of an option states its terms. */
    optionTrades?: Readonly<Record<string, EachStream<OptionTrade>>>;
  };
  /** Rows by stream, beside the polls of the same parts (merge.ts); one with the rows of several topics is named under each. */
  live?: {
    prices: LiveStreams<'prices'>;
    derivatives?: LiveStreams<'derivatives'>;
    /** Funding that has an address or a number of markets of its own: its rows are merged with those of `derivatives`. */
    funding?: LiveStreams<'derivatives'>;
    openInterest?: LiveStreams<'openInterest'>;
    /** All topics of a part from a second address, merged with those of the first: either goes on without the other. */
    second?: LiveStreams<LiveTopic>;
  };
  /** Public trades that are folded, of the tracked markets of a part. */
  trades?: Readonly<Partial<Record<Part, TradeStream>>>;
  /** Channels that are passed on as they come to those who ask for them. */
  relay?: RelayStream;
  /** Order books that are kept up to date, of the tracked markets of a part. */
  books?: Readonly<Partial<Record<Part, BookStream<RequestOf<A>>>>>;
  /** Polls that jobs use of every exchange that has them, and of this one only. */
  polls?: NonNullable<Source<A>['polls']> & {
    /** Borrow rates of the lowest tier of users. */
    loans?: Poll<BorrowRow, RequestOf<A>>;
  };
  queries: {
    orderBook?: OrderBookQuery<RequestOf<A>, Part>;
    candles?: CandleQuery<RequestOf<A>, Part>;
  } & {
    [N in Exclude<MarketQueryName, 'orderBook' | 'fullBook' | 'candles'>]?: MarketQuery<
      N,
      Queries[N]['reply'],
      RequestOf<A>
    >;
  } & { [N in SourceQueryName]?: SourceQuery<N, RequestOf<A>> };
}

/** The venue as others see it: with the queries that it has, which take the part of a market as any text. */
type Defined<V extends Pick<Venue, 'queries'>> = Omit<V, 'queries'> & {
  queries: Required<Pick<Venue['queries'], keyof V['queries'] & keyof Venue['queries']>>;
};

/**
 * Checks at load that the polls fit the budgets, and that each part has a place in the order and an instrument list: without one
 * its polls would wait for ever. Keeps the literal type, as `defineSource` does, so that the use of a capability it lacks is a compile error.
 */
export function defineVenue<
  const A extends Apis,
  const Part extends string,
  const V extends Venue<A, Part>,
>(venue: V & { apis: A; parts: readonly Part[] }): Defined<V>;
export function defineVenue(venue: Venue): object {
  const { id, parts, feeds, events = {}, books = {}, trades = {} } = venue;
  const { instruments, options: _, ...others } = feeds;
  const fed = Object.values(others).flatMap((feed) => Object.keys(feed.parts));
  const streamed = [...Object.values(events), books, trades].flatMap(Object.keys);
  for (const part of [...fed, ...streamed])
    if (!parts.includes(part) || !(part in instruments.parts))
      throw new Error(`venue ${id}: part ${part} has no place in the order or no instrument list`);
  const excesses = excessesOf(venue);
  if (excesses.length > 0) throw new Error(`venue ${excesses.join('; ')}`);
  return defineSource(venue);
}
