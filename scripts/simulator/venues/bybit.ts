/** Bybit: spot, linear and inverse contracts. https://bybit-exchange.github.io/docs/v5 */
import { books } from '../book-streams.ts';
import { forcedRows, liquidations, trades } from '../events.ts';
import { bookRows, exchange, marketRows, refusalsOf, tradeRows, under } from '../exchange.ts';
import { fixed } from '../format.ts';
import { dated, joined, listing, without } from '../listing.ts';
import { annualRate, borrowLimit } from '../market/borrowing.ts';
import type { Market } from '../market.ts';
import { barsOf, fundings, Parameters } from '../pages.ts';
import { type Row, rowsOf, type Sight } from '../rows.ts';
import { objectOf, ordered, streamsOf, subscribing, textsOf, ticker } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';
import { dayOf } from './names.ts';

const venue = 'bybit';

const ok = (result: unknown, { now: time }: Pick<Ask, 'now'>) => {
  return { retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time };
};
const refusal = (retCode: number, retMsg: string, time: number) => {
  return { retCode, retMsg, result: {}, retExtInfo: {}, time };
};
const messages: Readonly<Record<string, string>> = {
  category: 'Illegal category',
  symbol: 'Not supported symbols',
  interval: 'Invalid period!',
};
const parameters = new Parameters((name, { now }) => {
  const message = messages[name] ?? `params error: ${name} invalid`;
  throw new Refused(200, refusal(10001, message, now));
});

const categoryOf = (ask: Ask): string => {
  const category = parameters.text(ask, 'category');
  return ['spot', 'linear', 'inverse'].includes(category)
    ? category
    : parameters.refuse('category', ask);
};
/** The market that trades. */
function marketOf(ask: Ask): Market {
  const found = ask.model.market(venue, categoryOf(ask), parameters.text(ask, 'symbol'), ask.now);
  return found?.state === 'live' ? found : parameters.refuse('symbol', ask);
}

const isPerpetual = ({ expires }: Market) => expires === undefined;
/** Base units, or dollars of an inverse contract. */
const units = ({ market, interest }: Sight) =>
  market.inverse ? Math.round(interest.value) : interest.base;
const worth = ({ market, interest }: Sight) => (market.inverse ? interest.base : interest.value);
const statuses = { live: 'Trading', halted: 'Closed', preopen: 'PreLaunch' } as const;

const { row, list } = rowsOf(venue, {
  status: ({ market }) => statuses[market.state],
  /** The base as the exchange spells it: the id without its quote. */
  baseCoin: ({ market: { id, scale, symbol } }) =>
    scale === 1 ? symbol : id.replace(/(USDT|PERP)$/, ''),
  type: ({ market }) =>
    `${market.inverse ? 'Inverse' : 'Linear'}${isPerpetual(market) ? 'Perpetual' : 'Futures'}`,
  minutes: ({ market }) => (isPerpetual(market) ? market.fundingHours * 60 : 0),
  isAnnounced: ({ market }) => market.state === 'preopen',
  phase: ({ market }) => (market.state === 'preopen' ? 'NotStarted' : ''),
  sort: ({ market }) => (market.symbol === 'TSLA' ? 'stock' : ''),
  volume: ({ market, stretch }) => (market.inverse ? stretch.quantity : stretch.base),
  value: ({ market, stretch }) => (market.inverse ? stretch.base : stretch.turnover),
  rate: ({ market, funding }) => (isPerpetual(market) ? market.fundingRate(funding.next) : ''),
  next: ({ market, funding }) => (isPerpetual(market) ? String(funding.next) : '0'),
  hours: ({ market }) => (isPerpetual(market) ? String(market.fundingHours) : ''),
  units,
  worth,
  bothUnits: (sight) => 2 * units(sight),
  bothWorth: (sight) => 2 * worth(sight),
  seq: ({ trade }) => trade.id * 7,
  execId: ({ trade }) => `a9188a0a-${trade.id}`,
});

const spotInfo = row(
  `symbol=id baseCoin=symbol quoteCoin=quote status priceFilter{ tickSize=tick }`,
  'spot-instruments result.list',
);
const contractInfo = row(
  `symbol=id contractType=type status baseCoin quoteCoin=quote deliveryTime=$expires priceFilter{
  minPrice=tick tickSize=tick } fundingInterval=minutes isPreListing=isAnnounced
  symbolType=sort`,
  'linear-instruments result.list',
);
const common = (volume: number) => `
  symbol=id bid1Price=bid+0f bid1Size=bidSize ask1Price=ask+0f ask1Size=askSize lastPrice=last+0f
  prevPrice24h=open+0f price24hPcnt=fraction.6f highPrice24h=high+0f lowPrice24h=low+0f
  turnover24h=value.8 volume24h=volume.${volume}`;
