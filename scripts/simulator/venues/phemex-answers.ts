/** Tickers, books and candles of Phemex: integers on spot and inverse, decimals as strings on linear. */
import { bookOf } from '../book.ts';
import type { Bar } from '../calendar.ts';
import { monday, nextOpen, openOf, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Market, MarketCandle } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const venue = 'phemex';
const day = 86_400_000;

const ok = (result: unknown) => ({ error: null, id: 0, result });
const invalid = (): never => {
  throw new Refused(500, {
    error: { code: 6001, message: 'invalid argument' },
    id: null,
    result: null,
  });
};
const refuse = (code: number, msg: string): never => {
  throw new Refused(200, { code, msg, data: null });
};

/** What a ticker needs. */
type At = Pick<Ask, 'model' | 'now'>;

/** A moment within the second, in ns. */
export const nanos = (now: number) => now * 1e6 + 123_456_768;

/** Of all groups; the ids differ by their form. */
function found({ model, query, now }: Ask): Market | undefined {
  const id = query.get('symbol') ?? '';
  return ['spot', 'linear', 'inverse']
    .map((group) => model.market(venue, group, id, now))
    .find((market) => market?.state === 'live');
}

const marketOf = (ask: Ask, group: string): Market => {
  const market = found(ask);
  return market?.group === group || (group === '' && market) ? market : invalid();
};

/** Best bid and ask, native. */
const best = (market: Market, now: number) => {
  const { bids, asks } = bookOf(market, now, 1);
  return { bid: bids[0]?.price ?? 0, ask: asks[0]?.price ?? 0 };
};

export function spotTicker(market: Market, { model, now }: At) {
  const { open, high, low, close, quantity, turnover } = model.last24h(market, now);
  const { bid, ask } = best(market, now);
  return {
    ...{ askEp: Math.round(ask), bidEp: Math.round(bid) },
    ...{ highEp: Math.round(high), lastEp: Math.round(close) },
    ...{ lowEp: Math.round(low), openEp: Math.round(open) },
    symbol: market.id,
    timestamp: nanos(now),
    turnoverEv: Math.round(turnover * 1e8),
    volumeEv: Math.round(quantity),
  };
}

/** Rates are those of the running interval, which the next funding charges. */
const rateOf = (market: Market, now: number) => market.fundingRate(market.fundingTimes(now).next);

export function inverseTicker(market: Market, { model, now }: At) {
  const { open, high, low, close, quantity, base } = model.last24h(market, now);
  const { bid, ask } = best(market, now);
  const rate = Math.round(rateOf(market, now) * 1e8);
  return {
    ...{ askEp: Math.round(ask), bidEp: Math.round(bid), fundingRateEr: rate },
    ...{ highEp: Math.round(high), indexEp: Math.round(market.index(now)) },
    ...{ lastEp: Math.round(close), lowEp: Math.round(low) },
    ...{ markEp: Math.round(market.exact(now)), openEp: Math.round(open) },
    openInterest: Math.round((market.openInterest(now) * market.exact(now)) / market.contract),
    predFundingRateEr: rate,
    symbol: market.id,
    timestamp: nanos(now),
    turnoverEv: Math.round(base * market.scale * 1e8),
    volume: quantity,
  };
}

function linearNumbers(market: Market, { model, now }: At) {
  const { open, high, low, close, quantity, turnover } = model.last24h(market, now);
  const price = (value: number) => plain(value, market.decimals);
  const rate = plain(rateOf(market, now), 8);
  return {
    last: price(close),
    mark: plain(market.exact(now), market.decimals + 2),
    index: plain(market.index(now), market.decimals + 2),
    common: {
      symbol: market.id,
      openRp: price(open),
      highRp: price(high),
      lowRp: price(low),
      volumeRq: plain(quantity, market.lot),
      turnoverRv: plain(turnover, 4),
      openInterestRv: plain(market.openInterest(now), market.lot),
      fundingRateRr: rate,
      predFundingRateRr: rate,
      timestamp: nanos(now),
    },
  };
}

export function linearTicker(market: Market, ask: At) {
  const { last, mark, index, common } = linearNumbers(market, ask);
  const { bid, ask: offer } = best(market, ask.now);
  const [bidRp, askRp] = [plain(bid, market.decimals), plain(offer, market.decimals)];
  return { ...common, lastRp: last, markRp: mark, indexRp: index, bidRp, askRp };
}

/** The older names, one market at a time. */
function linearTickerV2(market: Market, ask: Ask) {
  const { last, mark, index, common } = linearNumbers(market, ask);
  return { ...common, closeRp: last, markPriceRp: mark, indexPriceRp: index };
}

const rows = { spot: spotTicker, linear: linearTicker, inverse: inverseTicker } as const;

