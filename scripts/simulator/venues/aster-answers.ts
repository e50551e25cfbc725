/** The answers of Aster for its two groups, `spot` and `linear`; prices and amounts are strings, times numbers. */
import type { BookLevel } from '../book.ts';
import { bookOf } from '../book.ts';
import { bookTime } from '../books/wire.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Market, MarketCandle } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

export type Group = 'spot' | 'linear';

const venue = 'aster';
const day = 86_400_000;
const minutes = (n: number): Bar => ({ ms: n * 60_000 });
const bars: Readonly<Record<string, Bar>> = {
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

const refuse = (code: number, msg: string): never => {
  throw new Refused(400, { code, msg });
};

/** An integer parameter, or `fallback` when it is absent. */
function integer({ query }: Ask, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,16}$/.test(text)) refuse(-1100, `Illegal characters found in parameter '${name}'.`);
  return Number(text);
}

function required({ query }: Ask, name: string): string {
  const text = query.get(name);
  return text || refuse(-1102, `Mandatory parameter '${name}' was not sent.`);
}

/** The market that `symbol` names. */
function marketOf(ask: Ask, group: Group): Market {
  const found = ask.model.market(venue, group, required(ask, 'symbol'), ask.now);
  return found ?? refuse(-1121, 'Invalid symbol.');
}

/** One row for `symbol`, else those of all markets. */
const each = (ask: Ask, group: Group, row: (market: Market) => object): unknown =>
  ask.query.has('symbol')
    ? row(marketOf(ask, group))
    : ask.model.markets(venue, ask.now, group).map(row);

const price = (market: Market, value: number) => fixed(value, market.decimals);
const amount = (market: Market, value: number) => fixed(value, market.lot);

const statuses = { live: 'TRADING', halted: 'BREAK', preopen: 'TRADING' } as const;

function symbolRow(market: Market, group: Group): object {
  const { scale, symbol } = market;
  const common = {
    symbol: market.id,
    status: statuses[market.state],
    baseAsset: scale === 1 ? symbol : `${scale}${symbol}`,
    quoteAsset: market.quote,
    pricePrecision: market.decimals,
    quantityPrecision: market.lot,
    baseAssetPrecision: 8,
    quotePrecision: 8,
    filters: [
      { filterType: 'PRICE_FILTER', tickSize: plain(10 ** -market.decimals, market.decimals) },
      { filterType: 'LOT_SIZE', stepSize: plain(10 ** -market.lot, market.lot) },
    ],
    orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET'],
    timeInForce: ['GTC', 'IOC', 'FOK', 'GTX'],
  };
  if (group === 'spot') return { ...common, ocoAllowed: false };
  return {
    ...common,
    pair: market.id,
    contractType: 'PERPETUAL',
    deliveryDate: 4_133_404_800_000,
    onboardDate: market.listed,
    maintMarginPercent: '12.5000',
    requiredMarginPercent: '25.0000',
    marginAsset: market.quote,
    underlyingType: market.kind === 'other' ? 'STOCK' : 'COIN',
    underlyingSubType: [],
    settlePlan: 0,
    triggerProtect: '0.1500',
    liquidationFee: '0.025000',
    marketTakeBound: '0.05',
  };
}

/** `exchangeInfo`. */
export const exchangeInfo = (group: Group, weight: number) => (ask: Ask) => ({
  timezone: 'UTC',
  serverTime: ask.now,
  rateLimits: [
    { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: weight },
  ],
  exchangeFilters: [],
  assets: [{ asset: 'USDT' }],
  symbols: ask.model.markets(venue, ask.now, group).map((market) => symbolRow(market, group)),
});

function bookTop(market: Market, now: number) {
  const { bids, asks } = bookOf(market, now, 1);
  return {
    bidPrice: price(market, bids[0]?.price ?? 0),
    bidQty: amount(market, bids[0]?.quantity ?? 0),
    askPrice: price(market, asks[0]?.price ?? 0),
    askQty: amount(market, asks[0]?.quantity ?? 0),
  };
}

/** `ticker/bookTicker`. */
export const bookTickers = (group: Group) => (ask: Ask) =>
  each(ask, group, (market) => ({
    symbol: market.id,
    ...bookTop(market, ask.now),
    time: ask.now,
  }));

