/** The pairs of perpetuals whose rates differ most, with both legs and what they cost. */

import type { Column } from '../columns.ts';
import { h, labelled } from '../dom.ts';
import { exchangeName } from '../exchange-names.ts';
import { compact, count, dash, duration, fixed, moment, percent, price } from '../format.ts';
import type { Part } from '../part.ts';
import { choose } from '../place.ts';
import { at, type FundingArbitrageItem } from '../request.ts';
import { tablePart } from '../table-part.ts';
import { costOf, daysToEarn } from './cost.ts';
import { ofYear, rateText, unitWords } from './unit.ts';

type Leg = FundingArbitrageItem['long'];

/** A fee of takers that many exchanges ask of new accounts, percent. */
const usualFee = 0.05;

/** Time until a settlement. */
export const untilText = (next: number): string =>
  next > Date.now() ? `in ${duration(next - Date.now())}` : 'now';

const settlementsOf = ({ long, short }: FundingArbitrageItem) => {
  const shown = ({ next_funding_time: next, interval_hours: hours }: Leg) =>
    `${next === null ? '' : `${moment(next)}, `}each ${count(hours)} h`;
  return `${exchangeName(long.exchange)}: ${shown(long)}; ${exchangeName(short.exchange)}: ${shown(short)}`;
};

/** The exchange of a leg, and its rate. */
const legOf = (
  name: 'Long' | 'Short',
  of: (one: FundingArbitrageItem) => Leg,
): Column<FundingArbitrageItem>[] => [
  {
    head: `${name} on`,
    of: (one) => exchangeName(of(one).exchange),
    hint(one) {
      const { contract, mark_price: mark, open_interest_usd: interest } = of(one);
      return `${contract}, mark ${price(mark)}, open interest ${compact(interest)} USD`;
    },
  },
  { head: `${name} rate`, of: (one) => ofYear(of(one).annualized), as: rateText },
];

const basisText = (value: number) => percent(value, 3);

export function arbitragePart(chosen: URLSearchParams): Part {
  const given = Number(chosen.get('fee') ?? usualFee);
  let fee = given >= 0 ? given : usualFee;
  const change = () => {
    if (!field.checkValidity() || field.value === '') return;
    fee = field.valueAsNumber;
    choose({ fee: fee === usualFee ? '' : field.value });
    part.again();
  };
  const limits = { type: 'number', min: '0', max: '1', step: '0.005' };
  const field = h('input', { name: 'fee', ...limits, value: String(fee), change });
  const cost = ({ basis_percent: basis }: FundingArbitrageItem) => costOf(fee, basis);
  const part = tablePart({
    title: 'Arbitrage',
    about: `Rates ${unitWords()}. Cost: two trades on each side at this fee, less the mark price spread; percent of one side`,
    name: 'funding-arbitrage',
    path: at('/v1/funding-arbitrage', { limit: 50 }),
    isWide: true,
    controls: [labelled('Fee a trade, %', field)],
    rows: ({ items }) => items,
    key: ({ symbol, long, short }) => `${symbol} ${long.exchange} ${short.exchange}`,
    columns: [
      { head: 'Symbol', of: 'symbol' },
      {
        head: 'Rate spread',
        of: ({ long, short }) => ofYear(short.annualized - long.annualized),
        as: rateText,
        tone: 'up',
      },
      ...legOf('Long', ({ long }) => long),
      ...legOf('Short', ({ short }) => short),
      { head: 'Mark price spread', of: 'basis_percent', as: basisText },
      { head: 'Cost', of: cost, as: basisText },
      {
        head: 'Earned in',
        of: (one) => daysToEarn(cost(one), one.apr_percent),
        as: (days) => `${fixed(days, 1)} days`,
      },
      {
        head: 'Next settlement',
        of: ({ long, short }) =>
          Math.min(long.next_funding_time ?? Infinity, short.next_funding_time ?? Infinity),
        as: (next) => (next === Infinity ? dash : untilText(next)),
        hint: settlementsOf,
      },
      {
        head: 'Smaller volume',
        of: ({ long, short }) => Math.min(long.volume_24h_usd ?? 0, short.volume_24h_usd ?? 0),
        as: compact,
      },
    ],
    none: 'No pair has a rate spread of 10 % a year now.',
    note: ({ note }) => note,
  });
  return part;
}
