/** The market data answers of Binance for its three groups: `spot`, `fapi` and `dapi`. */
import { bookOf } from '../book.ts';
import { bookTime } from '../books/wire.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { fixed } from '../format.ts';
import type { Market, MarketCandle } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { goldId, goldMarket } from './binance-gold.ts';

export type Group = 'spot' | 'fapi' | 'dapi';

const day = 86_400_000;
const minutes = (n: number): Bar => ({ ms: n * 60_000 });
export const bars: Readonly<Record<string, Bar>> = {
  '1m': minutes(1),
  '3m': minutes(3),
  '5m': minutes(5),
  '15m': minutes(15),
  '30m': minutes(30),
  '1h': minutes(60),
  '2h': minutes(120),
  '4h': minutes(240),
  '6h': minutes(360),
  '8h': minutes(480),
  '12h': minutes(720),
  '1d': { ms: day },
  '3d': { ms: 3 * day },
  '1w': { ms: 7 * day, origin: monday },
  '1M': { months: 1 },
};

export const refuse = (code: number, msg: string): never => {
  throw new Refused(400, { code, msg });
};
export const missing = (name: string) =>
  refuse(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);

/** An integer parameter, or `fallback` when it is absent. */
export function integer(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,16}$/.test(text)) refuse(-1100, `Illegal characters found in parameter '${name}'.`);
  return Number(text);
}

/** The market that `symbol` names; refuses like the venue when it is absent or unknown. */
export function marketOf({ query, model, now }: Ask, group: Group): Market {
  const symbol = query.get('symbol');
  if (!symbol) return missing('symbol');
  return model.market('binance', group, symbol, now) ?? refuse(-1121, 'Invalid symbol.');
}

/**
 * Settled and announced contracts have no ticker; stopped spot pairs keep theirs, all zero, unless `symbolStatus` asks for
 * the others.
 */
function shown({ model, now, query }: Ask, group: Group): Market[] {
  const all = group === 'spot' && query.get('symbolStatus') !== 'TRADING';
  return model.markets('binance', now, group).filter((m) => all || m.state === 'live');
}

