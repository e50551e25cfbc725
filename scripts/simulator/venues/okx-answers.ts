/** The answers of OKX: every number is a string, lists come newest first, errors come inside a 200. */
import { type Bar, openOf, opensUntil } from '../calendar.ts';
import {
  barsOf,
  bookRows,
  candleRows,
  isLive,
  marketRows,
  pointRows,
  tradeRows,
} from '../exchange.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

const day = 86_400_000;
const hour = 3_600_000;
const venue = 'okx';
const types = ['SPOT', 'SWAP', 'FUTURES'];

export const ok = (data: unknown[]) => ({ code: '0', msg: '', data });
const refuse = (code: string, msg: string, status = 200): never => {
  throw new Refused(status, { code, data: [], msg });
};
export const parameter = (name: string) => refuse('51000', `Parameter ${name} error`, 400);

export function required({ query }: Ask, name: string): string {
  return query.get(name) || refuse('50014', `Parameter ${name} can not be empty`, 400);
}

export function integer({ query }: Ask, name: string, fallback: number): number {
  const text = query.get(name);
  if (!text) return fallback;
  return /^\d{1,16}$/.test(text) ? Number(text) : parameter(name);
}

/** Between 1 and `most`, else the venue refuses. */
export function count(ask: Ask, name: string, fallback: number, most: number): number {
  const value = integer(ask, name, fallback);
  return value >= 1 && value <= most ? value : parameter(name);
}

export const groupOf = (id: string): string =>
  id.endsWith('-SWAP') ? 'SWAP' : /-\d{6}$/.test(id) ? 'FUTURES' : 'SPOT';

export function marketOf(ask: Ask): Market {
  const id = required(ask, 'instId');
  const found = ask.model.market(venue, groupOf(id), id, ask.now);
  return found ?? refuse('51001', "Instrument ID, Instrument ID code, or Spread ID doesn't exist.");
}

/** Price at the last midnight of a zone `shift` ms ahead of UTC. */
const startOfDay =
  (shift: number) =>
  ({ market, now }: Sight) => {
    const midnight = Math.floor((now + shift) / day) * day - shift;
    return market.round(market.price(Math.max(midnight, market.listed)));
  };
const isSpot = ({ group }: Market) => group === 'SPOT';

export const { row, list } = rowsWith({
  group: ({ market }) => market.group,
  ...{ dayStart: startOfDay(0), dayStart8: startOfDay(8 * hour) },
  /** Volume in contracts (base on spot), then in base (quote on spot), then in quote. */
  second: ({ market, stretch }) => (isSpot(market) ? stretch.turnover : stretch.base),
  third: ({ market, stretch }) =>
    market.inverse ? stretch.quantity * market.contract : stretch.turnover,
  confirmed: ({ candle }) => (candle.closed ? '1' : '0'),
  contracts: ({ interest }) => interest.contracts,
  oi: ({ market, interest }) => plain(interest.contracts, market.lot),
  dollars: ({ market, interest }) => interest.value * (market.dollars ?? 1),
  afterNext: ({ funding: { last, next } }) => 2 * next - last,
  indexId: ({ market }) => market.id.replace('-SWAP', ''),
});

const names = 'instType=group instId=id';
/** The ticker of a market. */
export const ticker = row(`
  ${names} last=close lastSz=bestAskSize askPx=ask askSz=askSize bidPx=bid bidSz=bidSize
  open24h=open high24h=high low24h=low volCcy24h=second.8 vol24h=quantity sodUtc0=dayStart+0
  sodUtc8=dayStart8+0 ts=$now`);
/** Contracts, base and USD, one side. */
export const interest = row(`
  instId=id instType=group oi oiCcy=interest.8 oiUsd=dollars.4 ts=$now`);
export const funding = row(`
  ${names} method='current_period' fundingRate=rate.16 fundingTime=$next nextFundingRate=''
  nextFundingTime=$afterNext maxFundingRate='0.00375' minFundingRate='-0.00375'
  premium=premium.16 settFundingRate=lastRate.16 settState='settled' ts=$now`);
const charged = row(`
  ${names} method='current_period' fundingRate=charged.16 realizedRate=charged.16
  fundingTime=$now`);
export const mark = row(`${names} markPx=mark+1 ts=$now`);
/** An index has the id of its spot pair. */
export const indexTicker = row(`
  instId=indexId idxPx=index+0 high24h=high low24h=low open24h=open sodUtc0=dayStart+0
  sodUtc8=dayStart8+0 ts=$now`);
const level = list("price size '0' $orders");
const candle = list('$start open high low close quantity second.8 third.8 confirmed');

/** Markets of `instType` that trade, or the one of `instId`. */
function trading(ask: Ask): readonly Market[] {
  const type = required(ask, 'instType');
  if (!types.includes(type)) parameter('instType');
  if (!ask.query.has('instId')) return ask.model.markets(venue, ask.now, type).filter(isLive);
  return [marketOf(ask)];
}

