/** What Binance says of a market in its three groups: `spot`, `fapi` (USD-margined) and `dapi` (coin-margined). */
import { fixed } from '../format.ts';
import type { Market } from '../market.ts';
import { absent, type Row, rowsOf, whileLive } from '../rows.ts';
import { factsOf } from './binance-form.ts';

export type Group = 'spot' | 'fapi' | 'dapi';
type Groups<Made = Record<string, unknown>> = Readonly<Record<Group, Row<Made>>>;

const isPerpetual = ({ expires }: Market) => expires === undefined;
const types = (market: Market, now: number): string => {
  if (market.kind === 'perpetual') return 'PERPETUAL';
  if (market.expires === undefined) return 'TRADIFI_PERPETUAL';
  return market.expires - now > 91 * 86_400_000 ? 'NEXT_QUARTER' : 'CURRENT_QUARTER';
};

/** A perpetual whose end is announced. */
const leaving = 'ETHUSDC';

const { row: infoRow } = rowsOf(
  'binance',
  {
    isMargin: ({ market }) => market.quote === 'USDT',
    pair: ({ market: { scale, symbol, quote } }) => `${scale === 1 ? '' : scale}${symbol}${quote}`,
    type: ({ market, now }) => types(market, now),
    delivery: ({ market }) =>
      market.expires ?? (market.id === leaving ? Date.UTC(2030, 0, 1) : 4_133_404_800_000),
  },
  { write: fixed },
);
const status = 'state:TRADING/SETTLING/PENDING_TRADING';
const filters = (digits: string) => `
  filters[
    { filterType='PRICE_FILTER' minPrice=tick${digits} maxPrice='1000000.00' tickSize=tick${digits} }
    { filterType='LOT_SIZE' stepSize=step${digits} maxQty='9000000' minQty=step${digits} } ]`;
const contractInfo = `
  symbol=id pair contractType=type deliveryDate=delivery onboardDate=listed baseAsset=coin
  quoteAsset=quote marginAsset=settle pricePrecision=decimals quantityPrecision=lot
  baseAssetPrecision=8 quotePrecision=8 underlyingType=isShare:EQUITY/COIN ${filters('')}`;
/** Rows of `exchangeInfo`. */
export const infos: Groups = {
  spot: infoRow(
    `symbol=id status=isLive:TRADING/BREAK baseAsset=coin quoteAsset=quote
    isMarginTradingAllowed=isMargin
    orderTypes=["LIMIT","LIMIT_MAKER","MARKET"] ${filters('.8')}`,
    'spot-instruments symbols',
  ),
  fapi: infoRow(`${contractInfo} status=${status}`, 'linear-instruments bodies.0.symbols'),
  dapi: infoRow(
    `${contractInfo} contractStatus=${status} contractSize=@contract`,
    'inverse-instruments bodies.0.symbols',
  ),
};

export const { row, list } = rowsOf(
  'binance',
  {
    ...factsOf(-1),
    ...whileLive(0, 'open high low close mean rise percent'),
    noRate: ({ market }) => (market.group === 'dapi' ? '' : '0.00000000'),
    /** Base units on fapi, contracts on dapi. */
    interest: ({ market, interest }) => (market.inverse ? interest.contracts : interest.base),
    /** Spot rows have no time, and those of coins alone a pair and a type. */
    time: ({ market, now }) => (market.group === 'spot' ? absent : now),
    pair: ({ market: { group, id } }) => (group === 'dapi' ? id.split('_')[0] : absent),
    perpetual: ({ market }) => {
      if (market.group !== 'dapi') return absent;
      return isPerpetual(market) ? 'PERPETUAL' : 'CURRENT_QUARTER';
    },
  },
  {
    write: fixed,
    prices: ({ group, decimals }) => (group === 'spot' ? 8 : decimals),
    quantities: ({ group, lot }) => (group === 'spot' ? 8 : lot),
  },
);

const top = 'symbol=id bidPrice=bestBid bidQty=bestBidSize askPrice=bestAsk askQty=bestAskSize';
const day = (second: string) => `
  symbol=id openPrice=open highPrice=high lowPrice=low lastPrice=close volume=quantity ${second}
  openTime=dayAgo closeTime=now firstId lastId count=trades priceChange=rise
  priceChangePercent=percent.3 weightedAvgPrice=mean lastQty=bestAskSize`;
/** `ticker/24hr`. */
export const days: Groups = {
  spot: row(`${day('quoteVolume=turnover')} ${top}`, 'spot-prices '),
  fapi: row(day('quoteVolume=turnover.2'), 'linear-prices '),
  dapi: row(`${day('baseVolume=base')} pair`, 'inverse-prices '),
};
/** `ticker/price`. */
export const price = row('symbol=id price=last time');
/** `ticker/bookTicker`. */
export const best = row(`${top} pair time`);
/** `premiumIndex`: mark, index and the running funding rate; dated contracts have none. */
export const premium = row(`
  symbol=id markPrice=mark.8 indexPrice=index.8 estimatedSettlePrice=index.8 lastFundingRate=isDated?noRate:rate
  interestRate=isDated?noRate:'0.00010000' nextFundingTime=isDated?0:next time pair`);
/** `openInterest`. */
export const openInterest = row('symbol=id pair openInterest=interest contractType=perpetual time');
/** `fundingInfo`. */
export const fundingInfo = row('symbol=id fundingIntervalHours=hours');
export const settled = row('symbol=id fundingTime=now fundingRate=charged markPrice=mark.8');
export const level = list('price size');
const depth = 'lastUpdateId=sequence bids asks';
/** `depth`. */
export const depths: Groups = {
  spot: row(depth),
  fapi: row(`${depth} E=now T=now`),
  dapi: row(`${depth} E=now T=now symbol=id pair`),
};
export const trade = row(
  'a=tradeId p=tradePrice q=tradeSize f=tradeId l=tradeId T=traded m=isMakerBuyer M=true',
);
const kline = (second: string, bought: string) =>
  list(`start open high low close quantity lastMoment ${second} trades bought ${bought} '0'`);
export const candles: Groups<unknown[]> = {
  spot: kline('turnover', 'boughtTurnover.8'),
  fapi: kline('turnover.5', 'boughtTurnover.5'),
  dapi: kline('base', 'boughtBase.8'),
};
/** Candles of the mark price of a contract, or of the index of a `pair`: four times the price at their end. */
export const flat = (fact: string) =>
  list(`start ${fact} ${fact} ${fact} ${fact} '0' lastMoment '0' trades '0' '0' '0'`);
