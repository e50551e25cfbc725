/** dYdX v4: the public indexer. Source: the venue's documentation and the indexer's published source. */

import type { BookLevel } from '../book.ts';
import { bookOf } from '../book.ts';
import { books } from '../books/dydx.ts';
import type { Bar } from '../calendar.ts';
import { nextOpen, openOf, opensUntil } from '../calendar.ts';
import { plain } from '../format.ts';
import { channels, reply } from '../liquidations/dydx.ts';
import { dydxMarkets } from '../listings/coinbase-kraken.ts';
import { marketsBy } from '../live/dydx.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const hour = 3_600_000;
const id = 'dydx';

const refuse = (status: number, error: object): never => {
  throw new Refused(status, { errors: [error] });
};

const price = (market: Market, value: number) => plain(value, market.decimals);

/** `perpetualMarkets`: by ticker; `ticker` alone where one is named. */
function markets({ query, model, now }: Ask) {
  const ticker = query.get('ticker');
  const listed = model.markets(id, now, 'perp');
  const found = listed.filter((market) => ticker === null || market.id === ticker);
  if (found.length === 0) refuse(404, { msg: `${ticker} not found in markets of type PERPETUAL` });
  return { markets: Object.fromEntries(found.map((m) => [m.id, facts(m, { model, now })])) };
}

function facts(market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) {
  const live = market.state === 'live';
  const { open, close, turnover, trades } = model.last24h(market, now);
  const next = Math.floor(now / hour) * hour + hour;
  const interest = live ? market.openInterest(now) : 0;
  return {
    clobPairId: String(market.seed % 1000),
    ticker: market.id,
    status: live ? 'ACTIVE' : 'FINAL_SETTLEMENT',
    oraclePrice: price(market, live ? close : market.exact(now)),
    priceChange24H: price(market, live ? close - open : 0),
    volume24H: plain(turnover, 4),
    trades24H: trades,
    nextFundingRate: plain(live ? market.fundingRate(next) / market.fundingHours : 0, 20),
    initialMarginFraction: '0.05',
    maintenanceMarginFraction: '0.03',
    openInterest: plain(interest, market.lot),
    atomicResolution: -10,
    quantumConversionExponent: -9,
    tickSize: plain(10 ** -market.decimals, market.decimals),
    stepSize: plain(10 ** -market.lot, market.lot),
    stepBaseQuantums: 1_000_000,
    subticksPerTick: 100_000,
    marketType: market.id.includes(',') ? 'ISOLATED' : 'CROSS',
    openInterestLowerCap: '0',
    openInterestUpperCap: '0',
    baseOpenInterest: plain(interest * 2, market.lot),
    defaultFundingRate1H: '0',
  };
}

/** The ticker that ends the path; `unknown` says no when there is no such market. */
function marketOf({ path, model, now }: Ask, unknown: (ticker: string) => never): Market {
  const ticker = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  return model.market(id, 'perp', ticker, now) ?? unknown(ticker);
}

/** `orderbooks/perpetualMarket/:ticker`: 100 levels a side. */
function book(ask: Ask) {
  const market = marketOf(ask, (ticker) =>
    refuse(404, { msg: `${ticker} not found in markets of type PERPETUAL` }),
  );
  const { bids, asks } = bookOf(market, ask.now, 100);
  const rows = (levels: BookLevel[]) =>
    levels.map((level) => ({
      price: price(market, level.price),
      size: plain(level.quantity, market.lot),
    }));
  return { bids: rows(bids), asks: rows(asks) };
}

const bars: Readonly<Record<string, Bar>> = {
  '1MIN': { ms: 60_000 },
  '5MINS': { ms: 300_000 },
  '15MINS': { ms: 900_000 },
  '30MINS': { ms: 1_800_000 },
  '1HOUR': { ms: hour },
  '4HOURS': { ms: 4 * hour },
  '1DAY': { ms: 24 * hour },
};

const invalid = (param: string, msg: string, value: string | null): never =>
  refuse(400, {
    value: value ?? undefined,
    msg,
    param,
    location: param === 'ticker' ? 'params' : 'query',
  });

/** A time of the query; the venue reads ISO 8601 only. */
function time({ query }: Ask, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = Date.parse(text);
  return Number.isNaN(value) ? invalid(name, 'Invalid value', text) : value;
}

