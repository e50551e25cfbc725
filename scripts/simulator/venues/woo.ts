/** WOO X: spot and linear contracts. Source: the venue's public API v3 documentation. */
import { type Bar, openOf, opensUntil } from '../calendar.ts';
import {
  barsOf,
  bookRows,
  candleRows,
  eachPath,
  marketRows,
  routesOf,
  wholes,
} from '../exchange.ts';
import { wooMarkets } from '../listings/kucoin-woo.ts';
import { channels, reply } from '../live/woo.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, whileLive } from '../rows.ts';
import { type Ask, Refused, type SimulatedVenue } from '../venue.ts';

const ok = (data: object, now: number) => ({ success: true, data, timestamp: now });
const refuse = (message: string, more: object = {}): never => {
  throw new Refused(400, { success: false, message, ...more });
};
const whole = wholes((name) => refuse(`invalid ${name}`, { code: -1005 }));

function marketOf({ model, query, now }: Ask): Market {
  const id = query.get('symbol') ?? '';
  const group = id.startsWith('PERP_') ? 'perp' : 'spot';
  const found = model.market('woo', group, id, now);
  return found?.state === 'live' ? found : refuse(`invalid symbol ${id}`);
}

const month = 30 * 86_400_000;
/** A contract that is gone stays, without an index, as it was when it stopped. */
const { row } = rowsWith({
  status: ({ market }) => (market.state === 'live' ? 'TRADING' : 'SUSPENDED'),
  ...whileLive(null, 'index'),
  nextHere: ({ market, now, funding }) => (market.state === 'live' ? funding.next : now - month),
  ratedAt: ({ now }) => now - 1_000,
});

const instrument = row(`
  symbol=id status baseAsset=symbol baseAssetMultiplier=1 quoteAsset=quote quoteMin='0' quoteMax='100000'
  quoteTick=tick baseMin=step baseMax='5000' baseTick=step minNotional='1' bidCapRatio='1.1'
  bidFloorRatio=null askCapRatio=null askFloorRatio='0.9' orderMode='NORMAL' impactNotional=null
  isAllowedRpi=false tickGranularity=null`);
const future = row(`
  symbol=id indexPrice=index markPrice=mark estFundingRate=rate lastFundingRate=lastRate
  openInterest=interest 24hOpen=open 24hClose=close 24hHigh=high 24hLow=low 24hVolume=quantity
  24hAmount=turnover nextFundingTime=nextHere`);
const rate = row(`
  symbol=id estFundingRate=rate estFundingRateTimestamp=ratedAt lastFundingRate=lastRate
  lastFundingRateTimestamp=lastFunding nextFundingTime=next lastFundingIntervalHours=hours
  estFundingIntervalHours=hours`);
const level = row('price quantity=size');
const candle = row(`
  symbol=id open close high low volume=quantity amount=turnover startTimestamp=start endTimestamp=end`);

const list = (made: Row, group?: string) => (ask: Ask) =>
  ok({ rows: marketRows(made, ask, { venue: 'woo', group }) }, ask.now);

/** `orderbook?symbol=&maxLevel=&rpi=`. */
function orderBook(ask: Ask) {
  const depth = whole(ask, 'maxLevel', 100, [1, 500]);
  const { bids, asks } = bookRows(level, marketOf(ask), ask, depth);
  return ok({ asks, bids }, ask.now);
}

const bars = barsOf('1m 5m 15m 30m 1h 4h 12h 1d 1w 1mon=1M');

/** Newest first, those that open before `until`. */
const candles = (until: (ask: Ask, bar: Bar) => number) => (ask: Ask) => {
  const market = marketOf(ask);
  const type = ask.query.get('type') ?? '';
  const bar = bars[type] ?? refuse('invalid type', { code: -1005 });
  const limit = whole(ask, 'limit', 100, [1, 1000]);
  const opens = opensUntil(bar, openOf(bar, market.listed), until(ask, bar) - 1, limit).reverse();
  const rows = candleRows(candle, market, { bar, opens }, ask);
  return ok({ rows: rows.map((one) => ({ ...one, type })) }, ask.now);
};

const answers = {
  instruments: list(instrument),
  futures: list(future, 'perp'),
  fundingRate: list(rate, 'perp'),
  orderbook: orderBook,
  /** The newest candles with the running one, and the closed ones. */
  kline: candles(({ now }) => now + 1),
  klineHistory: candles(({ now, query }, bar) =>
    Math.min(openOf(bar, now), Number(query.get('before') ?? now)),
  ),
};
const routes = routesOf('/v3/public/', answers);

const rateLimit = { success: false, code: -1003, message: 'Rate limit exceed.' };

/** The simulated venue. */
export const woo: SimulatedVenue = {
  id: 'woo',
  hosts: ['api.woox.io', 'api-pub.woox.io', 'wss.woox.io'],
  markets: wooMarkets,
  route: (path) => routes.get(path),
  channels,
  buckets: eachPath(answers, { weight: 10, per: 1000 }),
  refusals: {
    rate_limit: { status: 429, body: rateLimit },
    ban: { status: 403, body: { success: false, message: 'forbidden' } },
    // The gateway's own, inside a 200.
    server_error: { status: 200, body: { code: 503, message: '[GW] no upstream server' } },
  },
  reply,
};
