/** WhiteBIT: spot and perpetuals. https://docs.whitebit.com (public API v4 and v1) */
import { isRow, text } from '../../../actors/read.ts';
import { answersOf, isLive, marketRows } from '../answers.ts';
import { bookMessages } from '../book-streams.ts';
import { exchange, refusalsOf, under } from '../exchange.ts';
import { without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { absent, rowsOf, whileLive } from '../rows.ts';
import { textsOf, ticker, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'whitebit';
const groupOf = (id: string): string => (id.endsWith('_PERP') ? 'futures' : 'spot');
const isFutures = ({ group }: Market): boolean => group === 'futures';

/** Version 1 refuses below `message`. */
const parameters = new Parameters((name) => {
  const message = {
    [name]: [name === 'market' ? 'Market is not available.' : `${name} is invalid.`],
  };
  throw new Refused(422, { success: false, message, result: null });
});
const bookParameters = new Parameters((name) => {
  const why = name === 'market' ? 'Market is not available.' : 'Limit must be 1 to 100.';
  throw new Refused(422, { [name]: [why] });
});
const found = ({ query, model, now }: Ask): Market | undefined => {
  const id = query.get('market') ?? '';
  return model.market(venue, groupOf(id), id, now);
};

const { row, list } = rowsOf(venue, {
  ...whileLive('0', 'index'),
  ...whileLive('', 'mark'),
  type: ({ market }) => {
    if (!isFutures(market)) return 'spot';
    return market.asset === 'equity' ? 'tradfiFutures' : 'futures';
  },
  baseId: ({ market }) => market.seed % 10_000,
  bidsOrNone: ({ book: { bids } }) => (bids.length === 0 ? null : bids),
  asksOrNone: ({ book: { asks } }) => (asks.length === 0 ? null : asks),
  /** In a message a side without changes is left out. */
  bidsHere: ({ book: { bids } }) => (bids.length === 0 ? absent : bids),
  asksHere: ({ book: { asks } }) => (asks.length === 0 ? absent : asks),
  indexName: ({ market }) => `${market.symbol} future contract`,
});
const market = row(
  "name=id stock=symbol money=isSpot?quote:'PERP' moneyPrec=$decimals tradesEnabled=isLive type",
  'spot-instruments ',
);
const tickerRow = row(
  'last_price=last quote_volume=turnover base_volume=quantity isFrozen=isHalted change=percent',
  'spot-prices BTC_USDT',
);
const contract = row(
  `ticker_id=id last_price=last stock_volume=quantity money_volume=turnover bid=bestBid ask=bestAsk
  high low open_interest=interest index_price=index+3 funding_rate=rate
  next_funding_rate_timestamp=$next funding_interval_minutes=minutes mark_price=mark+3`,
  'futures-prices result',
);

/** `orderbook/<market>?limit=`: at most 100 levels, 100 when absent; an empty side is null. */
const { book } = answersOf({
  venue,
  parameters: bookParameters,
  marketOf(ask) {
    const market = found(ask);
    return market?.state === 'live' ? market : bookParameters.refuse('market', ask);
  },
});
const orderBook = book({
  row: row('ticker_id=id timestamp=seconds asks=asksOrNone bids=bidsOrNone'),
  level: list('price size'),
  depth: ['limit', 100, 100],
});

/** Bars that open from `start` to `end`, seconds, both included: the last `limit` of them, ascending. */
const candles = parameters.page(
  list('startSeconds open close high low quantity turnover.9'),
  `in interval:1h 1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M; rows limit 1440 1440; from start;
  to end; seconds`,
);
const success = (result: unknown, message: string | null) => ({ success: true, message, result });

const update = row(`
  method='market_update' id=null params[ id { close high last=close low open period=86400
  deal=turnover.8f volume=quantity } ]`);
const premium = list('id mark+3 index+3 rate next seconds');

/** The simulated exchange. */
export const whitebit = exchange({
  id: venue,
  hosts: ['whitebit.com', 'wss.whitebit.com'],
  lists: without(5, 4),
  sorts: { spot: '{base}_{quote}', futures: '{base}_PERP' },
  lines: `
    spot USDT 0.03
    spot EUR 0.002 0..8
    spot BTC 0.001 1..8>0.1
    spot USDT 0.03 USDC
    spot BUSD 0 2..4 halted
    futures USDT 0.02 60% halted@20
    futures USDT 0.02 equities`,
  refusals: refusalsOf(
    (_: null, message) => ({ success: false, message, errors: [] }),
    [429, null, 'Too many requests.'],
    [451, null, 'Margin trading is not available in your country.'],
    [503, null, 'Service is under maintenance.'],
  ),
  routes: {
    ...under('/api/v4/public/', {
      markets: (ask) => marketRows(market, ask, { venue }),
      /** A map by id; perpetuals are in it too. */
      ticker: (ask) => {
        const all = ask.model.markets(venue, ask.now);
        return Object.fromEntries(all.map((one) => [one.id, tickerRow(one, ask)]));
      },
      futures: (ask) => success(marketRows(contract, ask, { venue, group: 'futures' }), null),
      'orderbook/{market}': orderBook,
    }),
    '/api/v1/public/kline': (ask) =>
      success(candles(ask, found(ask) ?? parameters.refuse('market', ask)), ''),
  },
  topics({ method, params }) {
    const name = text(method).replace(/_subscribe$/, '');
    if (name === 'market') return { on: true, topics: textsOf(params).map((id) => `market ${id}`) };
    if (name === 'premiumIndex') return { on: true, topics: [name] };
    // The same subscription again brings a whole book: it ends where it begins.
    const id = isRow(params) ? text(params[0]) : '';
    return name === 'depth' ? { on: 'again', topics: [`depth ${id}`] } : null;
  },
  group: groupOf,
  channels: {
    'market {id}': ticker(update),
    /** All contracts in one message, every second. */
    premiumIndex: timed(
      1,
      (at) => {
        const params = marketRows(premium, at, { venue, group: 'futures', keep: isLive });
        return [{ method: 'premiumIndex_update', params, id: null }];
      },
      { first: true },
    ),
    'depth {id}': bookMessages(
      row(`
        method='depth_update' id=null params[ isWhole { timestamp=seconds event_time=seconds
        update_id=sequence past_update_id=previous asks=asksHere bids=bidsHere } id ]`),
      { every: 2 },
    ),
  },
  /** A ping and a subscription are answered under their ids. */
  reply: ({ id, method }) => [
    { id, result: method === 'ping' ? 'pong' : { status: 'success' }, error: null },
  ],
});
