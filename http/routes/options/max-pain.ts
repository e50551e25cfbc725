/** The settlement price of each expiry at which the holders of all options get least. */
import * as s from '../../../actors/topics/schema.ts';
import {
  type ChainSums,
  type Expiry,
  type ListedOption,
  putCallRatio,
  sumsOf,
} from '../../../indicators/options/chain.ts';
import { maxPain } from '../../../indicators/options/max-pain.ts';
import type { Route } from '../../endpoints/route.ts';
import { columns } from '../factory/columns.ts';
import * as shared from './common.ts';

/** An expiry with its sums and its max pain; the last fields are null when nothing is open. */
interface ExpiryPain extends Expiry<ListedOption>, ChainSums {
  price: number | null;
  pain: number | null;
  distance: number | null;
}

const expiry = columns<ExpiryPain>()({
  ...shared.expiryCells,
  max_pain_price: [
    s.numberOrNull('A strike, the lowest of several, US dollars; null when nothing is open.'),
    'price',
  ],
  pain_at_max_pain_usd: [
    s.numberOrNull('Value of all options at that price for their holders.'),
    'pain',
  ],
  distance_percent: [s.numberOrNull('Max pain over `underlying_price`, less one.'), 'distance'],
  ...shared.sideCells,
  put_call_ratio: [s.numberOrNull('Null without calls.'), (sums) => putCallRatio(sums)],
  open_interest_usd: s.number('At the forward of each option.'),
  exchanges: [s.exchanges, ({ rows }) => [...new Set(rows.map(({ exchange }) => exchange))].sort()],
});

function painOf(one: Expiry<ListedOption>, underlying: number): ExpiryPain {
  const { price, pain } = maxPain(one.rows) ?? { price: null, pain: null };
  const distance = price === null ? null : (price / underlying - 1) * 100;
  return { ...one, ...sumsOf(one.rows), price, pain, distance };
}

export const maxPainRoute = (context: shared.OptionsContext): Route =>
  shared.chainDocument(context, {
    path: '/v1/options/max-pain',
    summary: 'Max pain of each expiry: where the holders of all options get least',
    fields: { expiries: s.list(expiry.schema, 'Soonest first.') },
    build: ({ head, expiries }) => ({
      expiries: expiry.all(expiries.map((one) => painOf(one, head.underlying_price))),
    }),
  });
