/** What a venue file makes of its simulated counterpart against what the model knows. */
import type { Test } from 'tap';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../actors/topics.ts';
import type { Api } from '../../actors/upstream/request.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import type { Market } from '../../scripts/simulator/market.ts';
import type { SimulatedVenue } from '../../scripts/simulator/venue.ts';
import { checkBook, checkCandles, close, now, type Reader, send } from './simulated-venue.ts';

const hour = 3_600_000;
const nameOf = ({ symbol, quote, kind }: Pick<Market, 'symbol' | 'quote' | 'kind'>) =>
  `${kind} ${symbol}/${quote}`;
const ids = (markets: readonly Market[]) => markets.map(({ id }) => id).sort();

/** Every market that is followed is listed, as what it is. Returns the whole list. */
export async function checkInstruments(t: Test, reader: Reader, part: string) {
  const instruments = await reader.instruments(t, part);
  for (const { id, kind, symbol, quote, scale, contract, inverse } of reader.followed(part)) {
    t.match(instruments.get(id), { kind, symbol, quote, scale, contract, inverse }, id);
  }
  return instruments;
}

/** How exactly the wire states prices. */
export interface PriceTerms {
  /** Relative error of the change, as a ratio; null where there is no change. */
  change?: number | null;
  /** Relative error of the turnover. */
  volume?: number;
  /** The time of every row, where that is known. */
  stated?: number;
}

function checkPrice(
  t: Test,
  { simulator: { model } }: Reader,
  [market, row]: [Market, PriceRow],
  { change = 1e-6, volume = 1e-6, stated }: PriceTerms,
): void {
  const { venue, id, kind } = market;
  const truth = model.truth(venue, id, kind);
  if (!truth) throw new Error(id);
  if (nameOf(row) !== nameOf(market)) t.fail(`${id}: ${nameOf(row)}`);
  close(t, [row.price, truth.price], `${id} price`);
  const dollars = truth.priceUsd / truth.price;
  close(t, [(row.volume ?? Number.NaN) * dollars, truth.volumeUsd], `${id} volume`, volume);
  if (row.stated !== (stated ?? row.stated)) t.fail(`${id}: stated ${row.stated}`);
  if ((row.change === null) !== (change === null)) t.fail(`${id} change ${row.change}`);
  if (row.change === null || change === null) return;
  const { open, close: last } = model.last24h(market, now);
  close(t, [1 + row.change / 100, last / open], `${id} change`, change);
}

/** Last price, 24 h turnover and change of every market that is followed, and of no other. */
export async function checkPrices(t: Test, reader: Reader, part: string, terms: PriceTerms = {}) {
  const markets = reader.followed(part);
  const rows = await reader.rows(t, reader.venue.feeds.prices, part);
  t.strictSame([...rows.keys()].sort(), ids(markets), `${part}: the markets that are followed`);
  for (const market of markets) {
    const row = rows.get(market.id);
    if (row) checkPrice(t, reader, [market, row], terms);
  }
}

const perpetuals = (reader: Reader, part: string): Market[] =>
  reader.followed(part).filter(({ kind }) => kind === 'perpetual');

/**
 * The perpetuals of a part with their rows; the test fails where one has none, or another market
 * has one.
 */
function paired<Row>(
  t: Test,
  reader: Reader,
  part: string,
  rows: Map<string, Row>,
): [Market, Row][] {
  const markets = perpetuals(reader, part);
  t.strictSame([...rows.keys()].sort(), ids(markets), `${part}: every perpetual`);
  return markets.flatMap((market) => {
    const row = rows.get(market.id);
    return row ? [[market, row]] : [];
  });
}

/** Rows of every perpetual of a part, read from one poll of the feed. */
export async function derivativesOf(
  t: Test,
  reader: Reader,
  part: string,
): Promise<[Market, DerivativeRow][]> {
  const feed = reader.venue.feeds.derivatives;
  if (!feed) throw new Error(`${reader.venue.id} has no derivatives`);
  return paired(t, reader, part, await reader.rows(t, feed, part, ids(perpetuals(reader, part))));
}

/** Rows of every perpetual of a part, read from one poll of the feed. */
export async function interestsOf(
  t: Test,
  reader: Reader,
  part: string,
): Promise<[Market, OpenInterestRow][]> {
  const feed = reader.venue.feeds.openInterest;
  if (!feed) throw new Error(`${reader.venue.id} has no open interest`);
  return paired(t, reader, part, await reader.rows(t, feed, part, ids(perpetuals(reader, part))));
}

/** Mark and index price in canonical units. */
export function checkMarks(t: Test, [market, row]: [Market, DerivativeRow], error = 1e-7): void {
  close(t, [row.mark, market.exact(now) / market.scale], `${market.id} mark`, error);
  close(t, [row.index, market.index(now) / market.scale], `${market.id} index`, error);
}

/** Base units, and their value at `price`, which is native; `least` is the relative error that any row may have. */
export function checkInterest(
  t: Test,
  [market, row]: [Market, OpenInterestRow],
  price: number,
  least = 1e-9,
): void {
  const base = market.openInterest(now);
  // The wire rounds to the market's lot.
  const error = Math.max(least, 10 ** -market.lot / base);
  close(t, [row.units, base * market.scale], `${market.id} open interest`, error);
  close(t, [row.value, base * price], `${market.id} value`, error + 1e-7);
}

