/** The answers of BingX: spot numbers are numbers, those of perpetuals text; errors come inside a 200. */
import { type Bar, openOf, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive, marketRows } from '../exchange.ts';
import { fixed } from '../format.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'bingx';
const hour = 3_600_000;

export type Group = 'spot' | 'linear' | 'inverse';

const refuse = (code: number, msg: string, status = 200): never => {
  throw new Refused(status, { code, msg, data: {} });
};

/** Each product has its own envelope; the inverse one refuses what has no timestamp. */
function ok(group: Group, { query, now }: Ask, data: unknown): object {
  if (group === 'linear') return { code: 0, msg: '', data };
  if (group === 'spot') return { code: 0, timestamp: now, data };
  if (!(Number(query.get('timestamp')) > 0)) refuse(104414, 'timestamp is required', 400);
  return { code: 0, msg: '', timestamp: now, data };
}

function marketOf(group: Group, { model, now, query }: Ask): Market {
  const id = query.get('symbol') ?? '';
  const found = model.market(venue, group, id, now);
  return found && isLive(found)
    ? found
    : refuse(80014, `Invalid parameters, err: Field validation for "Symbol" failed: ${id}`);
}

const { row, list } = rowsWith({
  status: ({ market }) => (isLive(market) ? 1 : 0),
  linearStatus: ({ market }) => (isLive(market) ? '1' : '25'),
  contractId: ({ market }) => String(100 + (market.seed % 10_000)),
  asset: ({ market }) => market.id.split('-')[0],
  change: ({ stretch }) => `${((stretch.close / stretch.open - 1) * 100).toFixed(2)}%`,
  /** Of linear books: in coins, and times the lot once more, rounded, as BingX does it. */
  amount: ({ market, level }) => fixed(level?.quantity ?? 0, market.lot),
  coins: ({ market, level }) => fixed((level?.quantity ?? 0) * 10 ** -market.lot, market.lot),
});

const listed = {
  spot: row(`
    symbol=id minQty=@step maxQty=2941177 minNotional=5 maxNotional=20000 status tickSize=@tick
    stepSize=@step apiStateSell=isLive apiStateBuy=isLive timeOnline=0 offTime=0 maintainTime=0`),
  linear: row(`
    contractId symbol=id size='0' quantityPrecision=$lot pricePrecision=$decimals feeRate='0.0005'
    makerFeeRate='0.0002' takerFeeRate='0.0005' tradeMinLimit='0' tradeMinQuantity=step
    tradeMinUSDT='2' maxLongLeverage='125' maxShortLeverage='125' currency=quote asset
    status=linearStatus apiStateOpen=$isLive apiStateClose='true' ensureTrigger=true
    triggerFeeRate='0.00020000'`),
  inverse: row(`
    symbol=id pricePrecision=decimals minTickSize=$contract minTradeValue=$contract
    minQty='1.00000000' status timeOnline=listed`),
};
const ticker = {
  spot: row(`
    symbol=id openPrice=#open highPrice=#high lowPrice=#low lastPrice=#last priceChange=#rise
    priceChangePercent=change volume=#quantity quoteVolume=#turnover closeTime=now
    askPrice=#bestAsk askQty=#bestAskSize bidPrice=#bestBid bidQty=#bestBidSize openTime=dayAgo`),
  linear: row(`
    symbol=id openPrice=open highPrice=high lowPrice=low lastPrice=last priceChange=rise
    priceChangePercent=percent.2f volume=quantity quoteVolume=turnover closeTime=now
    askPrice=bestAsk askQty=bestAskSize bidPrice=bestBid bidQty=bestBidSize lastQty=bestBidSize
    openTime=dayAgo`),
  inverse: row(`
    symbol=id openPrice=open highPrice=high lowPrice=low lastPrice=last priceChange=rise
    priceChangePercent=change volume=quantity quoteVolume=base closeTime=$now
    askPrice=bestAsk askQty=bestAskSize bidPrice=bestBid bidQty=bestBidSize lastQty=bestBidSize`),
};
const premium = `
  symbol=id markPrice=mark+4 indexPrice=index+4 lastFundingRate=rate.10 nextFundingTime=next`;
