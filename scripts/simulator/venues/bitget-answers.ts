/** The answers of Bitget: `{code, msg, requestTime, data}`, refusals as a 400, candles oldest first. */
import { type Bar, openOf, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive, marketRows } from '../exchange.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'bitget';
const hour = 3_600_000;
const types = ['usdt-futures', 'usdc-futures', 'coin-futures'];

/** Spot markets, or those of `productType`. */
export type Group = 'spot' | 'futures';

export const ok = (data: unknown, now: number) => ({
  code: '00000',
  msg: 'success',
  requestTime: now,
  data,
});

export const refuse = (code: string, msg: string, now: number): never => {
  throw new Refused(400, { code, msg, requestTime: now, data: null });
};

function groupOf(ask: Ask, group: Group): string {
  const type = (ask.query.get('productType') ?? '').toLowerCase();
  if (group === 'spot') return group;
  return types.includes(type) ? type : refuse('40020', 'Parameter productType error', ask.now);
}

export function marketOf(ask: Ask, group: Group): Market {
  const id = ask.query.get('symbol') ?? '';
  if (id === '') return refuse('40017', 'Contract code must not be blank', ask.now);
  const found = ask.model.market(venue, groupOf(ask, group), id, ask.now);
  return found?.state === 'live'
    ? found
    : refuse('40034', `Parameter ${id} does not exist`, ask.now);
}

const isPerpetual = ({ expires }: Market) => expires === undefined;
const dayStart = ({ market, now }: Sight) =>
  market.exact(Math.max(market.listed, openOf({ ms: 24 * hour }, now)));
/** Something of a dated contract, as text. */
const dated =
  (absent: string | null, of: (market: Market) => unknown) =>
  ({ market }: Sight) =>
    isPerpetual(market) ? absent : String(of(market));

export const { row, list } = rowsWith({
  baseCoin: ({ market: { id, scale, symbol } }) => (scale === 1 ? symbol : id.replace('USDT', '')),
  spotStatus: ({ market }) => (isLive(market) ? 'online' : 'offline'),
  status: ({ market }) => (isLive(market) ? 'normal' : 'off'),
  margin: ({ market }) => [market.quote === 'USD' ? market.symbol : market.quote],
  type: ({ market }) => (isPerpetual(market) ? 'perpetual' : 'delivery'),
  ends: dated('', ({ expires }) => expires),
  starts: dated('', ({ listed }) => listed),
  endTime: dated(null, ({ expires }) => expires),
  startTime: dated(null, ({ listed }) => listed),
  delivery: dated('', () => 'delivery_normal'),
  interval: ({ market }) => (isPerpetual(market) ? String(market.fundingHours) : ''),
  share: ({ market }) => (market.symbol === 'TSLA' ? 'YES' : 'NO'),
  dayStart,
  sinceDayStart: (sight) => sight.stretch.close / dayStart(sight) - 1,
  rate: ({ market, funding }) => (isPerpetual(market) ? market.fundingRate(funding.next) : '0'),
  held: ({ market, interest }) => plain(interest.base, Math.max(4, market.lot)),
});

const spotInfo = row(`
  symbol=id baseCoin=symbol quoteCoin=quote minTradeAmount='0'
  maxTradeAmount='900000000000000000000' takerFeeRate='0.002' makerFeeRate='0.002'
  pricePrecision=$decimals quantityPrecision=$lot quotePrecision='8' minTradeUSDT='1'
  status=spotStatus buyLimitPriceRatio='0.05' sellLimitPriceRatio='0.05'`);
const futuresInfo = row(`
  symbol=id baseCoin quoteCoin=quote buyLimitPriceRatio='0.05' sellLimitPriceRatio='0.05'
  feeRateUpRatio='0.005' makerFeeRate='0.0002' takerFeeRate='0.0006' openCostUpRatio='0.01'
  supportMarginCoins=margin minTradeNum=step priceEndStep='1' volumePlace=$lot
  pricePlace=$decimals sizeMultiplier=step symbolType=type minTradeUSDT='5'
  maxSymbolOrderNum='200' maxProductOrderNum='400' maxPositionNum='150' symbolStatus=status
  offTime='-1' limitOpenTime='-1' deliveryTime=ends deliveryStartTime=starts launchTime=''
  fundInterval=interval minLever='1' maxLever='125' posLimit='0.05' maintainTime='' isRwa=share`);
const common = `
  symbol=id lastPr=last+0f askPr=ask+0f bidPr=bid+0f bidSz=bidSize askSz=askSize high24h=high+0f
  low24h=low+0f ts=$now change24h=fraction.5f baseVolume=base quoteVolume=turnover
  usdtVolume=turnover openUtc=dayStart+0f changeUtc24h=sinceDayStart.5f`;
