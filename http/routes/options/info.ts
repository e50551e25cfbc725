/** The expiries of an asset with their max pain, and the options of one of them. */
import * as chains from '../../../indicators/options/chain.ts';
import { type PainAway, painAway } from '../../../indicators/options/max-pain.ts';
import { atTheMoney, smileOf } from '../../../indicators/options/surface.ts';
import { kit, s } from '../kit.ts';
import * as shared from './common.ts';

const put_call_ratio = s.numberOrNull('Open interest of puts over calls; null without calls.');

const expiry = kit.columns<chains.Expiry & chains.ChainSums>()({
  ...shared.expiryCells,
  instrument_count: [shared.instrument_count, 'instruments'],
  open_interest_base: [s.number('One side.'), 'open_interest'],
  open_interest_usd: s.number('At the forward of each option.'),
  ...shared.sideCells,
  put_call_ratio: [put_call_ratio, (sums) => chains.putCallRatio(sums)],
  volume_24h_usd: [s.numberOrNull('Traded in 24 hours, base units x forward.'), 'volume_usd'],
  forward_price: [s.number('Median over the options, US dollars.'), 'forward'],
  atm_iv: [
    s.numberOrNull('Volatility of the strike nearest the forward, mean of both, fraction a year.'),
    (one) => atTheMoney(smileOf(one), one.forward),
  ],
  strikes: [s.list(s.number(), 'US dollars, ascending.'), ({ rows }) => chains.strikesOf(rows)],
});

const atForward = (units: number | null, { underlying }: chains.ListedOption): number | null =>
  units === null ? null : units * underlying;

const option = kit.columns<chains.ListedOption>()({
  ...shared.optionCells,
  symbol: s.symbol,
  open_interest_base: [s.number('One side.'), 'open_interest'],
  open_interest_usd: [s.number('Base units x forward.'), (of) => of.open_interest * of.underlying],
  volume_24h_base: [s.numberOrNull('Base units; null where it is not stated.'), 'volume'],
  volume_24h_usd: [s.numberOrNull('Base units x forward.'), (row) => atForward(row.volume, row)],
  premium_24h_usd: [s.numberOrNull('Premium paid for it; null where not stated.'), 'premium'],
  mark_price_usd: [s.numberOrNull('Mark price of an option on one base unit.'), 'mark'],
  bid_price_usd: [s.numberOrNull('Best bid; null without one.'), 'bid'],
  ask_price_usd: [s.numberOrNull('Best ask; null without one.'), 'ask'],
  mark_price_base: [s.numberOrNull('Mark price.'), (row) => shared.inBase(row.mark, row)],
  bid_price_base: [s.numberOrNull('Best bid.'), (row) => shared.inBase(row.bid, row)],
  ask_price_base: [s.numberOrNull('Best ask.'), (row) => shared.inBase(row.ask, row)],
  implied_volatility: [s.numberOrNull('Volatility of the mark price, fraction a year.'), 'iv'],
  bid_iv: s.numberOrNull('Implied volatility of the best bid, fraction a year.'),
  ask_iv: s.numberOrNull('Implied volatility of the best ask, fraction a year.'),
  underlying_price: [s.number('Forward price of the expiry, US dollars.'), 'underlying'],
});

export const infoRoute = (context: shared.OptionsContext) =>
  shared.chainDocument(context, {
    path: '/v1/options/info',
    summary: 'Expiries, open interest and implied volatility of the options on an asset',
    list: ['options', 'expiries'],
    expiry: 'Adds every option that expires on this day, `YYYY-MM-DD`.',
    fields: {
      expiries: s.list(expiry.schema, 'Soonest first.'),
      total_open_interest_usd: s.number('Open interest of all expiries.'),
      put_call_ratio,
      options: s.optional(s.list(option.schema, 'With `expiry`: by strike.')),
    },
    build({ expiries }, only) {
      const sums = chains.sumsOf(expiries.flatMap(({ rows }) => rows));
      return {
        expiries: expiry.all(expiries.map((one) => ({ ...one, ...chains.sumsOf(one.rows) }))),
        total_open_interest_usd: sums.open_interest_usd,
        put_call_ratio: chains.putCallRatio(sums),
        ...(only && { options: option.all(only.rows.toSorted(shared.byStrike)) }),
      };
    },
  });

const painExpiry = kit.columns<chains.Expiry<chains.ListedOption> & chains.ChainSums & PainAway>()({
  ...shared.expiryCells,
  max_pain_price: [s.numberOrNull('Lowest such strike, US dollars; null with none open.'), 'price'],
  pain_at_max_pain_usd: [s.numberOrNull('Value of all options for holders at that price.'), 'pain'],
  distance_percent: [s.numberOrNull('Max pain over `underlying_price`, less one.'), 'distance'],
  ...shared.sideCells,
  put_call_ratio: [put_call_ratio, (sums) => chains.putCallRatio(sums)],
  open_interest_usd: s.number('At the forward of each option.'),
  exchanges: [s.exchanges, ({ rows }) => [...new Set(rows.map(({ exchange }) => exchange))].sort()],
});

export const maxPainRoute = (context: shared.OptionsContext) =>
  shared.chainDocument(context, {
    path: '/v1/options/max-pain',
    summary: 'Max pain of each expiry: where the holders of all options get least',
    fields: { expiries: s.list(painExpiry.schema, 'Soonest first.') },
    build: ({ head, expiries }) => ({
      expiries: painExpiry.all(
        expiries.map((one) => ({
          ...one,
          ...chains.sumsOf(one.rows),
          ...painAway(one.rows, head.underlying_price),
        })),
      ),
    }),
  });
