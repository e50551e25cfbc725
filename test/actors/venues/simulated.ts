/** One venue against its simulated counterpart: every number that it parses is the model's. */
import { once } from 'node:events';
import type { Test } from 'tap';
import { isRecord } from '../../../actors/read.ts';
import type { Instrument, Interval } from '../../../actors/topics.ts';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import { endOf, openOf } from '../../../actors/venues/candles.ts';
import type { MarketAsk, Part, SharedPart, Venue } from '../../../actors/venues/venue.ts';
import { dollarQuotes } from '../../../config/quotes.ts';
import { bookOf } from '../../../scripts/simulator/book.ts';
import { Faults } from '../../../scripts/simulator/faults.ts';
import { Requests } from '../../../scripts/simulator/ledger.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { simulatorServer } from '../../../scripts/simulator/server.ts';
import { SimulatorClock } from '../../../scripts/simulator/simulator-clock.ts';
import type { SimulatedVenue } from '../../../scripts/simulator/venue.ts';
import { FakeClock } from '../../support/clock.ts';

export interface Simulated {
  url: string;
  model: Model;
  /** Status and JSON of the answer to a request of the venue's. */
  send(venue: Venue, request: UpstreamRequest): Promise<{ status: number; body: unknown }>;
}

/** Starts the one venue on a clock that stands still; ends it with the test. */
export async function simulate(
  t: Test,
  simulated: SimulatedVenue,
  now = Date.UTC(2025, 5, 18, 10, 22, 7),
): Promise<Simulated> {
  const clock = new SimulatorClock(new FakeClock(now));
  const venues = [simulated];
  const model = new Model({ seed: 3, symbols: 40, clock, venues });
  const faults = new Faults(3, () => model.now());
  const shared = { model, faults, requests: new Requests(), clock, venues, limits: false };
  const { server, stop } = simulatorServer(shared);
  t.teardown(stop);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${isRecord(address) ? address.port : 0}`;
  return {
    url,
    model,
    async send(venue, { api, path, query = {}, method = 'GET', body }) {
      const { host } = new URL(venue.apis[api]?.hosts[0] ?? '');
      const words = Object.fromEntries(
        Object.entries(query).map(([key, value]) => [key, String(value)]),
      );
      const response = await fetch(`${url}/${host}${path}?${new URLSearchParams(words)}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

interface Walk {
  t: Test;
  venue: Venue;
  simulated: Simulated;
  /** Relative error allowed in the base volume of inverse candles, for a venue that does not state it. */
  inverseVolume?: number;
}
interface PartWalk extends Walk {
  part: string;
  instruments: ReadonlyMap<string, Instrument>;
  /** Those that the simulator has in the group of this name and that a client follows. */
  markets: Market[];
}

/** `pair` is ours and the truth; equal within `error`, relative. Says nothing when they are. */
function close(
  t: Test,
  what: string,
  [ours, truth]: readonly [ours: number | null | undefined, truth: number],
  error = 1e-9,
): void {
  if (typeof ours === 'number' && Math.abs(ours - truth) <= error * Math.abs(truth)) return;
  t.fail(`${what}: ${ours} is not ${truth}`);
}

async function bodiesOf({ simulated, venue }: Walk, requests: readonly UpstreamRequest[]) {
  const answers: unknown[] = [];
  for (const request of requests) answers.push((await simulated.send(venue, request)).body);
  return answers;
}

const followed = (market: Market): boolean =>
  market.state === 'live' && market.kind !== 'other' && dollarQuotes.has(market.quote);

async function walkOf(walk: Walk, part: string): Promise<PartWalk> {
  const { t, venue, simulated } = walk;
  const { model } = simulated;
  const list = venue.feeds.instruments.parts[part];
  if (!list) throw new Error(`${venue.id} lists nothing of ${part}`);
  const bodies = await bodiesOf(walk, list.requests({ markets: [] }));
  const { rows, dropped } = list.parse(bodies, { received: 0, instruments: new Map() });
  t.strictSame(dropped, [], `${part}: every instrument is read`);
  const instruments = new Map(rows.map((row) => [row.market, row]));
  const markets = model.markets(venue.id, model.now(), part).filter(followed);
  for (const { id, symbol, quote, scale, contract, inverse, kind } of markets) {
    t.match(instruments.get(id), { symbol, quote, scale, contract, inverse, kind }, id);
  }
  const live = (row: Instrument) => row.kind !== 'other' && dollarQuotes.has(row.quote);
  t.equal(rows.filter(live).length, markets.length, `${part}: nothing else is followed`);
  return { ...walk, part, instruments, markets };
}

/** Rows of a feed by market; exactly those of the followed markets. */
async function rowsOf<Row extends { market: string }>(
  walk: PartWalk,
  feed: { parts: Readonly<Record<string, Part<Row> | SharedPart<Row>>> },
): Promise<[Market, Row][]> {
  const { t, venue, part, instruments, markets, simulated } = walk;
  const found = feed.parts[part];
  if (!found) return [];
  const asked = 'requests' in found ? found : venue.feeds.prices.parts[part];
  const ids = markets.map(({ id }) => id);
  const bodies = await bodiesOf(walk, asked?.requests({ markets: ids }) ?? []);
  const received = simulated.model.now();
  const { rows, dropped } = found.parse(bodies, { received, instruments });
  const unlisted = dropped.filter(({ key }) => ids.includes(key));
  t.strictSame(unlisted, [], `${part}: no good row is dropped`);
  t.strictSame(rows.map((row) => row.market).sort(), ids.sort(), `${part}: every market, no other`);
  const byId = new Map(markets.map((market) => [market.id, market]));
  return rows.flatMap((row) => {
    const market = byId.get(row.market);
    return market ? [[market, row]] : [];
  });
}

async function samePrices(walk: PartWalk) {
  const { t, venue, simulated } = walk;
  const now = simulated.model.now();
  for (const [market, row] of await rowsOf(walk, venue.feeds.prices)) {
    const { id, kind, listed } = market;
    const truth = simulated.model.truth(venue.id, id, kind);
    if (!truth) throw new Error(`no truth of ${id}`);
    close(t, `${id} price`, [row.price, truth.price]);
    const dollars = truth.priceUsd / truth.price;
    close(t, `${id} volume`, [(row.volume ?? Number.NaN) * dollars, truth.volumeUsd], 1e-6);
    if (now - listed < 86_400_000) continue;
    const { open, close: last } = simulated.model.last24h(market, now);
    close(t, `${id} change`, [1 + (row.change ?? Number.NaN) / 100, last / open], 1e-3);
  }
}

async function sameDerivatives(walk: PartWalk) {
  const { t, venue, simulated } = walk;
  const now = simulated.model.now();
  if (!venue.feeds.derivatives) return;
  for (const [market, row] of await rowsOf(walk, venue.feeds.derivatives)) {
    const { next } = market.fundingTimes(now);
    close(t, `${market.id} mark`, [row.mark, market.exact(now) / market.scale], 1e-4);
    close(t, `${market.id} index`, [row.index, market.index(now) / market.scale], 1e-4);
    close(t, `${market.id} rate`, [row.funding_rate, market.fundingRate(next)]);
    close(t, `${market.id} hours`, [row.funding_hours, market.fundingHours]);
    const eight = (market.fundingRate(next) * 8) / market.fundingHours;
    close(t, `${market.id} rate of 8 hours`, [row.funding_rate_8h, eight]);
    t.equal(row.next_funding, next, `${market.id} next funding`);
  }
}

async function sameOpenInterest(walk: PartWalk) {
  const { t, venue, simulated } = walk;
  const now = simulated.model.now();
  if (!venue.feeds.openInterest) return;
  for (const [market, row] of await rowsOf(walk, venue.feeds.openInterest)) {
    const base = market.openInterest(now);
    close(t, `${market.id} open interest`, [row.units, base * market.scale], 1e-3);
    close(t, `${market.id} value`, [row.value, base * market.exact(now)], 1e-3);
  }
}

/** Scaled and inverse markets, and the first ones. */
const samples = (markets: Market[]): Market[] =>
  markets.filter(({ scale, inverse }, i) => i < 2 || scale > 1 || (inverse && i < 4));

const askOf = ({ part, instruments }: PartWalk, market: Market): MarketAsk => ({
  market: market.id,
  part,
  instrument: instruments.get(market.id) ?? null,
});

async function sameBooks(walk: PartWalk) {
  const { t, venue, simulated } = walk;
  const query = venue.queries.orderBook;
  const now = simulated.model.now();
  if (!query) return;
  for (const market of samples(walk.markets)) {
    const ask = askOf(walk, market);
    const { body } = await simulated.send(venue, query.request({ ...ask, depth: query.cap }));
    const ours = query.parse(body, ask);
    const book = bookOf(market, now, query.cap);
    for (const side of ['bids', 'asks'] as const) {
      const better = (a: { price: number }, b: { price: number }) =>
        side === 'bids' ? b.price - a.price : a.price - b.price;
      const levels = ours[side].sort(better);
      for (const [i, truth] of book[side].entries()) {
        const what = `${market.id} ${side} ${i}`;
        const base = market.inverse
          ? (truth.quantity * market.contract) / truth.price
          : truth.quantity * market.contract;
        close(t, what, [levels[i]?.price, truth.price / market.scale]);
        close(t, `${what} quantity`, [levels[i]?.quantity, base * market.scale]);
      }
    }
    t.ok(ours.stated === null || Math.abs(ours.stated - now) < 1000, `${market.id}: time`);
  }
}

const named = (name: string): name is Interval => name.length > 0;

/** The running candle, or with `before` the one that closed when that opened. */
async function sameCandle(
  walk: PartWalk,
  market: Market,
  interval: readonly [name: Interval, word: string],
  before?: number,
) {
  const { t, venue, simulated } = walk;
  const [name, word] = interval;
  const query = venue.queries.candles;
  const now = simulated.model.now();
  const ask = askOf(walk, market);
  if (!query) return;
  const page = before === undefined ? {} : { before };
  const request = query.request({ ...ask, interval: word, limit: 3, ...page });
  const rows = query.parse((await simulated.send(venue, request)).body, ask);
  const [row] = rows.sort((a, b) => b.timestamp - a.timestamp);
  const what = `${market.id} ${name} ${before ?? ''}`;
  const time = openOf(before === undefined ? now : before - 1, name);
  if (row?.timestamp !== time) {
    t.fail(`${what} opens at ${row?.timestamp}, not at ${time}`);
    return;
  }
  const truth = market.candle(time, endOf(time, name), now);
  for (const key of ['open', 'high', 'low', 'close'] as const) {
    close(t, `${what} ${key}`, [row[key], truth[key] / market.scale]);
  }
  const error = (market.inverse && walk.inverseVolume) || 1e-5;
  close(t, `${what} volume`, [row.volume, truth.base * market.scale], error);
  if (row.turnover !== null) close(t, `${what} turnover`, [row.turnover, truth.turnover], 1e-5);
}

async function sameCandles(walk: PartWalk) {
  const { venue, simulated } = walk;
  const words = Object.entries(venue.queries.candles?.intervals ?? {});
  for (const market of samples(walk.markets).slice(0, 6)) {
    for (const [name, word] of words) {
      if (!named(name)) continue;
      await sameCandle(walk, market, [name, word]);
      await sameCandle(walk, market, [name, word], openOf(simulated.model.now(), name));
    }
  }
}

/** What the venue says of a market that it does not know, and of too many requests. */
async function sameRefusals(walk: PartWalk, refusals: SimulatedVenue['refusals']) {
  const { t, venue, simulated, part } = walk;
  const ask = { market: 'NOSUCHUSDT', part, instrument: null };
  const market = walk.markets[0]?.id.includes('_') ? 'NOSUCH_USDT' : ask.market;
  const { orderBook, candles } = venue.queries;
  const interval = Object.values(candles?.intervals ?? {})[0] ?? '';
  for (const request of [
    orderBook?.request({ ...ask, market, depth: 5 }),
    candles?.request({ ...ask, market, interval, limit: 1 }),
  ]) {
    if (!request) continue;
    const { status, body } = await simulated.send(venue, request);
    const code = venue.apis[request.api]?.fault(status, body)?.code;
    t.equal(code, 'unknown_instrument', `${part} ${request.path}: ${JSON.stringify(body)}`);
  }
  for (const [name, { fault }] of Object.entries(venue.apis)) {
    const code = (refusal: keyof typeof refusals) =>
      fault(refusals[refusal].status, refusals[refusal].body)?.code;
    t.equal(code('rate_limit'), 'rate_limited', name);
    t.equal(code('server_error'), 'unavailable', name);
    t.match(code('ban'), /banned|blocked|rate_limited/, name);
  }
}

/** Walks every part and every capability of the venue. */
export async function agree(
  t: Test,
  venue: Venue,
  simulated: SimulatedVenue,
  more: Pick<Walk, 'inverseVolume'> = {},
): Promise<void> {
  const walk = { t, venue, simulated: await simulate(t, simulated), ...more };
  for (const part of venue.parts) {
    const partWalk = await walkOf(walk, part);
    t.ok(partWalk.markets.length > 0, `${part}: there is something to compare`);
    await samePrices(partWalk);
    await sameDerivatives(partWalk);
    await sameOpenInterest(partWalk);
    await sameBooks(partWalk);
    await sameCandles(partWalk);
    await sameRefusals(partWalk, simulated.refusals);
  }
}
