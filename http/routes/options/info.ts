/** The expiries of an asset, and the options of one of them. */
import * as s from '../../../actors/topics/schema.ts';
import {
  type Expiry,
  type ListedOption,
  putCallRatio,
  strikesOf,
  sumsOf,
} from '../../../indicators/options/chain.ts';
import { atTheMoney, smileOf } from '../../../indicators/options/surface.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { notReceived, type OptionsView } from '../../views/options.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import * as shared from './common.ts';

const put_call_ratio = s.numberOrNull(
  'Open interest of puts over that of calls; null without calls.',
);

const expiry = s.object({
  ...shared.expiryFields,
  instrument_count: shared.instrument_count,
  open_interest_base: s.number('Base units, one side.'),
  open_interest_usd: s.number('At the forward of each option.'),
  call_oi_base: s.number('Base units, one side.'),
  put_oi_base: s.number('Base units, one side.'),
  put_call_ratio,
  volume_24h_usd: s.numberOrNull('Traded in 24 hours, base units x forward.'),
  forward_price: s.number('Median over the options, US dollars.'),
  atm_iv: s.numberOrNull(
    'Implied volatility of the strike nearest to the forward, mean of call and put, fraction a year.',
  ),
  strikes: s.list(s.number(), 'US dollars, ascending.'),
});

const option = s.object({
  ...shared.optionFields,
  symbol: s.symbol,
  open_interest_base: s.number('Base units, one side.'),
  open_interest_usd: s.number('Base units x forward.'),
  volume_24h_base: s.numberOrNull('Base units; null where it is not stated.'),
  volume_24h_usd: s.numberOrNull('Base units x forward.'),
  premium_24h_usd: s.numberOrNull('The premium paid for it; null where it is not stated.'),
  mark_price_usd: s.numberOrNull('Of an option on one base unit, US dollars.'),
  bid_price_usd: s.numberOrNull('Best bid, US dollars; null without one.'),
  ask_price_usd: s.numberOrNull('Best ask, US dollars; null without one.'),
  mark_price_base: s.numberOrNull('The same in base units.'),
  bid_price_base: s.numberOrNull('The best bid in base units.'),
  ask_price_base: s.numberOrNull('The best ask in base units.'),
  implied_volatility: s.numberOrNull('Of the mark price, fraction a year.'),
  bid_iv: s.numberOrNull('Implied volatility of the best bid, fraction a year.'),
  ask_iv: s.numberOrNull('Implied volatility of the best ask, fraction a year.'),
  underlying_price: s.number('Forward price of the expiry, US dollars.'),
});

const answer = s.object({
  ...shared.headFields,
  expiries: s.list(expiry, 'Soonest first.'),
  total_open_interest_usd: s.number('Of all expiries, US dollars.'),
  put_call_ratio,
  options: s.optional(s.list(option, 'With `expiry`: by strike.')),
});
type Info = s.Static<typeof answer>;

function expiryInfo(one: Expiry): s.Static<typeof expiry> {
  const sums = sumsOf(one.rows);
  return {
    ...shared.expiryOf(one),
    instrument_count: sums.instruments,
    open_interest_base: sums.open_interest,
    open_interest_usd: sums.open_interest_usd,
    call_oi_base: sums.calls,
    put_oi_base: sums.puts,
    put_call_ratio: putCallRatio(sums),
    volume_24h_usd: sums.volume_usd,
    forward_price: one.forward,
    atm_iv: atTheMoney(smileOf(one), one.forward),
    strikes: strikesOf(one.rows),
  };
}

function optionInfo(row: ListedOption): s.Static<typeof option> {
  const { symbol, open_interest, volume, premium, mark, bid, ask, underlying } = row;
  return {
    ...shared.termsOf(row),
    symbol,
    open_interest_base: open_interest,
    open_interest_usd: open_interest * underlying,
    volume_24h_base: volume,
    volume_24h_usd: volume === null ? null : volume * underlying,
    premium_24h_usd: premium,
    ...{ mark_price_usd: mark, bid_price_usd: bid, ask_price_usd: ask },
    mark_price_base: shared.inBase(mark, row),
    bid_price_base: shared.inBase(bid, row),
    ask_price_base: shared.inBase(ask, row),
    ...{ implied_volatility: row.iv, bid_iv: row.bid_iv, ask_iv: row.ask_iv },
    underlying_price: underlying,
  };
}

function infoOf(view: OptionsView, query: shared.ChainQuery): Info | ApiError {
  const chain = shared.chainOf(view, query);
  if (isApiError(chain)) return chain;
  const sums = sumsOf(chain.expiries.flatMap(({ rows }) => rows));
  const info = {
    ...chain.head,
    expiries: chain.expiries.map(expiryInfo),
    total_open_interest_usd: sums.open_interest_usd,
    put_call_ratio: putCallRatio(sums),
  };
  if (query.expiry === undefined) return info;
  const found = shared.expiryOn(chain, query.expiry);
  if (isApiError(found)) return found;
  return { ...info, options: found.rows.toSorted(shared.byStrike).map(optionInfo) };
}

export function infoRoute({ options, ids }: shared.OptionsContext): Route {
  const read = options.answers<shared.ChainQuery, Info>(shared.variantOf, (query) =>
    infoOf(options, query),
  );
  return route({
    ...shared.common,
    path: '/v1/options/info',
    summary: 'Expiries, open interest and implied volatility of the options on an asset',
    params: {
      ...shared.chainParams(ids),
      expiry: {
        ...shared.expiryParam,
        description: 'Adds every option that expires on this day, `YYYY-MM-DD`.',
      },
    },
    answer,
    from: { answers: read, absent: notReceived },
  });
}
