/** Schemas of the models of Bitcoin's price and issue. */
import { answer, boolean, btc, type Properties, usd, word } from './market-indicators-answer.ts';
import * as s from './schemas.ts';

const price_usd = usd('Price of one BTC, US dollars.');

const ahr999Point: Properties = {
  value: s.of(s.number, '(price / cost) x (price / growth valuation), a ratio.'),
  price_usd,
  cost_200d_usd: usd('Geometric mean of the last 200 daily closes, US dollars.'),
  growth_valuation_usd: usd('10^(5.84 log10(age in days) - 17.01), US dollars.'),
};

export const ahr999 = answer(
  {
    ...ahr999Point,
    age_days: s.of(s.integer, 'Whole days since 2009-01-03.'),
    zone: s.of(
      word('bottom_fishing', 'dca_zone', 'wait', 'overheated'),
      'Below 0.45, below 1.2, below 5, above.',
    ),
    signal: word('buy', 'accumulate', 'hold', 'sell'),
  },
  ahr999Point,
);

const puellValue = s.of(s.number, "A day's issue / its mean of 365 days, both in US dollars.");
const issuance = usd('Subsidies of one day without fees, US dollars.');

export const puell = answer(
  {
    value: puellValue,
    value_smoothed: s.of(s.number, 'The same with the mean of 7 days above the line.'),
    daily_issuance_btc: btc,
    daily_issuance_usd: issuance,
    average_365d_usd: usd(),
    blocks: s.of(s.integerOrNull, 'Of the day; null where the source gives coins.'),
    subsidy_btc: s.of(s.number, 'Of one block, BTC.'),
    zone: s.of(
      word('undervalued', 'normal', 'elevated', 'overvalued'),
      'Below 0.5, below 2, below 4, above.',
    ),
    signal: word('buy', 'hold', 'caution', 'sell'),
    includes_fees: s.of(boolean, 'True where the source counts fees in.'),
  },
  { value: puellValue, daily_issuance_usd: issuance },
  { fields: ['includes_fees'] },
);

const flowPoint: Properties = {
  ratio: s.of(s.number, 'Stock / flow, years.'),
  model_price_usd: usd('exp(-1.84) x ratio^3.36, US dollars.'),
  price_usd,
};

export const stockToFlow = answer(
  {
    stock_btc: s.of(s.number, 'Coins that exist, BTC.'),
    flow_btc_365d: s.of(s.number, 'Issued in the last 365 days, BTC.'),
    nominal_flow_btc: s.of(s.number, '52,560 blocks of the current subsidy, BTC.'),
    ...flowPoint,
    model_price_2019_usd: usd('By the article of 2019, US dollars.'),
    deflection: s.of(s.number, 'Price / model price.'),
    block_height: s.integer,
    next_halving_height: s.integer,
    days_to_halving: s.of(s.number, 'At 144 blocks a day.'),
    signal: s.of(word('undervalued', 'fair', 'overvalued'), 'Below 0.5, below 2, above.'),
    note: s.string,
  },
  flowPoint,
  { fields: ['nominal_flow_btc', 'note'] },
);

const means: Properties = {
  ma_111d_usd: usd('Mean of 111 daily closes, US dollars.'),
  ma_350d_x2_usd: usd('Twice the mean of 350 daily closes, US dollars.'),
};

const cross = {
  timestamp: s.unixMs,
  direction: s.of(word('up', 'down'), 'Of the 111-day mean.'),
  price_usd,
};

export const piCycle = answer(
  {
    ...means,
    gap_pct: s.of(s.number, 'How far the 111-day mean is above the other, percent.'),
    crossed: s.of(boolean, 'On the last day that is over.'),
    state: s.of(word('above', 'below'), 'Where the 111-day mean is.'),
    last_cross: s.of({ anyOf: [s.object(cross), { type: 'null' }] }, 'Null before the first.'),
    crosses: s.of(s.array(s.object(cross)), 'Oldest first.'),
    signal: s.of(
      word('top', 'approaching', 'neutral'),
      'Top for 30 days from a cross upwards, approaching from 5 % below it on.',
    ),
  },
  { price_usd, ...means },
);

const band = s.of({ type: 'integer', minimum: 0, maximum: 8 }, 'Index of the band of the price.');
const base = usd('Price of the regression, US dollars.');

export const rainbow = answer(
  {
    price_usd,
    base_usd: base,
    trolololo_line_usd: usd("Trolololo's line of 2014 for comparison, US dollars."),
    days: s.of(s.integer, 'Since 2009-01-09.'),
    band,
    classification: s.of(s.string, 'Name of the band.'),
    bands: s.array(
      s.object({
        index: s.integer,
        name: s.string,
        color: s.of(s.string, '#rrggbb'),
        lower_usd: usd(),
        upper_usd: usd(),
      }),
    ),
    model: s.of(
      s.object({ a: s.number, b: s.number, fitted_through: s.of(s.string, 'YYYY-MM-DD') }),
      'exp(a + b ln(days)), US dollars.',
    ),
  },
  { price_usd, base_usd: base, band },
);
