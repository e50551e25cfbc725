/**
 * The answers of HTX: errors inside a 200; spot numbers are JSON numbers, those of contracts mostly text; volumes
 * and open interest of contracts count both sides.
 */
import type { Book, BookLevel } from '../book.ts';
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Market, MarketCandle } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const hour = 3_600_000;
const day = 24 * hour;
export const sides = 2;

/** A refusal of market data, spot and contracts. */
const refuse = (code: string, message: string): never => {
  throw new Refused(200, {
    status: 'error',
    'err-code': code,
    'err-msg': message,
    data: null,
  });
};

export const ok = (data: unknown, { now }: Ask) => ({ status: 'ok', data, ts: now });

/** A JSON number without the noise of binary fractions. */
export const number = (value: number, decimals: number) => Number(fixed(value, decimals));
const price = (market: Market, value: number) => number(value, market.decimals);

const of = ({ model, now }: Ask, group: string) => model.markets('htx', now, group);
export const live = (ask: Ask, group: string) => of(ask, group).filter((m) => m.state === 'live');

export const found = (ask: Ask, group: string, name: string): Market | undefined =>
  ask.model.market('htx', group, ask.query.get(name) ?? '', ask.now);

/** The market of a request for market data. */
export function marketOf(ask: Ask, group: string): Market {
  const name = group === 'spot' ? 'symbol' : 'contract_code';
  return found(ask, group, name) ?? refuse('invalid-parameter', 'invalid symbol');
}

/** `v1/common/symbols`. */
export const symbols = (ask: Ask) => {
  const rows = of(ask, 'spot').map((market) => {
    const quote = market.quote.toLowerCase();
    const base = market.id.slice(0, -quote.length);
    const token = { underlying: 'xrpusdt', 'mgmt-fee-rate': 0.035, 'charge-time': '23:55:00' };
    const tokens = { ...token, 'rebal-time': '00:00:00', 'rebal-threshold': -5, 'init-nav': 10 };
    return {
      'base-currency': base,
      'quote-currency': quote,
      'price-precision': market.decimals,
      'amount-precision': market.lot,
      'symbol-partition': 'innovation',
      symbol: market.id,
      state: market.state === 'live' ? 'online' : 'suspend',
      'value-precision': 8,
      'min-order-amt': 0.01,
      'max-order-amt': 1616.4353,
      'min-order-value': 5,
      'limit-order-min-order-amt': 0.01,
      'limit-order-max-order-amt': 1616.4353,
      'limit-order-max-buy-amt': 1616.4353,
      'limit-order-max-sell-amt': 1616.4353,
      'sell-market-min-order-amt': 0.01,
      'sell-market-max-order-amt': 1616.4353,
      'buy-market-max-order-value': 2500,
      'max-order-value': 2500,
      ...(market.kind === 'other' ? tokens : {}),
      'api-trading': 'enabled',
      tags: '',
    };
  });
  return { status: 'ok', data: rows };
};

/** A row of `market/tickers`. */
export const spotTicker = (market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) => {
  const { open, high, low, close, quantity, turnover, trades } = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  return {
    symbol: market.id,
    open,
    high,
    low,
    close,
    amount: quantity,
    vol: turnover,
    count: trades,
    bid: price(market, bids[0]?.price ?? 0),
    bidSize: bids[0]?.quantity ?? 0,
    ask: price(market, asks[0]?.price ?? 0),
    askSize: asks[0]?.quantity ?? 0,
  };
};

/** `market/tickers`. */
export const spotTickers = (ask: Ask) =>
  ok(
    live(ask, 'spot').map((market) => spotTicker(market, ask)),
    ask,
  );

/** `swap_contract_info` of linear or inverse swaps. */
export const contractInfo = (group: string) => (ask: Ask) => {
  const rows = of(ask, group).map((market) => ({
    symbol: market.id.split('-')[0],
    contract_code: market.id,
    contract_size: market.contract,
    price_tick: number(10 ** -market.decimals, market.decimals),
    delivery_date: '',
    delivery_time: '',
    create_date: new Date(market.listed).toISOString().slice(0, 10).replaceAll('-', ''),
    contract_status: market.state === 'live' ? 1 : 3,
    settlement_date: String(Math.ceil((ask.now + 1) / (8 * hour)) * 8 * hour),
    ...(market.inverse
      ? {}
      : {
          support_margin_mode: 'all',
          business_type: 'swap',
          pair: market.id,
          contract_type: 'swap',
        }),
  }));
  return ok(rows, ask);
};