/** One row for `symbol`, rows for `symbols` (spot), else all rows. */
function each(ask: Ask, group: Group, row: (market: Market) => object): unknown {
  const { query, model, now } = ask;
  if (query.has('symbol')) {
    const found = row(marketOf(ask, group));
    return group === 'dapi' ? [found] : found;
  }
  const names = group === 'spot' ? query.get('symbols') : null;
  if (names === null) return shown(ask, group).map(row);
  const list = names.replace(/[[\]"]/g, '').split(',');
  return list.map((name) =>
    row(model.market('binance', 'spot', name, now) ?? refuse(-1121, 'Invalid symbol.')),
  );
}

const amount = (market: Market, value: number) =>
  fixed(value, market.group === 'spot' ? 8 : market.lot);
const money = (market: Market, value: number) =>
  fixed(value, market.group === 'spot' ? 8 : market.decimals);
const pairOf = (market: Market) => market.id.slice(0, market.id.indexOf('_'));
const pairKey = (market: Market) => (market.group === 'dapi' ? { pair: pairOf(market) } : {});

function ticker(market: Market, { model, now, query }: Ask): object {
  const stretch = model.last24h(market, now);
  const live = market.state === 'live';
  const price = (value: number) => money(market, live ? value : 0);
  const lastId = live ? market.tradeId(now) : -1;
  const mini = {
    symbol: market.id,
    openPrice: price(stretch.open),
    highPrice: price(stretch.high),
    lowPrice: price(stretch.low),
    lastPrice: price(stretch.close),
    volume: amount(market, stretch.quantity),
    ...(market.group === 'dapi'
      ? { baseVolume: fixed(stretch.base, 8) }
      : { quoteVolume: fixed(stretch.turnover, market.group === 'spot' ? 8 : 2) }),
    openTime: now - day,
    closeTime: now,
    firstId: live ? Math.max(0, lastId - stretch.trades + 1) : -1,
    lastId,
    count: stretch.trades,
  };
  if (query.get('type') === 'MINI') return mini;
  const change = live ? stretch.close - stretch.open : 0;
  const full = {
    ...mini,
    ...pairKey(market),
    priceChange: money(market, change),
    priceChangePercent: fixed(live ? (100 * change) / stretch.open : 0, 3),
    weightedAvgPrice: price(stretch.mean),
    lastQty: amount(market, bookOf(market, now, 1).asks[0]?.quantity ?? 0),
  };
  if (market.group !== 'spot') return full;
  const { symbol: _, ...top } = bookTop(market, now);
  return { ...full, prevClosePrice: price(stretch.open), ...top };
}

function bookTop(market: Market, now: number) {
  const { bids, asks } = bookOf(market, now, 1);
  return {
    symbol: market.id,
    bidPrice: money(market, bids[0]?.price ?? 0),
    bidQty: amount(market, bids[0]?.quantity ?? 0),
    askPrice: money(market, asks[0]?.price ?? 0),
    askQty: amount(market, asks[0]?.quantity ?? 0),
  };
}

/** `ticker/24hr`: one with `symbol`, several with `symbols` (spot), else all; `type=MINI` is shorter (spot). */
export const tickers = (group: Group) => (ask: Ask) => {
  const type = ask.query.get('type');
  if (type !== null && type !== 'FULL' && type !== 'MINI') refuse(-1100, 'Illegal type.');
  return each(ask, group, (market) => ticker(market, ask));
};

/** `ticker/price`. */
export const prices = (group: Group) => (ask: Ask) =>
  each(ask, group, (market) => ({
    symbol: market.id,
    ...(group === 'dapi' ? { ps: pairOf(market) } : {}),
    price: money(market, market.price(ask.now)),
    ...(group === 'spot' ? {} : { time: ask.now }),
  }));

/** `ticker/bookTicker`. */
export const bookTickers = (group: Group) => (ask: Ask) =>
  each(ask, group, (market) => ({
    ...bookTop(market, ask.now),
    ...pairKey(market),
    ...(group === 'spot' ? {} : { time: ask.now }),
  }));

const legalDepths = [5, 10, 20, 50, 100, 500, 1000];

/** `depth`: spot takes any limit and cuts it at 5000, the contracts only the documented ones. */
export const depth = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const limit = integer(ask.query, 'limit', group === 'spot' ? 100 : 500);
  if (group !== 'spot' && !legalDepths.includes(limit)) {
    refuse(-4021, `${limit} is not valid depth limit.`);
  }
  if (limit < 1) refuse(-1130, "Data sent for parameter 'limit' is not valid.");
  const book = bookOf(market, bookTime(ask.now, limit), Math.min(limit, 5000));
  const rows = (levels: typeof book.bids) =>
    levels.map((level) => [money(market, level.price), amount(market, level.quantity)]);
  return {
    lastUpdateId: book.updateId,
    ...(group === 'spot' ? {} : { E: ask.now, T: ask.now }),
    ...(group === 'dapi' ? { symbol: market.id, pair: pairOf(market) } : {}),
    bids: rows(book.bids),
    asks: rows(book.asks),
  };
};

const kline = (market: Market, c: MarketCandle): unknown[] => {
  const [base, quote] = market.group === 'spot' ? [8, 8] : [market.lot, 5];
  const bought = c.quantity > 0 ? c.bought / c.quantity : 0;
  const second = market.inverse ? fixed(c.base, 8) : fixed(c.turnover, quote);
  const secondBought = market.inverse
    ? fixed(c.base * bought, 8)
    : fixed(c.turnover * bought, quote);
  return [
    c.time,
    money(market, c.open),
    money(market, c.high),
    money(market, c.low),
    money(market, c.close),
    fixed(c.quantity, base),
    c.end - 1,
    second,
    c.trades,
    fixed(c.bought, base),
    secondBought,
    '0',
  ];
};

/** The market whose candles are asked for: one of the list, or gold. */
function charted(ask: Ask, group: Group): Market {
  const isGold = group === 'spot' && ask.query.get('symbol') === goldId;
  return isGold ? goldMarket(ask.model) : marketOf(ask, group);
}

/** `klines`: from `startTime` on, or the newest before `endTime`; the running candle is included. */
export const klines = (group: Group) => (ask: Ask) => {
  const { query, now } = ask;
  const market = charted(ask, group);
  const interval = query.get('interval') ?? missing('interval');
  const bar = bars[interval] ?? refuse(-1120, 'Invalid interval.');
  const most = group === 'spot' ? 1000 : 1500;
  const limit = integer(query, 'limit', 500);
  if (limit < 1 || (limit > most && group !== 'spot')) {
    refuse(-1130, "Data sent for parameter 'limit' is not valid.");
  }
  if (market.state !== 'live') return [];
  const first = openOf(bar, market.listed);
  const start = Math.max(first, integer(query, 'startTime', first));
  const end = Math.min(now, integer(query, 'endTime', now));
  const pick = query.has('startTime') ? opensFrom : opensUntil;
  const times = pick(bar, start, end, Math.min(limit, most));
  return times.map((time) => kline(market, market.candle(time, nextOpen(bar, time), now)));
};

const perpetual = (market: Market) => market.expires === undefined;

function premium(market: Market, now: number): object {
  const { next } = market.fundingTimes(now);
  const funded = perpetual(market);
  const index = market.index(now);
  const none = market.group === 'dapi' ? '' : '0.00000000';
  return {
    symbol: market.id,
    ...pairKey(market),
    markPrice: fixed(market.exact(now), 8),
    indexPrice: fixed(index, 8),
    estimatedSettlePrice: fixed(index, 8),
    lastFundingRate: funded ? fixed(market.fundingRate(next), 8) : none,
    interestRate: funded ? '0.00010000' : none,
    nextFundingTime: funded ? next : 0,
    time: now,
  };
}

/** `premiumIndex`: mark, index and the running funding rate; dated contracts have none. */
export const premiums = (group: Group) => (ask: Ask) =>
  each(ask, group, (market) => premium(market, ask.now));

/** `openInterest`: base units on fapi, contracts on dapi. */
export const openInterest = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const base = market.openInterest(ask.now);
  const units = market.inverse ? (base * market.exact(ask.now)) / market.contract : base;
  const type = perpetual(market) ? 'PERPETUAL' : 'CURRENT_QUARTER';
  return {
    symbol: market.id,
    ...pairKey(market),
    openInterest: fixed(units, market.lot),
    ...(group === 'dapi' ? { contractType: type } : {}),
    time: ask.now,
  };
};

