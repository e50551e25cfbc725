/** Binance: spot, USD-margined and coin-margined futures. https://developers.binance.com/docs */
import { answersOf, isLive, marketRows, tradeRows } from '../answers.ts';
import { exchange, refusalsOf } from '../exchange.ts';
import { date, dated } from '../listing.ts';
import type { Market } from '../market.ts';
import type { Row } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';
import * as form from './binance-form.ts';
import { goldId, goldMarket } from './binance-gold.ts';
import { interestHistory, ratios, takerRatios, takerVolumes } from './binance-histories.ts';
import * as rows from './binance-rows.ts';

type Group = rows.Group;
const venue = 'binance';
const { parameters } = form;

const marketOf = (ask: Ask, group: string) => form.marketIn(venue, ask, group);
const { one, book } = answersOf({ venue, parameters, marketOf });

/** The markets that `symbol` or `symbols` name; an unknown name refuses the whole request. Null where nothing is named. */
function named(ask: Ask, group: Group): Market[] | null {
  const names = ask.query.get('symbol') ?? (group === 'spot' ? ask.query.get('symbols') : null);
  if (names === null) return null;
  return names
    .replace(/[[\]"]/g, '')
    .split(',')
    .map((symbol) => marketOf({ ...ask, query: new URLSearchParams({ symbol }) }, group));
}

/**
 * One row for `symbol`, rows for `symbols` (spot), else those of all. Settled and announced contracts have none; stopped spot
 * pairs keep theirs, all zero, unless `symbolStatus` asks for the others.
 */
const each = (group: Group, row: Row) => (ask: Ask) => {
  const [first, ...others] = named(ask, group) ?? [];
  if (first && ask.query.has('symbol'))
    return group === 'dapi' ? [row(first, ask)] : row(first, ask);
  const all = group === 'spot' && ask.query.get('symbolStatus') !== 'TRADING';
  const markets = first
    ? [first, ...others]
    : ask.model.markets(venue, ask.now, group).filter((market) => all || isLive(market));
  return markets.map((market) => row(market, ask));
};

/** `exchangeInfo`, with `symbolStatus` only those that trade, or the others. */
const info = (group: Group) => (ask: Ask) => {
  const status = ask.query.get('symbolStatus');
  const isWanted = (market: Market) => status === null || isLive(market) === (status === 'TRADING');
  const markets = named(ask, group) ?? ask.model.markets(venue, ask.now, group).filter(isWanted);
  return {
    timezone: 'UTC',
    serverTime: ask.now,
    rateLimits: [
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000 },
    ],
    exchangeFilters: [],
    symbols: markets.map((market) => rows.infos[group](market, ask)),
    ...(group === 'fapi' && { futuresType: 'U_MARGINED' }),
  };
};

/** `depth`: spot takes any limit and cuts it at 5000, the contracts only the documented ones. */
const depth = (group: Group) =>
  book({
    row: rows.depths[group],
    level: rows.level,
    depth: group === 'spot' ? ['limit', 100, 5000, 'cut'] : form.legalDepth,
    group,
  });

const publicTrades = (group: Group) => (ask: Ask) => {
  const over = group === 'spot' ? 'cut' : undefined;
  const limit = parameters.count(ask, ['limit', 500, 1000, over]);
  return tradeRows(rows.trade, marketOf(ask, group), ask, limit).reverse();
};

const klines = (group: Group) => {
  const most = group === 'spot' ? '1000 cut' : undefined;
  const page = parameters.page(rows.candles[group], form.klinePage(most));
  return (ask: Ask) => {
    const isGold = group === 'spot' && ask.query.get('symbol') === goldId;
    return page(ask, isGold ? goldMarket(ask.model) : marketOf(ask, group));
  };
};
const priceKlines = (group: Group, of: 'mark' | 'index') => {
  const page = parameters.page(rows.flat(`${of}Then.8`), form.klinePage());
  return (ask: Ask) => {
    const pair = `${ask.query.get('pair')}${group === 'dapi' ? '_PERP' : ''}`;
    const query = of === 'mark' ? ask.query : new URLSearchParams({ symbol: pair });
    return page(ask, marketOf({ ...ask, query }, group));
  };
};

/** `fundingInfo`: only the symbols whose interval is not the usual 8 hours. */
const fundingInfo = (group: Group) => (ask: Ask) =>
  marketRows(rows.fundingInfo, ask, {
    venue,
    group,
    keep: (market) => isLive(market) && market.expires === undefined && market.fundingHours !== 8,
  });
const settled = parameters.page(
  rows.settled,
  `every funding; rows limit 100 1000 cut; ${form.ranged}; points; always`,
);
/** `fundingRate`: settled rates, ascending; without `symbol` (fapi) the newest of all. */
const fundingHistory = (group: Group) => (ask: Ask) => {
  if (ask.query.has('symbol') || group === 'dapi') return settled(ask, marketOf(ask, group));
  const all = ask.model.markets(venue, ask.now, group);
  const funded = all.filter((market) => isLive(market) && market.expires === undefined);
  return funded.flatMap((market) => settled(ask, market).slice(-1));
};

const contracts = (group: 'fapi' | 'dapi') => ({
  [`/${group}/v1/exchangeInfo`]: info(group),
  [`/${group}/v1/ticker/24hr`]: each(group, rows.days[group]),
  [`/${group}/v1/ticker/price`]: each(group, rows.price),
  [`/${group}/v1/ticker/bookTicker`]: each(group, rows.best),
  [`/${group}/v1/depth`]: depth(group),
  [`/${group}/v1/aggTrades`]: publicTrades(group),
  [`/${group}/v1/klines`]: klines(group),
  [`/${group}/v1/markPriceKlines`]: priceKlines(group, 'mark'),
  [`/${group}/v1/indexPriceKlines`]: priceKlines(group, 'index'),
  [`/${group}/v1/premiumIndex`]: each(group, rows.premium),
  [`/${group}/v1/openInterest`]: one(rows.openInterest, group),
  [`/${group}/v1/fundingInfo`]: fundingInfo(group),
  [`/${group}/v1/fundingRate`]: fundingHistory(group),
});

/** Signed requests: no key is one of this exchange. */
const signed = () => {
  const msg = 'Invalid API-key, IP, or permissions for action.';
  throw new Refused(401, { code: -2015, msg });
};

/** The simulated exchange. */
export const binance = exchange({
  id: venue,
  hosts: [
    ...['api', 'api-gcp', 'api1', 'api2', 'api3', 'api4', 'fapi', 'dapi'].map(
      (name) => `${name}.binance.com`,
    ),
    'data-api.binance.vision',
    'data-stream.binance.vision',
    ...['stream', 'fstream', 'dstream'].map((name) => `${name}.binance.com`),
  ],
  sorts: {
    spot: '{base}{quote} thousands=1e-6 digits=8',
    fapi: '{base}{quote} thousands=1e-4 digits=7',
    dapi: '{base}{quote}_PERP dollars digits=5',
  },
  lines: `
    spot USDT 0.25 * since2017
    spot USDC 0.03 0..58
    spot FDUSD 0.04 0..10
    spot BTC 0.004 1..28>0.1
    spot EUR 0.003 0..8
    spot USDT 0.3 USDC
    spot BUSD 0.01 9..13 halted
    fapi USDT 0.35 85% halted@60
    fapi USDT 0 -1.. preopen
    fapi USDC 0.02 0..8
    fapi USDT 0.3 equities
    fapi USDT 0.00875 0..2 dated
    dapi USD 0.03 0..22>0.01
    dapi USD 0.00075 0..2 dated`,
  more: {
    since2017: ({ id }) => (id === 'BTCUSDT' ? { listed: Date.UTC(2017, 7, 17) } : {}),
    dated: dated(date('_', '_PERP')),
  },
  refusals: refusalsOf(
    (code: number, msg) => ({ code, msg }),
    [429, -1003, 'Too many requests; current limit exceeded.'],
    [418, -1003, 'Way too many requests; IP banned until later.'],
    [503, -1001, 'Internal error; unable to process your request.'],
  ),
  routes: {
    '/api/v3/time': ({ now }) => ({ serverTime: now }),
    '/api/v3/exchangeInfo': info('spot'),
    '/api/v3/ticker/24hr': each('spot', rows.days.spot),
    '/api/v3/ticker/price': each('spot', rows.price),
    '/api/v3/ticker/bookTicker': each('spot', rows.best),
    '/api/v3/depth': depth('spot'),
    '/api/v3/klines': klines('spot'),
    '/api/v3/aggTrades': publicTrades('spot'),
    ...contracts('fapi'),
    '/fapi/v1/leverageBracket': signed,
    '/futures/data/openInterestHist': interestHistory,
    '/futures/data/globalLongShortAccountRatio': ratios('Accounts'),
    '/futures/data/topLongShortAccountRatio': ratios('TopAccounts'),
    '/futures/data/topLongShortPositionRatio': ratios('TopPositions'),
    '/futures/data/takerlongshortRatio': takerRatios,
    '/futures/data/takerBuySellVol': takerVolumes,
    ...contracts('dapi'),
  },
  reply: form.reply,
  ...form.streamsOn(venue, {
    'data-stream.binance.vision': 'spot',
    'stream.binance.com': 'spot',
    'fstream.binance.com': 'fapi',
    'dstream.binance.com': 'dapi',
  }),
});
