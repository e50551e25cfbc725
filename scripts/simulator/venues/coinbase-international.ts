/** The answers of Coinbase International: one list with everything, and candles. */
import { openOf, opensFrom } from '../calendar.ts';
import { barsOf, candleRows, isLive, marketRows } from '../exchange.ts';
import { rowsWith } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const hour = 3_600_000;
const venue = 'coinbase';
const uuid = (n: number) =>
  `${n.toString(16).padStart(8, '0').slice(0, 8)}-6a10-45d6-af05-67c30eb91e2d`;

const { row } = rowsWith({
  instrument: ({ market }) => `149264${market.seed}`,
  instrumentUuid: ({ market }) => uuid(market.seed),
  asset: ({ market }) => `118059${market.seed}`,
  assetUuid: ({ market }) => uuid(market.seed + 1),
  status: ({ market }) => (isLive(market) ? 'TRADING' : 'PAUSED'),
  /** The rate of the running hour. */
  hourly: ({ market, now }) =>
    market.fundingRate(openOf({ ms: hour }, now) + hour) / market.fundingHours,
  highest: ({ market, now }) => market.exact(now) * 1.05,
  lowest: ({ market, now }) => market.exact(now) * 0.95,
  opened: ({ candle }) => new Date(candle.time).toISOString().replace('.000', ''),
});
const instrument = row(`
  instrument_id=instrument instrument_uuid=instrumentUuid symbol=id type='PERP'
  base_asset_id=asset base_asset_uuid=assetUuid base_asset_name=coin quote_asset_id='1'
  quote_asset_uuid='${uuid(1)}' quote_asset_name=quote base_increment=step quote_increment=tick
  price_band_percent='0.02' market_order_percent='0.0075' qty_24hr=quantity
  notional_24hr=turnover avg_daily_qty=quantity avg_daily_notional=turnover
  previous_day_qty=quantity open_interest=interest.8 position_limit_qty='1831.9527'
  position_limit_adq_pct='0.05' replacement_cost='0.23' base_imf='0.1' min_notional_value='10'
  funding_interval='${hour * 1e6}' trading_state=status
  quote{ best_bid_price=bestBid best_bid_size=bestBidSize best_ask_price=bestAsk
    best_ask_size=bestAskSize trade_price=last trade_qty=bestBidSize index_price=index+4
    mark_price=mark+4 settlement_price=mark+4 limit_up=highest+0 limit_down=lowest+0
    predicted_funding=hourly.12 timestamp=iso }`);
const candle = row('start=opened open high low close volume=quantity');

/** `instruments`. */
export const instruments = (ask: Ask) => marketRows(instrument, ask, { venue, group: 'perpetual' });

const bars = barsOf(
  'ONE_MINUTE=1m FIVE_MINUTE=5m FIFTEEN_MINUTE=15m THIRTY_MINUTE=30m ONE_HOUR=1h TWO_HOUR=2h SIX_HOUR=6h ONE_DAY=1d',
);

const refuse = (status: number, title: string): never => {
  throw new Refused(status, { title, status });
};

/** `instruments/{symbol}/candles?granularity=&start=&end=`: a start is needed; newest first. */
export const candles = (ask: Ask) => {
  const [id] = ask.path.split('/').slice(-2);
  const market =
    ask.model.market(venue, 'perpetual', id ?? '', ask.now) ?? refuse(404, 'Not Found');
  const bar = bars[ask.query.get('granularity') ?? ''] ?? refuse(400, 'granularity is invalid');
  const start = Date.parse(ask.query.get('start') ?? '');
  if (!(start > 0)) refuse(400, 'start is required');
  const to = Math.min(ask.now, Date.parse(ask.query.get('end') ?? '') || ask.now);
  const opens = opensFrom(bar, Math.max(start, openOf(bar, market.listed)), to, 300);
  const times = { bar, opens: opens.reverse() };
  return { aggregations: candleRows(candle, market, times, ask) };
};