const premiumOf = {
  spot: row(''),
  linear: row(`${premium} fundingIntervalHours=hours updateTime=now`),
  inverse: row(premium),
};
const interest = {
  linear: row('openInterest=interestValue.2f symbol=id time=now'),
  inverse: row('symbol=id openInterest=interest.8 timestamp=now'),
};
const level = list('price size');
const [amounts, coins] = [list('price amount'), list('price coins')];
const candle = {
  spot: list('start #open #high #low #close #quantity lastMoment #turnover'),
  linear: row('open close high low volume=quantity time=start'),
  inverse: list('start open high low close quantity lastMoment'),
};

/** `common/symbols`, `contracts`. */
export const instruments = (group: Group) => (ask: Ask) => {
  const rows = marketRows(listed[group], ask, { venue, group });
  if (group !== 'spot') return ok(group, ask, rows);
  return { code: 0, msg: '', debugMsg: '', data: { symbols: rows } };
};

const trading = (group: Group, made: Row, ask: Ask) =>
  ok(group, ask, marketRows(made, ask, { venue, group, keep: isLive }));

/** Tickers of all markets in a list; of one, on linear, as an object. */
export const tickers = (group: Group) => (ask: Ask) =>
  group === 'linear' && ask.query.has('symbol')
    ? ok(group, ask, ticker.linear(marketOf(group, ask), ask))
    : trading(group, ticker[group], ask);

/** `premiumIndex`: all perpetuals that trade. */
export const premiums = (group: Group) => (ask: Ask) => trading(group, premiumOf[group], ask);

/** `openInterest?symbol=`: a value on linear markets, base on inverse ones. */
export const openInterest = (group: Group) => (ask: Ask) => {
  const market = marketOf(group, ask);
  return group === 'inverse'
    ? ok(group, ask, [interest.inverse(market, ask)])
    : ok(group, ask, interest.linear(market, ask));
};

/** `depth?symbol=&limit=`: asks come worst first. */
export const depth = (group: Group) => (ask: Ask) => {
  const market = marketOf(group, ask);
  const limit = Number(ask.query.get('limit') ?? 20);
  const legal =
    group === 'spot'
      ? limit >= 1 && limit <= 1000
      : [5, 10, 20, 50, 100, 500, 1000].includes(limit);
  if (!legal) refuse(109400, 'limit: This field is invalid');
  const sides = (rows: Row<unknown[]>) => {
    const { bids, asks } = bookRows(rows, market, ask, limit);
    return { bids, asks: asks.reverse() };
  };
  if (group === 'spot') return ok(group, ask, { ...sides(level), ts: ask.now });
  if (group === 'inverse') return ok(group, ask, { T: ask.now, ...sides(level) });
  const { bids: bidsCoin, asks: asksCoin } = sides(coins);
  return ok(group, ask, { T: ask.now, ...sides(amounts), bidsCoin, asksCoin });
};

/** The longer bars open at midnight UTC+8. */
const bars: Readonly<Record<string, Bar>> = barsOf(
  '1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M',
  -8 * hour,
);

/** `kline`, `klines`: newest first, the running one included. */
export const candles = (group: Group) => (ask: Ask) => {
  const { query, now } = ask;
  const market = marketOf(group, ask);
  const bar =
    bars[query.get('interval') ?? ''] ?? refuse(109400, 'interval: This field is invalid');
  const limit = Math.min(Number(query.get('limit') ?? 500), group === 'inverse' ? 1000 : 1440);
  const until = Math.min(now, Number(query.get('endTime') ?? now));
  const from = Math.max(openOf(bar, market.listed), Number(query.get('startTime') ?? 0));
  const opens = opensUntil(bar, from, openOf(bar, until), limit).reverse();
  return ok(group, ask, candleRows<unknown>(candle[group], market, { bar, opens }, ask));
};