const rowsOf = (made: Row, markets: (ask: Ask) => readonly Market[]) => (ask: Ask) =>
  ok(markets(ask).map((market) => made(market, ask)));
const one = (ask: Ask) => [marketOf(ask)];

/** `market/tickers?instType=`, `market/ticker?instId=`. */
export const tickers = rowsOf(ticker, trading);
export const oneTicker = rowsOf(ticker, one);

/** `public/open-interest?instType=`, `public/mark-price?instType=`. */
export const openInterest = rowsOf(interest, trading);
export const markPrices = rowsOf(mark, trading);

const trade = row('instId=id side=taker sz=tradeSize px=tradePrice tradeId=$tradeId ts=$traded');

/** `market/trades?instId=&limit=`: newest first. */
export const trades = (ask: Ask) =>
  ok(tradeRows(trade, marketOf(ask), ask, count(ask, 'limit', 100, 500)));

/** `market/books?instId=&sz=`: `sz` 1 to 400, 1 when absent. */
export const books = (ask: Ask) => {
  const { bids, asks } = bookRows(level, marketOf(ask), ask, count(ask, 'sz', 1, 400));
  return ok([{ asks, bids, ts: String(ask.now) }]);
};

/** The longer bars open at midnight UTC+8; with `utc` behind their name at midnight UTC. */
export const bars: Readonly<Record<string, Bar>> = {
  ...barsOf('1m 3m 5m 15m 30m 1H=1h 2H=2h 4H=4h'),
  ...barsOf('6H=6h 12H=12h 1D=1d 2D=2d 3D=3d 1W=1w 1M 3M', -8 * hour),
  ...barsOf('6Hutc=6h 12Hutc=12h 1Dutc=1d 2Dutc=2d 3Dutc=3d 1Wutc=1w 1Mutc=1M 3Mutc=3M'),
};

/** `after`: rows older than it; `before`: rows newer. Newest first. */
const candlesOf =
  (reach: number, running: boolean, made = candle, most = 300) =>
  (ask: Ask) => {
    const market = marketOf(ask);
    const bar = bars[ask.query.get('bar') || '1m'] ?? parameter('bar');
    const limit = count(ask, 'limit', 100, most);
    if (!isLive(market)) return ok([]);
    const newest = openOf(bar, ask.now) - (running ? 0 : 1);
    const until = Math.min(newest, integer(ask, 'after', newest + 1) - 1);
    const from = Math.max(openOf(bar, market.listed), integer(ask, 'before', 0) + 1);
    const kept = opensUntil(bar, 0, ask.now, reach)[0] ?? 0;
    const opens = opensUntil(bar, Math.max(from, kept), until, limit).reverse();
    return ok(candleRows(made, market, { bar, opens }, ask));
  };

/** `market/candles`: the last 1440 bars, the running one included. */
export const candles = candlesOf(1440, true);

/** `market/history-candles`: finished bars as far back as there are any. */
export const historyCandles = candlesOf(10_000, false);

const flat = (price: string) => list(`$start ${price} ${price} ${price} ${price} confirmed`);
const [markCandle, indexCandle] = [flat('markThen.8'), flat('indexThen.8')];

/** `market/mark-price-candles`, `market/index-candles` and their histories: `[ts, open, high, low, close, confirm]`. */
export const markCandles = candlesOf(1440, true, markCandle, 100);
export const indexCandles = candlesOf(1440, true, indexCandle, 100);
export const historyMarkCandles = candlesOf(10_000, false, markCandle, 100);
export const historyIndexCandles = candlesOf(10_000, false, indexCandle, 100);

const swapOf = (ask: Ask): Market => {
  const market = marketOf(ask);
  return market.group === 'SWAP' ? market : parameter('instId');
};

/** `public/funding-rate?instId=`: one swap, or all of them with `ANY`. */
export const fundingRates = (ask: Ask) =>
  ok(
    required(ask, 'instId') === 'ANY'
      ? marketRows(funding, ask, { venue, group: 'SWAP', keep: isLive })
      : [funding(swapOf(ask), ask)],
  );

/** `public/funding-rate-history?instId=`: at most 400 of the last three months, newest first. */
export const fundingHistory = (ask: Ask) => {
  const market = swapOf(ask);
  const limit = count(ask, 'limit', 400, 400);
  const from = Math.max(ask.now - 92 * day, market.listed, integer(ask, 'before', 0) + 1);
  const until = Math.min(ask.now, integer(ask, 'after', ask.now + 1) - 1);
  const opens = opensUntil({ ms: market.fundingHours * hour }, from, until, limit).reverse();
  return ok(pointRows(charged, market, { opens }, ask));
};

/** `market/index-tickers?quoteCcy=` or `?instId=`. */
export const indexTickers = (ask: Ask) => {
  const quote = ask.query.get('quoteCcy');
  const keep = (market: Market) => isLive(market) && market.quote === quote;
  return ok(
    quote === null
      ? [indexTicker(marketOf(ask), ask)]
      : marketRows(indexTicker, ask, { venue, group: 'SPOT', keep }),
  );
};
