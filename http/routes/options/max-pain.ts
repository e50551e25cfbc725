/** The settlement price of each expiry at which the holders of all options get least. */
import * as s from '../../../actors/topics/schema.ts';
import {
  type ChainSums,
  type Expiry,
  type ListedOption,
  putCallRatio,
  sumsOf,
} from '../../../indicators/options/chain.ts';
import { maxPain, type Pain } from '../../../indicators/options/max-pain.ts';
import type { Route } from '../../endpoints/route.ts';
import { columns } from '../factory/columns.ts';
import * as shared from './common.ts';

/** An expiry with its sums, its max pain, and the price of the asset. */
interface ExpiryPain extends Expiry<ListedOption> {
  sums: ChainSums;
  least: Pain | null;
  underlying: number;
}

const expiry = columns<ExpiryPain>()({
  ...shared.expiryCells,
  max_pain_price: [
    s.numberOrNull('A strike, the lowest of several, US dollars; null when nothing is open.'),
    ({ least }) => least?.price ?? null,
  ],
  pain_at_max_pain_usd: [
    s.numberOrNull('Value of all options at that price for their holders.'),
    ({ least }) => least?.pain ?? null,
  ],
  distance_percent: [
    s.numberOrNull('Max pain over `underlying_price`, less one, percent.'),
    ({ least, underlying }) => (least === null ? null : (least.price / underlying - 1) * 100),
  ],
  call_oi_base: [s.number('Base units, one side.'), ({ sums }) => sums.calls],
  put_oi_base: [s.number('Base units, one side.'), ({ sums }) => sums.puts],
  put_call_ratio: [s.numberOrNull('Null without calls.'), ({ sums }) => putCallRatio(sums)],
  open_interest_usd: [
    s.number('At the forward of each option, US dollars.'),
    ({ sums }) => sums.open_interest_usd,
  ],
  exchanges: [s.exchanges, ({ rows }) => [...new Set(rows.map(({ exchange }) => exchange))].sort()],
});

const painOf = (one: Expiry<ListedOption>, underlying: number): ExpiryPain => ({
  ...one,
  sums: sumsOf(one.rows),
  least: maxPain(one.rows),
  underlying,
});

export const maxPainRoute = (context: shared.OptionsContext): Route =>
  shared.chainDocument(context, {
    path: '/v1/options/max-pain',
    summary: 'Max pain of each expiry: where the holders of all options get least',
    fields: { expiries: s.list(expiry.schema, 'Soonest first.') },
    build: ({ head, expiries }) => ({
      expiries: expiry.all(expiries.map((one) => painOf(one, head.underlying_price))),
    }),
  });