/** `fundingInfo`: only the symbols whose interval is not the usual 8 hours. */
export const fundingInfo = (group: Group) => (ask: Ask) =>
  shown(ask, group)
    .filter((market) => perpetual(market) && market.fundingHours !== 8)
    .map((market) => ({
      symbol: market.id,
      adjustedFundingRateCap: '0.02000000',
      adjustedFundingRateFloor: '-0.02000000',
      fundingIntervalHours: market.fundingHours,
      disclaimer: false,
      updateTime: market.listed,
    }));

/** `fundingRate`: settled rates, ascending; without `symbol` (fapi) the newest of all. */
export const fundingHistory = (group: Group) => (ask: Ask) => {
  const { query, now } = ask;
  const limit = Math.min(1000, integer(query, 'limit', 100));
  const settled = (market: Market, count: number) => {
    const bar: Bar = { ms: market.fundingHours * 3_600_000 };
    const start = Math.max(market.listed, integer(query, 'startTime', market.listed));
    const end = Math.min(now, integer(query, 'endTime', now));
    const pick = query.has('startTime') ? opensFrom : opensUntil;
    return pick(bar, start, end, count).map((time) => ({
      symbol: market.id,
      fundingTime: time,
      fundingRate: fixed(market.fundingRate(time), 8),
      markPrice: fixed(market.exact(time), 8),
    }));
  };
  if (query.has('symbol') || group === 'dapi') return settled(marketOf(ask, group), limit);
  const all = shown(ask, group).filter(perpetual);
  return all.flatMap((market) => settled(market, 1)).slice(0, limit);
};
