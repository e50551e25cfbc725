/** The answers of Bitget: `{code, msg, requestTime, data}`, refusals as a 400, candles oldest first. */
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Market, MarketCandle } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

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

const refuse = (code: string, msg: string, now: number): never => {
  throw new Refused(400, { code, msg, requestTime: now, data: null });
};

function groupOf(ask: Ask, group: Group): string {
  const type = (ask.query.get('productType') ?? '').toLowerCase();
  if (group === 'spot') return group;
  return types.includes(type) ? type : refuse('40020', 'Parameter productType error', ask.now);
}

const listed = (ask: Ask, group: Group) => ask.model.markets(venue, ask.now, groupOf(ask, group));

export function marketOf(ask: Ask, group: Group): Market {
  const id = ask.query.get('symbol') ?? '';
  if (id === '') return refuse('40017', 'Contract code must not be blank', ask.now);
  const found = ask.model.market(venue, groupOf(ask, group), id, ask.now);
  return found?.state === 'live'
    ? found
    : refuse('40034', `Parameter ${id} does not exist`, ask.now);
}

const price = (market: Market, value: number) => fixed(value, market.decimals);
const size = (market: Market, value: number) => plain(value, market.lot);
const baseOf = ({ id, scale, symbol }: Market) => (scale === 1 ? symbol : id.replace('USDT', ''));

const spotInfo = (market: Market) => ({
  symbol: market.id,
  baseCoin: market.symbol,
  quoteCoin: market.quote,
  minTradeAmount: '0',
  maxTradeAmount: '900000000000000000000',
  takerFeeRate: '0.002',
  makerFeeRate: '0.002',
  pricePrecision: String(market.decimals),
  quantityPrecision: String(market.lot),
  quotePrecision: '8',
  minTradeUSDT: '1',
  status: market.state === 'live' ? 'online' : 'offline',
  buyLimitPriceRatio: '0.05',
  sellLimitPriceRatio: '0.05',
});

const futuresInfo = (market: Market) => ({
  symbol: market.id,
  baseCoin: baseOf(market),
  quoteCoin: market.quote,
  buyLimitPriceRatio: '0.05',
  sellLimitPriceRatio: '0.05',
  feeRateUpRatio: '0.005',
  makerFeeRate: '0.0002',
  takerFeeRate: '0.0006',
  openCostUpRatio: '0.01',
  supportMarginCoins: [market.quote === 'USD' ? market.symbol : market.quote],
  minTradeNum: size(market, 10 ** -market.lot),
  priceEndStep: '1',
  volumePlace: String(market.lot),
  pricePlace: String(market.decimals),
  sizeMultiplier: size(market, 10 ** -market.lot),
  symbolType: market.expires === undefined ? 'perpetual' : 'delivery',
  minTradeUSDT: '5',
  maxSymbolOrderNum: '200',
  maxProductOrderNum: '400',
  maxPositionNum: '150',
  symbolStatus: market.state === 'live' ? 'normal' : 'off',
  offTime: '-1',
  limitOpenTime: '-1',
  deliveryTime: market.expires === undefined ? '' : String(market.expires),
  deliveryStartTime: market.expires === undefined ? '' : String(market.listed),
  launchTime: '',
  fundInterval: market.expires === undefined ? String(market.fundingHours) : '',
  minLever: '1',
  maxLever: '125',
  posLimit: '0.05',
  maintainTime: '',
  isRwa: market.symbol === 'TSLA' ? 'YES' : 'NO',
});

/** `public/symbols`, `market/contracts?productType=`. */
export const instruments = (group: Group) => (ask: Ask) => {
  const info: (market: Market) => object = group === 'spot' ? spotInfo : futuresInfo;
  return ok(listed(ask, group).map(info), ask.now);
};

function common(market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) {
  const day = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  const [bid, ask] = [bids[0], asks[0]];
  const midnight = market.exact(Math.max(market.listed, Math.floor(now / 86_400_000) * 86_400_000));
  return {
    symbol: market.id,
    lastPr: price(market, market.price(now)),
    askPr: ask ? price(market, ask.price) : '',
    bidPr: bid ? price(market, bid.price) : '',
    bidSz: bid ? size(market, bid.quantity) : '',
    askSz: ask ? size(market, ask.quantity) : '',
    high24h: price(market, day.high),
    low24h: price(market, day.low),
    ts: String(now),
    change24h: fixed(day.close / day.open - 1, 5),
    baseVolume: plain(day.base, 8),
    quoteVolume: plain(day.turnover, 8),
    usdtVolume: plain(day.turnover, 8),
    openUtc: price(market, midnight),
    changeUtc24h: fixed(day.close / midnight - 1, 5),
  };
}

export function spotTicker(market: Market, ask: Pick<Ask, 'model' | 'now'>) {
  const { open } = ask.model.last24h(market, ask.now);
  return { open: price(market, open), ...common(market, ask) };
}

export function futuresTicker(market: Market, ask: Pick<Ask, 'model' | 'now'>) {
  const { now } = ask;
  const perpetual = market.expires === undefined;
  return {
    ...common(market, ask),
    indexPrice: plain(market.index(now), market.decimals + 3),
    fundingRate: perpetual ? plain(market.fundingRate(market.fundingTimes(now).next), 8) : '0',
    holdingAmount: plain(market.openInterest(now), Math.max(4, market.lot)),
    deliveryStartTime: perpetual ? null : String(market.listed),
    deliveryTime: perpetual ? null : String(market.expires),
    deliveryStatus: perpetual ? '' : 'delivery_normal',
    open24h: price(market, ask.model.last24h(market, now).open),
    markPrice: plain(market.exact(now), market.decimals + 2),
  };
}

