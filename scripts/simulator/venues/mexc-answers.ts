/** The answers of MEXC: spot writes numbers as text, contracts as JSON numbers and candles as columns. */

import { bookOf } from '../book.ts';
import { bookTime } from '../books/wire.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Market, MarketCandle } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const hour = 3_600_000;
const day = 24 * hour;

const refuse = (code: number, msg: string): never => {
  throw new Refused(400, { code, msg, _extend: null });
};
const refuseContract = (code: number, message: string): never => {
  throw new Refused(200, { success: false, code, message });
};
const ok = (data: unknown) => ({ success: true, code: 0, data });

/** A JSON number without the noise of binary fractions. */
const number = (value: number, decimals: number) => Number(fixed(value, decimals));
const price = (market: Market, value: number) => number(value, market.decimals);
const words = (market: Market, value: number) => plain(value, market.decimals);

const of = ({ model, now }: Ask, group: string) => model.markets('mexc', now, group);
const live = (ask: Ask) => of(ask, 'contracts').filter((market) => market.state === 'live');

const spotMarket = (ask: Ask): Market =>
  ask.model.market('mexc', 'spot', ask.query.get('symbol') ?? '', ask.now) ??
  refuse(-1121, 'Invalid symbol.');

/** The contract at the end of the path. */
function contractMarket(ask: Ask): Market {
  const id = decodeURIComponent(ask.path.slice(ask.path.lastIndexOf('/') + 1));
  const found = ask.model.market('mexc', 'contracts', id, ask.now);
  return found ?? refuseContract(1001, 'Contract does not exist!');
}

/** `exchangeInfo`. */
export const exchangeInfo = (ask: Ask) => ({
  timezone: 'CST',
  serverTime: ask.now,
  rateLimits: [],
  exchangeFilters: [],
  symbols: of(ask, 'spot').map((market) => ({
    symbol: market.id,
    status: market.state === 'live' ? '1' : '2',
    baseAsset: market.id.slice(0, -market.quote.length),
    baseAssetPrecision: String(market.lot),
    quoteAsset: market.quote,
    quoteAssetPrecision: String(market.decimals),
    orderTypes: ['LIMIT', 'LIMIT_MAKER'],
    baseCommissionPrecision: '2',
    quoteCommissionPrecision: '4',
    quoteOrderQtyMarketAllowed: false,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: true,
    permissions: ['SPOT', 'MARGIN'],
    filters: [],
    baseSizePrecision: plain(10 ** -market.lot, market.lot),
    maxQuoteAmount: '5000000',
    makerCommission: '0.002',
    takerCommission: '0.002',
    quoteAmountPrecision: '5',
    quotePrecision: '4',
  })),
});

/** `ticker/24hr`: the change is a fraction in spite of its name. */
export const spotTickers = (ask: Ask) =>
  of(ask, 'spot')
    .filter((market) => market.state === 'live')
    .map((market) => {
      const { open, high, low, close, quantity, turnover } = ask.model.last24h(market, ask.now);
      const { bids, asks } = bookOf(market, ask.now, 1);
      return {
        symbol: market.id,
        priceChange: words(market, close - open),
        priceChangePercent: fixed(close / open - 1, 8),
        prevClosePrice: words(market, open),
        lastPrice: words(market, close),
        bidPrice: words(market, bids[0]?.price ?? 0),
        bidQty: '',
        askPrice: words(market, asks[0]?.price ?? 0),
        askQty: '',
        openPrice: words(market, open),
        highPrice: words(market, high),
        lowPrice: words(market, low),
        volume: plain(quantity, 8),
        // Some answers lack it.
        quoteVolume: market.id === 'BTCUSDT' ? null : plain(turnover, 8),
        openTime: ask.now - day,
        closeTime: ask.now,
        count: null,
      };
    });

/** `depth`: 100 levels when nothing is said. */
export const spotBook = (ask: Ask) => {
  const market = spotMarket(ask);
  const limit = Number(ask.query.get('limit') ?? 100);
  if (!(limit >= 1 && limit <= 5000)) refuse(700_004, 'limit is invalid');
  const { bids, asks, updateId } = bookOf(market, ask.now, limit);
  const rows = (levels: typeof bids) =>
    levels.map((level) => [words(market, level.price), plain(level.quantity, market.lot)]);
  return { lastUpdateId: String(updateId), bids: rows(bids), asks: rows(asks) };
};

/** `contract/detail`. */
export const detail = (ask: Ask) =>
  ok(
    of(ask, 'contracts').map((market) => {
      const [baseCoin = '', quoteCoin = ''] = market.id.split('_');
      return {
        symbol: market.id,
        displayName: `${market.id}永续`,
        displayNameEn: `${market.id} PERPETUAL`,
        positionOpenType: 3,
        baseCoin,
        quoteCoin,
        settleCoin: market.inverse ? baseCoin : quoteCoin,
        contractSize: market.contract,
        minLeverage: 1,
        maxLeverage: 125,
        priceScale: market.decimals,
        volScale: 0,
        amountScale: 4,
        priceUnit: number(10 ** -market.decimals, market.decimals),
        volUnit: 1,
        minVol: 1,
        maxVol: 1_000_000,
        bidLimitPriceRate: 0.1,
        askLimitPriceRate: 0.1,
        takerFeeRate: 0.0006,
        makerFeeRate: 0.0002,
        maintenanceMarginRate: 0.004,
        initialMarginRate: 0.008,
        riskBaseVol: 10_000,
        riskIncrVol: 200_000,
        riskIncrMmr: 0.004,
        riskIncrImr: 0.004,
        riskLevelLimit: 5,
        priceCoefficientVariation: 0.1,
        indexOrigin: ['BINANCE', 'GATEIO', 'OKX', 'MXC'],
        state: market.state === 'live' ? 0 : 4,
        isNew: false,
        isHot: false,
        isHidden: false,
      };
    }),
  );

