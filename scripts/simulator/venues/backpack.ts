/** Backpack: spot and perpetuals. https://docs.backpack.exchange */

import { answersOf, isLive, marketRows } from '../answers.ts';
import { bookMessages, deepEvery } from '../book-streams.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { sortOf } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf } from '../rows.ts';
import { ordered, textsOf, ticker } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'backpack';

const refuse = (status: number, code: string, message: string): never => {
  throw new Refused(status, { code, message });
};
/** Parameters that cannot be read are answered in plain text. */
const parameters = new Parameters((name) => {
  throw new Refused(400, `failed to parse parameter \`${name}\``);
});
const marketOf = (ask: Ask): Market =>
  ask.model.market(venue, 'all', parameters.text(ask, 'symbol'), ask.now) ??
  refuse(400, 'INVALID_CLIENT_REQUEST', 'Invalid market symbol');

const form = { venue, parameters };
const { all, page } = answersOf({ ...form, marketOf });

const isPerpetual = ({ id }: Market): boolean => id.endsWith('_PERP');
const clockOf = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

const { row, list } = rowsOf(venue, {
  created: ({ market }) => new Date(market.listed).toISOString().replace('Z', '000'),
  interval: ({ market }) => market.fundingHours * 3_600_000,
  startClock: ({ candle }) => clockOf(candle.time),
  endClock: ({ candle }) => clockOf(candle.end),
  micros: ({ now }) => now * 1000,
  worstFirst: ({ book }) => book.bids.toReversed(),
});
const described = `
  baseSymbol=first createdAt=created filters{ price{ minPrice=tick tickSize=tick }
  quantity{ minQuantity=step stepSize=step } } fundingInterval=isSpot?28800000:interval marketType=isSpot:SPOT/PERP
  orderBookState=state:Open/Closed/PostOnly quoteSymbol=second symbol=id`;
/** A spot pair is the first of the fixture, a perpetual the fourth. */
const pair = row(described, 'all-instruments ');
const perpetual = row(
  described.replace('price{', "price{ maxPrice='10000000'"),
  'all-instruments 3',
);
const listed: Row = (market, at) => ({
  ...(isPerpetual(market) ? perpetual : pair)(market, at),
  ...(market.asset === 'equity' && { rwaMarketType: 'STOCK' }),
});
const tickerRow = row(`
  firstPrice=open high lastPrice=close low priceChange=rise priceChangePercent=fraction
  quoteVolume=turnover symbol=id trades=$trades volume=quantity`);
const mark = row(`
  fundingRate=rate.12 indexPrice=index+4 markPrice=mark+4 nextFundingTimestamp=next symbol=id`);
const interest = row('openInterest=interest symbol=id timestamp=now');
const perpetuals = (made: Row) => (ask: Ask) => {
  const keep = (market: Market) => isLive(market) && isPerpetual(market);
  if (!ask.query.has('symbol')) return marketRows(made, ask, { venue, keep });
  const one = marketOf(ask);
  return keep(one) ? [made(one, ask)] : refuse(400, 'INVALID_CLIENT_REQUEST', 'Symbol not found');
};

/** One of seven depths; bids in ascending order: the best one is the last. */
const depth = answersOf({
  ...form,
  marketOf(ask) {
    const market = marketOf(ask);
    return market.state === 'halted' ? refuse(404, 'RESOURCE_NOT_FOUND', 'Not Found') : market;
  },
}).book({
  row: row('asks bids=worstFirst lastUpdateId=$sequence timestamp=micros'),
  level: list('price size'),
  depth: (ask) => parameters.oneOf(ask, 'limit', 1000, [5, 10, 20, 50, 100, 500, 1000]),
});

/** Bars that open from `startTime`, which is needed, to `endTime`, both included: the first 1000. */
const candles = page(
  row(`
    close end=endClock high low open quoteVolume=turnover start=startClock trades=$trades
    volume=quantity`),
  `in interval 1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1month=1M; rows 1000; from startTime;
  to endTime; seconds; onward`,
);
function klines(ask: Ask) {
  marketOf(ask);
  parameters.text(ask, 'startTime');
  return candles(ask);
}

/** A message of a sort; `facts` are what it says beside the market and the time, which is in microseconds. */
const message = (sort: string, topic: string, facts: string) =>
  row(`stream='${topic}.{id}' data{ e='${sort}' E=micros s=id ${facts} }`);
const stream = (sort: string, facts: string, every = 1) =>
  ticker(message(sort, sort, facts), { every });

/** The simulated exchange; a subscription is not answered. */
export const backpack = exchange({
  id: venue,
  hosts: ['api.backpack.exchange', 'ws.backpack.exchange'],
  lists: ({ rank }) => rank < 12 || rank % 3 === 0,
  sorts: {
    spot: '{base}_{quote} spot=all',
    perpetual: {
      ...sortOf('{base}_{quote}_PERP group=all thousands=1e-4'),
      base: ({ symbol, kind }, scale) =>
        `${scale > 1 ? 'k' : ''}${symbol}${kind === 'equity' ? '.US' : ''}`,
    },
  },
  lines: `
    spot USDC 0.002
    spot USDC 0.001 USDT
    spot BTC 0.0005 ETH
    perpetual USDC 0.01 * halted@15
    spot USDC 0 -1.. soon
    perpetual USDC 0.01 equities`,
  more: { soon: () => ({ id: 'SOON_USDC', state: 'preopen' }) },
  refusals: refusalsOf(
    (code: string, message) => ({ code, message }),
    [429, 'TOO_MANY_REQUESTS', 'Too many requests'],
    [403, 'FORBIDDEN', 'Forbidden'],
    [503, 'MAINTENANCE', 'Service unavailable'],
  ),
  routes: under('/api/v1/', {
    markets: all(listed),
    tickers: all(tickerRow, undefined, isLive),
    markPrices: perpetuals(mark),
    /** Base, one side. */
    openInterest: perpetuals(interest),
    depth,
    klines,
  }),
  topics: ({ method, params }) => ordered(method, ['SUBSCRIBE', 'UNSUBSCRIBE'], textsOf(params)),
  group: () => 'all',
  channels: {
    'ticker.{id}': stream(
      'ticker',
      'o=open c=close h=high l=low v=quantity V=turnover.6f n=trades',
    ),
    'markPrice.{id}': stream('markPrice', 'p=mark+4 i=index+4 n=next f=rate.12 T=micros'),
    'openInterest.{id}': stream('openInterest', 'o=interest', 60),
    /** The whole book is asked for. */
    'depth.200ms.{id}': bookMessages(
      message('depth', 'depth.200ms', 'T=micros U=following u=sequence a=asks b=bids'),
      { depth: 1_000, every: deepEvery, part: 'updates' },
    ),
  },
});
