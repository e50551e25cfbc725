/** `/futures/data` of Binance: histories of 30 days. USD-M is asked by `symbol`, COIN-M by `pair`. */
import { nextOpen, opensFrom, opensUntil } from '../calendar.ts';
import { fixed } from '../format.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { bars, integer, marketOf, missing, refuse } from './binance-answers.ts';

const periods = new Set(['5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d']);
const day = 86_400_000;
const depth = 30 * day;

const sorts = ['accounts', 'top accounts', 'top positions'];

const isCoin = ({ query }: Ask) => query.has('pair');

/** The perpetual that is asked about. */
function contractOf(ask: Ask): Market {
  if (!isCoin(ask)) return marketOf(ask, 'fapi');
  const query = new URLSearchParams({ symbol: `${ask.query.get('pair')}_PERP` });
  return marketOf({ ...ask, query }, 'dapi');
}

/** One row for each interval that has ended; `end` is where it did. */
function rows(ask: Ask, row: (market: Market, time: number, end: number) => object): unknown {
  const { query, now } = ask;
  const market = contractOf(ask);
  const period = query.get('period') ?? missing('period');
  const bar = periods.has(period) ? bars[period] : undefined;
  if (!bar) return refuse(-1130, "Data sent for parameter 'period' is not valid.");
  const limit = integer(query, 'limit', 30);
  if (limit < 1 || limit > 500) refuse(-1130, "Data sent for parameter 'limit' is not valid.");
  const oldest = now - depth;
  const start = integer(query, 'startTime', oldest);
  if (start < oldest) refuse(-1130, "Data sent for parameter 'startTime' is not valid.");
  const end = Math.min(now, integer(query, 'endTime', now));
  const first = Math.max(market.listed, start);
  const pick = query.has('startTime') ? opensFrom : opensUntil;
  return pick(bar, first, end, limit)
    .map((time) => ({ time, end: nextOpen(bar, time) }))
    .filter(({ end }) => end <= now)
    .map(({ time, end }) => ({ ...row(market, time, end), timestamp: time }));
}

const nameOf = (ask: Ask, market: Market) =>
  isCoin(ask) ? { pair: ask.query.get('pair') } : { symbol: market.id };

/** `openInterestHist`: base units and dollars, of COIN-M contracts and base units. */
export const interestHistory = (ask: Ask) =>
  rows(ask, (market, time) => {
    const base = market.openInterest(time);
    const value = base * market.exact(time);
    const [interest, worth] = market.inverse ? [value / market.contract, base] : [base, value];
    return {
      ...nameOf(ask, market),
      ...(isCoin(ask) && { contractType: ask.query.get('contractType') ?? 'ALL' }),
      sumOpenInterest: fixed(interest, 8),
      sumOpenInterestValue: fixed(worth, 8),
    };
  });

/** `globalLongShortAccountRatio` and its kin: shares of long and short; COIN-M has other names for positions. */
export const ratios = (what: 'accounts' | 'top accounts' | 'top positions') => (ask: Ask) =>
  rows(ask, (market, time) => {
    const long = market.longShare(time, sorts.indexOf(what));
    const noun = isCoin(ask) && what === 'top positions' ? 'Position' : 'Account';
    return {
      ...nameOf(ask, market),
      [`long${noun}`]: fixed(long, 4),
      [`short${noun}`]: fixed(1 - long, 4),
      longShortRatio: fixed(long / (1 - long), 4),
    };
  });

/** `takerlongshortRatio` of USD-M: base units. */
export const takerRatios = (ask: Ask) =>
  rows(ask, (market, time, end) => {
    const { quantity, bought } = market.stretch(time, end);
    const sold = quantity - bought;
    return {
      buySellRatio: fixed(sold > 0 ? bought / sold : 0, 4),
      buyVol: fixed(bought, market.lot),
      sellVol: fixed(sold, market.lot),
    };
  });

/** `takerBuySellVol` of COIN-M: contracts and base units. */
export const takerVolumes = (ask: Ask) =>
  rows(ask, (market, time, end) => {
    const { quantity, bought, base } = market.stretch(time, end);
    const share = quantity > 0 ? bought / quantity : 0;
    return {
      ...nameOf(ask, market),
      contractType: ask.query.get('contractType') ?? 'ALL',
      takerBuyVol: fixed(bought, market.lot),
      takerSellVol: fixed(quantity - bought, market.lot),
      takerBuyVolValue: fixed(base * share, 8),
      takerSellVolValue: fixed(base * (1 - share), 8),
    };
  });
