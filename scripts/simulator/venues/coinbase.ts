/** Coinbase: Advanced Trade, Exchange and International. https://docs.cdp.coinbase.com */
import { asRow, text } from '../../../actors/read.ts';
import { answersOf, bookRows, marketRows } from '../answers.ts';
import type { WireLevel } from '../book.ts';
import { books } from '../book-streams.ts';
import { trades } from '../events.ts';
import { exchange, refusalsOf } from '../exchange.ts';
import { without } from '../listing.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { rowsOf, whileLive } from '../rows.ts';
import { ordered, subscribing, textsOf, ticker, timed } from '../streams.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'coinbase';
const iso = (t: number) => new Date(t).toISOString();

const notFound = (): never => {
  const why = 'ProductID not found';
  throw new Refused(404, { error: 'NOT_FOUND', error_details: why, message: why });
};
const exchangeParameters = new Parameters((name) => {
  throw new Refused(name === 'id' ? 404 : 400, {
    message: name === 'id' ? 'NotFound' : `Unsupported ${name}`,
  });
});
const internationalParameters = new Parameters((name) => {
  const status = name === 'id' ? 404 : 400;
  throw new Refused(status, { title: name === 'id' ? 'Not Found' : `${name} is invalid`, status });
});
const marketIn =
  (group: string, { refuse }: Parameters) =>
  (ask: Ask): Market =>
    ask.model.market(venue, group, ask.query.get('id') ?? '', ask.now) ?? refuse('id', ask);
const spotOf = marketIn('spot', exchangeParameters);
const spot = answersOf({ venue, parameters: exchangeParameters, marketOf: spotOf });
const perpetualOf = marketIn('perpetual', internationalParameters);

const { row, list } = rowsOf(venue, {
  ...whileLive('', 'last percent base turnover'),
});
const product = row(
  `product_id=id price=last price_percentage_change_24h=percent.14f volume_24h=base
  quote_increment=tick price_increment=tick status=isLive:online/delisted trading_disabled=isHalted
  quote_currency_id=quote base_currency_id=symbol alias='' alias_to=[]
  approximate_quote_24h_volume=turnover best_bid_price='' best_ask_price=''`,
  'spot-instruments products',
);
const level = row('price size');
const { row: contractRow } = rowsOf(venue, {
  opened: ({ candle }) => iso(candle.time).replace('.000', ''),
});
const instrument = contractRow(
  `symbol=id base_asset_name=coin quote_asset_name=quote quote_increment=tick qty_24hr=quantity
  notional_24hr=turnover open_interest=interest.8 trading_state=isLive:TRADING/PAUSED
  quote{ best_bid_price=bestBid best_ask_price=bestAsk trade_price=last index_price=index+4
  mark_price=mark+4
  predicted_funding=hourly.12 timestamp=iso }`,
  'perpetual-instruments ',
);

/** A USD product, and for the larger coins the same book under its USDC name. */
function names(market: Market, ask: Ask): object[] {
  const own = product(market, ask);
  const isLarge = ask.model.assets.some((a) => a.symbol === market.symbol && a.rank < 8);
  if (market.quote !== 'USD' || !isLarge) return [own];
  const id = `${market.symbol}-USDC`;
  const other = { product_id: id, alias: market.id, quote_currency_id: 'USDC' };
  return [
    { ...own, alias_to: [id] },
    { ...own, ...other },
  ];
}

/** `products?product_type=SPOT`; of futures there are none. */
const products = (ask: Ask) => {
  const isSpot = (ask.query.get('product_type') ?? 'SPOT') === 'SPOT';
  const markets = isSpot ? ask.model.markets(venue, ask.now, 'spot') : [];
  const rows = markets.flatMap((market) => names(market, ask));
  return { products: rows };
};

/** `product_book?product_id=&limit=`, perpetuals as `BTC-PERP-INTX`. */
const productBook = ({ model, query, now }: Ask) => {
  const id = query.get('product_id') ?? '';
  const group = id.endsWith('-INTX') ? 'perpetual' : 'spot';
  const name = id.replace('-INTX', '').replace('-USDC', '-USD');
  const market = model.market(venue, group, name, now) ?? notFound();
  const depth = Number(query.get('limit') ?? 50);
  const { bids, asks } = bookRows(level, market, { model, now }, depth);
  return { pricebook: { product_id: id, bids, asks, time: iso(now) } };
};

const trade = row('trade_id=tradeId side=maker size=tradeSize price=tradePrice time=tradedIso');
const range = 'rows 300; from start; to end; iso; newest; onward; always';
const spotCandles = exchangeParameters.page(
  list('startSeconds @low @high @open @close #base'),
  `in granularity:60 60=1m 300=5m 900=15m 3600=1h 21600=6h 86400=1d; ${range}`,
);
/**
 * `products/{id}/candles?granularity=&start=&end=`: at most 300, newest first; without a start or an end the
 * newest. Buckets without a trade are left out.
 */
