/** The answers of Coinbase Advanced Trade (products, books) and Coinbase Exchange (candles). */
import { bookOf } from '../book.ts';
import { openOf, opensFrom, opensUntil } from '../calendar.ts';
import { bookRows, candleRows, isLive, tradeRows } from '../exchange.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import { rowsWith, whileLive } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const iso = (t: number) => new Date(t).toISOString();

const { row, list } = rowsWith({
  ...whileLive('', 'last percent base turnover'),
  status: ({ market }) => (isLive(market) ? 'online' : 'delisted'),
  isHalted: ({ market }) => !isLive(market),
  since: ({ market }) => iso(market.listed),
  maker: ({ trade }) => (trade.bought ? 'sell' : 'buy'),
});
const product = row(`
  product_id=id price=last price_percentage_change_24h=percent.14f volume_24h=base
  volume_percentage_change_24h='1.5' base_increment=step quote_increment=tick quote_min_size='1'
  quote_max_size='150000000' base_min_size=step base_max_size='3400' base_name=symbol
  quote_name=quote watched=false is_disabled=false new=false status cancel_only=false
  limit_only=false post_only=false trading_disabled=isHalted auction_mode=false
  product_type='SPOT' quote_currency_id=quote base_currency_id=symbol
  fcm_trading_session_details=null mid_market_price='' alias='' alias_to=[]
  base_display_symbol=symbol quote_display_symbol=quote view_only=false price_increment=tick
  display_name=id product_venue='CBE' approximate_quote_24h_volume=turnover new_at=since
  market_cap='' base_cbrn='' quote_cbrn='' product_cbrn='' icon_color='' icon_url=''
  display_name_overwrite='' is_alpha_testing=false about_description='' best_bid_price=''
  best_ask_price=''`);
const level = row('price size');
const candle = list('startSeconds @low @high @open @close #base');

/** A USD product, and for the larger coins the same book under its USDC name. */
function names(market: Market, ask: Ask): object[] {
  const row = product(market, ask);
  if (
    market.quote !== 'USD' ||
    !ask.model.assets.some((a) => a.symbol === market.symbol && a.rank < 8)
  ) {
    return [row];
  }
  const id = `${market.symbol}-USDC`;
  const other = { product_id: id, alias: market.id, quote_currency_id: 'USDC', display_name: id };
  return [
    { ...row, alias_to: [id] },
    { ...row, ...other, quote_name: 'USDC' },
  ];
}

/** `products?product_type=SPOT`; of futures there are none. */
export const products = (ask: Ask) => {
  const type = ask.query.get('product_type') ?? 'SPOT';
  const markets = type === 'SPOT' ? ask.model.markets('coinbase', ask.now, 'spot') : [];
  const rows = markets.flatMap((market) => names(market, ask));
  return { products: rows, num_products: rows.length, pagination: null };
};

const trade = row('trade_id=tradeId side=maker size=tradeSize price=tradePrice time=tradedIso');

const notFound = (): never => {
  const why = 'ProductID not found';
  throw new Refused(404, { error: 'NOT_FOUND', error_details: why, message: why });
};

/** `product_book?product_id=&limit=`, perpetuals as `BTC-PERP-INTX`. */
export const productBook = ({ model, query, now }: Ask) => {
  const id = query.get('product_id') ?? '';
  const perpetual = id.endsWith('-INTX');
  const market = model.market(
    'coinbase',
    perpetual ? 'perpetual' : 'spot',
    id.replace('-INTX', '').replace('-USDC', '-USD'),
    now,
  );
  if (!market) return notFound();
  const depth = Number(query.get('limit') ?? 50);
  const { bids, asks } = bookRows(level, market, { model, now }, depth);
  const { bids: best, asks: offers } = bookOf(market, now, 1);
  const [bid, ask] = [best[0]?.price ?? 0, offers[0]?.price ?? 0];
  return {
    pricebook: { product_id: id, bids, asks, time: iso(now) },
    last: plain(market.price(now), market.decimals),
    mid_market: plain((bid + ask) / 2, market.decimals + 1),
    spread_bps: plain(((ask - bid) / ask) * 1e4, 12),
    spread_absolute: plain(ask - bid, market.decimals),
  };
};

const refuse = (status: number, message: string): never => {
  throw new Refused(status, { message });
};

/** `products/{id}/trades?limit=`: newest first, with the side of the maker. */
export const trades = ({ model, path, query, now }: Ask) => {
  const [id = ''] = path.split('/').slice(-2);
  const market = model.market('coinbase', 'spot', id, now) ?? refuse(404, 'NotFound');
  return tradeRows(trade, market, { model, now }, Number(query.get('limit') ?? 100));
};

/**
 * `products/{id}/candles?granularity=&start=&end=`: at most 300, newest first; without a start or an end the
 * newest. Buckets without a trade are left out.
 */
export const candles = ({ model, path, query, now }: Ask) => {
  const [id = ''] = path.split('/').slice(-2);
  const market = model.market('coinbase', 'spot', id, now) ?? refuse(404, 'NotFound');
  const seconds = Number(query.get('granularity') ?? 60);
  if (![60, 300, 900, 3600, 21_600, 86_400].includes(seconds))
    refuse(400, 'Unsupported granularity');
  const bar = { ms: seconds * 1000 };
  const start = Date.parse(query.get('start') ?? '');
  const end = Date.parse(query.get('end') ?? '');
  const bounded = start > 0 && end > 0;
  if (bounded && (end - start) / bar.ms > 300) {
    refuse(
      400,
      'granularity too small for the requested time range. Count of aggregations requested exceeds 300',
    );
  }
  const first = openOf(bar, market.listed);
  const opens = bounded
    ? opensFrom(bar, Math.max(first, start), Math.min(end, now), 300)
    : opensUntil(bar, first, openOf(bar, now), 300);
  const rows = candleRows(candle, market, { bar, opens: opens.reverse() }, { model, now });
  return rows.filter(([, , , , , base]) => Number(base) > 0);
};
