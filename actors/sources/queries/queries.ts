/** Queries of clients: finds the market, asks the exchange once for all equal questions, and caches the answer. */

import { beyond, type Failure, failed, type Result, success } from '../../failure.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Fetched, QueryCache, QueryCaches } from '../../queries/query-cache.ts';
import type {
  Asking,
  Instrument,
  Kind,
  Params,
  Queries,
  QueryName,
  Reply,
} from '../../topics/index.ts';
import type { HttpClient } from '../../upstream/client.ts';
import type { UpstreamRequest } from '../../upstream/request.ts';
import type { LiveBooks } from '../books/live-books.ts';
import type { InstrumentBook } from '../instruments.ts';
import { oldestOf } from '../polling/ask.ts';
import { type IsSuspectBook, judged } from '../quality/guards.ts';
import type { Relay, Relays } from '../streams/relay.ts';
import type { LiveTrades } from '../streams/trade-tape.ts';
import type { Venue } from '../venue.ts';
import { candlesQuery } from './candles.ts';
import type {
  Asked,
  MarketAsk,
  MarketQuery,
  MarketQueryName,
  SourceQuery,
  SourceQueryName,
} from './forms.ts';
import { heardTrades } from './heard-trades.ts';
import { fullBookQuery, orderBookQuery, type PagedQuery } from './order-book.ts';

/** The context of the answers for an exchange. */
export interface QueryContext {
  book: InstrumentBook;
  clock: Clock;
  caches: QueryCaches;
  /** Order books of the streams: where one is live, the exchange is not asked. */
  live?: LiveBooks;
  /** The trades of the streams: where they are heard, the exchange is not asked. */
  trades?: LiveTrades;
  /** The channels that are passed on. */
  relays?: Relays;
  /** Which order books are marked; none when absent. */
  isSuspect?: IsSuspectBook;
  /** A client wants a market that no list of the source contains: the polling process reads the lists again. */
  onUnknown(source: string): void;
}

type Whole<N extends QueryName> = Queries[N]['reply'];

/** Time that a reply needs to reach its client, ms: without it the last good answer would be late as well. */
const reserve = 1_000;
/** Least time for a step of a question, ms: with less it would be likely to end as a timeout, which said nothing of the exchange. */
const fairTime = 2_000;
/** `retry-after` of a client, ms, while there are none, or while questions wait too long. */
const retryAfter = 5_000;
/** How long the answer from a live book is given to others, ms. */
const liveLife = 100;

const tooLate = (left: number) =>
  beyond(
    `the question has waited too long: ${Math.max(0, Math.round(left))} ms are left to ask the exchange, and ${fairTime} are needed`,
    { retryAfter },
  );

/** The failure of a parser. */
const unreadable = (error: unknown) =>
  failed('shape', error instanceof Error ? error.message : 'unreadable body');

/**
 * The failure of a step of which the budget or the breaker refused a request: without it, missing optional requests would
 * give an empty answer.
 */
function keptBack(results: readonly Result<unknown>[]): Failure | undefined {
  const failures = results.flatMap((result) => (result.ok ? [] : [result.failure]));
  if (failures.length < results.length) return undefined;
  return failures.find(({ code }) => code === 'over_budget' || code === 'breaker_open');
}

/** Answers the queries of one exchange. */
class VenueQueries {
  readonly #venue: Venue;
  readonly #client: Pick<HttpClient, 'send'>;
  readonly #context: QueryContext;

  constructor(venue: Venue, client: Pick<HttpClient, 'send'>, context: QueryContext) {
    this.#venue = venue;
    this.#client = client;
    this.#context = context;
  }

  /** The handler of a query. Failures are values; an exchange never causes a rejection. */
  answer<N extends MarketQueryName, Page>(name: string, query: PagedQuery<N, Page, Whole<N>>) {
    const cache = this.#context.caches.open<Whole<N>>(this.#venue.id, name);
    return (params: Params<N>, asking: Asking) => this.#answer(query, cache, { params, asking });
  }

