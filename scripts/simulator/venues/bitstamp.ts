/** Bitstamp: spot and linear perpetuals, what it lists, answers and streams. Source: the venue's public API v2 documentation. */

import { asRow, text } from '../../../actors/read.ts';
import { bookOf } from '../book.ts';
import { idsIn, inGroup, order } from '../books/frames.ts';
import { bookChannels } from '../books/wire.ts';
import type { Bar } from '../calendar.ts';
import { nextOpen, openOf, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import { objectOf } from '../liquidations/forced.ts';
import { equities, halted, listing, named, since, slice, without } from '../listing.ts';
import { channelOf, marketChannels, together } from '../live/moving.ts';
import { quoteOf } from '../live/quote.ts';
import type { Market } from '../market.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const sort = { group: 'markets', digits: 10, lots: 8, crossed: 8 };
/** Spot in dollars, euros and coins, and a few perpetuals, in one group. */
const bitstampMarkets = listing(
  'bitstamp',
  without(4, 3),
  {
    spot: { ...sort, kind: 'spot', id: (base, quote) => `${base}${quote}`.toLowerCase() },
    perpetual: { ...sort, id: (base, quote) => `${base}${quote}-perp`.toLowerCase() },
  },
  [
    ['spot', 'USD', 0.02, undefined, since('btcusd', Date.UTC(2011, 7, 18))],
    ['spot', 'EUR', 0.01, slice(0, 12)],
    ['spot', 'BTC', 0.001, slice(1, 3)],
    ['spot', 'USDT', 0.001, slice(0, 3)],
    ['spot', 'USD', 0.02, named('USDC')],
    ['spot', 'USDC', 0, slice(5, 6), halted],
    ['perpetual', 'USD', 0.01, slice(0, 12)],
    ['perpetual', 'USD', 0.01, equities],
  ],
);

const hour = 3_600_000;
/** Every market charges funding every 8 hours. */
const interval = 8 * hour;

const refuse = (status: number, body: unknown): never => {
  throw new Refused(status, body);
};

/** The market named behind `path` in the path of the request. */
function marketOf({ model, path, now }: Ask): Market {
  const id = path.split('/')[4] ?? '';
  const found = model.market('bitstamp', 'markets', id, now);
  return found?.state === 'live' ? found : refuse(404, { message: 'Not found.' });
}

const isContract = ({ kind }: Market) => kind !== 'spot';
const nameOf = (market: Market) =>
  `${market.symbol}/${market.quote}${isContract(market) ? '-PERP' : ''}`;
const price = (market: Market, value: number) => fixed(value, market.decimals);
const seconds = (time: number) => String(Math.floor(time / 1000));

const described = (market: Market) => ({
  name: nameOf(market),
  market_symbol: market.id,
  base_currency: market.symbol,
  base_decimals: market.lot,
  counter_currency: market.quote,
  counter_decimals: market.decimals,
  minimum_order_value: '10',
  trading: market.state === 'live' ? 'Enabled' : 'Disabled',
  instant_order_counter_decimals: 2,
  instant_and_market_orders: 'Enabled',
  description: `${market.symbol} / ${market.quote}`,
  asset_class: market.kind === 'other' ? 'EQUITY' : 'CRYPTO',
});

const contract = (market: Market) => ({
  ...described(market),
  market_type: 'PERPETUAL',
  maximum_order_value: '500000.00000000',
  minimum_order_amount: fixed(10 ** -market.lot, 8),
  maximum_order_amount: '10.00000000',
  underlying_asset: `${market.symbol} Benchmark Reference Rate`,
  payoff_type: 'Linear',
  contract_size: '1.00000000',
  isin: 'EZHKD4DNKHY3',
});

const all = ({ model, now }: Ask) => model.markets('bitstamp', now);

const markets = (ask: Ask) =>
  all(ask).map((m) => (isContract(m) ? contract(m) : { ...described(m), market_type: 'SPOT' }));

/** What a perpetual's ticker has beside the others'. */
function contractTicker(market: Market, now: number) {
  const base = Number(fixed(market.openInterest(now), market.lot));
  const mark = market.exact(now);
  return {
    index_price: plain(market.index(now), market.decimals + 3),
    mark_price: plain(mark, market.decimals + 3),
    open_interest: plain(base, market.lot),
    open_interest_value: plain(base * mark, 8),
  };
}

function ticker(market: Market, { model, now }: Ask) {
  const { open, high, low, close, mean, quantity } = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  const midnight = Math.max(openOf({ ms: 24 * hour }, now), market.listed);
  const change = market.state === 'live' && open > 0 ? fixed((close / open - 1) * 100, 2) : '';
  return {
    timestamp: seconds(now),
    open: price(market, market.price(midnight)),
    high: price(market, high),
    low: price(market, low),
    last: price(market, market.price(now)),
    volume: fixed(quantity, market.lot),
    // Finer than the venue's, so that the turnover is exact.
    vwap: plain(mean, market.decimals + 4),
    bid: price(market, bids[0]?.price ?? 0),
    ask: price(market, asks[0]?.price ?? 0),
    side: '0',
    open_24: price(market, open),
    percent_change_24: change,
    market_type: isContract(market) ? 'PERPETUAL' : 'SPOT',
    pair: nameOf(market),
    market: nameOf(market),
    ...(isContract(market) ? contractTicker(market, now) : {}),
  };
}

const tickers = (ask: Ask) => all(ask).map((market) => ticker(market, ask));

/** The estimate for the end of the 8 hours. */
function fundingRate(ask: Ask) {
  const market = marketOf(ask);
  if (!isContract(market)) return refuse(404, { message: 'Not found.' });
  const next = (Math.floor(ask.now / interval) + 1) * interval;
  return {
    funding_rate: plain((market.fundingRate(next) * 8) / market.fundingHours, 8),
    timestamp: seconds(ask.now),
    market: nameOf(market),
    next_funding_time: seconds(next),
  };
}

/** `order_book/<id>/`: the whole book, here of 200 levels. */
function orderBook(ask: Ask) {
  const market = marketOf(ask);
  const { bids, asks } = bookOf(market, ask.now, 200);
  const rows = (side: typeof bids) =>
    side.map((l) => [price(market, l.price), fixed(l.quantity, market.lot)]);
  return {
    timestamp: seconds(ask.now),
    microtimestamp: `${ask.now}000`,
    bids: rows(bids),
    asks: rows(asks),
  };
}

const steps = [60, 180, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 259_200];

/** `ohlc/<id>/?step=&limit=&start=&end=`: the newest rows, or those that open within the seconds given. */
function candles(ask: Ask) {
  const market = marketOf(ask);
  const { query, now } = ask;
  const limit = Number(query.get('limit') ?? 0);
  const invalid = { status: 'error', reason: 'Invalid parameters', code: 'API0018' };
  if (!steps.includes(Number(query.get('step'))) || !(limit >= 1 && limit <= 1000)) {
    return refuse(400, invalid);
  }
  const bar: Bar = { ms: Number(query.get('step')) * 1000 };
  const from = Math.max(openOf(bar, market.listed), Number(query.get('start') ?? 0) * 1000);
  const until = Math.min(now, Number(query.get('end') ?? now) * 1000);
  const ohlc = opensUntil(bar, from, until, limit).map((time) => {
    const c = market.candle(time, nextOpen(bar, time), now);
    return {
      high: price(market, c.high),
      timestamp: seconds(time),
      volume: fixed(c.quantity, market.lot),
      low: price(market, c.low),
      close: price(market, c.close),
      open: price(market, c.open),
    };
  });
  return { data: { pair: nameOf(market), ohlc } };
}

const answers: Readonly<Record<string, Route['answer']>> = {
  markets,
  ticker: tickers,
  funding_rate: fundingRate,
  order_book: orderBook,
  ohlc: candles,
};

const tooMany = {
  status: 'error',
  reason: 'Request rate limit exceeded',
  response_code: '400.002',
};

const prefix = 'live_trades_';
/** `live_trades_<market>`: a trade in each second in which a market moves. */
const trades = marketChannels({
  venue: 'bitstamp',
  named(frame) {
    const { event, data } = objectOf(frame);
    const name = event === 'bts:subscribe' ? text(asRow(data).channel) : '';
    if (!name.startsWith(prefix)) return [];
    return [channelOf({ group: 'markets', id: name.slice(prefix.length) })];
  },
  tell: (markets, at) =>
    markets.map((market) => {
      const { last, bidSize } = quoteOf(market, at);
      const [timestamp, microtimestamp] = [`${at.now / 1_000}`, `${at.now}000`];
      const data = {
        ...{ id: at.now, timestamp, microtimestamp, type: 0 },
        ...{ price: Number(last), price_str: last, amount: Number(bidSize), amount_str: bidSize },
        ...{ buy_order_id: at.now, sell_order_id: at.now + 1 },
      };
      return { data, channel: `${prefix}${market.id}`, event: 'trade' };
    }),
});

/** `order_book_<market>`: whole books. */
const books = bookChannels({
  ...{ venue: 'bitstamp', depth: 100, every: 4_000, whole: true },
  asked({ event, data }) {
    const on = order('bts:subscribe', 'bts:unsubscribe')(event);
    const ids = idsIn([text(asRow(data).channel)], /^order_book_(.+)$/);
    return on === null ? null : { on, markets: inGroup('', ids) };
  },
  find: (markets, { id }) => markets.find((one) => one.id === id),
  tell({ market, now, bids, asks }) {
    const times = { timestamp: `${now / 1_000}`, microtimestamp: `${now}000` };
    return {
      data: { ...times, bids, asks },
      channel: `order_book_${market.id}`,
      event: 'data',
    };
  },
});

/** The simulated venue. */
export const bitstamp: SimulatedVenue = {
  id: 'bitstamp',
  hosts: ['www.bitstamp.net', 'ws.bitstamp.net'],
  markets: bitstampMarkets,
  route(path) {
    const answer = answers[/^\/api\/v2\/(\w+)\//.exec(path)?.[1] ?? ''];
    return answer && { bucket: 'address', weight: () => 1, answer };
  },
  buckets: { address: { weight: 10_000, per: 600_000 } },
  refusals: {
    rate_limit: { status: 400, body: tooMany },
    ban: { status: 403, body: { status: 'error', reason: 'Forbidden', code: '403.001' } },
    server_error: { status: 503, body: { status: 'error', reason: 'Busy', code: '503.001' } },
  },
  channels: together(trades, books),
  /** A subscription is confirmed with the name of its channel. */
  reply(frame) {
    const { channel } = asRow(objectOf(frame).data);
    const event = 'bts:subscription_succeeded';
    return channel === undefined ? [] : [JSON.stringify({ event, channel, data: {} })];
  },
};
