/** The answers of Bybit: an envelope around `result`, numbers as strings, candles newest first. */
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Market, MarketCandle } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const venue = 'bybit';
const categories = ['spot', 'linear', 'inverse'];

export const ok = (result: object, now: number) => ({
  retCode: 0,
  retMsg: 'OK',
  result,
  retExtInfo: {},
  time: now,
});

/** Refusals are 200. */
export const refuse = (retMsg: string, now: number): never => {
  throw new Refused(200, { retCode: 10001, retMsg, result: {}, retExtInfo: {}, time: now });
};

function categoryOf({ query, now }: Ask): string {
  const category = query.get('category') ?? '';
  return categories.includes(category) ? category : refuse('Illegal category', now);
}

export function count({ query, now }: Ask, fallback: number, most: number): number {
  const limit = Number(query.get('limit') ?? fallback);
  return limit >= 1 && limit <= most ? limit : refuse('params error: limit invalid', now);
}

export function marketOf(ask: Ask): Market {
  const id = ask.query.get('symbol') ?? '';
  const found = ask.model.market(venue, categoryOf(ask), id, ask.now);
  return found?.state === 'live' ? found : refuse('Not supported symbols', ask.now);
}

const price = (market: Market, value: number) => fixed(value, market.decimals);
const size = (market: Market, value: number) => plain(value, market.lot);

const statuses = { live: 'Trading', halted: 'Closed', preopen: 'PreLaunch' } as const;

/** The base as the venue spells it: the id without its quote. */
const baseOf = ({ id, scale, symbol }: Market) =>
  scale === 1 ? symbol : id.replace(/(USDT|PERP)$/, '');

const spotInfo = (market: Market) => ({
  symbol: market.id,
  baseCoin: market.symbol,
  quoteCoin: market.quote,
  innovation: '0',
  symbolType: '',
  status: statuses[market.state],
  marginTrading: 'utaOnly',
  lotSizeFilter: {
    basePrecision: fixed(10 ** -market.lot, market.lot),
    quotePrecision: '0.0000001',
    minOrderQty: fixed(10 ** -market.lot, market.lot),
    maxOrderQty: '1000000',
    minOrderAmt: '5',
    maxOrderAmt: '4000000',
  },
  priceFilter: { tickSize: fixed(10 ** -market.decimals, market.decimals) },
});

function typeOf({ inverse, expires }: Market): string {
  return `${inverse ? 'Inverse' : 'Linear'}${expires === undefined ? 'Perpetual' : 'Futures'}`;
}

const contractInfo = (market: Market) => ({
  symbol: market.id,
  contractType: typeOf(market),
  status: statuses[market.state],
  baseCoin: baseOf(market),
  quoteCoin: market.quote,
  launchTime: String(market.listed),
  deliveryTime: String(market.expires ?? 0),
  deliveryFeeRate: '',
  priceScale: String(market.decimals),
  leverageFilter: { minLeverage: '1', maxLeverage: '100', leverageStep: '0.01' },
  priceFilter: {
    minPrice: fixed(10 ** -market.decimals, market.decimals),
    maxPrice: '1999999',
    tickSize: fixed(10 ** -market.decimals, market.decimals),
  },
  lotSizeFilter: {
    maxOrderQty: '1000000',
    minOrderQty: fixed(10 ** -market.lot, market.lot),
    qtyStep: fixed(10 ** -market.lot, market.lot),
    postOnlyMaxOrderQty: '1000000',
    maxMktOrderQty: '100000',
    minNotionalValue: '5',
  },
  unifiedMarginTrade: true,
  fundingInterval: market.expires === undefined ? market.fundingHours * 60 : 0,
  settleCoin: market.inverse ? market.symbol : market.quote,
  isPreListing: market.state === 'preopen',
  symbolType: market.symbol === 'TSLA' ? 'stock' : '',
});

/** `instruments-info?category=`: everything on one page, at most `limit`. */
export function instruments(ask: Ask) {
  const category = categoryOf(ask);
  const all = ask.model.markets(venue, ask.now, category);
  const listed = category === 'spot' ? all : all.slice(0, count(ask, 500, 1000));
  const list = listed.map((m) => (category === 'spot' ? spotInfo(m) : contractInfo(m)));
  return ok({ category, list, nextPageCursor: category === 'spot' ? '' : null }, ask.now);
}

function common(market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) {
  const day = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  const [bid, ask] = [bids[0], asks[0]];
  const [base, quote] = [plain(day.base, 8), plain(day.turnover, 8)];
  return {
    symbol: market.id,
    bid1Price: bid ? price(market, bid.price) : '',
    bid1Size: bid ? size(market, bid.quantity) : '',
    ask1Price: ask ? price(market, ask.price) : '',
    ask1Size: ask ? size(market, ask.quantity) : '',
    lastPrice: price(market, market.price(now)),
    prevPrice24h: price(market, day.open),
    price24hPcnt: fixed(day.close / day.open - 1, 6),
    highPrice24h: price(market, day.high),
    lowPrice24h: price(market, day.low),
    turnover24h: market.inverse ? base : quote,
    volume24h: market.inverse ? plain(day.quantity, 4) : base,
  };
}

