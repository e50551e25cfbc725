/** The forms of the questions that an exchange answers on demand. */
import type {
  Candle,
  Instrument,
  Interval,
  Level,
  Params,
  Queries,
  QueryName,
} from '../../topics/index.ts';
import type { UpstreamRequest } from '../../upstream/request.ts';
import type { Now } from '../define.ts';

/** The parameters of an on-demand query after its market is resolved. */
export interface MarketAsk<Part extends string = string> {
  market: string;
  part: Part;
  instrument: Instrument;
}

/** A question for an order book. */
export type OrderBookAsk<Part extends string = string> = MarketAsk<Part> & Now & { depth: number };

/**
 * A question for candles: those that end before `before` (exclusive, an open time), or the newest ones; of an exchange that can
 * (`forward`) also the first ones that open from `from` on. Unix ms.
 */
export type CandleAsk<Part extends string = string> = MarketAsk<Part> &
  Now & {
    interval: string;
    limit: number;
    before?: number | undefined;
    from?: number | undefined;
  };

export interface OrderBookQuery<Request = UpstreamRequest, Part extends string = string> {
  /** Most levels a side that `/v1/orderbook` and `/v2/orderbook` show of this venue: 20 or 50. */
  cap: 20 | 50;
  /** Most levels a side that the venue gives, of all its parts or by part. */
  most: number | Readonly<Record<Part, number>>;
  /** `depth` is at most `most`; the request asks for the smallest legal depth that covers it. */
  request(ask: OrderBookAsk<Part>): Request;
  /**
   * Levels in canonical price and base quantity, any order; `stated` null when the venue gives no time; `sequence` is the number of the
   * book's last change, where the venue gives one that is of use to clients.
   */
  parse(
    body: unknown,
    ask: MarketAsk<Part>,
  ): { bids: Level[]; asks: Level[]; stated: number | null; sequence?: number | undefined };
}

export interface CandleQuery<Request = UpstreamRequest, Part extends string = string> {
  /** Our interval to the venue's word for it; a missing one is built from the largest that divides it. */
  intervals: Readonly<Partial<Record<Interval, string>>>;
  /** Most rows in one answer. */
  page: number;
  /** By part the longest time that one answer covers, ms, where there is such a bound. */
  span?: Readonly<Partial<Record<Part, number>>>;
  /** Parts of which the exchange gives the first candles from a time on, however many lie between it and now. */
  forward?: readonly Part[];
  /** Parts of which an answer is about the time of `limit` candles: it is empty where nothing was traded for so long. */
  ranged?: readonly Part[];
  /** How many candles back from now the exchange gives, of any interval, where it refuses a request for older ones. */
  kept?: number;
  /** `now` is for exchanges that require a range of times. */
  request(ask: CandleAsk<Part>): Request;
  /** Rows in any order; the machinery sorts them, drops impossible ones, and marks closed ones (`tidy`). */
  parse(body: unknown, ask: MarketAsk<Part>): Omit<Candle, 'closed'>[];
}

/** Names of the queries about one market of an exchange. */
export type MarketQueryName = {
  [N in QueryName]: Params<N> extends { market: string } ? N : never;
}[QueryName];

/** The parameters of a query about a listed market; `market` is the exchange's own id of it, `now` as in `Now`. */
export type Asked<N extends MarketQueryName> = Params<N> & {
  part: string;
  instrument: Instrument;
  now: number;
};

/** How long an answer is fresh, ms. Typed as a method, as the others of a query, so that a list may hold queries of any name. */
type Life<Known extends readonly unknown[]> = { of(...known: Known): number }['of'];

/** A query about one market, answered on demand. A `Page` is the parsed form of the bodies of one step. */
export interface MarketQuery<
  N extends MarketQueryName,
  Page = Queries[N]['reply'],
  Request = UpstreamRequest,
> {
  /** Cache lifetime of an answer, ms after it was received; 0 for one that is never cached. */
  ttl: number | Life<[whole: Queries[N]['reply'], asked: Asked<N>]>;
  /**
   * The parameters of the largest page that costs no more and holds the answer, so that one page answers every smaller
   * `limit`; null where the exchange cannot answer.
   */
  page?(asked: Asked<N>): Params<N> | null;
  /** The requests of the first step; `asked` has the parameters that `page` gave. */
  requests(asked: Asked<N>): readonly Request[];
  /** The requests of the next step, as they follow from the pages so far; none when these are enough. */
  more?(asked: Asked<N>, pages: readonly Page[]): readonly Request[];
  /**
   * `bodies` in the order of the requests, undefined for an `optional` one that failed; `received` is Unix ms. Throws
   * ShapeError (or any error) when a body is not of the documented form.
   */
  parse(bodies: readonly unknown[], asked: Asked<N>, received: number): Page;
  /** The answer to the query out of its `page`; null where the page does not contain it. */
  slice?(whole: Queries[N]['reply'], asked: Params<N>): Queries[N]['reply'] | null;
}

/** Names of the queries about no market. */
export type SourceQueryName = Exclude<QueryName, MarketQueryName>;

/** A query about no market of the exchange, answered when a client asks it. */
export interface SourceQuery<N extends SourceQueryName, Request = UpstreamRequest> {
  about: 'source';
  /** Cache lifetime of an answer, ms after it was received. */
  ttl: number | Life<[params: Params<N>]>;
  requests(params: Params<N>): readonly Request[];
  /** As that of a query about a market. */
  parse(bodies: readonly unknown[], received: number): Queries[N]['reply'];
}
