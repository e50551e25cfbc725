/** The answers of KuCoin: spot numbers are text, those of contracts mostly JSON numbers. */
import { type BookLevel, bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Market, MarketCandle } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
import { nativeBase } from './names.ts';

const hour = 3_600_000;
const day = 24 * hour;

export const ok = (data: unknown) => ({ code: '200000', data });
export const refuse = (code: string, msg: string, status = 400): never => {
  throw new Refused(status, { code, msg });
};

/** A JSON number without the noise of binary fractions. */
const number = (value: number, decimals: number) => Number(fixed(value, decimals));
const words = (market: Market, value: number) => plain(value, market.decimals);

const of = ({ model, now }: Ask, group: string) => model.markets('kucoin', now, group);

export function marketOf(ask: Ask, group: string): Market {
  const id = ask.query.get('symbol') ?? refuse('400100', 'symbol is required');
  const found = ask.model.market('kucoin', group, id, ask.now);
  const unknown = group === 'spot' ? 'Unsupported trading pair.' : 'The contract does not exist.';
  return found ?? refuse('400100', unknown);
}

/** `v2/symbols`. */
export const symbols = (ask: Ask) =>
  ok(
    of(ask, 'spot').map((market) => {
      const [baseCurrency, quoteCurrency] = market.id.split('-');
      return {
        symbol: market.id,
        name: market.id,
        baseCurrency,
        quoteCurrency,
        feeCurrency: quoteCurrency,
        market: market.kind === 'other' ? 'ETF' : 'USDS',
        baseMinSize: '0.1',
        quoteMinSize: '0.01',
        baseMaxSize: '10000000000',
        quoteMaxSize: '99999999',
        baseIncrement: plain(10 ** -market.lot, market.lot),
        quoteIncrement: '0.000001',
        priceIncrement: plain(10 ** -market.decimals, market.decimals),
        priceLimitRate: '0.1',
        minFunds: '0.1',
        isMarginEnabled: false,
        enableTrading: market.state === 'live',
      };
    }),
  );

/** `market/allTickers`: a market that does not trade has nulls. */
export const allTickers = (ask: Ask) => {
  const { model, now } = ask;
  const ticker = of(ask, 'spot').map((market) => {
    const stretch = model.last24h(market, now);
    const { bids, asks } = bookOf(market, now, 1);
    const known = market.state === 'live';
    const price = (value: number | undefined) => (known ? words(market, value ?? 0) : null);
    const size = (level: BookLevel | undefined) => plain(level?.quantity ?? 0, market.lot);
    return {
      symbol: market.id,
      symbolName: market.id,
      buy: price(bids[0]?.price),
      sell: price(asks[0]?.price),
      bestBidSize: size(bids[0]),
      bestAskSize: size(asks[0]),
      changeRate: fixed(stretch.close / stretch.open - 1, 6),
      changePrice: words(market, stretch.close - stretch.open),
      high: price(stretch.high),
      low: price(stretch.low),
      vol: plain(stretch.quantity, 8),
      volValue: plain(stretch.turnover, 12),
      last: price(stretch.close),
      averagePrice: price(stretch.mean),
      takerFeeRate: '0.001',
      makerFeeRate: '0.001',
      takerCoefficient: '1',
      makerCoefficient: '1',
    };
  });
  return ok({ time: now, ticker });
};

const names = (market: Market) => {
  const [base, quote] = [nativeBase(market), market.quote];
  const settle = market.inverse ? base : quote;
  const currencies = { baseCurrency: base, quoteCurrency: quote, settleCurrency: settle };
  return { ...currencies, rootSymbol: settle, indexSymbol: `.K${base}${quote}` };
};

/** Numbers of a perpetual; a dated contract has no funding, and one that does not trade has nulls. */
export function state(market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) {
  const stretch = model.last24h(market, now);
  const mark = market.exact(now);
  const base = market.openInterest(now);
  const contracts = Math.round((market.inverse ? base * mark : base) / market.contract);
  const { next } = market.fundingTimes(now);
  const funded = market.kind === 'perpetual';
  const rate = funded ? market.fundingRate(next) : null;
  const known = market.state === 'live';
  return {
    fundingFeeRate: rate,
    predictedFundingFeeRate: rate,
    fundingRateGranularity: funded ? market.fundingHours * hour : null,
    openInterest: String(contracts),
    turnoverOf24h: market.inverse ? stretch.base : stretch.turnover,
    volumeOf24h: market.inverse ? stretch.quantity * market.contract : stretch.base,
    markPrice: known ? number(mark, market.decimals + 1) : null,
    indexPrice: known ? number(market.index(now), market.decimals + 1) : null,
    lastTradePrice: known ? number(stretch.close, market.decimals) : null,
    nextFundingRateTime: funded ? next - now : null,
    lowPrice: stretch.low,
    highPrice: stretch.high,
    priceChgPct: number(stretch.close / stretch.open - 1, 6),
    priceChg: number(stretch.close - stretch.open, market.decimals),
  };
}

