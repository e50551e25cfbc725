/** Histories of Gate contracts: times in seconds, oldest first. */
import { openOf, opensFrom, opensUntil } from '../calendar.ts';
import { pointRows } from '../exchange.ts';
import { rowsWith, type Sight } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { bars, type Group, invalid, marketOf, whole } from './gate-answers.ts';

const periods = new Set(['1m', '5m', '15m', '30m', '1h', '4h', '1d']);

/** Of both sides; `position_size` of a contract is of one. */
const open = ({ interest }: Sight): number => 2 * Math.round(interest.contracts);

const { row } = rowsWith({
  open,
  taken: ({ stretch: { quantity, bought } }) =>
    quantity > bought ? bought / (quantity - bought) : 0,
  worth(sight) {
    const { market, now } = sight;
    return open(sight) * market.contract * (market.inverse ? 1 : market.exact(now));
  },
});

const statistic = row(`
  time=seconds lsr_taker=taken.13 lsr_account=ratioAccounts.13 top_lsr_account=ratioTopAccounts.13
  top_lsr_size=ratioTopPositions.13 long_liq_size='0' long_liq_amount='0' long_liq_usd='0'
  short_liq_size='0' short_liq_amount='0' short_liq_usd='0' open_interest=$open
  open_interest_usd=worth.4 mark_price=mark`);
const funding = row('t=seconds r=charged');

/** `contract_stats?contract=&interval=&from=&limit=`: open interest, three ratios, liquidations. */
export const statistics = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const word = ask.query.get('interval') ?? '5m';
  const bar = (periods.has(word) && bars[word]) || invalid('interval');
  const limit = whole(ask, 'limit', 30, [0, 100]);
  const first = openOf(bar, market.listed);
  const from = whole(ask, 'from', 0, [0, 1e11]) * 1000;
  const opens = ask.query.has('from')
    ? opensFrom(bar, Math.max(first, from), ask.now, limit)
    : opensUntil(bar, first, ask.now, limit);
  return pointRows(statistic, market, { bar, opens }, ask);
};

/** `funding_rate?contract=&limit=`: newest first. */
export const fundings = (group: Group) => (ask: Ask) => {
  const market = marketOf(ask, group);
  const limit = whole(ask, 'limit', 100, [0, 1000]);
  const bar = { ms: market.fundingHours * 3_600_000 };
  const opens = opensUntil(bar, market.listed, ask.now, limit).reverse();
  return pointRows(funding, market, { opens }, ask);
};