/** Base units, or dollars of an inverse contract, one side. */
export function singleInterest(market: Market, time: number): number {
  const base = market.openInterest(time);
  return market.inverse ? Math.round(base * market.exact(time)) : base;
}

/** The both-sided numbers are twice the one-sided ones. */
function interest(market: Market, now: number) {
  const base = market.openInterest(now);
  const mark = market.exact(now);
  const [units, worth] = market.inverse ? [Math.round(base * mark), base] : [base, base * mark];
  return {
    openInterest: plain(2 * units, 8),
    openInterestValue: plain(2 * worth, 8),
    singleOpenInterest: plain(units, 8),
    singleOpenInterestValue: plain(worth, 8),
  };
}

function contractTicker(market: Market, ask: Pick<Ask, 'model' | 'now'>) {
  const { next } = market.fundingTimes(ask.now);
  const perpetual = market.expires === undefined;
  return {
    ...common(market, ask),
    ...interest(market, ask.now),
    indexPrice: plain(market.index(ask.now), market.decimals + 2),
    markPrice: plain(market.exact(ask.now), market.decimals + 2),
    prevPrice1h: price(market, market.exact(ask.now - 3_600_000)),
    fundingRate: perpetual ? plain(market.fundingRate(next), 8) : '',
    nextFundingTime: perpetual ? String(next) : '0',
    predictedDeliveryPrice: '',
    basisRate: '',
    deliveryFeeRate: '',
    deliveryTime: String(market.expires ?? 0),
    basis: '',
    preOpenPrice: '',
    preQty: '',
    curPreListingPhase: market.state === 'preopen' ? 'NotStarted' : '',
    fundingIntervalHour: perpetual ? String(market.fundingHours) : '',
    basisRateYear: '',
    fundingCap: '0.005',
  };
}

/** The ticker of a market. */
export const ticker = (market: Market, ask: Pick<Ask, 'model' | 'now'>) =>
  market.group === 'spot'
    ? { ...common(market, ask), usdIndexPrice: plain(market.index(ask.now), 8) }
    : contractTicker(market, ask);

/** `tickers?category=`, one market with `symbol`; a closed one has none. */
export function tickers(ask: Ask) {
  const category = categoryOf(ask);
  const all = ask.query.has('symbol')
    ? [marketOf(ask)]
    : ask.model.markets(venue, ask.now, category).filter((m) => m.state !== 'halted');
  return ok({ category, list: all.map((market) => ticker(market, ask)) }, ask.now);
}

/** `orderbook?category=&symbol=&limit=`: 1 to 1000 levels. */
export function orderBook(ask: Ask) {
  const market = marketOf(ask);
  const book = bookOf(market, ask.now, count(ask, market.kind === 'spot' ? 1 : 25, 1000));
  const rows = (levels: typeof book.bids) =>
    levels.map((level) => [price(market, level.price), size(market, level.quantity)]);
  const { updateId } = book;
  const [b, a] = [rows(book.bids), rows(book.asks)];
  return ok(
    { s: market.id, b, a, ts: ask.now, u: updateId, seq: updateId * 7, cts: ask.now },
    ask.now,
  );
}

const minute = 60_000;
export const candleBars: Readonly<Record<string, Bar>> = {
  ...Object.fromEntries(
    [1, 3, 5, 15, 30, 60, 120, 240, 360, 720].map((n) => [String(n), { ms: n * minute }]),
  ),
  D: { ms: 1440 * minute },
  W: { ms: 10_080 * minute, origin: monday },
  M: { months: 1 },
};

/** Volume and turnover: base and quote; USD and base on inverse contracts. */
const candleRow = (market: Market, c: MarketCandle): string[] => [
  String(c.time),
  ...[c.open, c.high, c.low, c.close].map((value) => price(market, value)),
  market.inverse ? size(market, c.quantity) : plain(c.base, 8),
  plain(market.inverse ? c.base : c.turnover, 8),
];

/** `kline?category=&symbol=&interval=&start=&end=&limit=`: newest first, the running one included. */
export function candles(ask: Ask) {
  const market = marketOf(ask);
  const bar = candleBars[ask.query.get('interval') ?? ''] ?? refuse('Invalid period!', ask.now);
  const limit = count(ask, 200, 1000);
  const until = Math.min(ask.now, Number(ask.query.get('end') ?? ask.now));
  const from = Math.max(openOf(bar, market.listed), Number(ask.query.get('start') ?? 0));
  const list = opensUntil(bar, from, until, limit)
    .reverse()
    .map((time) => candleRow(market, market.candle(time, nextOpen(bar, time), ask.now)));
  return ok({ symbol: market.id, category: market.group, list }, ask.now);
}