/** Everything of a group that trades. */
export const tickers =
  (group: keyof typeof rows) =>
  (ask: Ask): object => {
    const live = ask.model.markets(venue, ask.now, group).filter((m) => m.state === 'live');
    return ok(live.map((market) => rows[group](market, ask)));
  };

export const spotTickerOf = (ask: Ask) => ok(spotTicker(marketOf(ask, 'spot'), ask));
export const inverseTickerOf = (ask: Ask) => ok(inverseTicker(marketOf(ask, 'inverse'), ask));
export const linearTickerOf = (ask: Ask) => ok(linearTickerV2(marketOf(ask, 'linear'), ask));

const snapshot = (market: Market, now: number) => ({
  depth: 30,
  sequence: bookOf(market, now, 1).updateId,
  symbol: market.id,
  timestamp: nanos(now),
  type: 'snapshot',
});

/** 30 levels of a linear market: price and base as strings. */
export function linearBook(ask: Ask) {
  const market = marketOf(ask, 'linear');
  const { bids, asks } = bookOf(market, ask.now, 30);
  const levels = (side: typeof bids) =>
    side.map((l) => [fixed(l.price, market.decimals), fixed(l.quantity, market.lot)]);
  const orderbook_p = { asks: levels(asks), bids: levels(bids) };
  return ok({ ...snapshot(market, ask.now), orderbook_p });
}

/** 30 levels of spot or inverse: scaled price, scaled base or contracts. */
export function integerBook(ask: Ask) {
  const market = marketOf(ask, '');
  if (market.group === 'linear') return invalid();
  const { bids, asks } = bookOf(market, ask.now, 30);
  const levels = (side: typeof bids) =>
    side.map((l) => [Math.round(l.price), Math.round(l.quantity)]);
  return ok({ ...snapshot(market, ask.now), book: { asks: levels(asks), bids: levels(bids) } });
}

const bars: Readonly<Record<string, Bar>> = {
  ...Object.fromEntries(
    [60, 300, 900, 1800, 3600, 14_400, 86_400].map((s) => [String(s), { ms: s * 1000 }]),
  ),
  604800: { ms: 7 * day, origin: monday },
  2592000: { months: 1 },
};

function needed({ query }: Ask, name: string): string {
  return query.get(name) || refuse(412, `Missing parameter - ${name}`);
}

/** Volume and turnover: base and quote; USD and the coin that settles on inverse markets. */
function amounts(market: Market, c: MarketCandle): (number | string)[] {
  if (market.group === 'linear') return [fixed(c.quantity, market.lot), fixed(c.turnover, 8)];
  const value = market.inverse ? c.base * market.scale : c.turnover;
  return [Math.round(c.quantity), Math.round(value * 1e8)];
}

function candleRow(market: Market, time: number, [bar, now]: readonly [Bar, number]) {
  const end = nextOpen(bar, time);
  const c = market.candle(time, end, now);
  const number = (value: number) =>
    market.group === 'linear' ? fixed(value, market.decimals) : Math.round(value);
  const before = market.round(market.exact(time));
  const prices = [before, c.open, c.high, c.low, c.close].map(number);
  return [time / 1000, (end - time) / 1000, ...prices, ...amounts(market, c)];
}

interface Range {
  from: number;
  until: number;
  limit: number;
}

function candleRows(ask: Ask, { from, until, limit }: Range) {
  const resolution = needed(ask, 'resolution');
  const market = found(ask);
  if (!market) return refuse(30000, 'Please double check input arguments');
  const bar = bars[resolution] ?? refuse(30000, 'Please double check input arguments');
  const opens = opensUntil(bar, Math.max(from, openOf(bar, market.listed)), until, limit);
  return opens.reverse().map((time) => candleRow(market, time, [bar, ask.now]));
}

const answer = (rows: unknown[]) => ({ code: 0, msg: 'OK', data: { total: -1, rows } });

/** `kline` and `kline/last`: the newest `limit` rows, of which six counts are legal. */
export function newestCandles(ask: Ask) {
  const limit = Number(ask.query.get('limit') ?? 5);
  if (![5, 10, 50, 100, 500, 1000].includes(limit)) return refuse(30018, 'phemex.data.size.uplimt');
  return answer(candleRows(ask, { from: 0, until: ask.now, limit }));
}

/** `kline/list`: rows that open in [from, to), seconds. */
export function candleRange(ask: Ask) {
  needed(ask, 'resolution');
  const [from, to] = [needed(ask, 'from'), needed(ask, 'to')];
  const until = Math.min(ask.now, Number(to) * 1000 - 1);
  return answer(candleRows(ask, { from: Number(from) * 1000, until, limit: 1000 }));
}
