/** The questions about one market that any venue answers, over HTTP, against the simulated world. */
import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';
import { type Bar, candlesOf } from '../../../actors/sources/queries/candles.ts';
import type { CandleQuery, MarketAsk, OrderBookQuery } from '../../../actors/sources/venue.ts';
import type { Interval, OrderBook } from '../../../actors/topics/index.ts';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import { badDays, got, marketsOf, type Stage, unlisted } from './stage.ts';
import { asksWithoutTime, termsOf } from './terms.ts';
import { isInterval, samples, tradeFaults } from './truth.ts';
import type { Weather } from './world.ts';

/** A question about a market of a part, and what its answer consists of. */
interface Question<T> {
  part: string;
  market: Market;
  request(ask: MarketAsk): UpstreamRequest;
  parse(body: unknown, ask: MarketAsk): T;
  size(answer: T): number;
}

function askOf({ parts }: Stage, part: string, { id }: Market): MarketAsk {
  const instrument = parts.get(part)?.get(id);
  if (!instrument) throw new Error(`no list of ${part} holds ${id}`);
  return { market: id, part, instrument };
}

/** Bad weather, empty lists, and a market that is not listed. */
async function badAnswers<T>(t: Test, stage: Stage, question: Question<T>): Promise<void> {
  const { part, market, request, parse, size } = question;
  const { world, venue } = stage;
  const ask = askOf(stage, part, market);
  const put = (about: MarketAsk, weather?: Weather) =>
    world.ask(venue, request(about), (body) => parse(body, about), weather);
  await badDays(t, stage, request(ask), (weather) => put(ask, weather));

  const empty = await put(ask, { fault: 'empty' });
  if (empty.ok) t.equal(size(empty.value.answer), 0, 'empty lists hold nothing');
  else t.equal(empty.failure.code, 'shape', 'empty lists are refused');

  const id = unlisted(market);
  const unknown = await put({ ...ask, market: id });
  const refusal = unknown.ok ? 'success' : unknown.failure.code;
  t.equal(refusal, 'unknown_instrument', `${id} is not listed`);
}

async function rightBook(
  t: Test,
  stage: Stage,
  { part, market, query }: { part: string; market: Market; query: OrderBookQuery },
): Promise<void> {
  const { world, venue, truth } = stage;
  const ask = askOf(stage, part, market);
  for (const depth of [query.cap, 3]) {
    const parse = (body: unknown) => query.parse(body, ask);
    const result = await world.ask(venue, query.request({ ...ask, depth, now: world.now }), parse);
    const { bids, asks, stated } = got(result, market.id).answer;
    const best: Pick<OrderBook, 'bids' | 'asks'> = {
      bids: bids.sort((a, b) => b.price - a.price).slice(0, depth),
      asks: asks.sort((a, b) => a.price - b.price).slice(0, depth),
    };
    t.strictSame(truth.bookFaults(best, market, depth), [], `${market.id} to a depth of ${depth}`);
    const { lacks, late } = termsOf(venue.id, part);
    t.equal(
      stated,
      lacks.includes('book.stated') ? null : world.now + late,
      'the time of the book',
    );
  }
}

/** Order books of a part: one market of each sort, to the cap and to a small depth. */
export async function walkBooks(t: Test, stage: Stage, part: string): Promise<void> {
  const query = stage.venue.queries.orderBook;
  const markets = samples(marketsOf(stage, part));
  const [market] = markets;
  if (!query || !market) return;
  for (const one of markets) await rightBook(t, stage, { part, market: one, query });
  await badAnswers(t, stage, {
    part,
    market,
    request: (ask) => query.request({ ...ask, depth: 5, now: stage.world.now }),
    parse: query.parse,
    size: ({ bids, asks }) => bids.length + asks.length,
  });
}

