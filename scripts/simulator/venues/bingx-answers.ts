/** The answers of BingX: spot numbers are numbers, those of perpetuals text; errors come inside a 200. */
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Market, MarketCandle } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const day = 86_400_000;
const hour = 3_600_000;

export type Group = 'spot' | 'linear' | 'inverse';

const refuse = (code: number, msg: string, status = 200): never => {
  throw new Refused(status, { code, msg, data: {} });
};

/** Each product has its own envelope; the inverse one refuses what has no timestamp. */
function ok(group: Group, { query, now }: Ask, data: unknown): object {
  if (group === 'linear') return { code: 0, msg: '', data };
  if (group === 'spot') return { code: 0, timestamp: now, data };
  if (!(Number(query.get('timestamp')) > 0)) refuse(104414, 'timestamp is required', 400);
  return { code: 0, msg: '', timestamp: now, data };
}

const listed = (group: Group, { model, now }: Ask) => model.markets('bingx', now, group);
const trading = (group: Group, ask: Ask) =>
  listed(group, ask).filter((market) => market.state === 'live');

function marketOf(group: Group, ask: Ask): Market {
  const id = ask.query.get('symbol');
  const found = trading(group, ask).find((market) => market.id === id);
  return (
    found ?? refuse(80014, `Invalid parameters, err: Field validation for "Symbol" failed: ${id}`)
  );
}

const price = (market: Market, value: number) => plain(value, market.decimals);
const size = (market: Market, value: number) => plain(value, market.lot);

const spotSymbol = (market: Market) => ({
  symbol: market.id,
  minQty: 10 ** -market.lot,
  maxQty: 2_941_177,
  minNotional: 5,
  maxNotional: 20_000,
  status: market.state === 'live' ? 1 : 0,
  tickSize: 10 ** -market.decimals,
  stepSize: 10 ** -market.lot,
  apiStateSell: market.state === 'live',
  apiStateBuy: market.state === 'live',
  timeOnline: 0,
  offTime: 0,
  maintainTime: 0,
});

const linearContract = (market: Market) => ({
  contractId: String(100 + (market.seed % 10_000)),
  symbol: market.id,
  size: '0',
  quantityPrecision: String(market.lot),
  pricePrecision: String(market.decimals),
  feeRate: '0.0005',
  makerFeeRate: '0.0002',
  takerFeeRate: '0.0005',
  tradeMinLimit: '0',
  tradeMinQuantity: size(market, 10 ** -market.lot),
  tradeMinUSDT: '2',
  maxLongLeverage: '125',
  maxShortLeverage: '125',
  currency: market.quote,
  asset: market.id.split('-')[0],
  status: market.state === 'live' ? '1' : '25',
  apiStateOpen: String(market.state === 'live'),
  apiStateClose: 'true',
  ensureTrigger: true,
  triggerFeeRate: '0.00020000',
});

const inverseContract = (market: Market) => ({
  symbol: market.id,
  pricePrecision: market.decimals,
  minTickSize: String(market.contract),
  minTradeValue: String(market.contract),
  minQty: '1.00000000',
  status: market.state === 'live' ? 1 : 0,
  timeOnline: market.listed,
});

/** `common/symbols`, `contracts`. */
export const instruments = (group: Group) => (ask: Ask) => {
  const markets = listed(group, ask);
  if (group === 'spot') {
    return { code: 0, msg: '', debugMsg: '', data: { symbols: markets.map(spotSymbol) } };
  }
  return ok(
    group,
    ask,
    markets.map((market) => (group === 'linear' ? linearContract : inverseContract)(market)),
  );
};

const numbers = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      key === 'symbol' || key === 'priceChangePercent' ? value : Number(value),
    ]),
  );

function ticker(group: Group, market: Market, { model, now }: Ask): object {
  const stretch = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  const [bid, ask] = [bids[0], asks[0]];
  const percent = fixed((stretch.close / stretch.open - 1) * 100, 2);
  const row = {
    symbol: market.id,
    openPrice: price(market, stretch.open),
    highPrice: price(market, stretch.high),
    lowPrice: price(market, stretch.low),
    lastPrice: price(market, market.price(now)),
    priceChange: price(market, stretch.close - stretch.open),
    priceChangePercent: group === 'linear' ? percent : `${percent}%`,
    volume: size(market, stretch.quantity),
    quoteVolume: plain(group === 'inverse' ? stretch.base : stretch.turnover, 8),
    closeTime: group === 'inverse' ? String(now) : now,
    askPrice: price(market, ask?.price ?? 0),
    askQty: size(market, ask?.quantity ?? 0),
    bidPrice: price(market, bid?.price ?? 0),
    bidQty: size(market, bid?.quantity ?? 0),
  };
  if (group === 'spot') return numbers({ ...row, openTime: now - day });
  const lastQty = size(market, bid?.quantity ?? 0);
  return group === 'linear' ? { ...row, lastQty, openTime: now - day } : { ...row, lastQty };
}

