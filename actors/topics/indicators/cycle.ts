/** Schemas of the long averages of Bitcoin's price. */
import * as s from '../schema.ts';
import { point, usd } from './units.ts';

const price = usd('Price of one BTC, US dollars.');

const twoYear = {
  price,
  two_year_ma: usd('Mean of 730 daily closes, US dollars.'),
  multiplier_5x: usd('Five times that mean, US dollars.'),
};

const twoYearAverage = {
  summary: 'Price of Bitcoin against its two-year mean and five times that',
  fields: s.object({
    ...twoYear,
    state: s.oneOf(
      ['below_average', 'between', 'above_multiplier'],
      'Where the price is; tops of the past came near to five times the mean.',
    ),
  }),
  row: point(twoYear),
};

const longWeeks = { price, ma_200_week: usd('Mean of 200 weekly closes, US dollars.') };

const twoHundredWeeks = {
  summary: 'Price of Bitcoin against its mean of 200 weeks',
  fields: s.object({
    ...longWeeks,
    distance_percent: s.number('Price above that mean, percent of it.'),
  }),
  row: point(longWeeks),
};

const golden = { price, ma_350_day: usd('Mean of 350 daily closes, US dollars.') };

const goldenRatio = {
  summary: 'Price of Bitcoin against multiples of its 350-day mean',
  fields: s.object({
    ...golden,
    multiples: s.mapOf(usd('That mean times the name, US dollars.'), 'multiple'),
    reached: s.numberOrNull('The largest multiple at or below the price; null below all.'),
  }),
  row: point(golden),
};

const profitable = {
  price,
  days: s.integer('Days that are compared.'),
  profitable_days: s.integer('Those that closed below the price.'),
  share: s.number('Their share, a fraction.'),
};

const profitableDays = {
  summary: 'Days on which a purchase of Bitcoin would be in profit now',
  fields: s.object(profitable),
  row: point(profitable),
};

/** The indicators of Bitcoin's cycle, by the last segment of their path. */
export const cycleTable = {
  'two-year-ma': twoYearAverage,
  '200-week-ma': twoHundredWeeks,
  'golden-ratio': goldenRatio,
  'profitable-days': profitableDays,
} as const;