/** A row of `contract/ticker`: `amount24` is quote, of inverse contracts base. */
export function contractTicker(market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) {
  const stretch = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  const mark = market.exact(now);
  const base = market.openInterest(now);
  return {
    symbol: market.id,
    lastPrice: price(market, stretch.close),
    bid1: price(market, bids[0]?.price ?? 0),
    ask1: price(market, asks[0]?.price ?? 0),
    volume24: stretch.quantity,
    amount24: market.inverse ? stretch.base : stretch.turnover,
    holdVol: Math.round((market.inverse ? base * mark : base) / market.contract),
    lower24Price: price(market, stretch.low),
    high24Price: price(market, stretch.high),
    riseFallRate: number(stretch.close / stretch.open - 1, 6),
    riseFallValue: price(market, stretch.close - stretch.open),
    indexPrice: number(market.index(now), market.decimals + 1),
    fairPrice: number(mark, market.decimals + 1),
    fundingRate: market.fundingRate(market.fundingTimes(now).next),
    maxBidPrice: price(market, mark * 1.1),
    minAskPrice: price(market, mark * 0.9),
    timestamp: now,
  };
}

/** `contract/ticker`. */
export const contractTickers = (ask: Ask) =>
  ok(live(ask).map((market) => contractTicker(market, ask)));

/** `contract/funding_rate` of all perpetuals. */
export const fundingRates = (ask: Ask) =>
  ok(
    live(ask).map((market) => {
      const { next } = market.fundingTimes(ask.now);
      return {
        symbol: market.id,
        fundingRate: market.fundingRate(next),
        maxFundingRate: 0.003,
        minFundingRate: -0.003,
        collectCycle: market.fundingHours,
        nextSettleTime: next,
        timestamp: ask.now,
      };
    }),
  );

/** `contract/depth/<symbol>`. */
export const contractBook = (ask: Ask) => {
  const market = contractMarket(ask);
  const limit = Number(ask.query.get('limit') ?? 100);
  const { bids, asks, updateId } = bookOf(market, bookTime(ask.now, limit), limit);
  const rows = (levels: typeof bids) =>
    levels.map((l) => [price(market, l.price), Math.round(l.quantity), l.orders]);
  return ok({ asks: rows(asks), bids: rows(bids), version: updateId, timestamp: ask.now });
};

const bars: readonly (readonly [spot: string, contract: string, bar: Bar])[] = [
  ['1m', 'Min1', { ms: 60_000 }],
  ['5m', 'Min5', { ms: 300_000 }],
  ['15m', 'Min15', { ms: 900_000 }],
  ['30m', 'Min30', { ms: 1_800_000 }],
  ['60m', 'Min60', { ms: hour }],
  ['4h', 'Hour4', { ms: 4 * hour }],
  ['', 'Hour8', { ms: 8 * hour }],
  ['1d', 'Day1', { ms: day }],
  ['1W', 'Week1', { ms: 7 * day, origin: monday }],
  ['1M', 'Month1', { months: 1 }],
];
const spotBars = new Map(bars.map(([word, , bar]) => [word, bar]));
const contractBars = new Map(bars.map(([, word, bar]) => [word, bar]));

interface Span {
  bar: Bar;
  /** ms; null for the newest ones. */
  from: number | null;
  to: number | null;
  limit: number;
}

function candlesOf({ now }: Ask, market: Market, span: Span): MarketCandle[] {
  const { bar, from, to, limit } = span;
  if (market.state !== 'live') return [];
  const since = Math.max(openOf(bar, market.listed), from ?? 0);
  const until = Math.min(now, to ?? now);
  const times =
    from === null ? opensUntil(bar, since, until, limit) : opensFrom(bar, since, until, limit);
  return times.map((t) => market.candle(t, nextOpen(bar, t), now));
}

const time = ({ query }: Ask, name: string, unit: number): number | null =>
  query.has(name) ? Number(query.get(name)) * unit : null;

/** `klines`: at most 500 rows, of a range the first ones. */
export const spotCandles = (ask: Ask) => {
  const market = spotMarket(ask);
  const bar =
    spotBars.get(ask.query.get('interval') || '?') ??
    refuse(-1128, 'Combination of optional parameters invalid.');
  const limit = Math.min(500, Number(ask.query.get('limit') ?? 500));
  const range = { from: time(ask, 'startTime', 1), to: time(ask, 'endTime', 1) };
  return candlesOf(ask, market, { bar, limit, ...range }).map((c) => [
    c.time,
    ...[c.open, c.high, c.low, c.close].map((value) => words(market, value)),
    plain(c.quantity, 8),
    c.end,
    plain(c.turnover, 8),
  ]);
};

/** `contract/kline/<symbol>`: at most 2000 rows as columns. */
export const contractCandles = (ask: Ask) => {
  const market = contractMarket(ask);
  const word = ask.query.get('interval') ?? 'Min1';
  const bar = contractBars.get(word) ?? refuseContract(600, 'Parameter error!');
  const range = { from: time(ask, 'start', 1000), to: time(ask, 'end', 1000) };
  const rows = candlesOf(ask, market, { bar, limit: 2000, ...range });
  return ok({
    time: rows.map((c) => c.time / 1000),
    open: rows.map((c) => c.open),
    close: rows.map((c) => c.close),
    high: rows.map((c) => c.high),
    low: rows.map((c) => c.low),
    vol: rows.map((c) => c.quantity),
    amount: rows.map((c) => (market.inverse ? c.base : c.turnover)),
  });
};