/** Tickers of all markets in a list; of one, on linear, as an object. */
export const tickers = (group: Group) => (ask: Ask) => {
  if (group === 'linear' && ask.query.has('symbol')) {
    return ok(group, ask, ticker(group, marketOf(group, ask), ask));
  }
  return ok(
    group,
    ask,
    trading(group, ask).map((market) => ticker(group, market, ask)),
  );
};

function premium(group: Group, market: Market, now: number): object {
  const { next } = market.fundingTimes(now);
  const common = {
    symbol: market.id,
    markPrice: plain(market.exact(now), market.decimals + 4),
    indexPrice: plain(market.index(now), market.decimals + 4),
    lastFundingRate: plain(market.fundingRate(next), 10),
    nextFundingTime: next,
  };
  if (group === 'inverse') return common;
  return { ...common, fundingIntervalHours: market.fundingHours, updateTime: now };
}

/** `premiumIndex`: all perpetuals that trade. */
export const premiums = (group: Group) => (ask: Ask) =>
  ok(
    group,
    ask,
    trading(group, ask).map((market) => premium(group, market, ask.now)),
  );

/** `openInterest?symbol=`: a value on linear markets, base on inverse ones. */
export const openInterest = (group: Group) => (ask: Ask) => {
  const market = marketOf(group, ask);
  const base = market.openInterest(ask.now);
  if (group === 'inverse') {
    const row = { symbol: market.id, openInterest: plain(base, 8), timestamp: ask.now };
    return ok(group, ask, [row]);
  }
  const value = fixed(base * market.exact(ask.now), 2);
  return ok(group, ask, { openInterest: value, symbol: market.id, time: ask.now });
};

/** Levels of a linear book: in coins, and beside them those times the lot once more, rounded, as BingX does it. */
function linearSides(market: Market, { bids, asks }: ReturnType<typeof bookOf>) {
  const lot = 10 ** -market.lot;
  const rows = (levels: typeof bids, factor: number) =>
    levels.map((l) => [price(market, l.price), fixed(l.quantity * factor, market.lot)]);
  return {
    bids: rows(bids, 1),
    asks: rows(asks, 1).reverse(),
    bidsCoin: rows(bids, lot),
    asksCoin: rows(asks, lot).reverse(),
  };
}

/** `depth?symbol=&limit=`: asks come worst first. */
export const depth = (group: Group) => (ask: Ask) => {
  const market = marketOf(group, ask);
  const limit = Number(ask.query.get('limit') ?? 20);
  const legal =
    group === 'spot'
      ? limit >= 1 && limit <= 1000
      : [5, 10, 20, 50, 100, 500, 1000].includes(limit);
  if (!legal) refuse(109400, 'limit: This field is invalid');
  const book = bookOf(market, ask.now, limit);
  if (group === 'linear') return ok(group, ask, { T: ask.now, ...linearSides(market, book) });
  const rows = (levels: typeof book.bids) =>
    levels.map((l) => [price(market, l.price), size(market, l.quantity)]);
  const [bids, asks] = [rows(book.bids), rows(book.asks).reverse()];
  if (group === 'spot') return ok(group, ask, { bids, asks, ts: ask.now });
  return ok(group, ask, { T: ask.now, bids, asks });
};

const east = -8 * hour;
const hours: Readonly<Record<string, number>> = {
  '1m': 1 / 60,
  '3m': 3 / 60,
  '5m': 5 / 60,
  '15m': 0.25,
  '30m': 0.5,
  '1h': 1,
  '2h': 2,
  '4h': 4,
  '6h': 6,
  '8h': 8,
  '12h': 12,
  '1d': 24,
  '3d': 72,
};

/** The longer bars open at midnight UTC+8. */
function barOf(interval: string): Bar {
  if (interval === '1w') return { ms: 7 * day, origin: monday + east };
  if (interval === '1M') return { months: 1, origin: east };
  const length = hours[interval] ?? refuse(109400, 'interval: This field is invalid');
  return { ms: Math.round(length * hour), origin: east };
}

function candle(group: Group, market: Market, c: MarketCandle): unknown {
  const [open, high, low, close] = [c.open, c.high, c.low, c.close].map((v) => price(market, v));
  const volume = size(market, c.quantity);
  if (group === 'linear') return { open, close, high, low, volume, time: c.time };
  const row = [c.time, open, high, low, close, volume, c.end - 1];
  return group === 'inverse' ? row : [...row, plain(c.turnover, 8)].map(Number);
}

/** `kline`, `klines`: newest first, the running one included. */
export const candles = (group: Group) => (ask: Ask) => {
  const { query, now } = ask;
  const market = marketOf(group, ask);
  const bar = barOf(query.get('interval') ?? '');
  const limit = Math.min(Number(query.get('limit') ?? 500), group === 'inverse' ? 1000 : 1440);
  const until = Math.min(now, Number(query.get('endTime') ?? now));
  const from = Math.max(openOf(bar, market.listed), Number(query.get('startTime') ?? 0));
  const rows = opensUntil(bar, from, openOf(bar, until), limit)
    .reverse()
    .map((time) => candle(group, market, market.candle(time, nextOpen(bar, time), now)));
  return ok(group, ask, rows);
};
