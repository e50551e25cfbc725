/** dYdX v4: the public indexer. Source: the venue's documentation and the indexer's published source. */

import { books } from '../books/dydx.ts';
import { openOf, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive, pointRows } from '../exchange.ts';
import { plain } from '../format.ts';
import { channels, reply } from '../liquidations/dydx.ts';
import { dydxMarkets } from '../listings/coinbase-kraken.ts';
import { marketsBy } from '../live/dydx.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import { rowsWith, whileLive } from '../rows.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const hour = 3_600_000;
const id = 'dydx';

const refuse = (status: number, error: object): never => {
  throw new Refused(status, { errors: [error] });
};

/** An hour's part of a rate. */
const hourly = (market: Market, time: number) => market.fundingRate(time) / market.fundingHours;

const { row } = rowsWith({
  ...whileLive(0, 'rise interest'),
  pairId: ({ market }) => String(market.seed % 1000),
  status: ({ market }) => (isLive(market) ? 'ACTIVE' : 'FINAL_SETTLEMENT'),
  oracle: ({ market, now, stretch }) => (isLive(market) ? stretch.close : market.exact(now)),
  nextRate: ({ market, now }) =>
    isLive(market) ? hourly(market, openOf({ ms: hour }, now) + hour) : 0,
  type: ({ market }) => (market.id.includes(',') ? 'ISOLATED' : 'CROSS'),
  bothSides: ({ market, interest }) => plain(isLive(market) ? interest.base * 2 : 0, market.lot),
  started: ({ candle }) => new Date(candle.time).toISOString(),
  startInterest: ({ market, candle }) => plain(market.openInterest(candle.time), market.lot),
  hourly: ({ market, now }) => hourly(market, now),
  height: ({ now }) => String(Math.floor(now / 1000)),
  effective: ({ now }) => new Date(now + 219).toISOString(),
});
const facts = row(`
  clobPairId=pairId ticker=id status oraclePrice=oracle+0 priceChange24H=rise volume24H=turnover.4
  trades24H=trades nextFundingRate=nextRate.20 initialMarginFraction='0.05'
  maintenanceMarginFraction='0.03' openInterest=interest atomicResolution=-10
  quantumConversionExponent=-9 tickSize=tick stepSize=step stepBaseQuantums=1000000
  subticksPerTick=100000 marketType=type openInterestLowerCap='0' openInterestUpperCap='0'
  baseOpenInterest=bothSides defaultFundingRate1H='0'`);
const level = row('price size');
const candle = row(`
  startedAt=started ticker=id low high open close baseTokenVolume=base usdVolume=turnover trades
  startingOpenInterest=startInterest orderbookMidPriceOpen=open orderbookMidPriceClose=close`);
const charged = row(`
  ticker=id rate=hourly.20 price=mark+0 effectiveAtHeight=height effectiveAt=effective`);

/** `perpetualMarkets`: by ticker; `ticker` alone where one is named. */
function markets({ query, model, now }: Ask) {
  const ticker = query.get('ticker');
  const listed = model.markets(id, now, 'perp');
  const found = listed.filter((market) => ticker === null || market.id === ticker);
  if (found.length === 0) refuse(404, { msg: `${ticker} not found in markets of type PERPETUAL` });
  return { markets: Object.fromEntries(found.map((m) => [m.id, facts(m, { model, now })])) };
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
  const { bids, asks } = bookRows(level, market, ask, 100);
  return { bids, asks };
}

const bars = barsOf('1MIN=1m 5MINS=5m 15MINS=15m 30MINS=30m 1HOUR=1h 4HOURS=4h 1DAY=1d');

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
  const opens = opensUntil(bar, from, until, limit).reverse();
  const rows = candleRows(candle, market, { bar, opens }, ask);
  return { candles: rows.map((one) => ({ ...one, resolution })) };
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
  const opens = hours.reverse();
  return { historicalFunding: pointRows(charged, market, { opens }, ask) };
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
