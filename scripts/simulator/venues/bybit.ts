/** Bybit: spot, linear and inverse contracts. https://bybit-exchange.github.io/docs/v5 */

import { answersOf, marketRows } from '../answers.ts';
import { bookMessages } from '../book-streams.ts';
import { eachForced, liquidations, trades } from '../events.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { fixed } from '../format.ts';
import { dated, without } from '../listing.ts';
import { loansAt } from '../market/borrowing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf, type Sight } from '../rows.ts';
import { ordered, subscribing, textsOf, ticker } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';
import { dayOf } from './names.ts';

const venue = 'bybit';

const ok = (result: unknown, { now: time }: Pick<Ask, 'now'>) => {
  return { retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time };
};
const refusal = (retCode: number, retMsg: string, time: number) => {
  return { retCode, retMsg, result: {}, retExtInfo: {}, time };
};
const parameters = new Parameters((name, { now }) => {
  throw new Refused(200, refusal(10001, `params error: ${name} invalid`, now));
});

const isSpot = ({ query }: Ask) => query.get('category') === 'spot';
const categoryOf = (ask: Ask): string => {
  const category = parameters.text(ask, 'category');
  return Object.hasOwn(tickerRows, category) ? category : parameters.refuse('category', ask);
};
/** The market that trades. */
function marketOf(ask: Ask): Market {
  const found = ask.model.market(venue, categoryOf(ask), parameters.text(ask, 'symbol'), ask.now);
  return found?.state === 'live' ? found : parameters.refuse('symbol', ask);
}

const form = { venue, parameters, marketOf };
const listed = (list: unknown, ask: Ask) => ok({ category: categoryOf(ask), list }, ask);
const { book } = answersOf({ ...form, ok });
const { trades: newest } = answersOf({ ...form, ok: listed });
/** Histories have the name of the market. */
const { page } = answersOf({
  ...form,
  ok: (list, ask) => {
    return ok({ symbol: ask.query.get('symbol'), category: categoryOf(ask), list }, ask);
  },
});

/** Base units, or dollars of an inverse contract. */
const units = ({ market, interest }: Sight) =>
  market.inverse ? Math.round(interest.value) : interest.base;
const worth = ({ market, interest }: Sight) => (market.inverse ? interest.base : interest.value);

const { row, list } = rowsOf(venue, {
  /** The base as the exchange spells it: the id without its quote. */
  baseCoin: ({ market: { id, scale, symbol } }) =>
    scale === 1 ? symbol : id.replace(/(USDT|PERP)$/, ''),
  units,
  worth,
  bothUnits: (sight) => 2 * units(sight),
  bothWorth: (sight) => 2 * worth(sight),
  seq: ({ trade }) => trade.id * 7,
  bookSeq: ({ book }) => book.id * 7,
});

const status = 'state:Trading/Closed/PreLaunch';
const spotInfo = row(
  `symbol=id baseCoin=symbol quoteCoin=quote status=${status} priceFilter{ tickSize=tick }`,
  'spot-instruments result.list',
);
const contractInfo = row(
  `symbol=id contractType='{isInverse:Inverse/Linear}{isDated:Futures/Perpetual}' status=${status} baseCoin quoteCoin=quote deliveryTime=$expires
  priceFilter{ minPrice=tick tickSize=tick } fundingInterval=isDated?0:minutes isPreListing=isAnnounced
  symbolType=isShare:stock/`,
  'linear-instruments result.list',
);
const common = `
  symbol=id bid1Price=bid+0f bid1Size=bidSize ask1Price=ask+0f ask1Size=askSize lastPrice=last+0f
  prevPrice24h=open+0f price24hPcnt=fraction.6f highPrice24h=high+0f lowPrice24h=low+0f
  turnover24h=settled.8 volume24h=isInverse?quantity:base`;
const contractTicker = row(
  `${common} openInterest=bothUnits.8 openInterestValue=bothWorth.8
  singleOpenInterest=units.8 singleOpenInterestValue=worth.8 indexPrice=index markPrice=mark
  fundingRate=isDated?'':rate nextFundingTime=isDated?'0':$next deliveryTime=$expires
  curPreListingPhase=isAnnounced:NotStarted/ fundingIntervalHour=isDated?'':$hours`,
  'linear-prices result.list',
);
const tickerRows: Readonly<Record<string, Row>> = {
  spot: row(common, 'spot-prices result.list'),
  linear: contractTicker,
  inverse: contractTicker,
};
const tickerOf: Row = (market, at) => tickerRows[market.group]?.(market, at) ?? {};
const trade = row(`
  execId=$tradeId symbol=id price=tradePrice size=tradeSize side=Taker time=$traded
  isBlockTrade=false seq=$tradeId`);

