/** Aster: spot and linear perpetuals. https://docs.asterdex.com; prices and amounts are strings, times numbers. */
import { answersOf, marketRows } from '../answers.ts';
import { exchange, refusalsOf } from '../exchange.ts';
import { fixed } from '../format.ts';
import { without } from '../listing.ts';
import { type Row, rowsOf, whileLive } from '../rows.ts';
import type { Ask } from '../venue.ts';
import * as form from './binance-form.ts';

type Group = 'spot' | 'linear';
const venue = 'aster';

const { one, all, page, book } = answersOf({
  venue,
  parameters: form.parameters,
  marketOf: (ask, group) => form.marketIn(venue, ask, group),
});
/** One row for `symbol`, else those of all markets. */
const each = (group: Group, row: Row) => (ask: Ask) =>
  (ask.query.has('symbol') ? one : all)(row, group)(ask);

const { row, list } = rowsOf(
  venue,
  {
    ...form.factsOf(0),
    // Markets that do not trade are told with zeros.
    ...whileLive(0, 'open high low close mean rise percent turnover'),
  },
  { write: fixed },
);

const common = `
  symbol=id status=state:TRADING/BREAK/TRADING baseAsset=coin quoteAsset=quote
  pricePrecision=decimals quantityPrecision=lot
  filters[ { filterType='PRICE_FILTER' tickSize=tick } { filterType='LOT_SIZE' stepSize=step } ]`;
const symbols = {
  spot: row(common, 'spot-instruments symbols'),
  linear: row(
    `${common} pair=id onboardDate=listed marginAsset=quote underlyingType=isShare:STOCK/COIN`,
    'linear-instruments symbols',
  ),
};
const top = 'bidPrice=bestBid bidQty=bestBidSize askPrice=bestAsk askQty=bestAskSize';
const day = `
  symbol=id priceChange=rise priceChangePercent=percent.3 weightedAvgPrice=mean lastPrice=close
  lastQty=bestAskSize openPrice=open highPrice=high lowPrice=low volume=quantity
  quoteVolume=turnover.4 openTime=dayAgo closeTime=now firstId lastId count=trades`;
const days = {
  linear: row(day, 'linear-prices '),
  spot: row(`${day} ${top} baseAsset=symbol quoteAsset=quote`, 'spot-prices '),
};
const premium = row(
  `symbol=id markPrice=mark.12 indexPrice=index.12 lastFundingRate=rate nextFundingTime=next
  time=now`,
  'linear-derivatives bodies.0',
);
const funding = row('symbol=id time=now fundingIntervalHours=hours');
const interest = row('symbol=id openInterest=interest time=now');
const kline = `
  start open high low close quantity lastMoment turnover.5 trades bought boughtTurnover.5`;
const klines = { spot: list(kline), linear: list(`${kline} '0'`) };

const both = (group: Group, prefix: string) => ({
  [`${prefix}/exchangeInfo`]: (ask: Ask) => ({
    timezone: 'UTC',
    serverTime: ask.now,
    rateLimits: [],
    exchangeFilters: [],
    assets: [{ asset: 'USDT' }],
    symbols: marketRows(symbols[group], ask, { venue, group }),
  }),
  /** Also of markets that do not trade, all zero. */
  [`${prefix}/ticker/24hr`]: each(group, days[group]),
  [`${prefix}/depth`]: book({
    row: row('lastUpdateId=sequence E=now T=now bids asks'),
    level: list('price size'),
    depth: form.legalDepth,
    group,
  }),
  [`${prefix}/klines`]: page(klines[group], form.klinePage(), group),
});

/** `fundingInfo`: some of those with the usual 8 hours are missing. */
const fundingInfo = (ask: Ask) =>
  marketRows(funding, ask, {
    venue,
    group: 'linear',
    keep: (market) => market.fundingHours !== 8 || market.seed % 2 === 0,
  });

/** The simulated exchange. */
export const aster = exchange({
  id: venue,
  hosts: ['fapi.asterdex.com', 'sapi.asterdex.com', 'fstream.asterdex.com', 'sstream.asterdex.com'],
  lists: without(8, 7),
  sorts: { spot: '{base}{quote}', linear: '{base}{quote} thousands=1e-4 digits=8' },
  lines: `
    spot USDT 0.01 0..24 halted@15
    spot BTC 0.001 1..3
    spot USD1 0 -1.. preopen
    linear USDT 0.08 * halted@30
    linear USD1 0.005 0..4
    linear USDT 0.1 equities`,
  refusals: refusalsOf(
    (code: number, msg) => ({ code, msg }),
    [429, -1003, 'Too many requests.'],
    [418, -1003, 'Way too many requests; IP banned.'],
    [503, -1001, 'Internal error.'],
  ),
  routes: {
    ...both('spot', '/api/v3'),
    ...both('linear', '/fapi/v3'),
    '/fapi/v3/premiumIndex': each('linear', premium),
    '/fapi/v3/fundingInfo': fundingInfo,
    /** Base units, one side. */
    '/fapi/v3/openInterest': one(interest, 'linear'),
  },
  reply: form.reply,
  ...form.streamsOn(venue, {
    'sstream.asterdex.com': 'spot',
    'fstream.asterdex.com': 'linear',
  }),
});
