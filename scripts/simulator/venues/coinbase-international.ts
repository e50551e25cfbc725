/** The answers of Coinbase International: one list with everything, and candles. */
import { bookOf } from '../book.ts';
import { nextOpen, openOf, opensFrom } from '../calendar.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const hour = 3_600_000;
const price = (market: Market, value: number) => plain(value, market.decimals);
const size = (market: Market, value: number) => plain(value, market.lot);
const listed = ({ model, now }: Ask) => model.markets('coinbase', now, 'perpetual');

/** The rate of the running hour. */
const hourly = (market: Market, now: number) =>
  market.fundingRate(Math.floor(now / hour) * hour + hour) / market.fundingHours;

function quote(market: Market, now: number): object {
  const { bids, asks } = bookOf(market, now, 1);
  const [bid = { price: 0, quantity: 0 }, ask = { price: 0, quantity: 0 }] = [bids[0], asks[0]];
  const mark = plain(market.exact(now), market.decimals + 4);
  return {
    best_bid_price: price(market, bid.price),
    best_bid_size: size(market, bid.quantity),
    best_ask_price: price(market, ask.price),
    best_ask_size: size(market, ask.quantity),
    trade_price: price(market, market.price(now)),
    trade_qty: size(market, bid.quantity),
    index_price: plain(market.index(now), market.decimals + 4),
    mark_price: mark,
    settlement_price: mark,
    limit_up: price(market, market.exact(now) * 1.05),
    limit_down: price(market, market.exact(now) * 0.95),
    predicted_funding: plain(hourly(market, now), 12),
    timestamp: new Date(now).toISOString(),
  };
}

const uuid = (n: number) =>
  `${n.toString(16).padStart(8, '0').slice(0, 8)}-6a10-45d6-af05-67c30eb91e2d`;

function instrument(market: Market, { model, now }: Ask): object {
  const { seed, scale, symbol } = market;
  const day = model.last24h(market, now);
  return {
    instrument_id: `149264${seed}`,
    instrument_uuid: uuid(seed),
    symbol: market.id,
    type: 'PERP',
    base_asset_id: `118059${seed}`,
    base_asset_uuid: uuid(seed + 1),
    base_asset_name: `${scale > 1 ? scale : ''}${symbol}`,
    quote_asset_id: '1',
    quote_asset_uuid: uuid(1),
    quote_asset_name: market.quote,
    base_increment: size(market, 10 ** -market.lot),
    quote_increment: price(market, 10 ** -market.decimals),
    price_band_percent: '0.02',
    market_order_percent: '0.0075',
    qty_24hr: size(market, day.quantity),
    notional_24hr: plain(day.turnover, 8),
    avg_daily_qty: size(market, day.quantity),
    avg_daily_notional: plain(day.turnover, 8),
    previous_day_qty: size(market, day.quantity),
    open_interest: plain(market.openInterest(now), 8),
    position_limit_qty: '1831.9527',
    position_limit_adq_pct: '0.05',
    replacement_cost: '0.23',
    base_imf: '0.1',
    min_notional_value: '10',
    funding_interval: String(hour * 1e6),
    trading_state: market.state === 'live' ? 'TRADING' : 'PAUSED',
    quote: quote(market, now),
  };
}

/** `instruments`. */
export const instruments = (ask: Ask) => listed(ask).map((market) => instrument(market, ask));

const lengths: Readonly<Record<string, number>> = {
  ONE_MINUTE: 1 / 60,
  FIVE_MINUTE: 1 / 12,
  FIFTEEN_MINUTE: 0.25,
  THIRTY_MINUTE: 0.5,
  ONE_HOUR: 1,
  TWO_HOUR: 2,
  SIX_HOUR: 6,
  ONE_DAY: 24,
};

const refuse = (status: number, title: string): never => {
  throw new Refused(status, { title, status });
};

/** `instruments/{symbol}/candles?granularity=&start=&end=`: a start is needed; newest first. */
export const candles = (ask: Ask) => {
  const [id] = ask.path.split('/').slice(-2);
  const market = listed(ask).find((m) => m.id === id) ?? refuse(404, 'Not Found');
  const hours =
    lengths[ask.query.get('granularity') ?? ''] ?? refuse(400, 'granularity is invalid');
  const start = Date.parse(ask.query.get('start') ?? '');
  if (!(start > 0)) refuse(400, 'start is required');
  const bar = { ms: Math.round(hours * hour) };
  const to = Math.min(ask.now, Date.parse(ask.query.get('end') ?? '') || ask.now);
  const opens = opensFrom(bar, Math.max(start, openOf(bar, market.listed)), to, 300);
  return {
    aggregations: opens.reverse().map((time) => {
      const c = market.candle(time, nextOpen(bar, time), ask.now);
      return {
        start: new Date(time).toISOString().replace('.000', ''),
        open: price(market, c.open),
        high: price(market, c.high),
        low: price(market, c.low),
        close: price(market, c.close),
        volume: size(market, c.quantity),
      };
    }),
  };
};
