/** The pairs of perpetuals whose rates differ most, with both legs and what they cost. */
import { h, labelled } from '../dom.ts';
import { compact, duration, fixed, percent, price, time } from '../format.ts';
import type { Part } from '../part.ts';
import { choose } from '../place.ts';
import { at, type FundingArbitrageItem } from '../request.ts';
import { type Column, tablePart } from '../table-part.ts';
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
    `${next === null ? '' : `${time(next, 'minute')}, `}each ${fixed(hours, 0)} h`;
  return `${long.exchange}: ${shown(long)}; ${short.exchange}: ${shown(short)}`;
};

/** The exchange of a leg, and its rate. */
const legOf = (
  name: string,
  of: (one: FundingArbitrageItem) => Leg,
): Column<FundingArbitrageItem>[] => [
  {
    head: name,
    of: (one) => of(one).exchange,
    hint(one) {
      const { contract, mark_price: mark, open_interest_usd: interest } = of(one);
      return `${contract}, mark ${price(mark)}, open interest ${compact(interest)} USD`;
    },
  },
  { head: `${name.split(' ')[0]} rate`, of: (one) => ofYear(of(one).annualized), as: rateText },
];

export function arbitragePart(chosen: URLSearchParams): Part {
  const given = Number(chosen.get('fee') ?? usualFee);
  let fee = given >= 0 ? given : usualFee;
  const field = h('input', {
    name: 'fee',
    type: 'number',
    min: '0',
    max: '1',
    step: '0.005',
    value: String(fee),
  });
  field.addEventListener('change', () => {
    if (!field.checkValidity() || field.value === '') return;
    fee = field.valueAsNumber;
    choose({ fee: fee === usualFee ? '' : field.value });
    part.again();
  });
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
      { head: 'Symbol', of: ({ symbol }) => symbol },
      {
        head: 'Rate spread',
        of: ({ long, short }) => ofYear(short.annualized - long.annualized),
        as: rateText,
        tone: () => 'up',
      },
      ...legOf('Long on', ({ long }) => long),
      ...legOf('Short on', ({ short }) => short),
      { head: 'Mark price spread', of: (one) => one.basis_percent, as: (of) => percent(of, 3) },
      { head: 'Cost', of: cost, as: (of) => percent(of, 3) },
      {
        head: 'Earned in',
        of: (one) => daysToEarn(cost(one), one.apr_percent),
        as: (days) => `${fixed(days, 1)} days`,
      },
      {
        head: 'Next settlement',
        of: ({ long, short }) =>
          Math.min(long.next_funding_time ?? Infinity, short.next_funding_time ?? Infinity),
        as: (next) => (next === Infinity ? '–' : untilText(next)),
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