const spotTicker = row(`${common(8)}`, 'spot-prices result.list');
const contractTicker = (volume: number) =>
  row(
    `${common(volume)} openInterest=bothUnits.8 openInterestValue=bothWorth.8
    singleOpenInterest=units.8 singleOpenInterestValue=worth.8 indexPrice=index markPrice=mark
    fundingRate=rate nextFundingTime=next deliveryTime=$expires curPreListingPhase=phase
    fundingIntervalHour=hours`,
    'linear-prices result.list',
  );
const [linearTicker, inverseTicker] = [contractTicker(8), contractTicker(4)];
const tickerOf: Row = (market, at) =>
  (market.group === 'spot' ? spotTicker : market.inverse ? inverseTicker : linearTicker)(
    market,
    at,
  );
const level = list('price+0f size');
const trade = row(`
  execId=$tradeId symbol=id price=tradePrice size=tradeSize side=Taker time=$traded
  isBlockTrade=false seq=$tradeId`);

/** `instruments-info?category=`: everything on one page; of contracts at most `limit`. */
function instruments(ask: Ask) {
  const category = categoryOf(ask);
  const isSpot = category === 'spot';
  const all = marketRows(isSpot ? spotInfo : contractInfo, ask, { venue, group: category });
  const rows = isSpot ? all : all.slice(0, parameters.count(ask, ['limit', 500, 1000]));
  return ok({ category, list: rows, nextPageCursor: isSpot ? '' : null }, ask);
}

/** `tickers?category=`, one market with `symbol`; a closed one has none. */
function tickers(ask: Ask) {
  const category = categoryOf(ask);
  const keep = ({ state }: Market) => state !== 'halted';
  const rows = ask.query.has('symbol')
    ? [tickerOf(marketOf(ask), ask)]
    : marketRows(tickerOf, ask, { venue, group: category, keep });
  return ok({ category, list: rows }, ask);
}

/** `orderbook?category=&symbol=&limit=`: 1 to 1000 levels. */
function orderBook(ask: Ask) {
  const market = marketOf(ask);
  const limit = parameters.count(ask, ['limit', market.kind === 'spot' ? 1 : 25, 1000]);
  const { bids: b, asks: a, updateId: u } = bookRows(level, market, ask, limit);
  return ok({ s: market.id, b, a, ts: ask.now, u, seq: u * 7, cts: ask.now }, ask);
}

/** `recent-trade?category=&symbol=&limit=`: newest first; 60 of spot, 1000 of the others. */
function recentTrades(ask: Ask) {
  const market = marketOf(ask);
  const [usual, most] = market.kind === 'spot' ? [60, 60] : [500, 1000];
  const rows = tradeRows(trade, market, ask, parameters.count(ask, ['limit', usual, most]));
  return ok({ category: market.group, list: rows }, ask);
}

const bars = barsOf(
  '1=1m 3=3m 5=5m 15=15m 30=30m 60=1h 120=2h 240=4h 360=6h 720=12h D=1d W=1w M=1M',
);
const periods = barsOf('5min=5m 15min=15m 30min=30m 1h 4h 1d');
/** Newest first, the running one included. */
const candles = {
  bars,
  word: 'interval',
  count: ['limit', 200, 1000],
  from: 'start',
  to: 'end',
  newest: true,
} as const;
const ranged = { from: 'startTime', to: 'endTime', newest: true, points: true } as const;
const candleOf = (volume: string) =>
  parameters.page(list(`$start open+0f high+0f low+0f close+0f ${volume} value.8`), candles);
const [candle, inverseCandle] = [candleOf('base'), candleOf('quantity')];
const flat = (price: string) =>
  parameters.page(list(`$now ${price} ${price} ${price} ${price}`), { ...candles, points: true });
const ratios = parameters.page(
  row('symbol=id buyRatio=longAccounts.4 sellRatio=shortAccounts.4 timestamp=$now'),
  { ...ranged, bars: periods, word: 'period', count: ['limit', 50, 500] },
);
const interest = parameters.page(
  row('openInterest=bothUnits.8 singleOpenInterest=units.8 timestamp=$now'),
  { ...ranged, bars: periods, word: 'intervalTime', count: ['limit', 50, 200] },
);
const charged = parameters.page(row('symbol=id fundingRate=charged fundingRateTimestamp=$now'), {
  ...ranged,
  bars: fundings,
  count: ['limit', 200, 200],
});