/** `instruments-info?category=`: everything on one page; of contracts at most `limit`. */
function instruments(ask: Ask) {
  const category = categoryOf(ask);
  const all = marketRows(isSpot(ask) ? spotInfo : contractInfo, ask, { venue, group: category });
  const list = isSpot(ask) ? all : all.slice(0, parameters.count(ask, ['limit', 500, 1000]));
  return ok({ category, list, nextPageCursor: isSpot(ask) ? '' : null }, ask);
}

/** `tickers?category=`, one market with `symbol`; a closed one has none. */
function tickers(ask: Ask) {
  const category = categoryOf(ask);
  const keep = ({ state }: Market) => state !== 'halted';
  const one = ask.query.has('symbol') && [tickerOf(marketOf(ask), ask)];
  return listed(one || marketRows(tickerOf, ask, { venue, group: category, keep }), ask);
}

/** `orderbook?category=&symbol=&limit=`: 1 to 1000 levels. */
const orderBook = book({
  row: row('s=id b=bids a=asks ts=now u=sequence seq=bookSeq cts=now'),
  level: list('price+0f size'),
  depth: (ask) => parameters.count(ask, ['limit', isSpot(ask) ? 1 : 25, 1000]),
});

/** `recent-trade?category=&symbol=&limit=`: newest first; 60 of spot, 1000 of the others. */
const recentTrades = (ask: Ask) =>
  newest(trade, isSpot(ask) ? ['limit', 60, 60] : ['limit', 500, 1000])(ask);

const candles = `
  in interval 1=1m 3=3m 5=5m 15=15m 30=30m 60=1h 120=2h 240=4h 360=6h 720=12h D=1d W=1w M=1M;
  rows limit 200 1000; from start; to end; newest`;
const periods = '5min=5m 15min=15m 30min=30m 1h 4h 1d';
const ranged = 'from startTime; to endTime; newest; points';
const flat = (price: string) =>
  page(list(`$now ${price} ${price} ${price} ${price}`), `${candles}; points`);
const charged = page(
  row('symbol=id fundingRate=charged fundingRateTimestamp=$now'),
  `every funding; rows limit 200 200; ${ranged}`,
);

/** `spot-margin-trade/data?vipLevel=&currency=`: hourly fractions; one currency cannot be borrowed. */
function loans(ask: Ask) {
  const wanted = ask.query.get('currency');
  const level = ask.query.get('vipLevel');
  const rows = loansAt(ask, venue).map(({ symbol, annual, most }) => ({
    borrowable: true,
    currency: symbol,
    hourlyBorrowRate: fixed(annual / 8760, 16),
    maxBorrowingAmount: String(most),
  }));
  const off = { borrowable: false, currency: 'OFF', hourlyBorrowRate: '', maxBorrowingAmount: '' };
  const shown = [...rows, off].filter(({ currency }) => wanted === null || currency === wanted);
  const levels = ['No VIP', 'VIP-1'].filter((tier) => level === null || tier === level);
  const vipCoinList = levels.map((vipLevel) => ({ list: shown, vipLevel }));
  return { ...ok({ vipCoinList }, ask), retMsg: 'success', retExtInfo: '{}' };
}

/** What changes from one second to the next, and on spot is sent without the quotes. */
const quotes = ['bid1Price', 'bid1Size', 'ask1Price', 'ask1Size'];
const moving = [
  ...quotes,
  'symbol lastPrice markPrice indexPrice price24hPcnt turnover24h volume24h openInterest',
  'openInterestValue singleOpenInterest singleOpenInterestValue',
].flatMap((words) => words.split(' '));

const streamTrade = row(`
  T=traded s=id S=Taker v=tradeSize p=tradePrice L='PlusTick' i='a9188a0a-{tradeId}' BT=false seq`);
/** The side is that of the position. */
const forced = row(`
  topic='allLiquidation.{id}' type='snapshot' ts=now
  data[ { T=traded s=id S=Maker v=tradeSize p=tradePrice } ]`);

