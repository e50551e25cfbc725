/** The form in which indicators of the market state what their main numbers are made of. */
import * as s from '../../actors/topics/schema.ts';

const side = s.optional(s.oneOf(['above', 'below'], 'Above or below the line of a ratio.'));
const of = s.optional(s.string('The row that it is for, as `rule` says; absent where for all.'));
const weight = (what: string) =>
  s.number(`Weight of ${what}, a plain factor or power; 0 where it does not count.`);

const input = s.named(
  'IndicatorInput',
  s.object({
    name: s.string('Part of the index, coin or exchange.'),
    value: s.numberOrNull('US dollars, percent or as `unit` says; null if not known or accepted.'),
    unit: s.string('What the value is in.'),
    weight: weight('the value'),
    of,
    side,
  }),
);

const series = s.named(
  'IndicatorInputSeries',
  s.object({
    name: s.string('What the values are.'),
    unit: s.string('What they are in.'),
    weight: weight('each value'),
    from: s.unixMs('Day of the first value.'),
    step_ms: s.integer('From one value to the next, ms.'),
    values: s.list(s.numberOrNull('US dollars, BTC or as `unit` says, or null.'), 'Oldest first.'),
    of,
    side,
  }),
);

const methods = `How \`result\` follows, for each \`of\` where inputs have one: stated: the one input as its source states it. sum, rounded_sum: of weight × value; rounded to one decimal. weighted_mean, rounded_weighted_mean: the sum of weight × value over that of the weights; rounded. rounded_share_above: the share of the inputs above \`threshold\`, percent, rounded. share_below: the share of the values below \`threshold\`, a fraction. ratio_of_sums: the sum of weight × value of the side above over that below; excess_of_ratio_pct: the same less 1, percent. product_of_powers: the product of value^weight; logarithmic_band: floor(ln(that product) / 0.3 + 2.5), 0 at least and 8 at most. last_product_over_mean: the products of both series day by day, the last over their mean. correlation: Pearson's coefficient of the returns (logarithms of ratios; differences where the unit is percent a year) of both series.`;

export const indicatorExplanation = s.named(
  'IndicatorExplanation',
  s.object(
    {
      field: s.string('The field of the answer that the inputs give; `[]` of each row.'),
      result: s.numberOrNull(
        'Its value: US dollars, percent, a ratio or index points as the field; of the first row where there are several.',
      ),
      method: s.oneOf(
        [
          ...(['stated', 'sum', 'rounded_sum', 'weighted_mean', 'rounded_weighted_mean'] as const),
          ...(['rounded_share_above', 'share_below', 'ratio_of_sums'] as const),
          ...(['excess_of_ratio_pct', 'product_of_powers', 'logarithmic_band'] as const),
          ...(['last_product_over_mean', 'correlation'] as const),
        ],
        methods,
      ),
      threshold: s.numberOrNull('What inputs are compared with, US dollars or percent, or null.'),
      rule: s.string('What the inputs are, and how their weights follow.'),
      sources: s.list(s.string(), 'Where the inputs are from.'),
      updated_at: s.unixMs('Time of the newest input.'),
      age_ms: s.integer('How old that was when the number was made, ms.'),
      inputs: s.list(input, 'All that were looked at.'),
      series: s.optional(s.list(series, 'Inputs of many days, which count as the others.')),
    },
    'What the main number is made of; with `explain=1`.',
  ),
);
export type Explanation = s.Static<typeof indicatorExplanation>;
/** What an indicator says of its main number. */
export type MainNumber = Omit<Explanation, 'sources' | 'updated_at' | 'age_ms'>;
export type MadeInput = s.Static<typeof input>;
export type MadeSeries = s.Static<typeof series>;
