/** Lighter: perpetuals and spot. https://apidocs.lighter.xyz */

import { isRecord, text } from '../../../actors/read.ts';
import { bookOf } from '../book.ts';
import { books } from '../books/lighter.ts';
import { opensUntil } from '../calendar.ts';
import { barsOf, candleRows, isLive, marketRows, routesOf } from '../exchange.ts';
import { fixed } from '../format.ts';
import * as liquidations from '../liquidations/lighter.ts';
import { lighterMarkets } from '../listings/kucoin-woo.ts';
import { isStats, nameOf, statsOf } from '../live/lighter.ts';
import { together } from '../live/moving.ts';
import type { Market } from '../market.ts';
import { rowsWith } from '../rows.ts';
import type { Ask, Channels, SimulatedVenue } from '../venue.ts';
import { Refused } from '../venue.ts';

const venue = 'lighter';
const minute = 60_000;
const hour = 60 * minute;

const refusal = (status: number, code: number, message: string) => ({
  status,
  body: { code, message },
});
const refuse = (): never => {
  throw new Refused(400, refusal(400, 20001, 'invalid param ').body);
};

function marketOf({ query, model, now }: Ask): Market {
  return model.market(venue, 'all', query.get('market_id') ?? '', now) ?? refuse();
}
function integer({ query }: Ask, name: string, [least, most]: readonly [number, number]): number {
  const text = query.get(name) ?? '';
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : refuse();
}

const isSpot = ({ kind }: Market): boolean => kind === 'spot';

const { row } = rowsWith({
  name: ({ market }) => nameOf(market),
  number: ({ market }) => Number(market.id),
  status: ({ market }) => (market.state === 'halted' ? 'inactive' : 'active'),
  least: ({ market }) => fixed(10 ** -market.lot, market.lot),
  change: ({ market, stretch }) => (isLive(market) ? (stretch.close / stretch.open - 1) * 100 : 0),
  /** Stated for anything that is not a coin. */
  trading: ({ market }) => (market.kind === 'other' ? '09:30-16:00' : ''),
  isAnnounced: ({ market }) => market.state === 'preopen',
  startId: ({ market, candle }) => market.tradeId(candle.time),
});
const common = `
  symbol=name market_id=number status taker_fee='0.0000' maker_fee='0.0000' min_base_amount=least
  min_quote_amount='10.000000' order_quote_limit='281474976.710655' supported_size_decimals=lot
  supported_price_decimals=decimals supported_quote_decimals=6 size_decimals=lot
  price_decimals=decimals last_trade_price=#last daily_trades_count=trades
  daily_base_token_volume=#quantity daily_quote_token_volume=#turnover.6 daily_price_low=#low
  daily_price_high=#high daily_price_change=change`;
const spot = row(`
  ${common} market_type='spot' base_asset_id=1 quote_asset_id=3 liquidation_fee='0.0000'
  daily_chart='{}'`);
const contract = row(`
  ${common} market_type='perp' base_asset_id=0 quote_asset_id=0 is_taker_fee_enabled=true
  is_maker_fee_enabled=true liquidation_fee='1.0000' quote_multiplier=1
  default_initial_margin_fraction=500 min_initial_margin_fraction=200
  maintenance_margin_fraction=120 closeout_margin_fraction=80 open_interest=#interest
  daily_chart={}
  market_config{ market_margin_mode=0 insurance_fund_account_index=281474976710655
    liquidation_mode=0 force_reduce_only=false trading_hours=trading
    funding_fee_discounts_enabled=false hidden=isAnnounced rfq_enabled=true }
  strategy_index=2`);
const candle = row(`
  t=start o=#open h=#high l=#low c=#close v=#quantity V=#turnover.6 i=startId`);

/** `filter`: perp, spot or all, which is the default. */
function orderBookDetails(ask: Ask) {
  const filter = ask.query.get('filter') ?? 'all';
  if (!['perp', 'spot', 'all'].includes(filter)) refuse();
  const perps = { venue, keep: (market: Market) => !isSpot(market) };
  return {
    code: 200,
    order_book_details: filter === 'spot' ? [] : marketRows(contract, ask, perps),
    spot_order_book_details:
      filter === 'perp' ? [] : marketRows(spot, ask, { venue, keep: isSpot }),
  };
}

/** Rates per 8 hours, beside those of other exchanges. */
const fundingRates = ({ model, now }: Ask) => ({
  code: 200,
  funding_rates: model
    .markets(venue, now)
    .filter(({ kind, state }) => kind !== 'spot' && state === 'live')
    .flatMap((market) => {
      const rate = (market.fundingRate(market.fundingTimes(now).next) * 8) / market.fundingHours;
      const row = { market_id: Number(market.id), symbol: nameOf(market) };
      return [
        { ...row, exchange: 'lighter', rate },
        { ...row, exchange: 'binance', rate: rate + 0.0001 },
      ];
    }),
});

