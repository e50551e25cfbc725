/** The settlement price of each expiry at which the holders of all options get least. */
import * as s from '../../../actors/topics/schema.ts';
import {
  type Expiry,
  type ListedOption,
  putCallRatio,
  sumsOf,
} from '../../../indicators/options/chain.ts';
import { maxPain } from '../../../indicators/options/max-pain.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { notReceived, type OptionsView } from '../../views/options.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import * as shared from './common.ts';

const expiry = s.object({
  ...shared.expiryFields,
  max_pain_price: s.numberOrNull(
    'A strike, the lowest of several, US dollars; null when nothing is open.',
  ),
  pain_at_max_pain_usd: s.numberOrNull('Value of all options at that price for their holders.'),
  distance_percent: s.numberOrNull('Max pain over `underlying_price`, less one, percent.'),
  call_oi_base: s.number('Base units, one side.'),
  put_oi_base: s.number('Base units, one side.'),
  put_call_ratio: s.numberOrNull('Null without calls.'),
  open_interest_usd: s.number('At the forward of each option, US dollars.'),
  exchanges: s.exchanges,
});
const answer = s.object({
  ...shared.headFields,
  expiries: s.list(expiry, 'Soonest first.'),
});
type MaxPain = s.Static<typeof answer>;

function painOf(one: Expiry<ListedOption>, price: number): s.Static<typeof expiry> {
  const least = maxPain(one.rows);
  const sums = sumsOf(one.rows);
  return {
    ...shared.expiryOf(one),
    max_pain_price: least?.price ?? null,
    pain_at_max_pain_usd: least?.pain ?? null,
    distance_percent: least === null ? null : (least.price / price - 1) * 100,
    call_oi_base: sums.calls,
    put_oi_base: sums.puts,
    put_call_ratio: putCallRatio(sums),
    open_interest_usd: sums.open_interest_usd,
    exchanges: [...new Set(one.rows.map(({ exchange }) => exchange))].sort(),
  };
}

function maxPainOf(view: OptionsView, query: shared.ChainQuery): MaxPain | ApiError {
  const chain = shared.chainOf(view, query);
  if (isApiError(chain)) return chain;
  const { head, expiries } = chain;
  return { ...head, expiries: expiries.map((one) => painOf(one, head.underlying_price)) };
}

export function maxPainRoute({ options, ids }: shared.OptionsContext): Route {
  const read = options.answers<shared.ChainQuery, MaxPain>(shared.variantOf, (query) =>
    maxPainOf(options, query),
  );
  return route({
    ...shared.common,
    path: '/v1/options/max-pain',
    summary: 'Max pain of each expiry: where the holders of all options get least',
    params: shared.chainParams(ids),
    answer,
    from: { answers: read, absent: notReceived },
  });
}