const tickerOf = (group: Group) => (group === 'spot' ? spotTicker : futuresTicker);

/** `market/tickers`: everything that trades. */
export const tickers = (group: Group) => (ask: Ask) => {
  const trading = listed(ask, group).filter((market) => market.state === 'live');
  return ok(
    trading.map((market) => tickerOf(group)(market, ask)),
    ask.now,
  );
};

/** `market/ticker?symbol=`: one row. */
export const ticker = (group: Group) => (ask: Ask) =>
  ok([tickerOf(group)(marketOf(ask, group), ask)], ask.now);

/** `market/current-fund-rate?productType=`, one with `symbol`. */
export const funding = (ask: Ask) => {
  const all = ask.query.has('symbol')
    ? [marketOf(ask, 'futures')]
    : listed(ask, 'futures').filter((m) => m.state === 'live' && m.expires === undefined);
  const rows = all.map((market) => {
    const { next } = market.fundingTimes(ask.now);
    return {
      symbol: market.id,
      fundingRate: plain(market.fundingRate(next), 8),
      fundingRateInterval: String(market.fundingHours),
      nextUpdate: String(next),
      minFundingRate: '-0.003',
      maxFundingRate: '0.003',
    };
  });
  return ok(rows, ask.now);
};

const limitOf = ({ query, now }: Ask, fallback: number, most: number): number => {
  const limit = Number(query.get('limit') ?? fallback);
  return limit >= 1 && limit <= most ? limit : refuse('40020', 'Parameter limit error', now);
};

/** `market/orderbook`: up to 150 levels of strings. */
export const spotBook = (ask: Ask) => {
  const market = marketOf(ask, 'spot');
  const { bids, asks } = bookOf(market, ask.now, limitOf(ask, 150, 150));
  const rows = (levels: typeof bids) =>
    levels.map((level) => [price(market, level.price), size(market, level.quantity)]);
  return ok({ asks: rows(asks), bids: rows(bids), ts: String(ask.now) }, ask.now);
};

const depths: Readonly<Record<string, number>> = { '1': 1, '5': 5, '15': 15, '50': 50, max: 200 };

/** `market/merge-depth`: 1, 5, 15, 50 or `max` levels of numbers. */
export const mergedBook = (ask: Ask) => {
  const market = marketOf(ask, 'futures');
  const depth = depths[ask.query.get('limit') ?? '50'];
  if (depth === undefined) return refuse('40020', 'Parameter limit error', ask.now);
  const { bids, asks } = bookOf(market, ask.now, depth);
  const rows = (levels: typeof bids) =>
    levels.map((l) => [Number(price(market, l.price)), Number(size(market, l.quantity))]);
  const [ts, scale] = [String(ask.now), fixed(10 ** -market.decimals, market.decimals)];
  const book = { asks: rows(asks), bids: rows(bids), ts, scale };
  return ok({ ...book, precision: 'scale0', isMaxPrecision: 'NO' }, ask.now);
};

const minutes = (suffix: string): Record<string, Bar> =>
  Object.fromEntries([1, 3, 5, 15, 30].map((n) => [`${n}${suffix}`, { ms: n * 60_000 }]));
/** The longer bars open at midnight UTC+8; with `utc` behind their name at midnight UTC. */
const long = (origin: number, suffix: string): Record<string, Bar> => ({
  [`6H${suffix}`]: { ms: 6 * hour, origin },
  [`12H${suffix}`]: { ms: 12 * hour, origin },
  [`1D${suffix}`]: { ms: 24 * hour, origin },
  [`3D${suffix}`]: { ms: 72 * hour, origin },
  [`1W${suffix}`]: { ms: 168 * hour, origin: monday + origin },
  [`1M${suffix}`]: { months: 1, origin },
});
const days = { ...long(-8 * hour, ''), ...long(0, 'utc') };
const bars: Readonly<Record<Group, Readonly<Record<string, Bar>>>> = {
  spot: { ...minutes('min'), '1h': { ms: hour }, '4h': { ms: 4 * hour }, ...days },
  futures: {
    ...minutes('m'),
    '1H': { ms: hour },
    '2H': { ms: 2 * hour },
    '4H': { ms: 4 * hour },
    ...days,
  },
};

const candleRow = (market: Market, c: MarketCandle): string[] => [
  String(c.time),
  ...[c.open, c.high, c.low, c.close].map((value) => price(market, value)),
  plain(c.base, 8),
  ...Array<string>(market.group === 'spot' ? 2 : 1).fill(plain(c.turnover, 8)),
];

/** `market/candles` up to 1000 rows with the running one, `market/history-candles` up to 200 before `endTime`. */
export const candles = (group: Group, most: number) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const bar = bars[group][ask.query.get('granularity') ?? ''];
  if (!bar) return refuse('40020', 'Parameter granularity error', ask.now);
  const until = Math.min(ask.now, Number(ask.query.get('endTime') ?? ask.now + 1) - 1);
  const opens = opensUntil(bar, openOf(bar, market.listed), until, limitOf(ask, 100, most));
  const rows = opens.map((time) => market.candle(time, nextOpen(bar, time), ask.now));
  return ok(
    rows.map((row) => candleRow(market, row)),
    ask.now,
  );
};