/** The simulated exchange. */
export const bybit = exchange({
  id: venue,
  hosts: ['api.bybit.com', 'api.bytick.com', 'stream.bybit.com'],
  lists: without(9, 8),
  sorts: {
    spot: '{base}{quote}',
    linear: {
      scale: ({ price }) => (price >= 1e-4 ? 1 : price < 1e-6 ? 10_000 : 1000),
      base: ({ symbol }, scale) =>
        scale === 1 ? symbol : symbol === 'SHIB' ? `SHIB${scale}` : `${scale}${symbol}`,
      id: (base, quote) => `${base}${quote === 'USDC' ? 'PERP' : quote}`,
    },
    inverse: '{base}{quote} inverse',
  },
  lines: `
    spot USDT 0.08
    spot USDC 0.01 0..20
    spot BTC 0.002 1..10>0.1
    spot USDT 0.05 USDC
    spot BUSD 0 4..6 halted
    linear USDT 0.15 85%
    linear USDC 0.01 0..6
    linear USDT 0 -1.. preopen
    linear USDT 0.1 equities
    linear USDC 0.002 0..1 dated
    inverse USD 0.02 0..8>0.01`,
  more: { dated: dated(({ symbol }, expires) => `${symbol}-${dayOf(expires)}`) },
  refusals: refusalsOf(
    (code: number, message) => refusal(code, message, 0),
    [429, 10429, 'System level frequency protection.'],
    [403, 10006, 'access too frequent'],
    [503, 10016, 'Server error.'],
  ),
  routes: under('/v5/', {
    'market/instruments-info': instruments,
    'market/tickers': tickers,
    'market/orderbook': orderBook,
    'market/recent-trade': recentTrades,
    'market/kline': page(
      list('$start open+0f high+0f low+0f close+0f isInverse?quantity:base settled.8'),
      candles,
    ),
    'market/mark-price-kline': flat('mark'),
    'market/index-price-kline': flat('index'),
    'market/account-ratio': page(
      row('symbol=id buyRatio=longAccounts.4 sellRatio=shortAccounts.4 timestamp=$now'),
      `in period ${periods}; rows limit 50 500; ${ranged}`,
    ),
    'market/open-interest': page(
      row('openInterest=bothUnits.8 singleOpenInterest=units.8 timestamp=$now'),
      `in intervalTime ${periods}; rows limit 50 200; ${ranged}`,
    ),
    /** A start without an end is refused. */
    'market/funding/history': (ask) =>
      ask.query.has('startTime') && !ask.query.has('endTime')
        ? parameters.refuse('endTime', ask)
        : charged(ask),
    'spot-margin-trade/data': loans,
  }),
  topics: ({ op, args }) => ordered(op, subscribing, textsOf(args)),
  group: (_, { path }) => path.split('/').at(-1) ?? '',
  channels: {
    'tickers.{id}': ticker(
      (market, at) => {
        const isSpot = market.group === 'spot';
        const entries = Object.entries(tickerOf(market, at)).filter(([name]) =>
          isSpot ? !quotes.includes(name) : at.first || moving.includes(name),
        );
        const type = isSpot || at.first ? 'snapshot' : 'delta';
        const about = { topic: `tickers.${market.id}`, ts: at.now, type, cs: at.now };
        return { ...about, data: Object.fromEntries(entries) };
      },
      { whole: true },
    ),
    'publicTrade.{id}': trades(streamTrade, (data, { id }, { now: ts }) => [
      { topic: `publicTrade.${id}`, type: 'snapshot', ts, data },
    ]),
    'allLiquidation.{id}': liquidations(eachForced(forced)),
    'orderbook.200.{id}': bookMessages(
      row(`
        topic='orderbook.200.{id}' type=isWhole:snapshot/delta ts=now cts=now
        data{ s=id b=bids a=asks u=seconds seq=sequence }`),
    ),
  },
  /** Pings get a pong; a subscription gets one acknowledgement. */
  reply({ op, req_id = '' }) {
    if (op !== 'ping' && op !== 'subscribe') return [];
    const ret_msg = op === 'ping' ? 'pong' : '';
    return [{ success: true, ret_msg, conn_id: '2324d924', req_id, op }];
  },
});
