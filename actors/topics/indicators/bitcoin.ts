/** Schemas of the models of Bitcoin's price and issue. */
import * as s from '../schema.ts';
import { btc, point, usd } from './units.ts';

const price_usd = usd('Price of one BTC, US dollars.');

const ahr999Point = {
  value: s.number('(price / cost) x (price / growth valuation), a ratio.'),
  price_usd,
  cost_200d_usd: usd('Geometric mean of the last 200 daily closes, US dollars.'),
  growth_valuation_usd: usd('10^(5.84 log10(age in days) - 17.01), US dollars.'),
};

export const ahr999 = {
  fields: s.object({
    ...ahr999Point,
    age_days: s.integer('Whole days since 2009-01-03.'),
    zone: s.oneOf(
      ['bottom_fishing', 'dca_zone', 'wait', 'overheated'],
      'Below 0.45, below 1.2, below 5, above.',
    ),
    signal: s.oneOf(['buy', 'accumulate', 'hold', 'sell'], 'What the zone suggests.'),
  }),
  row: point(ahr999Point),
};

const puellValue = s.number("A day's issue / its mean of 365 days, both in US dollars.");
const issuance = usd('Subsidies of one day without fees, US dollars.');

export const puell = {
  fields: s.object({
    value: puellValue,
    value_smoothed: s.number('The same with the mean of 7 days above the line.'),
    daily_issuance_btc: btc,
    daily_issuance_usd: issuance,
    average_365d_usd: usd(),
    blocks: s.integerOrNull('Of the day; null where the source gives coins.'),
    subsidy_btc: s.number('Of one block, BTC.'),
    zone: s.oneOf(
      ['undervalued', 'normal', 'elevated', 'overvalued'],
      'Below 0.5, below 2, below 4, above.',
    ),
    signal: s.oneOf(['buy', 'hold', 'caution', 'sell'], 'What the zone suggests.'),
    includes_fees: s.optional(s.boolean('True where the source counts fees in.')),
  }),
  row: point({ value: puellValue, daily_issuance_usd: issuance }),
};

const flowPoint = {
  ratio: s.number('Stock / flow, years.'),
  model_price_usd: usd('exp(-1.84) x ratio^3.36, US dollars.'),
  price_usd,
};

export const stockToFlow = {
  fields: s.object({
    stock_btc: s.number('Coins that exist, BTC.'),
    flow_btc_365d: s.number('Issued in the last 365 days, BTC.'),
    nominal_flow_btc: s.optional(s.number('52,560 blocks of the current subsidy, BTC.')),
    ...flowPoint,
    model_price_2019_usd: usd('By the article of 2019, US dollars.'),
    deflection: s.number('Price over model price, a ratio.'),
    block_height: s.integer('Newest block, its number.'),
    next_halving_height: s.integer('Number of the block at which the subsidy halves.'),
    days_to_halving: s.number('Days, at 144 blocks each.'),
    signal: s.oneOf(['undervalued', 'fair', 'overvalued'], 'Below 0.5, below 2, above.'),
    note: s.optional(s.string('What is special in these figures, in words.')),
  }),
  row: point(flowPoint),
};

const means = {
  ma_111d_usd: usd('Mean of 111 daily closes, US dollars.'),
  ma_350d_x2_usd: usd('Twice the mean of 350 daily closes, US dollars.'),
};

const cross = {
  timestamp: s.unixMs(),
  direction: s.oneOf(['up', 'down'], 'Of the 111-day mean.'),
  price_usd,
};

export const piCycle = {
  fields: s.object({
    ...means,
    gap_pct: s.number('How far the 111-day mean is above the other, percent.'),
    crossed: s.boolean('On the last day that is over.'),
    state: s.oneOf(['above', 'below'], 'Where the 111-day mean is.'),
    last_cross: s.orNull(s.object(cross), 'Null before the first.'),
    crosses: s.list(s.object(cross), 'Oldest first.'),
    signal: s.oneOf(
      ['top', 'approaching', 'neutral'],
      'Top for 30 days from a cross upwards, approaching from 5 % below it on.',
    ),
  }),
  row: point({ price_usd, ...means }),
};

const band = s.integer('Index of the band of the price.', { minimum: 0, maximum: 8 });
const base = usd('Price of the regression, US dollars.');

export const rainbow = {
  fields: s.object({
    price_usd,
    base_usd: base,
    trolololo_line_usd: usd("Trolololo's line of 2014 for comparison, US dollars."),
    days: s.integer('Since 2009-01-09.'),
    band,
    classification: s.string('Name of the band.'),
    bands: s.list(
      s.object({
        index: s.integer('From 0, the lowest.'),
        name: s.string('Name of the band.'),
        color: s.string('#rrggbb'),
        lower_usd: usd(),
        upper_usd: usd(),
      }),
      'The lowest first.',
    ),
    model: s.object(
      {
        a: s.number('Intercept, of the natural logarithm of US dollars.'),
        b: s.number('Slope, a plain factor.'),
        fitted_through: s.string('YYYY-MM-DD'),
      },
      'exp(a + b ln(days)), US dollars.',
    ),
  }),
  row: point({ price_usd, base_usd: base, band }),
};
