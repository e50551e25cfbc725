/**
 * BingX: spot, linear and inverse perpetuals. https://bingx-api.github.io/docs; spot numbers are numbers, those of perpetuals
 * text; errors come inside a 200; frames are gzip.
 */
import { text } from '../../../actors/read.ts';
import { answersOf, bookRows, isLive, marketRows } from '../answers.ts';
import { bookMessages } from '../book-streams.ts';
import { type Answer, exchange, refusalsOf } from '../exchange.ts';
import { fixed } from '../format.ts';
import { sortOf, without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf } from '../rows.ts';
import { ticker, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'bingx';
type Group = 'spot' | 'linear' | 'inverse';

const refuse = (code: number, msg: string, status = 200): never => {
  throw new Refused(status, { code, msg, data: {} });
};
const parameters = new Parameters((name) => refuse(109400, `${name}: This field is invalid`));

/** Each product has its own envelope; the inverse one refuses what has no timestamp. */
function ok(group: Group, { query, now }: Ask, data: unknown): object {
  if (group === 'linear') return { code: 0, msg: '', data };
  if (group === 'spot') return { code: 0, timestamp: now, data };
  if (!(Number(query.get('timestamp')) > 0)) refuse(104414, 'timestamp is required', 400);
  return { code: 0, msg: '', timestamp: now, data };
}
function marketOf({ model, now, query }: Ask, group: string): Market {
  const id = query.get('symbol') ?? '';
  const found = model.market(venue, group, id, now);
  return found && isLive(found)
    ? found
    : refuse(80014, `Invalid parameters, err: Field validation for "Symbol" failed: ${id}`);
}

const answersIn = (group: Group) =>
  answersOf({ venue, parameters, marketOf, ok: (data, ask) => ok(group, ask, data) });

const { row, list } = rowsOf(venue, {
  contractId: ({ market }) => String(100 + (market.seed % 10_000)),
  change: ({ stretch }) => `${((stretch.close / stretch.open - 1) * 100).toFixed(2)}%`,
  /** Of linear books: in coins, and times the lot once more, rounded, as BingX does it. */
  amount: ({ market, level }) => fixed(level?.quantity ?? 0, market.lot),
  coins: ({ market, level }) => fixed((level?.quantity ?? 0) * 10 ** -market.lot, market.lot),
  worstFirst: ({ book }) => book.asks.toReversed(),
  lots: ({ stretch }) => `${Math.round(stretch.quantity)}`,
});
const listed = {
  spot: row(
    'symbol=id minQty=@step status=#isLive:1/0 tickSize=@tick stepSize=@step',
    'spot-instruments data.symbols',
  ),
  linear: row(
    `contractId symbol=id quantityPrecision=$lot pricePrecision=$decimals currency=quote asset=first
    status=isLive:1/0`,
    'linear-instruments data',
  ),
  inverse: row(
    'symbol=id pricePrecision=decimals minTickSize=$contract status=#isLive:1/0',
    'inverse-instruments data',
  ),
};
const tickers = {
  spot: row(`
    symbol=id openPrice=#open highPrice=#high lowPrice=#low lastPrice=#last priceChange=#rise
    priceChangePercent=change volume=#quantity quoteVolume=#turnover closeTime=now
    askPrice=#bestAsk askQty=#bestAskSize bidPrice=#bestBid bidQty=#bestBidSize openTime=dayAgo`),
  linear: row(`
    symbol=id openPrice=open highPrice=high lowPrice=low lastPrice=last priceChange=rise
    priceChangePercent=percent.2f volume=quantity quoteVolume=turnover closeTime=now
    askPrice=bestAsk askQty=bestAskSize bidPrice=bestBid bidQty=bestBidSize openTime=dayAgo`),
  inverse: row(`
    symbol=id openPrice=open highPrice=high lowPrice=low lastPrice=last priceChange=rise
    priceChangePercent=change volume=quantity quoteVolume=base closeTime=$now askPrice=bestAsk
    askQty=bestAskSize bidPrice=bestBid bidQty=bestBidSize`),
};
const premium = `
  symbol=id markPrice=mark+4 indexPrice=index+4 lastFundingRate=rate.10 nextFundingTime=next`;
const premiums = {
  linear: row(`${premium} fundingIntervalHours=hours updateTime=now`),
  inverse: row(premium),
};
const interests = {
  linear: row('openInterest=interestValue.2f symbol=id time=now'),
  inverse: row('symbol=id openInterest=interest.8 timestamp=now'),
};
const level = list('price size');
const [amounts, coins] = [list('price amount'), list('price coins')];

const instruments = (group: Group) => (ask: Ask) => {
  const rows = marketRows(listed[group], ask, { venue, group });
  if (group !== 'spot') return ok(group, ask, rows);
  return { code: 0, msg: '', debugMsg: '', data: { symbols: rows } };
};
/** Of all markets that trade in a list; of one, on linear, as an object. */
const trading = (group: Group, made: Row) => (ask: Ask) => {
  const { one, all } = answersIn(group);
  const isOne = group === 'linear' && ask.query.has('symbol');
  return (isOne ? one(made, group) : all(made, group, isLive))(ask);
};

/** `depth?symbol=&limit=`: asks come worst first. */
const depth = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const limit =
    group === 'spot'
      ? parameters.count(ask, ['limit', 20, 1000])
      : parameters.oneOf(ask, 'limit', 20, [5, 10, 20, 50, 100, 500, 1000]);
  const sides = (rows: Row<unknown[]>) => {
    const { bids, asks } = bookRows(rows, market, ask, limit);
    return { bids, asks: asks.reverse() };
  };
  if (group === 'spot') return ok(group, ask, { ...sides(level), ts: ask.now });
  if (group === 'inverse') return ok(group, ask, { T: ask.now, ...sides(level) });
  const { bids: bidsCoin, asks: asksCoin } = sides(coins);
  return ok(group, ask, { T: ask.now, ...sides(amounts), bidsCoin, asksCoin });
};

