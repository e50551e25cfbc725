/** The answers of Deribit: JSON-RPC replies with JSON numbers, errors with HTTP 400. */
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { nextOpen, opensUntil } from '../calendar.ts';
import type { Market, Stretch } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';
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

const round = (value: number, decimals: number) => Number(value.toFixed(decimals));
const isDated = (market: Market) => market.expires !== undefined;
const markOf = (market: Market, now: number) => round(market.exact(now), market.decimals + 1);
const indexOf = (market: Market, now: number) => round(market.index(now), market.decimals + 1);

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

const step = (market: Market) => round(10 ** -market.lot, 4);

const instrument = (market: Market) => ({
  tick_size: round(10 ** -market.decimals, market.decimals),
  taker_commission: 0.0005,
  quote_currency: market.quote,
  min_trade_amount: step(market),
  maker_commission: 0,
  kind: market.group === 'spot' ? 'spot' : 'future',
  is_active: market.state === 'live',
  state: market.state === 'live' ? 'open' : 'halted',
  instrument_name: market.id,
  instrument_type: market.inverse ? 'reversed' : 'linear',
  underlying_type: market.symbol === 'TSLA' ? 'equity' : 'crypto',
  price_index: `${market.symbol}_${market.quote}`.toLowerCase(),
  expiration_timestamp: market.expires ?? never,
  creation_timestamp: market.listed,
  counter_currency: market.quote,
  contract_size: step(market),
  base_currency: market.id.split(/[_-]/)[0],
});

const future = (market: Market) => ({
  ...instrument(market),
  settlement_period: isDated(market) ? 'month' : 'perpetual',
  settlement_currency: market.inverse ? market.symbol : market.quote,
  max_liquidation_commission: 0.0075,
  max_leverage: 50,
  future_type: market.inverse ? 'reversed' : 'linear',
  block_trade_commission: 0.0001,
});

/** `get_instruments?currency=&kind=`. */
export const instruments = (ask: Ask) =>
  ok(
    ask,
    selected(ask, [...currencies, 'any']).map((market) =>
      market.group === 'spot' ? instrument(market) : future(market),
    ),
  );

const changeOf = ({ open, close }: Stretch) => round((close / open - 1) * 100, 4);

/** US dollars on inverse contracts, base on the others. */
function openInterest(market: Market, now: number): number {
  const units = market.openInterest(now);
  return market.inverse ? Math.round(units * market.exact(now)) : round(units, 8);
}

/** Per 8 hours, as it accrues in this hour. */
const fundingOf = (market: Market, t: number) =>
  round((market.fundingRate(Math.floor(t / hour) * hour) * 8) / market.fundingHours, 12);

const funding = (market: Market, now: number) =>
  isDated(market) || market.group === 'spot'
    ? {}
    : { current_funding: fundingOf(market, now), funding_8h: fundingOf(market, now - hour) };

/** Older replies about spot pairs have no turnover. */
const turnover = (market: Market, stretch: Stretch) =>
  market.group === 'spot'
    ? {}
    : {
        volume_usd: round(stretch.turnover * (market.dollars ?? 1), 4),
        volume_notional: round(stretch.turnover, 4),
      };

function summary(market: Market, { model, now }: Ask): object {
  const live = market.state === 'live';
  const stretch = model.last24h(market, now);
  const book = bookOf(market, now, 1);
  const bid = book.bids[0] ? market.round(book.bids[0].price) : null;
  const ask = book.asks[0] ? market.round(book.asks[0].price) : null;
  return {
    high: live ? stretch.high : null,
    low: live ? stretch.low : null,
    last: live ? stretch.close : null,
    instrument_name: market.id,
    bid_price: bid,
    ask_price: ask,
    open_interest: market.group === 'spot' ? 0 : openInterest(market, now),
    mark_price: markOf(market, now),
    creation_timestamp: now,
    price_change: live ? changeOf(stretch) : null,
    volume: round(stretch.base, 8),
    estimated_delivery_price: indexOf(market, now),
    base_currency: market.id.split(/[_-]/)[0],
    quote_currency: market.quote,
    ...turnover(market, stretch),
    ...funding(market, now),
    mid_price: bid === null || ask === null ? null : round((bid + ask) / 2, market.decimals + 1),
  };
}

/** `get_book_summary_by_currency?currency=&kind=`; `any` is refused. */
export const summaries = (ask: Ask) => {
  const markets = selected(ask, currencies);
  const isOption = ask.query.get('kind') === 'option';
  return ok(
    ask,
    isOption
      ? optionSummaries(ask, ask.query.get('currency') ?? '')
      : markets.map((market) => summary(market, ask)),
  );
};

