/** The answers of KuCoin: spot numbers are text, those of contracts mostly JSON numbers. */
import { type Bar, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive, marketRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight, whileLive } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';
import { nativeBase } from './names.ts';

const venue = 'kucoin';
const hour = 3_600_000;

export const ok = (data: unknown) => ({ code: '200000', data });
export const refuse = (code: string, msg: string, status = 400): never => {
  throw new Refused(status, { code, msg });
};

export function marketOf(ask: Ask, group: string): Market {
  const id = ask.query.get('symbol') ?? refuse('400100', 'symbol is required');
  const found = ask.model.market('kucoin', group, id, ask.now);
  const unknown = group === 'spot' ? 'Unsupported trading pair.' : 'The contract does not exist.';
  return found ?? refuse('400100', unknown);
}

const part =
  (at: 0 | 1) =>
  ({ market }: Sight) =>
    market.id.split('-')[at];
const isFunded = ({ kind }: Market) => kind === 'perpetual';

export const { row, list } = rowsWith({
  // A market that does not trade has nulls.
  ...whileLive(null, 'bestBid bestAsk high low close mean mark index'),
  ...{ first: part(0), second: part(1) },
  sort: ({ market }) => (market.kind === 'other' ? 'ETF' : 'USDS'),
  base: ({ market }) => nativeBase(market),
  settle: ({ market }) => (market.inverse ? nativeBase(market) : market.quote),
  indexName: ({ market }) => `.K${nativeBase(market)}${market.quote}`,
  /** A dated contract has no funding. */
  rate: ({ market, funding }) => (isFunded(market) ? market.fundingRate(funding.next) : null),
  granularity: ({ market }) => (isFunded(market) ? market.fundingHours * hour : null),
  wait: ({ market, funding, now }) => (isFunded(market) ? funding.next - now : null),
  turnoverHere: ({ market, stretch }) => (market.inverse ? stretch.base : stretch.turnover),
  volumeHere: ({ market, stretch }) =>
    market.inverse ? stretch.quantity * market.contract : stretch.base,
  lowest: ({ stretch }) => stretch.low,
  highest: ({ stretch }) => stretch.high,
  type: ({ market }) => (isFunded(market) ? 'FFWCSX' : 'FFICSX'),
  ends: ({ market }) => market.expires ?? null,
  multiplier: ({ market }) => (market.inverse ? -market.contract : market.contract),
  isQuanto: ({ market }) => !market.inverse,
  fundingName: ({ market }) => `.${market.id}FPI${market.fundingHours}H`,
  baseInterest: ({ market }) => `.${nativeBase(market)}INT`,
  quoteInterest: ({ market }) => `.${market.quote}INT`,
  baseInterest8: ({ market }) => `.${nativeBase(market)}INT8H`,
  quoteInterest8: ({ market }) => `.${market.quote}INT8H`,
  premiumName: ({ market }) => `.${market.id}PI`,
  premiumName8: ({ market }) => `.${market.id}PI8H`,
  status: ({ market }) => (isLive(market) ? 'Open' : 'Paused'),
  lotsHere: ({ level }) => Math.round(level?.quantity ?? 0),
});

const symbol = row(`
  symbol=id name=id baseCurrency=first quoteCurrency=second feeCurrency=second market=sort
  baseMinSize='0.1' quoteMinSize='0.01' baseMaxSize='10000000000' quoteMaxSize='99999999'
  baseIncrement=step quoteIncrement='0.000001' priceIncrement=tick priceLimitRate='0.1'
  minFunds='0.1' isMarginEnabled=false enableTrading=isLive`);
const ticker = row(`
  symbol=id symbolName=id buy=bestBid sell=bestAsk bestBidSize bestAskSize changeRate=fraction.6f
  changePrice=rise high low vol=quantity.8 volValue=turnover.12 last=close averagePrice=mean
  takerFeeRate='0.001' makerFeeRate='0.001' takerCoefficient='1' makerCoefficient='1'`);
const numbers = `
  fundingFeeRate=@rate predictedFundingFeeRate=@rate fundingRateGranularity=granularity
  openInterest=$contracts turnoverOf24h=turnoverHere volumeOf24h=volumeHere markPrice=#mark+1
  indexPrice=#index+1 lastTradePrice=#close nextFundingRateTime=wait lowPrice=lowest
  highPrice=highest priceChgPct=#fraction priceChg=#rise`;
