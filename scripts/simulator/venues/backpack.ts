/**
 * Backpack: spot and perpetuals. Source: the venue's public API reference,
 * https://docs.backpack.exchange.
 */

import { books } from '../books/backpack.ts';
import { bookTime } from '../books/wire.ts';
import { type Bar, opensFrom } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive, marketRows } from '../exchange.ts';
import { backpackMarkets } from '../listings/aster-bybit.ts';
import { channels } from '../live/backpack.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight } from '../rows.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const venue = 'backpack';
const hour = 3_600_000;
const states = { live: 'Open', halted: 'Closed', preopen: 'PostOnly' } as const;

const refusal = (status: number, code: string, message: string) => ({
  status,
  body: { code, message },
});
const refuse = (status: number, code: string, message: string): never => {
  throw new Refused(status, refusal(status, code, message).body);
};
/** Parameters that cannot be read are answered in plain text. */
const unreadable = (name: string): never => {
  throw new Refused(400, `failed to parse parameter \`${name}\``);
};

function marketOf({ query, model, now }: Ask): Market {
  const id = query.get('symbol') ?? unreadable('symbol');
  const found = model.market(venue, 'all', id, now);
  return found ?? refuse(400, 'INVALID_CLIENT_REQUEST', 'Invalid market symbol');
}

const isPerpetual = ({ id }: Market): boolean => id.endsWith('_PERP');
const part =
  (at: 0 | 1) =>
  ({ market }: Sight) =>
    market.id.split('_')[at];
const clockOf = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

const { row, list } = rowsWith({
  ...{ first: part(0), second: part(1) },
  created: ({ market }) => new Date(market.listed).toISOString().replace('Z', '000'),
  state: ({ market }) => states[market.state],
  interval: ({ market }) => (isPerpetual(market) ? market.fundingHours : 8) * hour,
  startClock: ({ candle }) => clockOf(candle.time),
  endClock: ({ candle }) => clockOf(candle.end),
});

const described = (ofPerpetual: (value: string, other: string) => string) => `
  baseSymbol=first createdAt=created
  filters{
    price{ borrowEntryFeeMaxMultiplier=null borrowEntryFeeMinMultiplier=null
      maxImpactMultiplier='1.03' maxMultiplier='1.25' maxPrice=${ofPerpetual("'10000000'", 'null')}
      meanMarkPriceBand={"maxMultiplier":"1.15","minMultiplier":"0.9"}
      meanPremiumBand=${ofPerpetual('{"tolerancePct":"0.05"}', 'null')} minImpactMultiplier='0.97'
      minMultiplier='0.75' minPrice=tick tickSize=tick }
    quantity{ maxQuantity=null minQuantity=step stepSize=step } }
  fundingInterval=interval fundingRateLowerBound=${ofPerpetual("'-100'", 'null')}
  fundingRateUpperBound=${ofPerpetual("'100'", 'null')}
  imfFunction=${ofPerpetual('{"base":"0.02","factor":"0.0001275","type":"sqrt"}', 'null')}
  marketType=${ofPerpetual("'PERP'", "'SPOT'")}
  mmfFunction=${ofPerpetual('{"base":"0.0125","factor":"0.0000765","type":"sqrt"}', 'null')}
  openInterestLimit=${ofPerpetual("'4000000'", "'0'")} orderBookState=state quoteSymbol=second
  symbol=id`;
const spot = row(described((_, other) => other));
const perpetual = row(described((value) => value));
const listed: Row = (market, at) => {
  const made = (isPerpetual(market) ? perpetual : spot)(market, at);
  return market.kind === 'other' ? { ...made, rwaMarketType: 'STOCK' } : made;
};
const ticker = row(`
  firstPrice=open high lastPrice=close low priceChange=rise priceChangePercent=fraction
  quoteVolume=turnover symbol=id trades=$trades volume=quantity`);
