/** The answers of Aster for its two groups, `spot` and `linear`; prices and amounts are strings, times numbers. */
import { bookTime } from '../books/wire.ts';
import { bookRows, marketRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, whileLive } from '../rows.ts';
import type { Ask } from '../venue.ts';
import * as form from './binance-form.ts';

export type Group = 'spot' | 'linear';

const venue = 'aster';

/** The market that `symbol` names. */
function marketOf(ask: Ask, group: Group): Market {
  const id = ask.query.get('symbol') || form.missing('symbol');
  return ask.model.market(venue, group, id, ask.now) ?? form.refuse(-1121, 'Invalid symbol.');
}

/** One row for `symbol`, else those of all markets. */
const each = (group: Group, row: Row) => (ask: Ask) =>
  ask.query.has('symbol')
    ? row(marketOf(ask, group), ask)
    : ask.model.markets(venue, ask.now, group).map((market) => row(market, ask));

const { row, list } = rowsWith(
  {
    ...form.facts,
    ...form.tradeIds(0),
    // Markets that do not trade are told with zeros.
    ...whileLive(0, 'open high low close mean rise percent turnover'),
    status: ({ market }) => (market.state === 'halted' ? 'BREAK' : 'TRADING'),
    sort: ({ market }) => (market.kind === 'other' ? 'STOCK' : 'COIN'),
  },
  form.style,
);

const common = `
  symbol=id status baseAsset=coin quoteAsset=quote pricePrecision=decimals quantityPrecision=lot
  baseAssetPrecision=8 quotePrecision=8
  filters[ { filterType='PRICE_FILTER' tickSize=tick } { filterType='LOT_SIZE' stepSize=step } ]
  orderTypes=["LIMIT","MARKET","STOP","STOP_MARKET","TAKE_PROFIT","TAKE_PROFIT_MARKET"]
  timeInForce=["GTC","IOC","FOK","GTX"]`;

const symbols = {
  spot: row(`${common} ocoAllowed=false`),
  linear: row(`
    ${common} pair=id contractType='PERPETUAL' deliveryDate=4133404800000 onboardDate=listed
    maintMarginPercent='12.5000' requiredMarginPercent='25.0000' marginAsset=quote
    underlyingType=sort underlyingSubType=[] settlePlan=0 triggerProtect='0.1500'
    liquidationFee='0.025000' marketTakeBound='0.05'`),
};
const top = 'bidPrice=bestBid bidQty=bestBidSize askPrice=bestAsk askQty=bestAskSize';
const day = `
  symbol=id priceChange=rise priceChangePercent=percent.3 weightedAvgPrice=mean lastPrice=close
  lastQty=bestAskSize openPrice=open highPrice=high lowPrice=low volume=quantity
  quoteVolume=turnover.4 openTime=dayAgo closeTime=now firstId lastId count=trades`;
const days = {
  linear: row(day),
  spot: row(`${day} prevClosePrice=open ${top} baseAsset=symbol quoteAsset=quote`),
};
const premium = row(`
  symbol=id markPrice=mark.12 indexPrice=index.12 estimatedSettlePrice=index.12 lastFundingRate=rate
  interestRate='0.00010000' nextFundingTime=next time=now`);
const funding = row(`
  symbol=id interestRate='0.00010000' time=now fundingIntervalHours=hours fundingFeeCap=0.03
  fundingFeeFloor=-0.03`);
const interest = row('symbol=id openInterest=interest time=now');
const level = list('price size');
const kline = list(`
  start open high low close quantity lastMoment turnover.5 trades bought boughtTurnover.5 '0'`);

/** `exchangeInfo`. */
export const exchangeInfo = (group: Group, limit: number) => (ask: Ask) => ({
  timezone: 'UTC',
  serverTime: ask.now,
  rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit }],
  exchangeFilters: [],
  assets: [{ asset: 'USDT' }],
  symbols: marketRows(symbols[group], ask, { venue, group }),
});

/** `ticker/bookTicker`. */
export const bookTickers = (group: Group) => each(group, row(`symbol=id ${top} time=now`));

/** `ticker/24hr`: also of markets that do not trade, all zero. */
export const tickers = (group: Group) => each(group, days[group]);

/** `premiumIndex`. */
export const premiums = each('linear', premium);

/** `depth`: only the documented limits. */
export const depth = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const limit = form.legalDepth(ask);
  const at = { model: ask.model, now: bookTime(ask.now, limit) };
  const { bids, asks, updateId } = bookRows(level, market, at, limit);
  return { lastUpdateId: updateId, E: ask.now, T: ask.now, bids, asks };
};

/** `klines`. */
export const klines = (group: Group) => (ask: Ask) =>
  form.klines(kline, ask, marketOf(ask, group), { most: 1500, cuts: false });

/** `fundingInfo`: some of those with the usual 8 hours are missing. */
export const fundingInfo = (ask: Ask) =>
  marketRows(funding, ask, {
    ...{ venue, group: 'linear' },
    keep: (market) => market.fundingHours !== 8 || market.seed % 2 === 0,
  });

/** `openInterest?symbol=`: base units, one side. */
export const openInterest = (ask: Ask) => interest(marketOf(ask, 'linear'), ask);