const typed = (frame: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(frame);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};

/** Statistics of all markets, and the trades of each. */
const channels: Channels = {
  every: 1_000,
  named(frame, to) {
    const { type, channel } = typed(frame);
    const asked = type === 'subscribe' ? text(channel) : '';
    return isStats(asked) ? [asked] : liquidations.channels.named(frame, to);
  },
  messages(asked, at) {
    const trades = [...asked].filter((channel) => !isStats(channel));
    const others = at.first
      ? trades.map(liquidations.firstOf)
      : liquidations.channels.messages(asked, at);
    return [...[...asked].filter(isStats).map((channel) => statsOf(channel, at)), ...others];
  },
};

const isKnown = (frame: string): boolean =>
  [channels, books].some((one) => one.named(frame, { host: '', path: '' }).length > 0);

/** A ping is answered; a channel that is not simulated is refused. */
function reply(frame: string): string[] {
  const { type, channel } = typed(frame);
  if (type === 'ping') return ['{"type":"pong"}'];
  if (type !== 'subscribe' || isKnown(frame)) return [];
  return [JSON.stringify({ error: { code: 30_003, message: `Invalid Channel: ${channel}` } })];
}

/** One row an order: a level is made of up to three. */
function* orders(market: Market, side: 'bids' | 'asks', ask: Ask) {
  const unitsPerLot = 10 ** market.lot;
  for (const level of bookOf(market, ask.now, 250)[side]) {
    const lots = Math.round(level.quantity * unitsPerLot);
    const count = Math.min(lots, 1 + (level.orders % 3));
    for (let i = 0; i < count; i++) {
      const part = Math.floor((lots * (i + 1)) / count) - Math.floor((lots * i) / count);
      const amount = fixed(part / unitsPerLot, market.lot);
      const index = 281_476_929_000_000 + (Math.round(level.price * 1e6) % 1e6) * 3 + i;
      yield {
        order_index: index,
        order_id: String(index),
        owner_account_index: 281_474_976_641_952,
        initial_base_amount: amount,
        remaining_base_amount: amount,
        price: fixed(level.price, market.decimals),
        order_expiry: ask.now + 28 * 24 * hour,
        transaction_time: 0,
      };
    }
  }
}

/** `limit` orders a side, 1 to 250. */
function orderBookOrders(ask: Ask) {
  const market = marketOf(ask);
  const limit = integer(ask, 'limit', [1, 250]);
  const asks = [...orders(market, 'asks', ask)].slice(0, limit);
  const bids = [...orders(market, 'bids', ask)].slice(0, limit);
  return { code: 200, total_asks: asks.length, asks, total_bids: bids.length, bids };
}

const bars = barsOf('1m 5m 15m 30m 1h 4h 12h 1d 1w');
const latest = 5_000_000_000_000;

/**
 * Bars that open from `start_timestamp` to `end_timestamp`, which is exclusive: the last
 * `count_back`, at most 500.
 */
function candles(ask: Ask) {
  const market = marketOf(ask);
  const resolution = ask.query.get('resolution') ?? '';
  const bar = bars[resolution] ?? refuse();
  const from = Math.max(integer(ask, 'start_timestamp', [0, latest]), market.listed);
  const to = Math.min(integer(ask, 'end_timestamp', [0, latest]) - 1, ask.now);
  const count = Math.min(500, integer(ask, 'count_back', [0, latest]) || 500);
  const times = market.state === 'live' ? opensUntil(bar, from, to, count) : [];
  const rows = candleRows(candle, market, { bar, opens: times }, ask);
  return { code: 200, r: resolution, c: rows.length > 0 ? rows : null };
}

const answers = {
  orderBookDetails: orderBookDetails,
  'funding-rates': fundingRates,
  orderBookOrders: orderBookOrders,
  candles: candles,
};
const routes = routesOf('/api/v1/', answers, 'all');

/** The simulated venue. */
export const lighter: SimulatedVenue = {
  id: venue,
  hosts: ['mainnet.zklighter.elliot.ai'],
  markets: lighterMarkets,
  route: (path) => routes.get(path),
  reply,
  channels: together(channels, books),
  buckets: { all: { weight: 60, per: minute } },
  refusals: {
    rate_limit: refusal(429, 23000, 'Too Many Requests!'),
    ban: refusal(403, 403, 'forbidden'),
    server_error: refusal(503, 500, 'service unavailable'),
  },
};
