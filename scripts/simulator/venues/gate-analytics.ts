/** Histories of Gate contracts: times in seconds, oldest first. */
import { nextOpen, openOf, opensFrom, opensUntil } from '../calendar.ts';
import { plain } from '../format.ts';
import type { Ask } from '../venue.ts';
import { bars, type Group, integer, marketOf, positionSize, refuse } from './gate-answers.ts';

const periods = new Set(['1m', '5m', '15m', '30m', '1h', '4h', '1d']);
const hour = 3_600_000;

/** `contract_stats?contract=&interval=&from=&limit=`: open interest, three ratios, liquidations. */
export const statistics = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const word = ask.query.get('interval') ?? '5m';
  const bar = periods.has(word) ? bars[word] : undefined;
  if (!bar) return refuse(400, 'INVALID_PARAM_VALUE', 'invalid argument: interval');
  const limit = integer(ask, 'limit', 30, 100);
  const first = openOf(bar, market.listed);
  const from = ask.query.has('from') ? integer(ask, 'from', 0, 1e11) * 1000 : null;
  const opens =
    from === null
      ? opensUntil(bar, first, ask.now, limit)
      : opensFrom(bar, Math.max(first, from), ask.now, limit);
  return opens.map((time) => {
    const mark = market.exact(time);
    const ratio = (of: number) => {
      const long = market.longShare(time, of);
      return plain(long / (1 - long), 13);
    };
    const { quantity, bought } = market.stretch(time, Math.min(ask.now, nextOpen(bar, time)));
    const interest = positionSize(market, time);
    const value = interest * market.contract * (market.inverse ? 1 : mark);
    return {
      time: time / 1000,
      lsr_taker: plain(quantity > bought ? bought / (quantity - bought) : 0, 13),
      lsr_account: ratio(0),
      top_lsr_account: ratio(1),
      top_lsr_size: ratio(2),
      ...{ long_liq_size: '0', long_liq_amount: '0', long_liq_usd: '0' },
      ...{ short_liq_size: '0', short_liq_amount: '0', short_liq_usd: '0' },
      // Both sides; `position_size` of a contract is one.
      open_interest: String(2 * interest),
      open_interest_usd: plain(2 * value, 4),
      mark_price: plain(mark, market.decimals + 2),
    };
  });
};

/** `funding_rate?contract=&limit=`: newest first. */
export const fundings = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const bar = { ms: market.fundingHours * hour };
  const times = opensUntil(bar, market.listed, ask.now, integer(ask, 'limit', 100, 1000));
  return times.reverse().map((time) => ({ t: time / 1000, r: plain(market.fundingRate(time), 8) }));
};