function ticker(market: Market, group: Group, { model, now }: Ask): object {
  const live = market.state === 'live';
  const stretch = model.last24h(market, now);
  const shown = (value: number) => price(market, live ? value : 0);
  const lastId = live ? market.tradeId(now) : 0;
  const row = {
    symbol: market.id,
    priceChange: shown(stretch.close - stretch.open),
    priceChangePercent: fixed(live ? (stretch.close / stretch.open - 1) * 100 : 0, 3),
    weightedAvgPrice: shown(stretch.mean),
    lastPrice: shown(stretch.close),
    lastQty: amount(market, bookOf(market, now, 1).asks[0]?.quantity ?? 0),
    openPrice: shown(stretch.open),
    highPrice: shown(stretch.high),
    lowPrice: shown(stretch.low),
    volume: amount(market, stretch.quantity),
    quoteVolume: fixed(live ? stretch.turnover : 0, 4),
    openTime: now - day,
    closeTime: now,
    firstId: Math.max(0, lastId - stretch.trades + 1),
    lastId,
    count: stretch.trades,
  };
  if (group === 'linear') return row;
  const names = { baseAsset: market.symbol, quoteAsset: market.quote };
  return { ...row, prevClosePrice: shown(stretch.open), ...bookTop(market, now), ...names };
}

/** `ticker/24hr`: also of markets that do not trade, all zero. */
export const tickers = (group: Group) => (ask: Ask) =>
  each(ask, group, (market) => ticker(market, group, ask));

/** `depth`: only the documented limits. */
export const depth = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const limit = integer(ask, 'limit', 500);
  if (![5, 10, 20, 50, 100, 500, 1000].includes(limit)) {
    refuse(-4021, `${limit} is not valid depth limit.`);
  }
  const { bids, asks, updateId } = bookOf(market, bookTime(ask.now, limit), limit);
  const rows = (side: BookLevel[]) =>
    side.map((level) => [price(market, level.price), amount(market, level.quantity)]);
  return { lastUpdateId: updateId, E: ask.now, T: ask.now, bids: rows(bids), asks: rows(asks) };
};

const kline = (market: Market, c: MarketCandle): unknown[] => {
  const bought = c.quantity > 0 ? c.bought / c.quantity : 0;
  return [
    c.time,
    price(market, c.open),
    price(market, c.high),
    price(market, c.low),
    price(market, c.close),
    amount(market, c.quantity),
    c.end - 1,
    fixed(c.turnover, 5),
    c.trades,
    amount(market, c.bought),
    fixed(c.turnover * bought, 5),
    '0',
  ];
};

/** `klines`: from `startTime` on, or the newest before `endTime`; the running candle is included. */
export const klines = (group: Group) => (ask: Ask) => {
  const { query, now } = ask;
  const market = marketOf(ask, group);
  const bar = bars[required(ask, 'interval')] ?? refuse(-1120, 'Invalid interval.');
  const limit = integer(ask, 'limit', 500);
  if (limit < 1 || limit > 1500) refuse(-1130, "Data sent for parameter 'limit' is not valid.");
  if (market.state !== 'live') return [];
  const first = openOf(bar, market.listed);
  const start = Math.max(first, integer(ask, 'startTime', first));
  const end = Math.min(now, integer(ask, 'endTime', now));
  const pick = query.has('startTime') ? opensFrom : opensUntil;
  return pick(bar, start, end, limit).map((time) =>
    kline(market, market.candle(time, nextOpen(bar, time), now)),
  );
};

/** `premiumIndex`. */
export const premiums = (ask: Ask) =>
  each(ask, 'linear', (market) => {
    const { next } = market.fundingTimes(ask.now);
    return {
      symbol: market.id,
      markPrice: fixed(market.exact(ask.now), 12),
      indexPrice: fixed(market.index(ask.now), 12),
      estimatedSettlePrice: fixed(market.index(ask.now), 12),
      lastFundingRate: fixed(market.fundingRate(next), 8),
      interestRate: '0.00010000',
      nextFundingTime: next,
      time: ask.now,
    };
  });

/** `fundingInfo`: some of those with the usual 8 hours are missing. */
export const fundingInfo = ({ model, now }: Ask) =>
  model
    .markets(venue, now, 'linear')
    .filter((market) => market.fundingHours !== 8 || market.seed % 2 === 0)
    .map((market) => ({
      symbol: market.id,
      interestRate: '0.00010000',
      time: now,
      fundingIntervalHours: market.fundingHours,
      fundingFeeCap: 0.03,
      fundingFeeFloor: -0.03,
    }));

/** `openInterest?symbol=`: base units, one side. */
export const openInterest = (ask: Ask) => {
  const market = marketOf(ask, 'linear');
  const units = market.openInterest(ask.now);
  return { symbol: market.id, openInterest: amount(market, units), time: ask.now };
};
