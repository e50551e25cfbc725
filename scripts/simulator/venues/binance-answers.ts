/** The market data answers of Binance for its three groups: `spot`, `fapi` and `dapi`. */
import { bookTime } from '../books/wire.ts';
import { bookRows, isLive, pointRows, tradeRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, whileLive } from '../rows.ts';
import type { Ask } from '../venue.ts';
import * as form from './binance-form.ts';
import { goldId, goldMarket } from './binance-gold.ts';

const { integer, missing, refuse } = form;
export type Group = 'spot' | 'fapi' | 'dapi';

/** The market that `symbol` names; refuses like the venue when it is absent or unknown. */
export function marketOf(
  { query, model, now }: Pick<Ask, 'query' | 'model' | 'now'>,
  group: Group,
): Market {
  const symbol = query.get('symbol') || missing('symbol');
  return model.market('binance', group, symbol, now) ?? refuse(-1121, 'Invalid symbol.');
}

/**
 * Settled and announced contracts have no ticker; stopped spot pairs keep theirs, all zero, unless `symbolStatus` asks for
 * the others.
 */
function shown({ model, now, query }: Ask, group: Group): Market[] {
  const all = group === 'spot' && query.get('symbolStatus') !== 'TRADING';
  return model.markets('binance', now, group).filter((market) => all || isLive(market));
}

