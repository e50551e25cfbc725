/** The answers of MEXC: spot writes numbers as text, contracts as JSON numbers and candles as columns. */
import { bookTime } from '../books/wire.ts';
import { type Bar, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, columnsOf, isLive, marketRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'mexc';
const refuse = (code: number, msg: string): never => {
  throw new Refused(400, { code, msg, _extend: null });
};
const refuseContract = (code: number, message: string): never => {
  throw new Refused(200, { success: false, code, message });
};
const ok = (data: unknown) => ({ success: true, code: 0, data });

const spotMarket = (ask: Ask): Market =>
  ask.model.market(venue, 'spot', ask.query.get('symbol') ?? '', ask.now) ??
  refuse(-1121, 'Invalid symbol.');

/** The contract at the end of the path. */
function contractMarket(ask: Ask): Market {
  const id = decodeURIComponent(ask.path.slice(ask.path.lastIndexOf('/') + 1));
  const found = ask.model.market(venue, 'contracts', id, ask.now);
  return found ?? refuseContract(1001, 'Contract does not exist!');
}

const part =
  (at: 0 | 1) =>
  ({ market }: Sight) =>
    market.id.split('_')[at];
const { row, list } = rowsWith({
  spotBase: ({ market }) => market.id.slice(0, -market.quote.length),
  status: ({ market }) => (isLive(market) ? '1' : '2'),
  /** Some answers lack it. */
  quoteVolume: ({ market, stretch }) => (market.id === 'BTCUSDT' ? null : stretch.turnover),
  ...{ first: part(0), second: part(1) },
  settleCoin: ({ market }) => market.id.split('_')[market.inverse ? 0 : 1],
  title: ({ market }) => `${market.id}永续`,
  englishTitle: ({ market }) => `${market.id} PERPETUAL`,
  state: ({ market }) => (isLive(market) ? 0 : 4),
  /** Quote, of inverse contracts base. */
  amount: ({ market, stretch }) => (market.inverse ? stretch.base : stretch.turnover),
  most: ({ market, now }) => market.exact(now) * 1.1,
  least: ({ market, now }) => market.exact(now) * 0.9,
  count: ({ level }) => Math.round(level?.quantity ?? 0),
});

const symbol = row(`
  symbol=id status baseAsset=spotBase baseAssetPrecision=$lot quoteAsset=quote
  quoteAssetPrecision=$decimals orderTypes=["LIMIT","LIMIT_MAKER"] baseCommissionPrecision='2'
  quoteCommissionPrecision='4' quoteOrderQtyMarketAllowed=false isSpotTradingAllowed=true
  isMarginTradingAllowed=true permissions=["SPOT","MARGIN"] filters=[] baseSizePrecision=step
  maxQuoteAmount='5000000' makerCommission='0.002' takerCommission='0.002'
  quoteAmountPrecision='5' quotePrecision='4'`);
/** The change is a fraction in spite of its name. */
const spotTicker = row(`
  symbol=id priceChange=rise priceChangePercent=fraction.8f prevClosePrice=open lastPrice=close
  bidPrice=bestBid bidQty='' askPrice=bestAsk askQty='' openPrice=open highPrice=high lowPrice=low
  volume=quantity.8 quoteVolume=quoteVolume.8 openTime=dayAgo closeTime=now count=null`);
const contract = row(`
  symbol=id displayName=title displayNameEn=englishTitle positionOpenType=3 baseCoin=first
  quoteCoin=second settleCoin contractSize=@contract minLeverage=1 maxLeverage=125
  priceScale=decimals volScale=0 amountScale=4 priceUnit=#tick volUnit=1 minVol=1 maxVol=1000000
  bidLimitPriceRate=0.1 askLimitPriceRate=0.1 takerFeeRate=0.0006 makerFeeRate=0.0002
  maintenanceMarginRate=0.004 initialMarginRate=0.008 riskBaseVol=10000 riskIncrVol=200000
  riskIncrMmr=0.004 riskIncrImr=0.004 riskLevelLimit=5 priceCoefficientVariation=0.1
  indexOrigin=["BINANCE","GATEIO","OKX","MXC"] state isNew=false isHot=false isHidden=false`);
/** A row of `contract/ticker`. */
export const contractTicker = row(`
  symbol=id lastPrice=#close bid1=#bestBid ask1=#bestAsk volume24=@quantity amount24=amount
  holdVol=contracts lower24Price=#low high24Price=#high riseFallRate=#fraction riseFallValue=#rise
  indexPrice=#index+1 fairPrice=#mark+1 fundingRate=@rate maxBidPrice=#most+0 minAskPrice=#least+0
  timestamp=now`);
const rate = row(`
  symbol=id fundingRate=@rate maxFundingRate=0.003 minFundingRate=-0.003 collectCycle=hours
  nextSettleTime=next timestamp=now`);
const spotLevel = list('price size');
const level = list('#price count orders');
const spotCandle = list('start open high low close quantity.8 end turnover');
const candle = row(`
  time=startSeconds open=@open close=@close high=@high low=@low vol=@quantity amount`);

/** `exchangeInfo`. */
export const exchangeInfo = (ask: Ask) => ({
  ...{ timezone: 'CST', serverTime: ask.now, rateLimits: [], exchangeFilters: [] },
  symbols: marketRows(symbol, ask, { venue, group: 'spot' }),
});

/** `ticker/24hr`. */
export const spotTickers = (ask: Ask) =>
  marketRows(spotTicker, ask, { venue, group: 'spot', keep: isLive });

const contracts = (made: Row, keep?: typeof isLive) => (ask: Ask) =>
  ok(marketRows(made, ask, { venue, group: 'contracts', keep }));

/** `contract/detail`, and `contract/ticker` and `contract/funding_rate` of what trades. */
export const detail = contracts(contract);
export const contractTickers = contracts(contractTicker, isLive);
export const fundingRates = contracts(rate, isLive);

/** `depth`: 100 levels when nothing is said. */
export const spotBook = (ask: Ask) => {
  const market = spotMarket(ask);
  const limit = Number(ask.query.get('limit') ?? 100);
  if (!(limit >= 1 && limit <= 5000)) refuse(700_004, 'limit is invalid');
  const { bids, asks, updateId } = bookRows(spotLevel, market, ask, limit);
  return { lastUpdateId: String(updateId), bids, asks };
};

/** `contract/depth/<symbol>`. */
export const contractBook = (ask: Ask) => {
  const limit = Number(ask.query.get('limit') ?? 100);
  const at = { model: ask.model, now: bookTime(ask.now, limit) };
  const { bids, asks, updateId } = bookRows(level, contractMarket(ask), at, limit);
  return ok({ asks, bids, version: updateId, timestamp: ask.now });
};

const spotBars = barsOf('1m 5m 15m 30m 60m 4h 1d 1W=1w 1M');
const contractBars = barsOf(
  'Min1=1m Min5=5m Min15=15m Min30=30m Min60=1h Hour4=4h Hour8=8h Day1=1d Week1=1w Month1=1M',
);

/** The first ones of a range, else the newest; times in units of so many ms. */
function opensIn(
  { query, now }: Ask,
  market: Market,
  { bar, names, unit, limit }: { bar: Bar; names: [string, string]; unit: number; limit: number },
): number[] {
  if (!isLive(market)) return [];
  const [from, to] = names.map((name) => (query.has(name) ? Number(query.get(name)) * unit : null));
  const first = Math.max(openOf(bar, market.listed), from ?? 0);
  return (from == null ? opensUntil : opensFrom)(bar, first, Math.min(now, to ?? now), limit);
}

/** `klines`: at most 500 rows. */
export const spotCandles = (ask: Ask) => {
  const market = spotMarket(ask);
  const bar =
    spotBars[ask.query.get('interval') ?? ''] ??
    refuse(-1128, 'Combination of optional parameters invalid.');
  const limit = Math.min(500, Number(ask.query.get('limit') ?? 500));
  const opens = opensIn(ask, market, { bar, names: ['startTime', 'endTime'], unit: 1, limit });
  return candleRows(spotCandle, market, { bar, opens }, ask);
};

/** `contract/kline/<symbol>`: at most 2000 rows as columns. */
export const contractCandles = (ask: Ask) => {
  const market = contractMarket(ask);
  const word = ask.query.get('interval') ?? 'Min1';
  const bar = contractBars[word] ?? refuseContract(600, 'Parameter error!');
  const opens = opensIn(ask, market, { bar, names: ['start', 'end'], unit: 1000, limit: 2000 });
  return ok(columnsOf(candle, market, { bar, opens }, ask));
};
