/** The answers of Bybit: an envelope around `result`, numbers as strings, candles newest first. */
import { openOf, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, marketRows, tradeRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

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

const statuses = { live: 'Trading', halted: 'Closed', preopen: 'PreLaunch' } as const;
const isPerpetual = ({ expires }: Market) => expires === undefined;

export const { row, list } = rowsWith({
  status: ({ market }) => statuses[market.state],
  Taker: ({ trade }) => (trade.bought ? 'Buy' : 'Sell'),
  /** The base as the venue spells it: the id without its quote. */
  baseCoin: ({ market: { id, scale, symbol } }) =>
    scale === 1 ? symbol : id.replace(/(USDT|PERP)$/, ''),
  type: ({ market }) =>
    `${market.inverse ? 'Inverse' : 'Linear'}${isPerpetual(market) ? 'Perpetual' : 'Futures'}`,
  minutes: ({ market }) => (isPerpetual(market) ? market.fundingHours * 60 : 0),
  isAnnounced: ({ market }) => market.state === 'preopen',
  phase: ({ market }) => (market.state === 'preopen' ? 'NotStarted' : ''),
  sort: ({ market }) => (market.symbol === 'TSLA' ? 'stock' : ''),
  /** Base and quote; USD and base on inverse contracts. */
  volume: ({ market, stretch }) => (market.inverse ? stretch.quantity : stretch.base),
  value: ({ market, stretch }) => (market.inverse ? stretch.base : stretch.turnover),
  hourAgo: ({ market, now }) => market.exact(now - 3_600_000),
  rate: ({ market, funding }) => (isPerpetual(market) ? market.fundingRate(funding.next) : ''),
  next: ({ market, funding }) => (isPerpetual(market) ? String(funding.next) : '0'),
  hours: ({ market }) => (isPerpetual(market) ? String(market.fundingHours) : ''),
  /** Base units, or dollars of an inverse contract; one side, and both. */
  units: ({ market, interest }) => unitsOf(market, interest),
  worth: ({ market, interest }) => (market.inverse ? interest.base : interest.value),
  bothUnits: ({ market, interest }) => 2 * unitsOf(market, interest),
  bothWorth: ({ market, interest }) => 2 * (market.inverse ? interest.base : interest.value),
});
const unitsOf = ({ inverse }: Market, { base, value }: Sight['interest']) =>
  inverse ? Math.round(value) : base;

const spotInfo = row(`
  symbol=id baseCoin=symbol quoteCoin=quote innovation='0' symbolType='' status
  marginTrading='utaOnly'
  lotSizeFilter{ basePrecision=step quotePrecision='0.0000001' minOrderQty=step
    maxOrderQty='1000000' minOrderAmt='5' maxOrderAmt='4000000' }
  priceFilter{ tickSize=tick }`);
const contractInfo = row(`
  symbol=id contractType=type status baseCoin quoteCoin=quote launchTime=$listed
  deliveryTime=$expires deliveryFeeRate='' priceScale=$decimals
  leverageFilter{ minLeverage='1' maxLeverage='100' leverageStep='0.01' }
  priceFilter{ minPrice=tick maxPrice='1999999' tickSize=tick }
  lotSizeFilter{ maxOrderQty='1000000' minOrderQty=step qtyStep=step
    postOnlyMaxOrderQty='1000000' maxMktOrderQty='100000' minNotionalValue='5' }
  unifiedMarginTrade=true fundingInterval=minutes settleCoin=settle isPreListing=isAnnounced
  symbolType=sort`);
const common = (volume: string) => `
  symbol=id bid1Price=bid+0f bid1Size=bidSize ask1Price=ask+0f ask1Size=askSize lastPrice=last+0f
  prevPrice24h=open+0f price24hPcnt=fraction.6f highPrice24h=high+0f lowPrice24h=low+0f
  turnover24h=value.8 volume24h=volume.${volume}`;
const spotTicker = row(`${common('8')} usdIndexPrice=index.8`);
const contract = (volume: string) =>
  row(`
    ${common(volume)} openInterest=bothUnits.8 openInterestValue=bothWorth.8
    singleOpenInterest=units.8 singleOpenInterestValue=worth.8 indexPrice=index markPrice=mark
    prevPrice1h=hourAgo+0f fundingRate=rate nextFundingTime=next predictedDeliveryPrice=''
    basisRate='' deliveryFeeRate='' deliveryTime=$expires basis='' preOpenPrice='' preQty=''
    curPreListingPhase=phase fundingIntervalHour=hours basisRateYear='' fundingCap='0.005'`);
const contractTicker = { linear: contract('8'), inverse: contract('4') };
const level = list('price+0f size');
const candleOf = (volume: string) =>
  list(`$start open+0f high+0f low+0f close+0f ${volume} value.8`);
const candle = { linear: candleOf('base'), inverse: candleOf('quantity') };

/** `instruments-info?category=`: everything on one page, at most `limit`. */
export function instruments(ask: Ask) {
  const category = categoryOf(ask);
  const isSpot = category === 'spot';
  const all = marketRows(isSpot ? spotInfo : contractInfo, ask, { venue, group: category });
  const list = isSpot ? all : all.slice(0, count(ask, 500, 1000));
  return ok({ category, list, nextPageCursor: isSpot ? '' : null }, ask.now);
}

/** The ticker of a market. */
export const ticker: Row = (market, at) => {
  if (market.group === 'spot') return spotTicker(market, at);
  return contractTicker[market.inverse ? 'inverse' : 'linear'](market, at);
};

/** `tickers?category=`, one market with `symbol`; a closed one has none. */
export function tickers(ask: Ask) {
  const category = categoryOf(ask);
  const keep = ({ state }: Market) => state !== 'halted';
  const list = ask.query.has('symbol')
    ? [ticker(marketOf(ask), ask)]
    : marketRows(ticker, ask, { venue, group: category, keep });
  return ok({ category, list }, ask.now);
}

/** `orderbook?category=&symbol=&limit=`: 1 to 1000 levels. */
export function orderBook(ask: Ask) {
  const market = marketOf(ask);
  const limit = count(ask, market.kind === 'spot' ? 1 : 25, 1000);
  const { bids: b, asks: a, updateId: u } = bookRows(level, market, ask, limit);
  return ok({ s: market.id, b, a, ts: ask.now, u, seq: u * 7, cts: ask.now }, ask.now);
}

const trade = row(`
  execId=$tradeId symbol=id price=tradePrice size=tradeSize side=Taker time=$traded
  isBlockTrade=false isRPITrade=false seq=$tradeId`);

/** `recent-trade?category=&symbol=&limit=`: newest first; 60 of spot, 1000 of the others. */
export function trades(ask: Ask) {
  const market = marketOf(ask);
  const [usual, most] = market.kind === 'spot' ? [60, 60] : [500, 1000];
  const list = tradeRows(trade, market, ask, count(ask, usual, most));
  return ok({ category: ask.query.get('category'), list }, ask.now);
}

export const candleBars = barsOf(
  '1=1m 3=3m 5=5m 15=15m 30=30m 60=1h 120=2h 240=4h 360=6h 720=12h D=1d W=1w M=1M',
);

/** `kline?category=&symbol=&interval=&start=&end=&limit=`: newest first, the running one included. */
export function candles(ask: Ask) {
  const market = marketOf(ask);
  const bar = candleBars[ask.query.get('interval') ?? ''] ?? refuse('Invalid period!', ask.now);
  const limit = count(ask, 200, 1000);
  const until = Math.min(ask.now, Number(ask.query.get('end') ?? ask.now));
  const from = Math.max(openOf(bar, market.listed), Number(ask.query.get('start') ?? 0));
  const opens = opensUntil(bar, from, until, limit).reverse();
  const rows = candleRows(
    market.inverse ? candle.inverse : candle.linear,
    market,
    { bar, opens },
    ask,
  );
  return ok({ symbol: market.id, category: market.group, list: rows }, ask.now);
}
