/** The answers of Deribit: JSON-RPC replies with JSON numbers, errors with HTTP 400. */
import { openOf, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, columnsOf, isLive, pointRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight, whileLive } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';
import { optionSummaries } from './deribit-options.ts';

const venue = 'deribit';
const hour = 3_600_000;
const never = 32_503_708_800_000;
const currencies = ['BTC', 'ETH', 'USDC', 'USDT', 'EURR'];
const kinds = ['future', 'option', 'spot', 'future_combo', 'option_combo'];

const envelope = (now: number) => {
  const usIn = now * 1000;
  return { usIn, usOut: usIn + 250, usDiff: 250, testnet: false };
};
const ok = (ask: Ask, result: unknown) => ({ jsonrpc: '2.0', result, ...envelope(ask.now) });

/** An error reply as Deribit gives it. */
export const failure = (now: number, code: number, message: string, data?: object) => ({
  jsonrpc: '2.0',
  error: { message, ...(data && { data }), code },
  ...envelope(now),
});

const invalid = (now: number, param: string, reason: string): never => {
  throw new Refused(400, failure(now, -32_602, 'Invalid params', { reason, param }));
};

const isSpot = ({ group }: Market) => group === 'spot';

function marketOf({ query, model, now }: Ask): Market {
  const id = query.get('instrument_name') ?? invalid(now, 'instrument_name', 'value required');
  const groups = ['spot', 'linear', 'inverse'];
  const found = groups.map((group) => model.market(venue, group, id, now)).find((m) => m);
  return found ?? invalid(now, 'instrument_name', 'instrument not found');
}

/** Contracts go by what they settle in, spot pairs by either currency. */
function isOf(market: Market, currency: string): boolean {
  if (currency === 'any') return true;
  if (market.group === 'spot') return [market.symbol, market.quote].includes(currency);
  return currency === (market.inverse ? market.symbol : market.quote);
}

function selected({ query, model, now }: Ask, legal: readonly string[]): Market[] {
  const currency = query.get('currency') ?? '';
  const kind = query.get('kind');
  if (!legal.includes(currency)) invalid(now, 'currency', 'invalid currency');
  if (kind !== null && !kinds.includes(kind)) invalid(now, 'kind', 'invalid kind');
  return model
    .markets(venue, now)
    .filter((m) => isOf(m, currency))
    .filter((m) => kind === null || kind === (m.group === 'spot' ? 'spot' : 'future'));
}

/** Per 8 hours, as it accrues in this hour. */
const eightHours = (market: Market, t: number) =>
  (market.fundingRate(openOf({ ms: hour }, t)) * 8) / market.fundingHours;
/** US dollars on inverse contracts, base on the others. */
const open = ({ market, interest }: Sight) =>
  market.inverse ? Math.round(interest.value) : interest.base;
const middle = ({ market, best: { bid, ask } }: Sight) =>
  bid && ask ? (market.round(bid.price) + market.round(ask.price)) / 2 : null;

const { row, list } = rowsWith({
  ...whileLive(null, 'high low close percent'),
  bid: ({ best }) => best.bid?.price ?? null,
  ask: ({ best }) => best.ask?.price ?? null,
  ...{ open, middle },
  begun: ({ stretch }) => stretch.open,
  openHere: (sight) => (isSpot(sight.market) ? 0 : open(sight)),
  kind: ({ market }) => (isSpot(market) ? 'spot' : 'future'),
  state: ({ market }) => (isLive(market) ? 'open' : 'halted'),
  type: ({ market }) => (market.inverse ? 'reversed' : 'linear'),
  underlying: ({ market }) => (market.symbol === 'TSLA' ? 'equity' : 'crypto'),
  priceIndex: ({ market }) => `${market.symbol}_${market.quote}`.toLowerCase(),
  ends: ({ market }) => market.expires ?? never,
  baseCurrency: ({ market }) => market.id.split(/[_-]/)[0],
  period: ({ market }) => (market.expires === undefined ? 'perpetual' : 'month'),
  dollars: ({ market, stretch }) => stretch.turnover * (market.dollars ?? 1),
  funding: ({ market, now }) => eightHours(market, now),
  hourly: ({ market, now }) => eightHours(market, now) / 8,
  fundingBefore: ({ market, now }) => eightHours(market, now - hour),
  indexBefore: ({ market, now }) => market.index(now - hour),
  highest: ({ market, now }) => market.exact(now) * 1.015,
  lowest: ({ market, now }) => market.exact(now) * 0.985,
  settled: ({ market, now }) => market.exact(openOf({ ms: hour }, now)),
});

const instrument = `
  tick_size=#tick taker_commission=0.0005 quote_currency=quote min_trade_amount=#step.4
  maker_commission=0 kind is_active=isLive state instrument_name=id instrument_type=type
  underlying_type=underlying price_index=priceIndex expiration_timestamp=ends
  creation_timestamp=listed counter_currency=quote contract_size=#step.4
  base_currency=baseCurrency`;
const pair = row(instrument);
const future = row(`
  ${instrument} settlement_period=period settlement_currency=settle
  max_liquidation_commission=0.0075 max_leverage=50 future_type=type
  block_trade_commission=0.0001`);

