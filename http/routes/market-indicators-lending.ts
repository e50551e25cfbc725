/** Schemas of what exchanges hold, and of what they ask for loans. */
import {
  answer,
  boolean,
  type Properties,
  pctOrNull,
  usdOrNull,
  word,
  wordOrNull,
} from './market-indicators-answer.ts';
import * as s from './schemas.ts';

const inflow = s.of(s.numberOrNull, 'US dollars; positive is towards the exchange.');

export const transparency = answer(
  {
    exchanges: s.array(
      s.object(
        {
          exchange: s.of(s.string, 'Id.'),
          name: s.string,
          score: s.of(
            { type: 'number', minimum: 0, maximum: 100 },
            '40 for wallets, 25 for audits, 20 for reserves in coins of others, 15 for leverage.',
          ),
          grade: s.of(word('A', 'B', 'C', 'D', 'E'), 'From 80, 60, 40, 20, 0.'),
          reserves_usd: usdOrNull,
          clean_reserves_usd: s.of(s.numberOrNull, 'Without its own token, US dollars.'),
          clean_ratio: s.of(s.numberOrNull, 'Clean reserves / reserves.'),
          own_token: s.stringOrNull,
          inflow_24h_usd: inflow,
          inflow_7d_usd: inflow,
          inflow_30d_usd: inflow,
          spot_volume_24h_usd: usdOrNull,
          derivatives_volume_24h_usd: usdOrNull,
          open_interest_usd: usdOrNull,
          leverage_ratio: s.of(s.numberOrNull, 'Open interest / reserves.'),
          auditor: s.stringOrNull,
          last_audit_at: s.unixMsOrNull,
          audit_url: s.stringOrNull,
          wallets_url: s.stringOrNull,
          wallets_published: boolean,
        },
        ['derivatives_volume_24h_usd'],
      ),
    ),
    count: s.integer,
    method: s.of(
      word('published_reserves', 'trust_score'),
      'Whose scores: our own, or those of another times ten.',
    ),
  },
  {
    reserves_usd: s.of(s.numberOrNull, 'Of all exchanges, US dollars.'),
    clean_reserves_usd: s.of(s.numberOrNull, 'Without their own tokens, US dollars.'),
    exchanges_with_reserves: s.of(s.integerOrNull, 'How many publish them.'),
  },
);

const annual = s.of(s.number, 'Percent a year, without interest on interest.');
const extreme = s.object({ exchange: s.string, annual_rate_pct: annual });
const annualOrNull = s.of(s.numberOrNull, 'Percent a year; null where no exchange said it.');

export const averages = answer(
  {
    symbol: s.of({ const: 'USDT' }, 'Asset of the rate below.'),
    average_annual_rate_pct: s.of(annualOrNull, 'Percent a year.'),
    assets: s.array(
      s.object({
        asset: s.string,
        average_annual_rate_pct: annual,
        average_daily_rate_pct: s.of(s.number, 'Percent a day.'),
        min: extreme,
        max: extreme,
        exchange_count: s.of(s.integer, 'Exchanges that answered within two hours.'),
      }),
    ),
  },
  { usdt: annualOrNull, usdc: annualOrNull, btc: annualOrNull, eth: annualOrNull },
  { row: ['usdt', 'usdc', 'btc', 'eth'] },
);

export const rates = answer(
  {
    rates: s.array(
      s.object({
        exchange: s.string,
        asset: s.string,
        hourly_rate_pct: s.of(s.number, 'Percent an hour, of the lowest tier of users.'),
        daily_rate_pct: s.of(s.number, 'Percent a day.'),
        annual_rate_pct: annual,
        borrow_limit: s.of(s.numberOrNull, 'Most that one user may borrow, in the asset.'),
        updated_at: s.of(s.integerOrNull, 'Unix milliseconds.'),
      }),
    ),
    count: s.of(s.integer, 'Rates that are shown.'),
    refused: s.of(
      s.array(s.object({ exchange: s.string, asset: s.string })),
      'Rates left out: far above what all others ask.',
    ),
  },
  {
    okx: annualOrNull,
    bybit: annualOrNull,
    bitget: annualOrNull,
    gate: annualOrNull,
    bitfinex: annualOrNull,
  },
  { row: ['okx', 'bybit', 'bitget', 'gate', 'bitfinex'] },
);

const funding = s.object({
  currency: s.string,
  frr_daily_pct: s.of(s.numberOrNull, 'Flash return rate, percent a day.'),
  frr_annual_pct: s.of(s.numberOrNull, 'The same, simple, percent a year.'),
  average_period_days: s.numberOrNull,
  provided: s.of(s.numberOrNull, 'In the currency.'),
  used: s.of(s.numberOrNull, 'In the currency.'),
  utilization_ratio: s.of(s.numberOrNull, 'Used / provided.'),
  below_threshold: s.numberOrNull,
});

const sides: Properties = {
  long_size: s.of(s.number, 'Base asset.'),
  short_size: s.of(s.number, 'Base asset.'),
};

export const margin = answer(
  {
    symbol: s.of(s.string, 'Base asset.'),
    ...sides,
    long_usd: usdOrNull,
    short_usd: usdOrNull,
    long_short_ratio: s.of(s.numberOrNull, 'Null without shorts.'),
    long_pct: s.of(s.numberOrNull, 'Share of the longs, percent.'),
    funding: s.of(
      { anyOf: [s.array(funding), s.mapOf(funding, 'currency to its funding')] },
      'Of USD and of the base asset.',
    ),
    change_24h: s.object({ long_pct: pctOrNull, short_pct: pctOrNull }),
    signal: s.of(
      wordOrNull('crowded_long', 'crowded_short', 'normal'),
      'Ratio beyond two deviations from its mean of 30 days; null while fewer hours are recorded.',
    ),
  },
  { ...sides, frr_daily_pct: s.of(s.numberOrNull, 'Flash return rate, percent a day.') },
  { row: ['frr_daily_pct'] },
);
