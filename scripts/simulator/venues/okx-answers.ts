/** The answers of OKX: every number is a string, lists come newest first, errors come inside a 200. */
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensUntil } from '../calendar.ts';
import { plain } from '../format.ts';
import type { Market, MarketCandle, Stretch } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

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

/** Markets of `instType` that trade, or the one of `instId`. */
function trading(ask: Ask): Market[] {
  const type = required(ask, 'instType');
  if (!types.includes(type)) parameter('instType');
  const id = ask.query.get('instId');
  const all = ask.model.markets(venue, ask.now, type).filter((m) => m.state === 'live');
  if (id === null) return all;
  const one = all.filter((market) => market.id === id);
  return one.length > 0 ? one : [marketOf(ask)];
}

const price = (market: Market, value: number) => plain(value, market.decimals);
const size = (market: Market, value: number) => plain(value, market.lot);
const text = (t: number) => String(t);

/** Price at the last midnight of a zone `shift` ms ahead of UTC. */
const startOfDay = (market: Market, now: number, shift: number): string => {
  const midnight = Math.floor((now + shift) / day) * day - shift;
  return price(market, market.price(Math.max(midnight, market.listed)));
};

const volumes = (market: Market, stretch: Stretch) =>
  market.group === 'SPOT'
    ? { volCcy24h: plain(stretch.turnover, 8), vol24h: size(market, stretch.quantity) }
    : { volCcy24h: plain(stretch.base, 8), vol24h: size(market, stretch.quantity) };

export function ticker(market: Market, { model, now }: Pick<Ask, 'model' | 'now'>): object {
  const stretch = model.last24h(market, now);
  const book = bookOf(market, now, 1);
  const [bid, ask] = [book.bids[0], book.asks[0]];
  return {
    instType: market.group,
    instId: market.id,
    last: price(market, stretch.close),
    lastSz: size(market, ask?.quantity ?? 0),
    askPx: ask ? price(market, ask.price) : '',
    askSz: ask ? size(market, ask.quantity) : '',
    bidPx: bid ? price(market, bid.price) : '',
    bidSz: bid ? size(market, bid.quantity) : '',
    open24h: price(market, stretch.open),
    high24h: price(market, stretch.high),
    low24h: price(market, stretch.low),
    ...volumes(market, stretch),
    sodUtc0: startOfDay(market, now, 0),
    sodUtc8: startOfDay(market, now, 8 * hour),
    ts: text(now),
  };
}

/** `market/tickers?instType=`. */
export const tickers = (ask: Ask) => ok(trading(ask).map((market) => ticker(market, ask)));

/** `market/ticker?instId=`. */
export const oneTicker = (ask: Ask) => ok([ticker(marketOf(ask), ask)]);

/** `market/books?instId=&sz=`: `sz` 1 to 400, 1 when absent. */
export const books = (ask: Ask) => {
  const market = marketOf(ask);
  const book = bookOf(market, ask.now, count(ask, 'sz', 1, 400));
  const rows = (levels: typeof book.bids) =>
    levels.map((l) => [price(market, l.price), size(market, l.quantity), '0', text(l.orders)]);
  return ok([{ asks: rows(book.asks), bids: rows(book.bids), ts: text(ask.now) }]);
};

const east = -8 * hour;
const short: Record<string, Bar> = {
  '1m': { ms: 60_000 },
  '3m': { ms: 180_000 },
  '5m': { ms: 300_000 },
  '15m': { ms: 900_000 },
  '30m': { ms: 1_800_000 },
  '1H': { ms: hour },
  '2H': { ms: 2 * hour },
  '4H': { ms: 4 * hour },
};
/** The longer bars open at midnight UTC+8; with `utc` behind their name at midnight UTC. */
const long = (origin: number, suffix: string): Record<string, Bar> => ({
  [`6H${suffix}`]: { ms: 6 * hour, origin },
  [`12H${suffix}`]: { ms: 12 * hour, origin },
  [`1D${suffix}`]: { ms: day, origin },
  [`2D${suffix}`]: { ms: 2 * day, origin },
  [`3D${suffix}`]: { ms: 3 * day, origin },
  [`1W${suffix}`]: { ms: 7 * day, origin: monday + origin },
  [`1M${suffix}`]: { months: 1, origin },
  [`3M${suffix}`]: { months: 3, origin },
});
export const bars: Readonly<Record<string, Bar>> = {
  ...short,
  ...long(east, ''),
  ...long(0, 'utc'),
};

/** Volume in contracts (base on spot), then in base (quote on spot), then in quote. */
const candleRow = (market: Market, c: MarketCandle): string[] => [
  text(c.time),
  price(market, c.open),
  price(market, c.high),
  price(market, c.low),
  price(market, c.close),
  size(market, c.quantity),
  plain(market.group === 'SPOT' ? c.turnover : c.base, 8),
  plain(market.inverse ? c.quantity * market.contract : c.turnover, 8),
  c.closed ? '1' : '0',
];