/** `candles/perpetualMarkets/:ticker`: newest first; `fromISO` is inclusive, `toISO` exclusive. */
function candles(ask: Ask) {
  const { query, now } = ask;
  const market = marketOf(ask, (ticker) =>
    invalid('ticker', 'ticker must be a valid ticker (BTC-USD, etc)', ticker),
  );
  const resolution = query.get('resolution') ?? '';
  const bar = bars[resolution] ?? invalid('resolution', 'resolution must be valid', resolution);
  const limit = Number(query.get('limit') ?? 1000);
  if (!(limit >= 1 && limit <= 1000)) {
    invalid(
      'limit',
      'limit must be a positive integer that is not greater than max: 1000',
      `${limit}`,
    );
  }
  if (market.state !== 'live') return { candles: [] };
  const from = Math.max(openOf(bar, market.listed), time(ask, 'fromISO', 0));
  const until = Math.min(now, time(ask, 'toISO', now + 1) - 1);
  const times = opensUntil(bar, from, until, limit).reverse();
  return { candles: times.map((open) => row(market, { open, bar, resolution, now })) };
}

function row(
  market: Market,
  { open, bar, resolution, now }: { open: number; bar: Bar; resolution: string; now: number },
) {
  const c = market.candle(open, nextOpen(bar, open), now);
  return {
    startedAt: new Date(open).toISOString(),
    ticker: market.id,
    resolution,
    low: price(market, c.low),
    high: price(market, c.high),
    open: price(market, c.open),
    close: price(market, c.close),
    baseTokenVolume: plain(c.base, 8),
    usdVolume: plain(c.turnover, 8),
    trades: c.trades,
    startingOpenInterest: plain(market.openInterest(open), market.lot),
    orderbookMidPriceOpen: price(market, c.open),
    orderbookMidPriceClose: price(market, c.close),
  };
}

/** `historicalFunding/:ticker`: settled hours, newest first; `effectiveBeforeOrAt` is inclusive. */
function fundings(ask: Ask) {
  const { query, now } = ask;
  const market = marketOf(ask, (ticker) =>
    invalid('ticker', 'ticker must be a valid ticker (BTC-USD, etc)', ticker),
  );
  const limit = Math.min(1000, Number(query.get('limit') ?? 100));
  const last = Math.min(now, time(ask, 'effectiveBeforeOrAt', now));
  const hours = market.state === 'live' ? opensUntil({ ms: hour }, market.listed, last, limit) : [];
  const historicalFunding = hours.reverse().map((at) => ({
    ticker: market.id,
    rate: plain(market.fundingRate(at) / market.fundingHours, 20),
    price: price(market, market.exact(at)),
    effectiveAtHeight: String(Math.floor(at / 1000)),
    effectiveAt: new Date(at + 219).toISOString(),
  }));
  return { historicalFunding };
}

const route = (answer: Route['answer']): Route => ({ bucket: 'indexer', weight: () => 1, answer });

const routes: readonly (readonly [path: RegExp, route: Route])[] = [
  [/^\/v4\/perpetualMarkets$/, route(markets)],
  [/^\/v4\/orderbooks\/perpetualMarket\/[^/]+$/, route(book)],
  [/^\/v4\/candles\/perpetualMarkets\/[^/]+$/, route(candles)],
  [/^\/v4\/historicalFunding\/[^/]+$/, route(fundings)],
  [/^\/v4\/time$/, route(({ now }) => ({ iso: new Date(now).toISOString(), epoch: now / 1000 }))],
];

/** The simulated venue. */
export const dydx: SimulatedVenue = {
  id,
  hosts: ['indexer.dydx.trade'],
  markets: dydxMarkets,
  route: (path) => routes.find(([pattern]) => pattern.test(path))?.[1],
  buckets: { indexer: { weight: 100, per: 10_000 } },
  refusals: {
    rate_limit: { status: 429, body: { errors: [{ msg: 'Too many requests' }] } },
    ban: {
      status: 403,
      body: { errors: [{ code: 'GEOBLOCKED', msg: 'Not available in this jurisdiction.' }] },
    },
    server_error: { status: 500, body: { errors: [{ msg: 'Internal Server Error' }] } },
  },
  reply,
  channels: together(channels, marketsBy(facts), books),
};