/** Newest first, the running one included; the longer bars open at midnight UTC+8. */
const candles = (group: Group, made: Row<unknown>): Answer => {
  const most = group === 'inverse' ? 1000 : 1440;
  return answersIn(group).page(
    made,
    `in interval 1m 3m 5m 15m 30m 1h 2h 4h 6h=6h@-8 8h 12h=12h@-8 1d=1d@-8 3d=3d@-8 1w=1w@-8 1M=1M@-8;
    rows limit 500 ${most} cut; from startTime; to endTime; newest`,
    group,
  );
};
const perpetuals = (prefix: string, group: 'linear' | 'inverse') => ({
  [`${prefix}/contracts`]: instruments(group),
  [`${prefix}/ticker`]: trading(group, tickers[group]),
  [`${prefix}/premiumIndex`]: trading(group, premiums[group]),
  /** A value on linear markets, base on inverse ones. */
  [`${prefix}/openInterest`]: (ask: Ask) => {
    const found = interests[group](marketOf(ask, group), ask);
    return ok(group, ask, group === 'inverse' ? [found] : found);
  },
  [`${prefix}/depth`]: depth(group),
});

/** The group of the markets of a host. */
const groups: Readonly<Record<string, Group>> = {
  'open-api-ws.bingx.com': 'spot',
  'open-api-swap.bingx.com': 'linear',
  'open-api-cswap-ws.bingx.com': 'inverse',
};
const quoted = (volume: string) =>
  row(`
    code=0 dataType='{id}@ticker' data{ e='24hTicker' E=now s=id P=percent.6f c=last o=open h=high
    l=low ${volume} q=turnover C=now A=bestAsk a=bestAskSize B=bestBid b=bestBidSize }`);
const [streamTicker, inverseTicker] = [quoted('v=base'), quoted('m=base v=lots')];
const mark = row(`
  code=0 dataType='{id}@markPrice' data{ e='markPriceUpdate' E=now s=id p=mark+1 }`);
/** Whole books, asks worst first. */
const bookOn = (group: Group, message: string) =>
  bookMessages(row(message), {
    depth: 100,
    every: 4,
    whole: true,
    group: (_, { host }) => (groups[host] === group ? group : null),
  });

/** The simulated exchange. */
export const bingx = exchange({
  id: venue,
  hosts: ['open-api.bingx.com', 'open-api.bingx.pro', ...Object.keys(groups)],
  lists: without(9, 8),
  sorts: {
    spot: '{base}-{quote}',
    linear: {
      ...sortOf('{base}-{quote}'),
      scale: ({ price }) => (price < 1e-6 ? 1_000_000 : price < 1e-4 ? 1000 : 1),
    },
    inverse: '{base}-{quote} dollars',
    share: 'NCSK{base}2USD-USDT group=linear',
  },
  lines: `
    spot USDT 0.03 * halted@25
    spot USDC 0.002 0..4
    spot BTC 0.001 1..2
    linear USDT 0.06 90% halted@25
    linear USDC 0.004 0..4
    inverse USD 0.002 0..5
    share USDT 0.01 equities`,
  refusals: refusalsOf(
    (code: number, msg) => ({ code, msg, data: {} }),
    [429, 100410, 'rate limited'],
    [403, 100403, 'forbidden'],
    [503, 100500, 'The current system is busy, please try again later'],
  ),
  routes: {
    '/openApi/spot/v1/common/symbols': instruments('spot'),
    '/openApi/spot/v1/ticker/24hr': trading('spot', tickers.spot),
    '/openApi/spot/v1/market/depth': depth('spot'),
    '/openApi/spot/v1/market/kline': candles(
      'spot',
      list('start #open #high #low #close #quantity lastMoment #turnover'),
    ),
    ...perpetuals('/openApi/swap/v2/quote', 'linear'),
    '/openApi/swap/v3/quote/klines': candles(
      'linear',
      row('open close high low volume=quantity time=start'),
    ),
    ...perpetuals('/openApi/cswap/v1/market', 'inverse'),
    '/openApi/cswap/v1/market/klines': candles(
      'inverse',
      list('start open high low close quantity lastMoment'),
    ),
  },
  topics({ reqType, dataType }) {
    const topic = text(dataType);
    if (reqType === 'unsub') return { on: false, topics: [topic] };
    return reqType === 'sub' ? { on: true, topics: [topic, 'ping'] } : null;
  },
  group: (_, { host }) => groups[host] ?? null,
  gzip: true,
  channels: {
    '{id}@ticker': ticker((market, at) =>
      (market.inverse ? inverseTicker : streamTicker)(market, at),
    ),
    '{id}@markPrice': ticker(mark),
    '{id}@depth100': bookOn(
      'spot',
      `code=0 dataType='{id}@depth100' success=true timestamp=now
      data{ bids asks=worstFirst lastUpdateId=sequence }`,
    ),
    '{id}@depth100@500ms': bookOn(
      'linear',
      "code=0 dataType='{id}@depth100@500ms' ts=now data{ bids asks=worstFirst }",
    ),
    /** Contracts ask in this form too, where the exchange has a text without quotes. */
    ping: timed(5, ({ now }) => [{ ping: `${now}`, time: new Date(now).toISOString() }]),
  },
  /** A subscription is acknowledged under its id. */
  reply: ({ id, reqType }) =>
    reqType === 'sub' ? [{ id, code: 0, msg: '', dataType: '', data: null }] : [],
});