const contract = row(`
  symbol=id baseCurrency=base quoteCurrency=quote settleCurrency=settle rootSymbol=settle type
  firstOpenDate=listed expireDate=ends settleDate=ends maxOrderQty=1000000 maxPrice=1000000
  lotSize=1 tickSize=#tick indexPriceTickSize=#tick multiplier initialMargin=0.01
  maintainMargin=0.005 maxRiskLimit=2000000 minRiskLimit=2000000 riskStep=1000000
  makerFeeRate=0.0002 takerFeeRate=0.0006 takerFixFee=0 makerFixFee=0 settlementFee=null
  isDeleverage=true isQuanto isInverse markMethod='FairPrice' fairMethod='FundingRate'
  fundingBaseSymbol=baseInterest8 fundingQuoteSymbol=quoteInterest8 fundingRateSymbol=fundingName
  indexSymbol=indexName settlementSymbol='' status ${numbers} maxLeverage=100
  sourceExchanges=["okex","binance","kucoin","bitget","bybit","gateio"]
  premiumsSymbol1M=premiumName premiumsSymbol8H=premiumName8 fundingBaseSymbol1M=baseInterest
  fundingQuoteSymbol1M=quoteInterest`);
const spotLevel = list('price size');
const level = list('price lotsHere');
const spotCandle = list('$startSeconds open close high low quantity.8 turnover.12');
const candle = list('start @open @high @low @close @quantity');

const all = (made: Row, group: string, ask: Ask) => marketRows(made, ask, { venue, group });

/** `v2/symbols`. */
export const symbols = (ask: Ask) => ok(all(symbol, 'spot', ask));

/** `market/allTickers`. */
export const allTickers = (ask: Ask) => ok({ time: ask.now, ticker: all(ticker, 'spot', ask) });

/** `contracts/active`. */
export const contracts = (ask: Ask) => ok(all(contract, 'futures', ask));

/** `orderbook/level2_20` and `level2_100`. */
export const spotBook = (depth: number) => (ask: Ask) => {
  const { bids, asks, updateId } = bookRows(spotLevel, marketOf(ask, 'spot'), ask, depth);
  return ok({ sequence: String(updateId), time: ask.now, bids, asks });
};

/** `level2/depth20` and `depth100`: `ts` in nanoseconds. */
export const contractBook = (depth: number) => (ask: Ask) => {
  const market = marketOf(ask, 'futures');
  const { bids, asks, updateId: sequence } = bookRows(level, market, ask, depth);
  return ok({ symbol: market.id, sequence, asks, bids, ts: ask.now * 1e6 });
};

const types = barsOf(
  '1min=1m 3min=3m 5min=5m 15min=15m 30min=30m 1hour=1h 2hour=2h 4hour=4h 6hour=6h 8hour=8h 12hour=12h 1day=1d 1week=1w 1month=1M',
);
const granularities: Readonly<Record<string, Bar>> = barsOf(
  '1=1m 5=5m 15=15m 30=30m 60=1h 120=2h 240=4h 480=8h 720=12h 1440=1d 10080=1w',
);

function time({ query }: Ask, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse('400100', `${name} is invalid`);
}

/** `market/candles`: at most 1500 rows, newest first: open, close, high, low. */
export const spotCandles = (ask: Ask) => {
  const market = marketOf(ask, 'spot');
  const bar = types[ask.query.get('type') ?? ''] ?? refuse('400100', 'Incorrect candlestick type');
  const [from, to] = [time(ask, 'startAt'), time(ask, 'endAt')];
  const since = Math.max(openOf(bar, market.listed), (from ?? 0) * 1000);
  const until = to === null ? ask.now : Math.min(ask.now, to * 1000);
  const opens = opensUntil(bar, since, until, from === null ? 100 : 1500).reverse();
  return ok(isLive(market) ? candleRows(spotCandle, market, { bar, opens }, ask) : []);
};

/** `kline/query`: the first 500 rows of the range, else the newest, oldest first; volume in contracts. */
export const contractCandles = (ask: Ask) => {
  const market = marketOf(ask, 'futures');
  const bar =
    granularities[ask.query.get('granularity') ?? ''] ?? refuse('400100', 'granularity is invalid');
  const [from, to] = [time(ask, 'from'), time(ask, 'to')];
  const since = Math.max(openOf(bar, market.listed), from ?? 0);
  const opens =
    from === null
      ? opensUntil(bar, since, ask.now, 200)
      : opensFrom(bar, since, Math.min(ask.now, to ?? ask.now), 500);
  return ok(isLive(market) ? candleRows(candle, market, { bar, opens }, ask) : []);
};