/** `after`: rows older than it; `before`: rows newer. Newest first. */
function candleRows(ask: Ask, reach: number, running: boolean): string[][] {
  const market = marketOf(ask);
  const bar = bars[ask.query.get('bar') || '1m'] ?? parameter('bar');
  const limit = count(ask, 'limit', 100, 300);
  if (market.state !== 'live') return [];
  const newest = openOf(bar, ask.now) - (running ? 0 : 1);
  const until = Math.min(newest, integer(ask, 'after', newest + 1) - 1);
  const from = Math.max(openOf(bar, market.listed), integer(ask, 'before', 0) + 1);
  const kept = opensUntil(bar, 0, ask.now, reach)[0] ?? 0;
  return opensUntil(bar, Math.max(from, kept), until, limit)
    .reverse()
    .map((time) => candleRow(market, market.candle(time, nextOpen(bar, time), ask.now)));
}

/** `market/candles`: the last 1440 bars, the running one included. */
export const candles = (ask: Ask) => ok(candleRows(ask, 1440, true));

/** `market/history-candles`: finished bars as far back as there are any. */
export const historyCandles = (ask: Ask) => ok(candleRows(ask, 10_000, false));

/** `public/open-interest?instType=`: contracts, base and USD, one side. */
export const openInterest = (ask: Ask) =>
  ok(trading(ask).map((market) => interest(market, ask.now)));

export function interest(market: Market, now: number): object {
  const base = market.openInterest(now);
  const mark = market.exact(now);
  const contracts = (market.inverse ? base * mark : base) / market.contract;
  return {
    instId: market.id,
    instType: market.group,
    oi: size(market, contracts),
    oiCcy: plain(base, 8),
    oiUsd: plain(base * mark * (market.dollars ?? 1), 4),
    ts: text(now),
  };
}

export function funding(market: Market, now: number): object {
  const { last, next } = market.fundingTimes(now);
  return {
    instType: market.group,
    instId: market.id,
    method: 'current_period',
    fundingRate: plain(market.fundingRate(next), 16),
    fundingTime: text(next),
    nextFundingRate: '',
    nextFundingTime: text(next + (next - last)),
    maxFundingRate: '0.00375',
    minFundingRate: '-0.00375',
    premium: plain(market.exact(now) / market.index(now) - 1, 16),
    settFundingRate: plain(market.fundingRate(last), 16),
    settState: 'settled',
    ts: text(now),
  };
}

const swaps = ({ model, now }: Ask) =>
  model.markets(venue, now, 'SWAP').filter((m) => m.state === 'live');

const swapOf = (ask: Ask): Market => {
  const market = marketOf(ask);
  return market.group === 'SWAP' ? market : parameter('instId');
};

/** `public/funding-rate?instId=`: one swap, or all of them with `ANY`. */
export const fundingRates = (ask: Ask) => {
  const all = required(ask, 'instId') === 'ANY' ? swaps(ask) : [swapOf(ask)];
  return ok(all.map((market) => funding(market, ask.now)));
};

/** `public/funding-rate-history?instId=`: at most 400 of the last three months, newest first. */
export const fundingHistory = (ask: Ask) => {
  const market = swapOf(ask);
  const limit = count(ask, 'limit', 400, 400);
  const bar: Bar = { ms: market.fundingHours * hour };
  const from = Math.max(ask.now - 92 * day, market.listed, integer(ask, 'before', 0) + 1);
  const until = Math.min(ask.now, integer(ask, 'after', ask.now + 1) - 1);
  return ok(
    opensUntil(bar, from, until, limit)
      .reverse()
      .map((time) => ({
        instType: market.group,
        instId: market.id,
        method: 'current_period',
        fundingRate: plain(market.fundingRate(time), 16),
        realizedRate: plain(market.fundingRate(time), 16),
        fundingTime: text(time),
      })),
  );
};

/** `public/mark-price?instType=`. */
export const markPrices = (ask: Ask) => ok(trading(ask).map((market) => mark(market, ask.now)));

export const mark = (market: Market, now: number): object => ({
  instType: market.group,
  instId: market.id,
  markPx: plain(market.exact(now), market.decimals + 1),
  ts: text(now),
});

/** `market/index-tickers?quoteCcy=` or `?instId=`; an index has the id of its spot pair. */
export const indexTickers = (ask: Ask) => {
  const quote = ask.query.get('quoteCcy');
  const spot = ask.model.markets(venue, ask.now, 'SPOT').filter((m) => m.state === 'live');
  const found = quote === null ? [marketOf(ask)] : spot.filter((m) => m.quote === quote);
  return ok(found.map((market) => indexTicker(market, ask)));
};

export function indexTicker(market: Market, { model, now }: Pick<Ask, 'model' | 'now'>): object {
  const { high, low, open } = model.last24h(market, now);
  return {
    instId: market.id.replace('-SWAP', ''),
    idxPx: price(market, market.index(now)),
    high24h: price(market, high),
    low24h: price(market, low),
    open24h: price(market, open),
    sodUtc0: startOfDay(market, now, 0),
    sodUtc8: startOfDay(market, now, 8 * hour),
    ts: text(now),
  };
}
