/** One simulated venue in this process, read through its venue file and compared with the truth of the model. */
import { once } from 'node:events';
import type { Test } from 'tap';
import { type Interval, intervals } from '../../actors/topics.ts';
import type { UpstreamRequest } from '../../actors/upstream/request.ts';
import { type Bar, endOf, openOf } from '../../actors/venues/candles.ts';
import type {
  CandleQuery,
  MarketAsk,
  Part,
  SharingFeed,
  Venue,
} from '../../actors/venues/venue.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import { bookOf } from '../../scripts/simulator/book.ts';
import { Faults } from '../../scripts/simulator/faults.ts';
import { Requests } from '../../scripts/simulator/ledger.ts';
import type { Market, MarketCandle } from '../../scripts/simulator/market.ts';
import { Model } from '../../scripts/simulator/model.ts';
import { simulatorServer } from '../../scripts/simulator/server.ts';
import { SimulatorClock } from '../../scripts/simulator/simulator-clock.ts';
import type { SimulatedVenue } from '../../scripts/simulator/venue.ts';
import { FakeClock } from './clock.ts';

export const now = Date.UTC(2026, 7, 14, 13, 37, 21);

/** A running simulator of one venue; `group` of a market in the model is its part in the venue. */
export interface Simulated {
  url: string;
  model: Model;
  faults: Faults;
  close(): Promise<void>;
}

export async function simulated(venue: SimulatedVenue, symbols = 80): Promise<Simulated> {
  const clock = new SimulatorClock(new FakeClock(now));
  const model = new Model({ seed: 3, symbols, clock, venues: [venue] });
  const faults = new Faults(3, () => now);
  const options = { model, faults, requests: new Requests(), clock, venues: [venue] };
  const { server, stop } = simulatorServer({ ...options, limits: false });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, model, faults, close: stop };
}

/** The answer to one request, as the first host of its API gives it. */
export async function send(simulator: Simulated, venue: Venue, request: UpstreamRequest) {
  const host = venue.apis[request.api]?.hosts[0] ?? '';
  const url = new URL(`${simulator.url}/${new URL(host).host}${request.path}`);
  for (const [key, value] of Object.entries(request.query ?? {})) {
    url.searchParams.set(key, String(value));
  }
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  const response = await fetch(url, { method: request.method ?? 'GET', ...body });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** One poll: what the feed asks for, answered by the simulator and read by the venue. */
export class Reader {
  readonly simulator: Simulated;
  readonly venue: Venue;
  constructor(simulator: Simulated, venue: Venue) {
    this.simulator = simulator;
    this.venue = venue;
  }

  async #bodies(
    t: Test,
    feed: Pick<Part<unknown>, 'requests'>,
    markets: readonly string[],
  ): Promise<unknown[]> {
    const bodies: unknown[] = [];
    for (const request of feed.requests({ markets })) {
      const { status, body } = await send(this.simulator, this.venue, request);
      const fault = this.venue.apis[request.api]?.fault(status, body) ?? null;
      t.equal(fault?.code, undefined, `${request.path} answers`);
      bodies.push(body);
    }
    return bodies;
  }

  async instruments(t: Test, part: string) {
    const feed = this.venue.feeds.instruments.parts[part];
    if (!feed) throw new Error(`no instruments of ${part}`);
    const bodies = await this.#bodies(t, feed, []);
    const { rows, dropped } = feed.parse(bodies, { received: now, instruments: new Map() });
    t.same(dropped, [], `${part}: every instrument is readable`);
    return new Map(rows.map((row) => [row.market, row]));
  }

  /** Rows of one poll by market; none may have been dropped. */
  async rows<Row extends { market: string }>(
    t: Test,
    feed: SharingFeed<Row>,
    part: string,
    markets: readonly string[] = [],
  ): Promise<Map<string, Row>> {
    const found = feed.parts[part];
    if (!found) throw new Error(`no ${part}`);
    const own = 'requests' in found ? found : this.venue.feeds.prices.parts[part];
    if (!own) throw new Error(`no prices of ${part}`);
    const instruments = await this.instruments(t, part);
    const bodies = await this.#bodies(t, own, markets);
    const { rows, dropped } = found.parse(bodies, { received: now, instruments });
    t.same(dropped, [], `${part}: nothing is dropped`);
    return new Map(rows.map((row) => [row.market, row]));
  }

  /** Markets of a part that are followed: they trade, and against dollars. */
  followed(part: string): Market[] {
    const { model } = this.simulator;
    return model
      .markets(this.venue.id, now, part)
      .filter((m) => m.state === 'live' && m.kind !== 'other' && dollarQuotes.has(m.quote));
  }

  market(part: string, id: string): Market {
    const found = this.simulator.model.market(this.venue.id, part, id, now);
    if (!found) throw new Error(`no ${id} among the markets of ${part}`);
    return found;
  }

  async ask(t: Test, { group, id }: Market): Promise<MarketAsk> {
    const instrument = (await this.instruments(t, group)).get(id) ?? null;
    return { market: id, part: group, instrument };
  }

  /** One page of candles. */
  async page(
    query: CandleQuery,
    ask: MarketAsk & { interval: string; limit: number; before?: number; now: number },
  ): Promise<Bar[]> {
    const { body } = await send(this.simulator, this.venue, query.request(ask));
    return query.parse(body, ask).sort((a, b) => a.timestamp - b.timestamp);
  }
}