/** A history of one market with its names. */
const history = (page: (ask: Ask, market: Market) => unknown[]) => (ask: Ask) => {
  const market = marketOf(ask);
  return ok({ symbol: market.id, category: market.group, list: page(ask, market) }, ask);
};

/** `spot-margin-trade/data?vipLevel=&currency=`: hourly fractions; one currency cannot be borrowed. */
function loans({ query, model, now }: Ask) {
  const wanted = query.get('currency');
  const level = query.get('vipLevel');
  const rows = model.assets
    .filter(({ kind, listed }) => kind !== 'equity' && listed <= now)
    .map(({ symbol, price }) => ({
      borrowable: true,
      currency: symbol,
      hourlyBorrowRate: fixed(annualRate(model.seed, [venue, symbol], now) / 8760, 16),
      maxBorrowingAmount: String(borrowLimit(price)),
    }));
  const off = { borrowable: false, currency: 'OFF', hourlyBorrowRate: '', maxBorrowingAmount: '' };
  const shown = [...rows, off].filter(({ currency }) => wanted === null || currency === wanted);
  const vipCoinList = ['No VIP', 'VIP-1', 'VIP-2']
    .filter((tier) => level === null || tier === level)
    .map((vipLevel) => ({ list: shown, vipLevel }));
  return { ...ok({ vipCoinList }, { now }), retMsg: 'success', retExtInfo: '{}' };
}

/** What changes from one second to the next, and on spot is sent without the quotes. */
const quotes = ['bid1Price', 'bid1Size', 'ask1Price', 'ask1Size'];
const moving = [
  ...quotes,
  'symbol lastPrice markPrice indexPrice price24hPcnt turnover24h volume24h openInterest',
  'openInterestValue singleOpenInterest singleOpenInterestValue',
].flatMap((words) => words.split(' '));

const streamTrade = row(
  "T=traded s=id S=Taker v=tradeSize p=tradePrice L='PlusTick' i=execId BT=false seq",
);
/** The side is that of the position. */
const forced = row('T=traded s=id S=Maker v=tradeSize p=tradePrice');

const channels = streamsOf(
  {
    exchange: venue,
    topics: ({ op, args }) => ordered(op, subscribing, textsOf(args)),
    group: (_, { path }) => path.split('/').at(-1) ?? '',
  },
  {
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
    'allLiquidation.{id}': liquidations((found, at) =>
      found.map((one) => {
        const topic = `allLiquidation.${one.market.id}`;
        return { topic, type: 'snapshot', ts: at.now, data: forcedRows(forced, [one], at) };
      }),
    ),
    'orderbook.200.{id}': books({
      tell({ market, now, whole, id, bids, asks }) {
        const data = { s: market.id, b: bids, a: asks, u: now / 1_000, seq: id };
        const topic = `orderbook.200.${market.id}`;
        return [{ topic, type: whole ? 'snapshot' : 'delta', ts: now, data, cts: now }];
      },
    }),
  },
);

/** The simulated exchange. */
export const bybit = exchange({
  id: venue,
  hosts: ['api.bybit.com', 'api.bytick.com', 'stream.bybit.com'],
  markets: listing({
    venue,
    lists: without(9, 8),
    sorts: {
      spot: { id: joined('') },
      linear: {
        scale: ({ price }) => (price >= 1e-4 ? 1 : price < 1e-6 ? 10_000 : 1000),
        base: ({ symbol }, scale) =>
          scale === 1 ? symbol : symbol === 'SHIB' ? `SHIB${scale}` : `${scale}${symbol}`,
        id: (base, quote) => `${base}${quote === 'USDC' ? 'PERP' : quote}`,
      },
      inverse: { id: joined(''), inverse: true },
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
  }),
  limit: { weight: 600, per: 5000 },
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
    'market/kline': history((ask, market) =>
      (market.inverse ? inverseCandle : candle)(ask, market),
    ),
    'market/mark-price-kline': history(flat('mark')),
    'market/index-price-kline': history(flat('index')),
    'market/account-ratio': history(ratios),
    'market/open-interest': history(interest),
    /** A start without an end is refused. */
    'market/funding/history': (ask) =>
      ask.query.has('startTime') && !ask.query.has('endTime')
        ? parameters.refuse('endTime', ask)
        : history(charged)(ask),
    'spot-margin-trade/data': loans,
  }),
  channels,
  /** Pings get a pong; a subscription gets one acknowledgement. */
  reply(frame) {
    const { op, req_id = '' } = objectOf(frame);
    if (op !== 'ping' && op !== 'subscribe') return [];
    const ret_msg = op === 'ping' ? 'pong' : '';
    return [JSON.stringify({ success: true, ret_msg, conn_id: '2324d924', req_id, op })];
  },
});
