/** Schemas of reserves of exchanges and of their loans. */
import * as s from '../schema.ts';
import { columns, pctOrNull, point, usdOrNull } from './units.ts';

const inflow = s.numberOrNull('US dollars; positive is towards the exchange.');

export const transparency = {
  fields: s.object({
    exchanges: s.list(
      s.object({
        exchange: s.string('Id.'),
        name: s.string('Name of the exchange.'),
        score: s.number(
          '40 for wallets, 25 for audits, 20 for reserves in coins of others, 15 for leverage.',
          { minimum: 0, maximum: 100 },
        ),
        grade: s.oneOf(['A', 'B', 'C', 'D', 'E'], 'From 80, 60, 40, 20, 0.'),
        reserves_usd: usdOrNull,
        clean_reserves_usd: s.numberOrNull('Without its own token.'),
        clean_ratio: s.numberOrNull('Clean reserves / reserves.'),
        own_token: s.stringOrNull('Symbol of the token of the exchange; null without one.'),
        inflow_24h_usd: inflow,
        inflow_7d_usd: inflow,
        inflow_30d_usd: inflow,
        spot_volume_24h_usd: usdOrNull,
        derivatives_volume_24h_usd: s.optional(usdOrNull),
        open_interest_usd: usdOrNull,
        leverage_ratio: s.numberOrNull('Open interest / reserves.'),
        auditor: s.stringOrNull('Who audits it; null where none is known.'),
        last_audit_at: s.unixMsOrNull(),
        audit_url: s.stringOrNull('Where the audit is published; null as `auditor`.'),
        wallets_url: s.stringOrNull('Where its wallets are listed; null where it lists none.'),
        wallets_published: s.boolean('Its wallets are known.'),
      }),
      'One row an exchange.',
    ),
    count: s.count,
    method: s.oneOf(
      ['published_reserves', 'trust_score'],
      'Whose scores: our own, or those of another times ten.',
    ),
  }),
  row: point({
    reserves_usd: s.numberOrNull('Of all exchanges.'),
    clean_reserves_usd: s.numberOrNull('Without their own tokens.'),
    exchanges_with_reserves: s.integerOrNull('How many publish them.'),
  }),
};

const asset = s.string('Symbol of the asset that is lent.');
const annual = s.number('Percent a year, without interest on interest.');
const extreme = (description: string) =>
  s.named(
    'BorrowRateExtreme',
    s.object({ exchange: s.exchange, annual_rate_pct: annual }, description),
  );
const annualOrNull = s.numberOrNull('Percent a year; null where no exchange said it.');

export const averages = {
  fields: s.object({
    symbol: s.literal('USDT', 'Asset of the rate below.'),
    average_annual_rate_pct: s.numberOrNull('Percent a year.'),
    assets: s.list(
      s.object({
        asset,
        average_annual_rate_pct: annual,
        average_daily_rate_pct: s.number('Percent a day.'),
        min: extreme('Exchange with the lowest rate.'),
        max: extreme('Exchange with the highest rate.'),
        exchange_count: s.integer('Exchanges that answered within two hours.'),
      }),
      'One row an asset.',
    ),
  }),
  row: point({
    usdt: s.optional(annualOrNull),
    usdc: s.optional(annualOrNull),
    btc: s.optional(annualOrNull),
    eth: s.optional(annualOrNull),
  }),
};

export const rates = {
  fields: s.object({
    rates: s.list(
      s.object({
        exchange: s.exchange,
        asset,
        hourly_rate_pct: s.number('Percent an hour, of the lowest tier of users.'),
        daily_rate_pct: s.number('Percent a day.'),
        annual_rate_pct: annual,
        borrow_limit: s.numberOrNull('Most that one user may borrow, in the asset.'),
        updated_at: s.integerOrNull('Unix milliseconds.'),
      }),
      'One row an exchange and asset.',
    ),
    count: s.integer('Rates that are shown.'),
    refused: s.list(
      s.object({ exchange: s.exchange, asset }),
      'Rates left out: far above what all others ask.',
    ),
  }),
  row: columns(annualOrNull, 'exchange id to its rate of USDT'),
};

const funding = s.object({
  currency: s.string('What is lent.'),
  frr_daily_pct: s.numberOrNull('Flash return rate, percent a day.'),
  frr_annual_pct: s.numberOrNull('The same, simple, percent a year.'),
  average_period_days: s.numberOrNull('Mean length of the loans, days.'),
  provided: s.numberOrNull('In the currency.'),
  used: s.numberOrNull('In the currency.'),
  utilization_ratio: s.numberOrNull('Used / provided.'),
  below_threshold: s.numberOrNull(
    'Open offers below the threshold of the exchange (0.75 %), in the currency.',
  ),
});

const sides = {
  long_size: s.number('Base asset.'),
  short_size: s.number('Base asset.'),
};

export const margin = {
  fields: s.object({
    symbol: s.string('Base asset.'),
    ...sides,
    long_usd: usdOrNull,
    short_usd: usdOrNull,
    long_short_ratio: s.numberOrNull('Null without shorts.'),
    long_pct: s.numberOrNull('Share of the longs, percent.'),
    funding: s.list(funding, 'Of USD and of the base asset.'),
    change_24h: s.object(
      { long_pct: pctOrNull, short_pct: pctOrNull },
      'Change of the sizes in 24 hours.',
    ),
    signal: s.oneOf(
      ['crowded_long', 'crowded_short', 'normal', null],
      'The larger side, when the ratio is beyond two deviations from its mean of 30 days on that side; null while fewer hours are recorded.',
    ),
  }),
  row: point({
    ...sides,
    frr_daily_pct: s.optional(s.numberOrNull('Flash return rate, percent a day.')),
    backfilled: s.optional(
      s.literal(true, 'Of the history that the exchange itself keeps, not recorded here.'),
    ),
  }),
};