type Pair = readonly [ours: number | null | undefined, truth: number];

/** Ours equals the truth to `error`, relative. */
export function close(t: Test, [ours, truth]: Pair, what: string, error = 1e-9): void {
  const off = Math.abs((ours ?? Number.NaN) - truth) / Math.max(Math.abs(truth), 1e-300);
  if (!(off <= error)) t.fail(`${what}: ${ours} should be ${truth} (off by ${off})`);
}

/** The best levels of a market against the book of the model. */
export async function checkBook(t: Test, reader: Reader, market: Market, depth = 20) {
  const query = reader.venue.queries.orderBook;
  if (!query) throw new Error('no order book');
  const ask = await reader.ask(t, market);
  const { body } = await send(
    reader.simulator,
    reader.venue,
    query.request({ ...ask, depth, now }),
  );
  const { bids, asks, stated } = query.parse(body, ask);
  bids.sort((a, b) => b.price - a.price);
  asks.sort((a, b) => a.price - b.price);
  const theirs = bookOf(market, now, depth);
  for (const [side, ours, truth] of [
    ['bid', bids, theirs.bids],
    ['ask', asks, theirs.asks],
  ] as const) {
    t.ok(ours.length >= truth.length, `${market.id}: ${truth.length} ${side}s`);
    for (const [i, level] of truth.entries()) {
      const native = level.quantity * market.contract;
      const quantity = (market.inverse ? native / level.price : native) * market.scale;
      const what = `${market.id} ${side} ${i}`;
      close(t, [ours[i]?.price, level.price / market.scale], what);
      close(t, [ours[i]?.quantity, quantity], what);
    }
  }
  return stated;
}

function checkBar(
  t: Test,
  bar: Bar,
  [market, truth]: readonly [Market, MarketCandle],
  volume: number,
): void {
  const what = `${market.id} at ${bar.timestamp}`;
  for (const key of ['open', 'high', 'low', 'close'] as const) {
    close(t, [bar[key], truth[key] / market.scale], `${what}: ${key}`);
  }
  close(t, [bar.volume, truth.base * market.scale], `${what}: volume`, volume);
  if (bar.turnover !== null) close(t, [bar.turnover, truth.turnover], `${what}: turnover`, 1e-5);
}

const isInterval = (name: string): name is Interval => Object.hasOwn(intervals, name);

/**
 * Every native interval of a market: the newest `limit` bars and the page before them. `volume` is the relative error
 * allowed in their base volume.
 */
export async function checkCandles(
  t: Test,
  reader: Reader,
  market: Market,
  { turnover = true, limit = 5, volume = 1e-5 } = {},
) {
  const query = reader.venue.queries.candles;
  if (!query) throw new Error('no candles');
  const ask = await reader.ask(t, market);
  for (const interval of Object.keys(query.intervals).filter(isInterval)) {
    const asked = { ...ask, interval: query.intervals[interval] ?? '', limit, now };
    const newest = await reader.page(query, asked);
    const [first, last] = [newest[0]?.timestamp ?? 0, newest.at(-1)?.timestamp];
    t.equal(last, openOf(now, interval), `${market.id} ${interval}: the running bar`);
    t.ok(newest.length >= limit, `${newest.length} bars`);
    const older = await reader.page(query, { ...asked, before: first });
    t.equal(endOf(older.at(-1)?.timestamp ?? 0, interval), first, 'the page before');
    for (const bar of [...older, ...newest]) {
      const end = endOf(bar.timestamp, interval);
      checkBar(t, bar, [market, market.candle(bar.timestamp, end, now)], volume);
      t.equal(bar.turnover !== null, turnover, `turnover ${bar.turnover}`);
    }
  }
}