const candles = (ask: Ask) => {
  const market = spotOf(ask);
  const [start, end] = ['start', 'end'].map((name) => Date.parse(ask.query.get(name) ?? ''));
  const seconds = Number(ask.query.get('granularity') ?? 60);
  if (start && end && (end - start) / (seconds * 1000) > 300) {
    const why = 'granularity too small for the requested time range.';
    const message = `${why} Count of aggregations requested exceeds 300`;
    throw new Refused(400, { message });
  }
  return spotCandles(ask, market).filter(([, , , , , base]) => Number(base) > 0);
};
const perpetualCandles = internationalParameters.page(
  contractRow('start=opened open high low close volume=quantity'),
  `in granularity ONE_MINUTE=1m FIVE_MINUTE=5m FIFTEEN_MINUTE=15m THIRTY_MINUTE=30m ONE_HOUR=1h
  TWO_HOUR=2h SIX_HOUR=6h ONE_DAY=1d; ${range}`,
);

/** A message of a channel with one event. */
const about = (channel: string, now: number, event: object) => ({
  channel,
  client_id: '',
  timestamp: iso(now),
  events: [event],
});
const streamTicker = rowsOf(venue).row(`
  channel='ticker' client_id='' timestamp=iso events[ { type='update' tickers[ { type='ticker'
  product_id=id price=last volume_24_h=base low_24_h=low high_24_h=high
  price_percent_chg_24_h=percent.6f best_bid=bestBid best_ask=bestAsk } ] } ]`);
/** The side is that of the maker. */
const streamTrade = row(`
  product_id=id trade_id=$tradeId price=tradePrice size=tradeSize time=tradedIso side=MAKER`);
const onSpot = { group: () => 'spot' };

/** The simulated exchange. */
export const coinbase = exchange({
  id: venue,
  hosts: [
    'api.coinbase.com',
    'api.exchange.coinbase.com',
    'api.international.coinbase.com',
    'advanced-trade-ws.coinbase.com',
  ],
  lists: without(6, 4),
  sorts: { spot: '{base}-{quote}', perpetual: '{base}-PERP thousands=1e-4' },
  lines: `
    spot USD 0.06 * halted@30
    spot USDT 0.002 0..6
    spot EUR 0.004 0..6
    spot BTC 0.001 1..2
    spot USD 0.02 USDT
    perpetual USDC 0.015 50% halted@12`,
  /** What each of the three APIs has in a refusal: `error`, `message` and `title`. */
  refusals: refusalsOf(
    (error: string, message, status) => {
      return { error, error_details: message, message, title: message, status };
    },
    [429, 'rate_limit_exceeded', 'Public rate limit exceeded'],
    [403, 'PERMISSION_DENIED', 'Forbidden'],
    [503, 'UNAVAILABLE', 'Service is undergoing maintenance'],
  ),
  routes: {
    '/api/v3/brokerage/market/products': products,
    '/api/v3/brokerage/market/product_book': productBook,
    '/products/{id}/candles': candles,
    '/products/{id}/trades': spot.trades(trade, ['limit', 100, 1000, 'cut']),
    '/api/v1/instruments': (ask) => marketRows(instrument, ask, { venue, group: 'perpetual' }),
    '/api/v1/instruments/{id}/candles': (ask) => {
      internationalParameters.text(ask, 'start');
      return { aggregations: perpetualCandles(ask, perpetualOf(ask)) };
    },
  },
  topics: ({ type, channel, product_ids }) => {
    const ids = textsOf(product_ids).map((id) => `${text(channel)} ${id}`);
    return ordered(type, subscribing, ids.length > 0 ? ids : [text(channel)]);
  },
  /** A subscription is acknowledged with its products; one of books would have to be counted. */
  reply: ({ type, channel, product_ids }) =>
    type === 'subscribe' && (channel === 'ticker' || channel === 'market_trades')
      ? [{ channel: 'subscriptions', events: [{ subscriptions: { [channel]: product_ids } }] }]
      : [],
  /** Every message of a connection is counted. */
  numbered: (message, sequence_num) => ({ ...asRow(message), sequence_num }),
  channels: {
    'ticker {id}': ticker(streamTicker, onSpot),
    /** The past of a product, then its trades, the newest of a message first. */
    'market_trades {id}': trades(
      streamTrade,
      (rows, _, { now }) => [
        about('market_trades', now, { type: 'update', trades: rows.toReversed() }),
      ],
      {
        ...onSpot,
        past: (rows, _, { now }) => about('market_trades', now, { type: 'snapshot', trades: rows }),
      },
    ),
    heartbeats: timed(
      1,
      ({ now }) => {
        const event = { current_time: iso(now), heartbeat_counter: now / 1_000 };
        return [about('heartbeats', now, event)];
      },
      { first: true },
    ),
    'level2 {id}': books({
      tell({ market, now, whole, bids, asks }) {
        const rows = (side: string, levels: readonly WireLevel[]) =>
          levels.map(([price_level, new_quantity]) => {
            return { side, event_time: iso(now), price_level, new_quantity };
          });
        const updates = [...rows('bid', bids), ...rows('offer', asks)];
        const type = whole ? 'snapshot' : 'update';
        return [about('l2_data', now, { type, product_id: market.id, updates })];
      },
    }),
  },
});