const mark = row(`
  fundingRate=rate.12 indexPrice=index+4 markPrice=mark+4 nextFundingTimestamp=next symbol=id`);
const interest = row('openInterest=interest symbol=id timestamp=now');
const level = list('price size');
const candle = row(`
  close end=endClock high low open quoteVolume=turnover start=startClock trades=$trades
  volume=quantity`);

const markets = (ask: Ask) => marketRows(listed, ask, { venue });
const tickers = (ask: Ask) => marketRows(ticker, ask, { venue, keep: isLive });

const perpetuals = (made: Row) => (ask: Ask) => {
  const keep = (market: Market) => isLive(market) && isPerpetual(market);
  if (!ask.query.has('symbol')) return marketRows(made, ask, { venue, keep });
  const one = marketOf(ask);
  return keep(one) ? [made(one, ask)] : refuse(400, 'INVALID_CLIENT_REQUEST', 'Symbol not found');
};
const markPrices = perpetuals(mark);
/** Base, one side. */
const openInterest = perpetuals(interest);

/** Bids in ascending order: the best one is the last. */
function depth(ask: Ask) {
  const market = marketOf(ask);
  const limit = ask.query.get('limit') ?? '1000';
  if (!/^(5|10|20|50|100|500|1000)$/.test(limit)) unreadable('limit');
  if (market.state === 'halted') refuse(404, 'RESOURCE_NOT_FOUND', 'Not Found');
  const at = { model: ask.model, now: bookTime(ask.now, Number(limit)) };
  const { bids, asks, updateId } = bookRows(level, market, at, Number(limit));
  const lastUpdateId = String(updateId);
  return { asks, bids: bids.reverse(), lastUpdateId, timestamp: ask.now * 1000 };
}

const bars: Readonly<Record<string, Bar>> = barsOf(
  '1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1month=1M',
);

function seconds({ query }: Ask, name: string, fallback?: number): number {
  const text = query.get(name);
  if (text === null && fallback !== undefined) return fallback;
  return text !== null && /^\d{1,11}$/.test(text) ? Number(text) * 1000 : unreadable(name);
}

/**
 * Bars that open from `startTime` to `endTime`, both included: the first 1000 of them, ascending.
 */
function klines(ask: Ask) {
  const market = marketOf(ask);
  const bar = bars[ask.query.get('interval') ?? ''] ?? unreadable('interval');
  const from = Math.max(seconds(ask, 'startTime'), market.listed);
  const to = Math.min(seconds(ask, 'endTime', ask.now), ask.now);
  if (market.state !== 'live') return [];
  const opens = opensFrom(bar, from, to, 1000);
  return candleRows(candle, market, { bar, opens }, ask);
}

const table: readonly (readonly [path: string, answer: Route['answer'], bucket?: string])[] = [
  ['time', ({ now }) => now],
  ['markets', markets],
  ['tickers', tickers],
  ['markPrices', markPrices],
  ['openInterest', openInterest],
  ['depth', depth],
  ['klines', klines, 'history'],
];

const routes: ReadonlyMap<string, Route> = new Map(
  table.map(([path, answer, bucket = 'all']) => [
    `/api/v1/${path}`,
    { bucket, weight: () => 1, answer },
  ]),
);

/** The simulated venue. */
export const backpack: SimulatedVenue = {
  id: venue,
  hosts: ['api.backpack.exchange', 'ws.backpack.exchange'],
  markets: backpackMarkets,
  route: (path) => routes.get(path),
  channels: together(channels, books),
  buckets: { all: { weight: 2000, per: 60_000 }, history: { weight: 30, per: 60_000 } },
  refusals: {
    rate_limit: refusal(429, 'TOO_MANY_REQUESTS', 'Too many requests'),
    ban: refusal(403, 'FORBIDDEN', 'Forbidden'),
    server_error: refusal(503, 'MAINTENANCE', 'Service unavailable'),
  },
};
