/** Bitstamp: spot and linear perpetuals. Source: the venue's public API v2 documentation. */

import { bookOf } from '../book.ts';
import { books } from '../books/bitstamp.ts';
import type { Bar } from '../calendar.ts';
import { nextOpen, openOf, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import { bitstampMarkets } from '../listings/aster-bybit.ts';
import { trades } from '../live/bitstamp.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import type { Ask, Route, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

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

const listed = (market: Market) => ({
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
  ...listed(market),
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
  all(ask).map((m) => (isContract(m) ? contract(m) : { ...listed(m), market_type: 'SPOT' }));

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
    const message: unknown = JSON.parse(frame);
    if (typeof message !== 'object' || message === null || !('data' in message)) return [];
    const data: unknown = message.data;
    if (typeof data !== 'object' || data === null || !('channel' in data)) return [];
    const event = 'bts:subscription_succeeded';
    return [JSON.stringify({ event, channel: data.channel, data: {} })];
  },
};