export const spotTicker = row(`open=open+0f ${common}`);
export const futuresTicker = row(`
  ${common} indexPrice=index+3 fundingRate=rate holdingAmount=held deliveryStartTime=startTime
  deliveryTime=endTime deliveryStatus=delivery open24h=open+0f markPrice=mark`);
const rate = row(`
  symbol=id fundingRate=rate fundingRateInterval=$hours nextUpdate=$next minFundingRate='-0.003'
  maxFundingRate='0.003'`);
const spotLevel = list('price+0f size');
const level = list('#price #size');
const candle = '$start open+0f high+0f low+0f close+0f base turnover';
const candleOf = { spot: list(`${candle} turnover`), futures: list(candle) };

const all = (made: Row, group: Group, ask: Ask, keep?: typeof isLive) =>
  marketRows(made, ask, { venue, group: groupOf(ask, group), keep });

/** `public/symbols`, `market/contracts?productType=`. */
export const instruments = (group: Group) => (ask: Ask) =>
  ok(all(group === 'spot' ? spotInfo : futuresInfo, group, ask), ask.now);

const tickerOf = (group: Group) => (group === 'spot' ? spotTicker : futuresTicker);

/** `market/tickers`: everything that trades. */
export const tickers = (group: Group) => (ask: Ask) =>
  ok(all(tickerOf(group), group, ask, isLive), ask.now);

/** `market/ticker?symbol=`: one row. */
export const ticker = (group: Group) => (ask: Ask) =>
  ok([tickerOf(group)(marketOf(ask, group), ask)], ask.now);

/** `market/current-fund-rate?productType=`, one with `symbol`. */
export const funding = (ask: Ask) =>
  ok(
    ask.query.has('symbol')
      ? [rate(marketOf(ask, 'futures'), ask)]
      : all(rate, 'futures', ask, (market) => isLive(market) && isPerpetual(market)),
    ask.now,
  );

const limitOf = ({ query, now }: Ask, fallback: number, most: number): number => {
  const limit = Number(query.get('limit') ?? fallback);
  return limit >= 1 && limit <= most ? limit : refuse('40020', 'Parameter limit error', now);
};

/** `market/orderbook`: up to 150 levels of strings. */
export const spotBook = (ask: Ask) => {
  const market = marketOf(ask, 'spot');
  const { bids, asks } = bookRows(spotLevel, market, ask, limitOf(ask, 150, 150));
  return ok({ asks, bids, ts: String(ask.now) }, ask.now);
};

const about = row("ts=$now scale=tick precision='scale0' isMaxPrecision='NO'");
const depths: Readonly<Record<string, number>> = { '1': 1, '5': 5, '15': 15, '50': 50, max: 200 };

/** `market/merge-depth`: 1, 5, 15, 50 or `max` levels of numbers. */
export const mergedBook = (ask: Ask) => {
  const market = marketOf(ask, 'futures');
  const depth =
    depths[ask.query.get('limit') ?? '50'] ?? refuse('40020', 'Parameter limit error', ask.now);
  const { bids, asks } = bookRows(level, market, ask, depth);
  return ok({ asks, bids, ...about(market, ask) }, ask.now);
};

/** The longer bars open at midnight UTC+8; with `utc` behind their name at midnight UTC. */
const days = {
  ...barsOf('6H=6h 12H=12h 1D=1d 3D=3d 1W=1w 1M', -8 * hour),
  ...barsOf('6Hutc=6h 12Hutc=12h 1Dutc=1d 3Dutc=3d 1Wutc=1w 1Mutc=1M'),
};
const bars: Readonly<Record<Group, Readonly<Record<string, Bar>>>> = {
  spot: { ...barsOf('1min=1m 3min=3m 5min=5m 15min=15m 30min=30m 1h 4h'), ...days },
  futures: { ...barsOf('1m 3m 5m 15m 30m 1H=1h 2H=2h 4H=4h'), ...days },
};

/** `market/candles` up to 1000 rows with the running one, `market/history-candles` up to 200 before `endTime`. */
export const candles = (group: Group, most: number) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const bar =
    bars[group][ask.query.get('granularity') ?? ''] ??
    refuse('40020', 'Parameter granularity error', ask.now);
  const until = Math.min(ask.now, Number(ask.query.get('endTime') ?? ask.now + 1) - 1);
  const opens = opensUntil(bar, openOf(bar, market.listed), until, limitOf(ask, 100, most));
  return ok(candleRows(candleOf[group], market, { bar, opens }, ask), ask.now);
};