/** One row for `symbol`, rows for `symbols` (spot), else all rows. */
const each = (group: Group, row: Row) => (ask: Ask) => {
  const { query } = ask;
  if (query.has('symbol')) {
    const found = row(marketOf(ask, group), ask);
    return group === 'dapi' ? [found] : found;
  }
  const names = group === 'spot' ? query.get('symbols') : null;
  const markets =
    names === null
      ? shown(ask, group)
      : names
          .replace(/[[\]"]/g, '')
          .split(',')
          .map((symbol) => marketOf({ ...ask, query: new URLSearchParams({ symbol }) }, 'spot'));
  return markets.map((market) => row(market, ask));
};

const isPerpetual = ({ expires }: Market) => expires === undefined;
const noRate = ({ group }: Market) => (group === 'dapi' ? '' : '0.00000000');

export const { row, list } = rowsWith(
  {
    ...form.facts,
    ...form.tradeIds(-1),
    ...whileLive(0, 'open high low close mean rise percent'),
    pair: ({ market: { id } }) => id.slice(0, id.indexOf('_')),
    rate: ({ market, funding }) =>
      isPerpetual(market) ? market.fundingRate(funding.next) : noRate(market),
    interestRate: ({ market }) => (isPerpetual(market) ? '0.00010000' : noRate(market)),
    next: ({ market, funding }) => (isPerpetual(market) ? funding.next : 0),
    /** Base units on fapi, contracts on dapi. */
    interest: ({ market, interest }) => (market.inverse ? interest.contracts : interest.base),
  },
  {
    ...form.style,
    prices: ({ group, decimals }) => (group === 'spot' ? 8 : decimals),
    quantities: ({ group, lot }) => (group === 'spot' ? 8 : lot),
  },
);

const top = 'symbol=id bidPrice=bestBid bidQty=bestBidSize askPrice=bestAsk askQty=bestAskSize';
const mini = (second: string) => `
  symbol=id openPrice=open highPrice=high lowPrice=low lastPrice=close volume=quantity ${second}
  openTime=dayAgo closeTime=now firstId lastId count=trades`;
const full = (second: string) => `
  ${mini(second)} priceChange=rise priceChangePercent=percent.3 weightedAvgPrice=mean
  lastQty=bestAskSize`;
const quotes = {
  spot: 'quoteVolume=turnover',
  fapi: 'quoteVolume=turnover.2',
  dapi: 'baseVolume=base',
};
const days = {
  spot: row(`${full(quotes.spot)} prevClosePrice=open ${top}`),
  fapi: row(full(quotes.fapi)),
  dapi: row(`${full(quotes.dapi)} pair`),
};
const minis = {
  spot: row(mini(quotes.spot)),
  fapi: row(mini(quotes.fapi)),
  dapi: row(mini(quotes.dapi)),
};
const price = {
  spot: row('symbol=id price=last'),
  fapi: row('symbol=id price=last time=now'),
  dapi: row('symbol=id ps=pair price=last time=now'),
};
const best = { spot: row(top), fapi: row(`${top} time=now`), dapi: row(`${top} pair time=now`) };
const premium = `
  symbol=id markPrice=mark.8 indexPrice=index.8 estimatedSettlePrice=index.8 lastFundingRate=rate
  interestRate nextFundingTime=next time=now`;
const premiumOf = { spot: row(premium), fapi: row(premium), dapi: row(`${premium} pair`) };
const interest = {
  spot: row(''),
  fapi: row('symbol=id openInterest=interest time=now'),
  dapi: row('symbol=id pair openInterest=interest contractType=perpetual time=now'),
};
const info = row(`
  symbol=id adjustedFundingRateCap='0.02000000' adjustedFundingRateFloor='-0.02000000'
  fundingIntervalHours=hours disclaimer=false updateTime=listed`);
const settled = row('symbol=id fundingTime=now fundingRate=charged markPrice=mark.8');
const level = list('price size');
const kline = (second: string, bought: string) =>
  list(`start open high low close quantity lastMoment ${second} trades bought ${bought} '0'`);
const klineOf = {
  spot: kline('turnover', 'boughtTurnover.8'),
  fapi: kline('turnover.5', 'boughtTurnover.5'),
  dapi: kline('base', 'boughtBase.8'),
};

/** `ticker/24hr`: one with `symbol`, several with `symbols` (spot), else all; `type=MINI` is shorter (spot). */
export const tickers = (group: Group) => (ask: Ask) => {
  const type = ask.query.get('type') ?? 'FULL';
  if (type !== 'FULL' && type !== 'MINI') refuse(-1100, 'Illegal type.');
  return each(group, (type === 'MINI' ? minis : days)[group])(ask);
};

/** `ticker/price`. */
export const prices = (group: Group) => each(group, price[group]);

/** `ticker/bookTicker`. */
export const bookTickers = (group: Group) => each(group, best[group]);

/** `depth`: spot takes any limit and cuts it at 5000, the contracts only the documented ones. */
export const depth = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const limit = group === 'spot' ? form.limitOf(ask, 100, 5000, true) : form.legalDepth(ask);
  const at = { model: ask.model, now: bookTime(ask.now, limit) };
  const { bids, asks, updateId } = bookRows(level, market, at, limit);
  const times = group === 'spot' ? {} : { E: ask.now, T: ask.now };
  const names = group === 'dapi' ? { symbol: market.id, pair: market.id.split('_')[0] } : {};
  return { lastUpdateId: updateId, ...times, ...names, bids, asks };
};

const trade = row(
  'a=tradeId p=tradePrice q=tradeSize f=tradeId l=tradeId T=traded m=isMakerBuyer M=true',
);

/** `aggTrades?symbol=&limit=`: the newest ones, ascending. */
export const publicTrades = (group: Group) => (ask: Ask) => {
  const limit = form.limitOf(ask, 500, 1000, group === 'spot');
  return tradeRows(trade, marketOf(ask, group), ask, limit).reverse();
};

/** Candles of the mark price of a contract, or of the index of a `pair`: four times the price at their end. */
const flat = (fact: string) =>
  list(`start ${fact} ${fact} ${fact} ${fact} '0' lastMoment '0' trades '0' '0' '0'`);
const priceCandle = { mark: flat('markThen.8'), index: flat('indexThen.8') };

/** `markPriceKlines?symbol=`, `indexPriceKlines?pair=`. */
export const priceKlines =
  (group: Group, of: keyof typeof priceCandle) =>
  (ask: Ask): unknown[][] => {
    const pair = ask.query.get('pair') ?? '';
    const id = group === 'dapi' ? `${pair}_PERP` : pair;
    const query = of === 'mark' ? ask.query : new URLSearchParams({ symbol: id });
    const market = marketOf({ ...ask, query }, group);
    return form.klines(priceCandle[of], ask, market, { most: 1500, cuts: false });
  };

/** `klines` of a market of the list, or of gold. */
export const klines = (group: Group) => (ask: Ask) => {
  const isGold = group === 'spot' && ask.query.get('symbol') === goldId;
  const market = isGold ? goldMarket(ask.model) : marketOf(ask, group);
  const pages = group === 'spot' ? { most: 1000, cuts: true } : { most: 1500, cuts: false };
  return form.klines(klineOf[group], ask, market, pages);
};

/** `premiumIndex`: mark, index and the running funding rate; dated contracts have none. */
export const premiums = (group: Group) => each(group, premiumOf[group]);

/** `openInterest`. */
export const openInterest = (group: Group) => (ask: Ask) =>
  interest[group](marketOf(ask, group), ask);

/** `fundingInfo`: only the symbols whose interval is not the usual 8 hours. */
export const fundingInfo = (group: Group) => (ask: Ask) =>
  shown(ask, group)
    .filter((market) => isPerpetual(market) && market.fundingHours !== 8)
    .map((market) => info(market, ask));

/** `fundingRate`: settled rates, ascending; without `symbol` (fapi) the newest of all. */
export const fundingHistory = (group: Group) => (ask: Ask) => {
  const limit = Math.min(1000, integer(ask, 'limit', 100));
  const rows = (market: Market, count: number) => {
    const bar = { ms: market.fundingHours * 3_600_000 };
    return pointRows(settled, market, { opens: form.opensIn(ask, bar, market.listed, count) }, ask);
  };
  if (ask.query.has('symbol') || group === 'dapi') return rows(marketOf(ask, group), limit);
  const all = shown(ask, group).filter(isPerpetual);
  return all.flatMap((market) => rows(market, 1)).slice(0, limit);
};