  /** The handler of a query that is about no market. */
  answerWhole<N extends SourceQueryName>(name: string, query: SourceQuery<N>) {
    const cache = this.#context.caches.open<Whole<N>>(this.#venue.id, name);
    return (params: Params<N>, asking: Asking) =>
      cache.load(JSON.stringify(params), asking.account, async () => {
        const answers = await this.#send(query.requests(params), asking);
        if (!answers.ok) return answers;
        const { bodies, received } = answers.value;
        try {
          const value = query.parse(bodies, received);
          const ttl = typeof query.ttl === 'number' ? query.ttl : query.ttl(params);
          return success({ value, received, until: this.#context.clock.now() + ttl });
        } catch (error) {
          return unreadable(error);
        }
      });
  }

  async #answer<N extends MarketQueryName, Page>(
    query: PagedQuery<N, Page, Whole<N>>,
    cache: QueryCache<Whole<N>>,
    { params, asking }: { params: Params<N>; asking: Asking },
  ): Promise<Result<Reply<Whole<N>>>> {
    const found = this.find(params);
    if (!found.ok) return found;
    const { market, part, instrument } = found.value;
    const asked = { ...params, market, part, instrument, now: this.#context.clock.now() };
    const kept = query.live && this.#context.live?.read(this.#venue.id, part, market);
    if (query.live && kept) {
      const value = this.#judged(query.live(kept, asked), instrument);
      return success({ value, received: kept.received, until: asked.now + liveLife });
    }
    const page = query.page ? query.page(asked) : params;
    if (page === null) return failed('not_given', `${this.#venue.id} does not give this`);
    const key = JSON.stringify({ ...page, kind: undefined, market, part });
    const whole = { ...page, market, part, instrument, now: asked.now };
    const fetch = () => this.#fetch(query, { asked, whole, asking });
    const slice = (all: Whole<N>) => (query.slice ? query.slice(all, params) : all);
    return this.#loaded(cache, key, { account: asking.account, fetch, slice });
  }

  /** What `slice` takes of a page that is known, or else asked for; all of a new one where it takes nothing. */
  async #loaded<T>(
    cache: QueryCache<T>,
    key: string,
    {
      account,
      fetch,
      slice,
    }: { account: string; fetch(): Promise<Result<Fetched<T>>>; slice(all: T): T | null },
  ): Promise<Result<Reply<T>>> {
    // Back-fill asks each page once and keeps what it gets: its pages take no room from those that clients ask for.
    const isKept = account !== '';
    if (isKept) {
      const cached = await cache.load(key, account, fetch);
      if (!cached.ok) return cached;
      const value = slice(cached.value.value);
      if (value !== null) return success({ ...cached.value, value });
    }
    const larger = await (isKept ? cache.refresh(key, account, fetch) : fetch());
    if (!larger.ok) return larger;
    const { value: all } = larger.value;
    return success({ ...larger.value, value: slice(all) ?? all });
  }

  #judged<T extends object>(value: T, instrument: Instrument): T {
    const { isSuspect } = this.#context;
    return isSuspect ? judged(value, (book) => isSuspect(this.#venue.id, instrument, book)) : value;
  }

  /** The market that a query is about. */
  find(asked: { market: string; kind?: Kind | undefined }): Result<MarketAsk> {
    const { book, onUnknown } = this.#context;
    const venue = this.#venue;
    const found = book.find(venue, asked.market, asked.kind);
    if (found) return success(found);
    if (!book.isComplete(venue)) {
      return failed('not_ready', `${venue.id}: no instrument list yet`, { retryAfter });
    }
    onUnknown(venue.id);
    return failed('unknown_instrument', `${venue.id}: no list holds the market`);
  }

  /** All steps of a query; `whole` has the parameters of the page. */
  async #fetch<N extends MarketQueryName, Page>(
    query: PagedQuery<N, Page, Whole<N>>,
    { asked, whole, asking }: { asked: Asked<N>; whole: Asked<N>; asking: Asking },
  ): Promise<Result<Fetched<Whole<N>>>> {
    const { clock } = this.#context;
    const pages: Page[] = [];
    let first = 0;
    try {
      let requests = query.requests(whole);
      while (requests.length > 0) {
        const answers = await this.#send(requests, asking);
        // What may be missing costs nothing of what is there.
        const canMiss = pages.length > 0 && requests.every(({ optional }) => optional);
        if (!answers.ok && !canMiss) return answers;
        const { bodies, received } = answers.ok ? answers.value : { bodies: [], received: first };
        first ||= received;
        pages.push(query.parse(bodies, whole, received));
        requests = query.more?.(asked, pages) ?? [];
      }
      const value = this.#judged(query.whole(pages, asked), asked.instrument);
      const ttl = typeof query.ttl === 'number' ? query.ttl : query.ttl(value, asked);
      return success({ value, received: first, until: clock.now() + ttl });
    } catch (error) {
      return unreadable(error);
    }
  }

  /** The bodies of one step, undefined for an optional one without an answer; the first failure of the others. */
  async #send(
    requests: readonly UpstreamRequest[],
    { deadline, account }: Asking,
  ): Promise<Result<{ bodies: unknown[]; received: number }>> {
    const { clock } = this.#context;
    const left = deadline - reserve - clock.monotonic();
    if (left < fairTime) return tooLate(left);
    const options = { deadline: left, account };
    const results = await Promise.all(
      requests.map((request) => this.#client.send(request, options)),
    );
    const unsent = keptBack(results);
    if (unsent) return { ok: false, failure: unsent };
    const bad = results.find((result, i) => !result.ok && !requests[i]?.optional);
    if (bad && !bad.ok) return bad;
    const bodies = results.map((result) => (result.ok ? result.value.body : undefined));
    const times = results.flatMap((result) => (result.ok ? [result.value.received] : []));
    const received = times.length > 0 ? Math.max(...times) : clock.now();
    return success({ bodies, received: received - oldestOf(results) });
  }
}

/** A query whose only page is its answer. */
const single = <N extends MarketQueryName>(
  query: MarketQuery<N>,
): PagedQuery<N, Whole<N>, Whole<N>> => ({
  ...query,
  whole(pages) {
    const page = pages.at(-1);
    if (page === undefined) throw new Error('a query without requests');
    return page;
  },
});

/** The handler of a query of any other name. */
function otherAnswer<N extends MarketQueryName, M extends SourceQueryName>(
  queries: VenueQueries,
  name: string,
  query: MarketQuery<N> | SourceQuery<M>,
) {
  return 'about' in query ? queries.answerWhole(name, query) : queries.answer(name, single(query));
}

/** What the channels that are passed on have brought. */
const relayAnswer =
  (relay: Relay, { clock }: Pick<QueryContext, 'clock'>) =>
  async (params: Params<'relayed'>) => {
    const value = await relay.ask(params);
    const now = clock.now();
    return success({ value, received: now, until: now });
  };

/** The answers to the queries of an exchange, for `bus.serve`. */
export function venueAnswers(
  venue: Venue,
  client: Pick<HttpClient, 'send'>,
  context: QueryContext,
) {
  const { orderBook, candles, recentTrades, ...others } = venue.queries;
  const queries = new VenueQueries(venue, client, context);
  const heard = heardTrades(venue.id, (asked) => queries.find(asked), context);
  return {
    ...Object.fromEntries(
      Object.entries(others).flatMap(([name, query]) =>
        query ? [[name, otherAnswer(queries, name, query)]] : [],
      ),
    ),
    ...(orderBook && {
      orderBook: queries.answer('orderBook', orderBookQuery(orderBook)),
      fullBook: queries.answer('fullBook', fullBookQuery(orderBook)),
    }),
    ...(recentTrades && {
      recentTrades: heard.newest(queries.answer('recentTrades', single(recentTrades))),
    }),
    ...(venue.trades && { tradeTape: heard.tape }),
    ...(venue.relay &&
      context.relays && { relayed: relayAnswer(context.relays.of(venue.id), context) }),
    ...(candles && { candles: queries.answer('candles', candlesQuery(candles)) }),
  };
}