/** Trades of a part, newest first: those of the world, of one market of each sort. Nothing where the venue has none of it. */
export async function walkTrades(t: Test, stage: Stage, part: string): Promise<void> {
  const { world, venue, parts } = stage;
  const query = venue.queries.recentTrades;
  for (const market of samples(marketsOf(stage, part))) {
    const instrument = parts.get(part)?.get(market.id);
    const asked = { market: market.id, part, limit: 5, now: world.now };
    const page = instrument && query?.page?.({ ...asked, instrument });
    if (!query || !instrument || !page) continue;
    const whole = { ...asked, ...page, instrument, now: world.now };
    const [request] = query.requests(whole);
    if (!request) throw new Error('trades without a request');
    const result = await world.ask(venue, request, (body) => query.parse([body], whole, world.now));
    const { trades } = got(result, `${market.id} trades`).answer;
    t.strictSame(tradeFaults(trades.slice(0, 5), market, world.now), [], market.id);
  }
}

const limit = 4;

interface Page {
  part: string;
  market: Market;
  query: CandleQuery;
  interval: Interval;
  before?: number;
  /** True where the request is made without the time. */
  timeless?: boolean;
}

function pageRequest(stage: Stage, { part, market, query, interval, before, timeless }: Page) {
  const word = query.intervals[interval] ?? '';
  const about = { ...askOf(stage, part, market), interval: word, limit };
  const timed = timeless ? about : { ...about, now: stage.world.now };
  return query.request(before === undefined ? timed : { ...timed, before });
}

/** One page of candles, which are those of the world. */
async function rightPage(t: Test, stage: Stage, page: Page): Promise<Bar[]> {
  const { world, venue, truth } = stage;
  const { part, market, query, interval, before } = page;
  const ask = askOf(stage, part, market);
  const request = pageRequest(stage, page);
  const result = await world.ask(venue, request, (body) => query.parse(body, ask));
  const { answer } = got(result, `${market.id} ${interval}`);
  // Some exchanges are asked for all rows up to now.
  const bars = candlesOf(answer, { interval, now: world.now })
    .filter(({ timestamp }) => before === undefined || timestamp < before)
    .slice(-limit);
  const range = { interval, limit, ...(before !== undefined && { before }) };
  const name = `${market.id} ${interval} before ${before ?? 'now'}`;
  t.strictSame(truth.barFaults(bars, market, range), [], name);
  // Where candles of linear contracts have no turnover, those of inverse ones have dollars.
  const silent = !market.inverse && termsOf(venue.id, part).lacks.includes('candles.turnover');
  const odd = bars.filter(({ turnover }) => (turnover === null) !== silent);
  t.strictSame(odd, [], silent ? 'no turnover' : 'turnovers');
  return bars;
}

/** The newest page, and the one before. */
async function twoPages(t: Test, stage: Stage, newest: Page): Promise<void> {
  const [oldest] = await rightPage(t, stage, newest);
  const older = { ...newest, before: oldest?.timestamp ?? 0 };
  // A venue that has the newest candles only asks the same again, and paging ends.
  const ends = isDeepStrictEqual(pageRequest(stage, newest), pageRequest(stage, older));
  if (!ends) await rightPage(t, stage, older);
}

/** Candles of a part: every interval of one market with the page before, and one interval of each other sort. */
export async function walkCandles(t: Test, stage: Stage, part: string): Promise<void> {
  const query = stage.venue.queries.candles;
  const [market, ...others] = samples(marketsOf(stage, part));
  if (!query || !market) return;
  const intervals = Object.keys(query.intervals).filter(isInterval);
  for (const interval of intervals) await twoPages(t, stage, { part, market, query, interval });
  const usual = intervals.find((interval) => interval === '1h') ?? intervals[0];
  if (!usual) throw new Error('candles of no interval');
  if (asksWithoutTime(stage.venue.id)) {
    await rightPage(t, stage, { part, market, query, interval: usual, timeless: true });
  }
  for (const other of others) {
    await rightPage(t, stage, { part, market: other, query, interval: usual });
  }
  const about = { interval: query.intervals[usual] ?? '', limit, now: stage.world.now };
  await badAnswers(t, stage, {
    part,
    market,
    request: (ask) => query.request({ ...ask, ...about }),
    parse: query.parse,
    size: (bars) => bars.length,
  });
}
