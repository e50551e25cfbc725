/** Answers on-demand questions: finds the market, asks the venue, reads the reply. */
import { type Failure, failed, type Result, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import {
  type Asks,
  type Candles,
  intervals,
  type Kind,
  type OrderBook,
  type OrderBookRequest,
} from '../topics.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstream/request.ts';
import { aggregate, baseInterval, tidy } from '../venues/candles.ts';
import type { CandleQuery, MarketAsk, Now, OrderBookQuery, Venue } from '../venues/venue.ts';
import type { InstrumentBook } from './instruments.ts';

/** What answering takes. */
export interface AnswerContext {
  venues: ReadonlyMap<string, Venue>;
  clients: ReadonlyMap<string, HttpClient>;
  book: InstrumentBook;
  clock: Clock;
}

/** Handlers of every ask; `deadline` is Unix ms. */
export type Answers = {
  [A in 'orderBook' | 'candles']: (
    request: Asks[A]['request'],
    limits: { deadline: number },
  ) => Promise<Result<Asks[A]['reply']>>;
};

/** Sends one request of the question at hand, ahead of the polls, within the question's deadline. */
type Send = (request: UpstreamRequest) => Promise<Result<UpstreamAnswer>>;

const unreadable = (error: unknown): { ok: false; failure: Failure } =>
  failed('shape', error instanceof Error ? error.message : 'unreadable body');

async function orderBook(
  query: OrderBookQuery,
  ask: MarketAsk & Now,
  request: OrderBookRequest,
  send: Send,
): Promise<Result<OrderBook>> {
  const depth = Math.min(request.depth, query.cap);
  const answer = await send(query.request({ ...ask, depth }));
  if (!answer.ok) return answer;
  try {
    const { bids, asks, stated } = query.parse(answer.value.body, ask);
    return success({
      market: ask.market,
      bids: bids.sort((a, b) => b.price - a.price).slice(0, depth),
      asks: asks.sort((a, b) => a.price - b.price).slice(0, depth),
      timestamp: stated ?? answer.value.received,
    });
  } catch (error) {
    return unreadable(error);
  }
}

/**
 * Fetches the newest `count` rows, page by page back in time, until a page brings nothing new. A page may be short
 * without being the last: Binance's COIN-M klines span at most 200 days an answer.
 */
async function pages(
  query: CandleQuery,
  ask: MarketAsk & { interval: string; count: number } & Now,
  send: Send,
): Promise<Result<{ rows: ReturnType<CandleQuery['parse']>; received: number }>> {
  const { count, ...rest } = ask;
  const rows = new Map<number, ReturnType<CandleQuery['parse']>[number]>();
  let received = 0;
  let before: number | undefined;
  while (rows.size < count) {
    const limit = Math.min(query.page, count - rows.size);
    const answer = await send(query.request({ ...rest, limit, ...(before && { before }) }));
    if (!answer.ok) return answer;
    const known = rows.size;
    received ||= answer.value.received;
    for (const row of query.parse(answer.value.body, ask)) {
      rows.set(row.timestamp, row);
      before = Math.min(before ?? row.timestamp, row.timestamp);
    }
    if (rows.size === known) break;
  }
  return success({ rows: [...rows.values()], received });
}

async function candles(
  query: CandleQuery,
  ask: MarketAsk & Now,
  request: Asks['candles']['request'],
  send: Send,
): Promise<Result<Candles>> {
  const base = baseInterval(query.intervals, request.interval);
  const native = base && query.intervals[base];
  if (!base || !native) return failed('refused', `no candles of ${request.interval}`);
  const per = Math.round(intervals[request.interval] / intervals[base]);
  const count = per === 1 ? request.limit : request.limit * per + per;
  try {
    const fetched = await pages(query, { ...ask, interval: native, count }, send);
    if (!fetched.ok) return fetched;
    const now = fetched.value.received;
    const rows = tidy(fetched.value.rows, { interval: base, now });
    const wanted = per === 1 ? rows : aggregate(rows, { from: base, to: request.interval, now });
    return success({
      market: ask.market,
      kind: ask.instrument?.kind ?? null,
      quote: ask.instrument?.quote ?? null,
      candles: wanted.slice(-request.limit),
      received: now,
    });
  } catch (error) {
    return unreadable(error);
  }
}

/** How long a question waits for the instruments of a source that has only just been started, ms. */
const instrumentPatience = 3_000;

/** The handlers, ready for the bus. Failures are values; nothing here throws on an upstream's account. */
export function createAnswers({ venues, clients, book, clock }: AnswerContext): Answers {
  const unknown = failed('refused', 'the exchange does not answer this');
  const open = (exchange: string, deadline: number) => {
    const [venue, client] = [venues.get(exchange), clients.get(exchange)];
    if (!venue || !client) return null;
    const send: Send = (request) =>
      client.send(request, { deadline: deadline - clock.now(), urgent: true });
    return { venue, send };
  };
  const find = async (
    venue: Venue,
    { market, kind }: { market: string; kind?: Kind | undefined },
  ) => {
    const found = book.find(venue, market, kind);
    if (found.instrument) return { ...found, now: clock.now() };
    await book.loaded(venue.id, found.part, { clock, patience: instrumentPatience });
    return { ...book.find(venue, market, kind), now: clock.now() };
  };
  return {
    async orderBook(request, { deadline }) {
      const at = open(request.exchange, deadline);
      const query = at?.venue.queries.orderBook;
      if (!at || !query) return unknown;
      return orderBook(query, await find(at.venue, request), request, at.send);
    },
    async candles(request, { deadline }) {
      const at = open(request.exchange, deadline);
      const query = at?.venue.queries.candles;
      if (!at || !query) return unknown;
      return candles(query, await find(at.venue, request), request, at.send);
    },
  };
}