/** `get_book_summary_by_instrument?instrument_name=`. */
export const oneSummary = (ask: Ask) => ok(ask, [summary(marketOf(ask), ask)]);

/** The ticker of a market. */
export function state(market: Market, { model, now }: Pick<Ask, 'model' | 'now'>): object {
  const stretch = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  const mark = markOf(market, now);
  return {
    best_ask_amount: asks[0]?.quantity ?? 0,
    best_ask_price: market.round(asks[0]?.price ?? 0),
    best_bid_amount: bids[0]?.quantity ?? 0,
    best_bid_price: market.round(bids[0]?.price ?? 0),
    estimated_delivery_price: indexOf(market, now),
    index_price: indexOf(market, now),
    instrument_name: market.id,
    last_price: market.state === 'live' ? stretch.close : null,
    mark_price: mark,
    max_price: market.round(mark * 1.015),
    min_price: market.round(mark * 0.985),
    open_interest: openInterest(market, now),
    settlement_price: market.round(market.exact(Math.floor(now / hour) * hour)),
    state: market.state === 'live' ? 'open' : 'halted',
    stats: {
      high: stretch.high,
      low: stretch.low,
      price_change: changeOf(stretch),
      volume: round(stretch.base, 8),
      ...turnover(market, stretch),
    },
    timestamp: now,
    ...funding(market, now),
    ...('current_funding' in funding(market, now) && { interest_value: 0.0088 }),
  };
}

/** `ticker?instrument_name=`. */
export const ticker = (ask: Ask) => ok(ask, state(marketOf(ask), ask));

/** `get_order_book?instrument_name=&depth=`: one of eight depths, 5 when absent. */
export const orderBook = (ask: Ask) => {
  const market = marketOf(ask);
  const depth = Number(ask.query.get('depth') ?? 5);
  const legal = [1, 5, 10, 20, 50, 100, 1000, 10_000].includes(depth);
  if (!legal) invalid(ask.now, 'depth', 'invalid depth');
  const { bids, asks, updateId } = bookOf(market, ask.now, depth);
  const rows = (levels: typeof bids) =>
    levels.map((l) => [market.round(l.price), round(l.quantity, Math.max(0, market.lot))]);
  return ok(ask, {
    ...state(market, ask),
    asks: rows(asks),
    bids: rows(bids),
    change_id: updateId,
  });
};

const resolutions: Readonly<Record<string, Bar>> = Object.fromEntries(
  [1, 3, 5, 10, 15, 30, 60, 120, 180, 360, 720]
    .map((minutes): [string, Bar] => [String(minutes), { ms: minutes * 60_000 }])
    .concat([['1D', { ms: 24 * hour }]]),
);

function time({ query, now }: Ask, name: string): number {
  const text = query.get(name) ?? invalid(now, name, 'value required');
  return /^\d{1,16}$/.test(text) ? Number(text) : invalid(now, name, 'must be an integer');
}

/** `get_tradingview_chart_data`: bars that open within the range, at most 5000 of them, in columns. */
export const candles = (ask: Ask) => {
  const market = marketOf(ask);
  const word = ask.query.get('resolution') ?? '';
  const bar = resolutions[word] ?? invalid(ask.now, 'resolution', 'invalid resolution');
  const from = Math.max(time(ask, 'start_timestamp'), market.listed);
  const until = Math.min(time(ask, 'end_timestamp'), ask.now);
  const live = market.state === 'live' && until >= from;
  const opens = live ? opensUntil(bar, from, until, 5000) : [];
  const found = opens.map((open) => market.candle(open, nextOpen(bar, open), ask.now));
  return ok(ask, {
    close: found.map((c) => c.close),
    cost: found.map((c) => round(c.turnover, 8)),
    high: found.map((c) => c.high),
    low: found.map((c) => c.low),
    open: found.map((c) => c.open),
    status: found.length > 0 ? 'ok' : 'no_data',
    ticks: found.map((c) => c.time),
    volume: found.map((c) => round(c.base, 8)),
  });
};

/** `get_funding_rate_history`: full hours of the range, ascending, at most 744; what each hour and the last eight charged. */
export const fundings = (ask: Ask) => {
  const market = marketOf(ask);
  const from = Math.max(time(ask, 'start_timestamp'), market.listed);
  const until = Math.min(time(ask, 'end_timestamp'), ask.now);
  const hours = isDated(market) || until < from ? [] : opensUntil({ ms: hour }, from, until, 744);
  const rows = hours.map((timestamp) => ({
    timestamp,
    index_price: indexOf(market, timestamp),
    prev_index_price: indexOf(market, timestamp - hour),
    interest_8h: fundingOf(market, timestamp),
    interest_1h: fundingOf(market, timestamp) / 8,
  }));
  return ok(ask, rows);
};