/** What the answers and the channels say of a contract; `vol` is not among it. */
export const contractTicker = (market: Market, { model, now }: Pick<Ask, 'model' | 'now'>) => {
  const stretch = model.last24h(market, now);
  const { bids, asks } = bookOf(market, now, 1);
  const best = (level: BookLevel | undefined) => [
    price(market, level?.price ?? 0),
    level?.quantity ?? 0,
  ];
  return {
    id: now / 1000,
    ask: best(asks[0]),
    bid: best(bids[0]),
    ...(!market.inverse && { trade_turnover: plain(stretch.turnover * sides, 8) }),
    open: plain(stretch.open, market.decimals),
    close: plain(stretch.close, market.decimals),
    low: plain(stretch.low, market.decimals),
    high: plain(stretch.high, market.decimals),
    amount: plain(stretch.base * sides, 18),
    count: stretch.trades,
    number_of: plain(stretch.quantity * sides, 0),
  };
};

/** `v2/…/detail/batch_merged`: `vol` is quote when linear and contracts when inverse. */
export const contractTickers = (group: string) => (ask: Ask) => {
  const ticks = live(ask, group).map((market) => {
    const ticker = contractTicker(market, ask);
    return {
      ...{ ...ticker, ts: ask.now, contract_code: market.id },
      ...(!market.inverse && { business_type: 'swap' }),
      vol: ticker.trade_turnover ?? ticker.number_of,
    };
  });
  return { status: 'ok', ticks, ts: ask.now };
};

const rows = (market: Market, levels: Book['bids']) =>
  levels.map((level) => [price(market, level.price), number(level.quantity, market.lot)]);

/** `market/depth` of spot (`depth` 5, 10, 20 or none: 150) and of contracts (`step6`: 20 levels, else 150). */
export const depth = (group: string) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const type = ask.query.get('type') ?? refuse('invalid-parameter', 'invalid type');
  const wanted = ask.query.get('depth') ?? (type === 'step6' ? '20' : '150');
  if (!['5', '10', '20', '150'].includes(wanted)) refuse('invalid-parameter', 'invalid depth');
  const { bids, asks, updateId } = bookOf(market, ask.now, Number(wanted));
  const ch = `market.${market.id}.depth.${type}`;
  const book = {
    ts: ask.now,
    version: updateId,
    bids: rows(market, bids),
    asks: rows(market, asks),
  };
  const more = group === 'spot' ? {} : { ch, id: ask.now / 1000, mrid: updateId };
  return { ch, status: 'ok', ts: ask.now, tick: { ...book, ...more } };
};

/** Days and longer open at midnight UTC+8. */
const east = -8 * hour;
export const periods: Readonly<Record<string, Bar>> = {
  '1min': { ms: 60_000 },
  '5min': { ms: 300_000 },
  '15min': { ms: 900_000 },
  '30min': { ms: 1_800_000 },
  '60min': { ms: hour },
  '4hour': { ms: 4 * hour },
  '1day': { ms: day, origin: east },
  '1week': { ms: 7 * day, origin: monday + east },
  '1mon': { months: 1, origin: east },
};

const candleRow = (market: Market, c: MarketCandle) => {
  const prices = { open: c.open, close: c.close, low: c.low, high: c.high };
  const [id, count] = [c.time / 1000, c.trades];
  if (market.group === 'spot') return { id, ...prices, amount: c.quantity, vol: c.turnover, count };
  const volumes = { amount: c.base * sides, vol: c.quantity * sides };
  const quote = market.inverse ? {} : { trade_turnover: c.turnover * sides };
  return { id, ...prices, ...volumes, ...quote, count };
};

function integer(ask: Ask, name: string, [least, most]: readonly [number, number]): number | null {
  const text = ask.query.get(name);
  if (text === null) return null;
  const value = Number(text);
  const isLegal = Number.isInteger(value) && value >= least && value <= most;
  return isLegal ? value : refuse('invalid-parameter', `invalid ${name}`);
}

/** `from` and `to` as open times in ms; null where there is no range. Contracts ignore it beside a size. */
function rangeIn(ask: Ask, group: string): { from: number; to: number } | null {
  const [from, to] = [integer(ask, 'from', [0, 1e12]), integer(ask, 'to', [0, 1e12])];
  if (from === null || to === null) return null;
  if (group !== 'spot' && ask.query.has('size')) return null;
  return { from: from * 1000, to: to * 1000 };
}

/** `history/kline`: the newest `size`, ascending for contracts; on spot newest first. */
export const candles =
  (group: string, { ranged = group !== 'spot', most = 2000 } = {}) =>
  (ask: Ask) => {
    const market = marketOf(ask, group);
    const period = ask.query.get('period') ?? '';
    const bar = periods[period] ?? refuse('invalid-parameter', 'invalid period');
    const size = integer(ask, 'size', [1, most]);
    const range = ranged ? rangeIn(ask, group) : null;
    const first = openOf(bar, market.listed);
    const times = range
      ? opensFrom(bar, Math.max(first, range.from), Math.min(ask.now, range.to), size ?? most)
      : opensUntil(bar, first, ask.now, size ?? 150);
    const data = times.map((t) => candleRow(market, market.candle(t, nextOpen(bar, t), ask.now)));
    if (group === 'spot') data.reverse();
    return { ch: `market.${market.id}.kline.${period}`, status: 'ok', ts: ask.now, data };
  };
