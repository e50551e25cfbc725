/** Tickers, books and candles of Phemex: integers on spot and inverse, decimals as strings on linear. */
import { openOf, opensUntil } from '../calendar.ts';
import { barsOf, bookRows, candleRows, isLive, marketRows } from '../exchange.ts';
import { fixed } from '../format.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith, type Sight } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

const venue = 'phemex';

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

const scaled = (of: (sight: Sight) => number) => (sight: Sight) => Math.round(of(sight) * 1e8);
/** Dollars in the coin that settles. */
const settled = ({ market, stretch }: Sight) => stretch.base * market.scale;
const { row, list } = rowsWith({
  nanos: ({ now }) => nanos(now),
  rateEr: scaled(({ market, funding }) => market.fundingRate(funding.next)),
  turnoverEv: scaled(({ stretch }) => stretch.turnover),
  settledEv: scaled(settled),
  before: ({ market, candle }) => market.round(market.exact(candle.time)),
  length: ({ candle }) => (candle.end - candle.time) / 1000,
});
const written = rowsWith(
  {
    before: ({ market, candle }) => market.exact(candle.time),
    length: ({ candle }) => (candle.end - candle.time) / 1000,
  },
  { write: fixed },
);

/** Prices are whole on spot and inverse markets. Rates are those of the running interval, which the next funding charges. */
const whole = `
  askEp=#bestAsk.0 bidEp=#bestBid.0 highEp=#high.0 lastEp=#close.0 lowEp=#low.0 openEp=#open.0
  symbol=id timestamp=nanos`;
export const spotTicker = row(`${whole} turnoverEv volumeEv=#quantity.0`);
export const inverseTicker = row(`
  ${whole} fundingRateEr=rateEr indexEp=#index.0 markEp=#mark.0 openInterest=contracts
  predFundingRateEr=rateEr turnoverEv=settledEv volume=@quantity`);
const common = `
  symbol=id openRp=open highRp=high lowRp=low volumeRq=quantity turnoverRv=turnover.4
  openInterestRv=interest fundingRateRr=rate predFundingRateRr=rate timestamp=nanos`;
export const linearTicker = row(`
  ${common} lastRp=close markRp=mark indexRp=index bidRp=bestBid askRp=bestAsk`);
/** The older names, one market at a time. */
const linearTickerV2 = row(`${common} closeRp=close markPriceRp=mark indexPriceRp=index`);

const rows = { spot: spotTicker, linear: linearTicker, inverse: inverseTicker } as const;

/** Everything of a group that trades. */
export const tickers =
  (group: keyof typeof rows) =>
  (ask: Ask): object =>
    ok(marketRows(rows[group], ask, { venue, group, keep: isLive }));

export const spotTickerOf = (ask: Ask) => ok(spotTicker(marketOf(ask, 'spot'), ask));
export const inverseTickerOf = (ask: Ask) => ok(inverseTicker(marketOf(ask, 'inverse'), ask));
export const linearTickerOf = (ask: Ask) => ok(linearTickerV2(marketOf(ask, 'linear'), ask));

const snapshot = row("depth=30 sequence=updateId symbol=id timestamp=nanos type='snapshot'");
const linearLevel = written.list('price size');
const level = list('#price.0 #size.0');

/** 30 levels of a linear market: price and base as strings. */
export function linearBook(ask: Ask) {
  const market = marketOf(ask, 'linear');
  const { bids, asks } = bookRows(linearLevel, market, ask, 30);
  return ok({ ...snapshot(market, ask), orderbook_p: { asks, bids } });
}

/** 30 levels of spot or inverse: scaled price, scaled base or contracts. */
export function integerBook(ask: Ask) {
  const market = marketOf(ask, '');
  if (market.group === 'linear') return invalid();
  const { bids, asks } = bookRows(level, market, ask, 30);
  return ok({ ...snapshot(market, ask), book: { asks, bids } });
}

const bars = barsOf('60=1m 300=5m 900=15m 1800=30m 3600=1h 14400=4h 86400=1d 604800=1w 2592000=1M');

function needed({ query }: Ask, name: string): string {
  return query.get(name) || refuse(412, `Missing parameter - ${name}`);
}

/** Volume and turnover: base and quote; USD and the coin that settles on inverse markets. */
const candle = (volumes: string) =>
  list(`startSeconds length #before.0 #open.0 #high.0 #low.0 #close.0 ${volumes}`);
const candles: Readonly<Record<string, Row<unknown[]>>> = {
  spot: candle('#quantity.0 turnoverEv'),
  inverse: candle('#quantity.0 settledEv'),
  linear: written.list('startSeconds length before+0 open high low close quantity turnover'),
};

interface Range {
  from: number;
  until: number;
  limit: number;
}

function rangeRows(ask: Ask, { from, until, limit }: Range) {
  const resolution = needed(ask, 'resolution');
  const market = found(ask);
  if (!market) return refuse(30000, 'Please double check input arguments');
  const bar = bars[resolution] ?? refuse(30000, 'Please double check input arguments');
  const opens = opensUntil(bar, Math.max(from, openOf(bar, market.listed)), until, limit);
  const made = candles[market.group] ?? level;
  return candleRows(made, market, { bar, opens: opens.reverse() }, ask);
}

const answer = (rows: unknown[]) => ({ code: 0, msg: 'OK', data: { total: -1, rows } });

/** `kline` and `kline/last`: the newest `limit` rows, of which six counts are legal. */
export function newestCandles(ask: Ask) {
  const limit = Number(ask.query.get('limit') ?? 5);
  if (![5, 10, 50, 100, 500, 1000].includes(limit)) return refuse(30018, 'phemex.data.size.uplimt');
  return answer(rangeRows(ask, { from: 0, until: ask.now, limit }));
}

/** `kline/list`: rows that open in [from, to), seconds. */
export function candleRange(ask: Ask) {
  needed(ask, 'resolution');
  const [from, to] = [needed(ask, 'from'), needed(ask, 'to')];
  const until = Math.min(ask.now, Number(to) * 1000 - 1);
  return answer(rangeRows(ask, { from: Number(from) * 1000, until, limit: 1000 }));
}