/** Older replies about spot pairs have no turnover; perpetuals alone have funding. */
const turnover = 'volume_usd=#dollars.4 volume_notional=#turnover.4';
const accrued = 'current_funding=#funding.12 funding_8h=#fundingBefore.12';
const summary = `
  high=#high low=#low last=#close instrument_name=id bid_price=#bid ask_price=#ask
  open_interest=#openHere.8 mark_price=#mark+1 creation_timestamp=now price_change=#percent.4
  volume=#base estimated_delivery_price=#index+1 base_currency=baseCurrency quote_currency=quote
  mid_price=#middle+1`;
const state = (volumes: string) => `
  best_ask_amount=@bestAskSize best_ask_price=#bestAsk best_bid_amount=@bestBidSize
  best_bid_price=#bestBid estimated_delivery_price=#index+1 index_price=#index+1
  instrument_name=id last_price=#close mark_price=#mark+1 max_price=#highest+0
  min_price=#lowest+0 open_interest=#open.8 settlement_price=#settled+0 state
  stats{ high=#high low=#low price_change=#percent.4 volume=#base ${volumes} } timestamp=now`;
const rows = {
  spot: { summary: row(summary), state: row(state('')) },
  dated: { summary: row(`${summary} ${turnover}`), state: row(state(turnover)) },
  perpetual: {
    summary: row(`${summary} ${turnover} ${accrued}`),
    state: row(`${state(turnover)} ${accrued} interest_value=0.0088`),
  },
};
const sortOf = (market: Market) =>
  isSpot(market) ? 'spot' : market.expires === undefined ? 'perpetual' : 'dated';
const summaryOf: Row = (market, at) => rows[sortOf(market)].summary(market, at);

/** The ticker of a market. */
export const stateOf: Row = (market, at) => rows[sortOf(market)].state(market, at);

/** `get_instruments?currency=&kind=`. */
export const instruments = (ask: Ask) =>
  ok(
    ask,
    selected(ask, [...currencies, 'any']).map((market) =>
      (isSpot(market) ? pair : future)(market, ask),
    ),
  );

/** `get_book_summary_by_currency?currency=&kind=`; `any` is refused. */
export const summaries = (ask: Ask) => {
  const markets = selected(ask, currencies);
  const isOption = ask.query.get('kind') === 'option';
  return ok(
    ask,
    isOption
      ? optionSummaries(ask, ask.query.get('currency') ?? '')
      : markets.map((market) => summaryOf(market, ask)),
  );
};

/** `get_book_summary_by_instrument?instrument_name=`. */
export const oneSummary = (ask: Ask) => ok(ask, [summaryOf(marketOf(ask), ask)]);

/** `ticker?instrument_name=`. */
export const ticker = (ask: Ask) => ok(ask, stateOf(marketOf(ask), ask));

const level = list('#price #size');
/** `get_order_book?instrument_name=&depth=`: one of eight depths, 5 when absent. */
export const orderBook = (ask: Ask) => {
  const market = marketOf(ask);
  const depth = Number(ask.query.get('depth') ?? 5);
  const legal = [1, 5, 10, 20, 50, 100, 1000, 10_000].includes(depth);
  if (!legal) invalid(ask.now, 'depth', 'invalid depth');
  const { bids, asks, updateId: change_id } = bookRows(level, market, ask, depth);
  return ok(ask, { ...stateOf(market, ask), asks, bids, change_id });
};

const resolutions = barsOf(
  '1=1m 3=3m 5=5m 10=10m 15=15m 30=30m 60=1h 120=2h 180=3h 360=6h 720=12h 1D=1d',
);

function time({ query, now }: Ask, name: string): number {
  const text = query.get(name) ?? invalid(now, name, 'value required');
  return /^\d{1,16}$/.test(text) ? Number(text) : invalid(now, name, 'must be an integer');
}

const candle = row(
  'close=@close cost=#turnover high=@high low=@low open=@begun ticks=start volume=#base',
);
/** `get_tradingview_chart_data`: bars that open within the range, at most 5000 of them, in columns. */
export const candles = (ask: Ask) => {
  const market = marketOf(ask);
  const word = ask.query.get('resolution') ?? '';
  const bar = resolutions[word] ?? invalid(ask.now, 'resolution', 'invalid resolution');
  const from = Math.max(time(ask, 'start_timestamp'), market.listed);
  const until = Math.min(time(ask, 'end_timestamp'), ask.now);
  const opens = isLive(market) && until >= from ? opensUntil(bar, from, until, 5000) : [];
  const status = opens.length > 0 ? 'ok' : 'no_data';
  return ok(ask, { ...columnsOf(candle, market, { bar, opens }, ask), status });
};

const charged = row(`
  timestamp=now index_price=#index+1 prev_index_price=#indexBefore+1 interest_8h=#funding.12
  interest_1h=@hourly`);
/** `get_funding_rate_history`: full hours of the range, ascending, at most 744; what each hour and the last eight charged. */
export const fundings = (ask: Ask) => {
  const market = marketOf(ask);
  const from = Math.max(time(ask, 'start_timestamp'), market.listed);
  const until = Math.min(time(ask, 'end_timestamp'), ask.now);
  const isEmpty = market.expires !== undefined || until < from;
  const opens = isEmpty ? [] : opensUntil({ ms: hour }, from, until, 744);
  return ok(ask, pointRows(charged, market, { opens }, ask));
};