/** `contracts/active`. */
export const contracts = (ask: Ask) =>
  ok(
    of(ask, 'futures').map((market) => {
      const { indexSymbol, ...currencies } = names(market);
      const hours = `${market.fundingHours}H`;
      const tick = number(10 ** -market.decimals, market.decimals);
      return {
        symbol: market.id,
        ...currencies,
        type: market.kind === 'perpetual' ? 'FFWCSX' : 'FFICSX',
        firstOpenDate: market.listed,
        expireDate: market.expires ?? null,
        settleDate: market.expires ?? null,
        maxOrderQty: 1_000_000,
        maxPrice: 1_000_000,
        lotSize: 1,
        tickSize: tick,
        indexPriceTickSize: tick,
        multiplier: market.inverse ? -market.contract : market.contract,
        initialMargin: 0.01,
        maintainMargin: 0.005,
        maxRiskLimit: 2_000_000,
        minRiskLimit: 2_000_000,
        riskStep: 1_000_000,
        makerFeeRate: 0.0002,
        takerFeeRate: 0.0006,
        takerFixFee: 0,
        makerFixFee: 0,
        settlementFee: null,
        isDeleverage: true,
        isQuanto: !market.inverse,
        isInverse: market.inverse,
        markMethod: 'FairPrice',
        fairMethod: 'FundingRate',
        fundingBaseSymbol: `.${currencies.baseCurrency}INT8H`,
        fundingQuoteSymbol: `.${market.quote}INT8H`,
        fundingRateSymbol: `.${market.id}FPI${hours}`,
        indexSymbol,
        settlementSymbol: '',
        status: market.state === 'live' ? 'Open' : 'Paused',
        ...state(market, ask),
        maxLeverage: 100,
        sourceExchanges: ['okex', 'binance', 'kucoin', 'bitget', 'bybit', 'gateio'],
        premiumsSymbol1M: `.${market.id}PI`,
        premiumsSymbol8H: `.${market.id}PI8H`,
        fundingBaseSymbol1M: `.${currencies.baseCurrency}INT`,
        fundingQuoteSymbol1M: `.${market.quote}INT`,
      };
    }),
  );

/** `orderbook/level2_20` and `level2_100`. */
export const spotBook = (depth: number) => (ask: Ask) => {
  const market = marketOf(ask, 'spot');
  const { bids, asks, updateId } = bookOf(market, ask.now, depth);
  const rows = (levels: typeof bids) =>
    levels.map((level) => [words(market, level.price), plain(level.quantity, market.lot)]);
  return ok({ sequence: String(updateId), time: ask.now, bids: rows(bids), asks: rows(asks) });
};

/** `level2/depth20` and `depth100`: `ts` in nanoseconds. */
export const contractBook = (depth: number) => (ask: Ask) => {
  const market = marketOf(ask, 'futures');
  const { bids, asks, updateId } = bookOf(market, ask.now, depth);
  const rows = (levels: typeof bids) =>
    levels.map((level) => [words(market, level.price), Math.round(level.quantity)]);
  const [sequence, ts] = [updateId, ask.now * 1e6];
  return ok({ symbol: market.id, sequence, asks: rows(asks), bids: rows(bids), ts });
};

const types: Readonly<Record<string, Bar>> = {
  '1min': { ms: 60_000 },
  '3min': { ms: 180_000 },
  '5min': { ms: 300_000 },
  '15min': { ms: 900_000 },
  '30min': { ms: 1_800_000 },
  '1hour': { ms: hour },
  '2hour': { ms: 2 * hour },
  '4hour': { ms: 4 * hour },
  '6hour': { ms: 6 * hour },
  '8hour': { ms: 8 * hour },
  '12hour': { ms: 12 * hour },
  '1day': { ms: day },
  '1week': { ms: 7 * day, origin: monday },
  '1month': { months: 1 },
};
const granularities = [1, 5, 15, 30, 60, 120, 240, 480, 720, 1440, 10_080];

function time({ query }: Ask, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse('400100', `${name} is invalid`);
}

interface Span {
  market: Market;
  bar: Bar;
  from: number | null;
  to: number | null;
}

function candlesOf({ now }: Ask, opens: (span: Span) => number[], span: Span): MarketCandle[] {
  if (span.market.state !== 'live') return [];
  return opens(span).map((t) => span.market.candle(t, nextOpen(span.bar, t), now));
}

/** `market/candles`: at most 1500 rows, newest first: open, close, high, low. */
export const spotCandles = (ask: Ask) => {
  const market = marketOf(ask, 'spot');
  const bar = types[ask.query.get('type') ?? ''] ?? refuse('400100', 'Incorrect candlestick type');
  const [from, to] = [time(ask, 'startAt'), time(ask, 'endAt')];
  const newest = (span: Span) => {
    const since = Math.max(openOf(bar, market.listed), (span.from ?? 0) * 1000);
    const until = span.to === null ? ask.now : Math.min(ask.now, span.to * 1000);
    return opensUntil(bar, since, until, span.from === null ? 100 : 1500);
  };
  const rows = candlesOf(ask, newest, { market, bar, from, to }).reverse();
  return ok(
    rows.map((c) => [
      String(c.time / 1000),
      ...[c.open, c.close, c.high, c.low].map((price) => words(market, price)),
      plain(c.quantity, 8),
      plain(c.turnover, 12),
    ]),
  );
};

/** `kline/query`: the first 500 rows of the range, else the newest, oldest first; volume in contracts. */
export const contractCandles = (ask: Ask) => {
  const market = marketOf(ask, 'futures');
  const minutes = Number(ask.query.get('granularity'));
  if (!granularities.includes(minutes)) refuse('400100', 'granularity is invalid');
  const bar: Bar = { ms: minutes * 60_000, ...(minutes === 10_080 ? { origin: monday } : {}) };
  const [from, to] = [time(ask, 'from'), time(ask, 'to')];
  const first = (span: Span) => {
    const since = Math.max(openOf(bar, market.listed), span.from ?? 0);
    if (span.from === null) return opensUntil(bar, since, ask.now, 200);
    return opensFrom(bar, since, Math.min(ask.now, span.to ?? ask.now), 500);
  };
  const rows = candlesOf(ask, first, { market, bar, from, to });
  return ok(rows.map((c) => [c.time, c.open, c.high, c.low, c.close, c.quantity]));
};