interface Charge {
  rate: number;
  hours: number;
  next: number;
}

function sameCharge(
  t: Test,
  [market, row]: [Market, DerivativeRow],
  { rate, hours, next }: Charge,
  error: number,
): void {
  close(t, [row.funding_rate, rate], `${market.id} rate`, error);
  close(t, [row.funding_hours, hours], `${market.id} hours`);
  close(t, [row.funding_rate_8h, (rate * 8) / hours], `${market.id} per 8 h`, error);
  if (row.next_funding !== next) t.fail(`${market.id} next funding`);
}

/** The rate that is charged at the end of the market's own interval. */
export function checkFunding(t: Test, pair: [Market, DerivativeRow], error = 1e-9): void {
  const [market] = pair;
  const { next } = market.fundingTimes(now);
  const charge = { rate: market.fundingRate(next), hours: market.fundingHours, next };
  sameCharge(t, pair, charge, error);
}

/** An hour's share of the rate, where the venue charges it every hour. */
export function checkHourlyFunding(t: Test, pair: [Market, DerivativeRow], error = 1e-9): void {
  const [market] = pair;
  const next = Math.floor(now / hour) * hour + hour;
  const charge = { rate: market.fundingRate(next) / market.fundingHours, hours: 1, next };
  sameCharge(t, pair, charge, error);
}

/** Mark, index and what `charged` checks, of every perpetual of a part. Returns the rows. */
export async function checkDerivatives(
  t: Test,
  reader: Reader,
  part: string,
  { marks, charged = checkFunding }: { marks?: number; charged?: typeof checkFunding } = {},
): Promise<[Market, DerivativeRow][]> {
  const rows = await derivativesOf(t, reader, part);
  for (const pair of rows) {
    checkMarks(t, pair, marks);
    charged(t, pair);
  }
  return rows;
}

/** Open interest at the mark price, of every perpetual of a part; `least` as of `checkInterest`. */
export async function checkInterests(t: Test, reader: Reader, part: string, least?: number) {
  const rows = await interestsOf(t, reader, part);
  for (const pair of rows) checkInterest(t, pair, pair[0].exact(now), least);
  return rows;
}

/** Both questions about a market that the venue does not have; `status` is that of its answers. */
export async function checkUnknown(
  t: Test,
  reader: Reader,
  [part, market]: readonly [part: string, market: string],
  status?: number,
): Promise<void> {
  const { venue, simulator } = reader;
  const { orderBook, candles } = venue.queries;
  const ask = { market, part, instrument: null, now };
  const interval = candles?.intervals['1h'] ?? '';
  for (const request of [
    orderBook?.request({ ...ask, depth: 20 }),
    candles?.request({ ...ask, interval, limit: 3 }),
  ]) {
    if (!request) throw new Error(`${venue.id} answers no questions`);
    const answer = await send(simulator, venue, request);
    const fault = venue.apis[request.api]?.fault(answer.status, answer.body);
    const expected = { code: 'unknown_instrument', ...(status !== undefined && { status }) };
    t.match(fault, expected, `${market} ${request.path}`);
  }
}

/** What the APIs call a limit, a ban and an error of the server's. */
export function checkRefusals(
  t: Test,
  apis: readonly Api[],
  { rate_limit, ban, server_error }: SimulatedVenue['refusals'],
  banned: 'banned' | 'blocked' | 'rate_limited',
): void {
  for (const { fault, hosts } of apis) {
    const codes = [rate_limit, ban, server_error].map((no) => fault(no.status, no.body)?.code);
    t.strictSame(codes, ['rate_limited', banned, 'unavailable'], `${hosts[0]}`);
  }
}

/** Scaled and inverse markets, and the first ones. */
const samples = (markets: readonly Market[]): Market[] =>
  markets.filter(({ scale, inverse }, i) => i < 2 || scale > 1 || (inverse && i < 4));

/** How exactly a part states what it does. */
export interface Terms extends PriceTerms {
  /** Relative error of mark and index. */
  marks?: number;
  /** Relative error of the open interest. */
  interest?: number;
  /** Relative error of the base volume of inverse candles. */
  inverseVolume?: number;
}

/** Everything that a venue tells of a part and answers about it. */
export async function checkPart(t: Test, reader: Reader, part: string, terms: Terms = {}) {
  const { feeds, queries } = reader.venue;
  const followed = reader.followed(part);
  const instruments = await checkInstruments(t, reader, part);
  const isFollowed = ({ kind, quote }: Instrument) => kind !== 'other' && dollarQuotes.has(quote);
  t.equal(
    [...instruments.values()].filter(isFollowed).length,
    followed.length,
    `${part}: no other`,
  );
  await checkPrices(t, reader, part, terms);
  if (feeds.derivatives?.parts[part]) await checkDerivatives(t, reader, part, terms);
  if (feeds.openInterest?.parts[part]) await checkInterests(t, reader, part, terms.interest);
  const chosen = samples(followed);
  for (const market of chosen) {
    const stated = await checkBook(t, reader, market, queries.orderBook?.cap);
    t.ok(stated === null || Math.abs(stated - now) < 1000, `${market.id}: time`);
  }
  for (const market of chosen.slice(0, 6)) {
    const volume = (market.inverse && terms.inverseVolume) || 1e-5;
    await checkCandles(t, reader, market, { volume });
  }
}
