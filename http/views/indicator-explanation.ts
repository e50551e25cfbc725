/** The inputs of indicators of the market that are made of our own, such that they can be computed again from the answer alone. */
import * as s from '../../actors/topics/schema.ts';
import { houseParts } from '../../indicators/market/fear-greed.ts';
import { jsonText, jsonWith } from '../answers/json.ts';
import type { JsonText } from '../answers/json-text.ts';
import type { Indicator } from './published-indicators.ts';

const input = s.named(
  'IndicatorInput',
  s.object({
    name: s.string('Part of the index, or coin.'),
    value: s.numberOrNull(
      'In `unit`, percent or index points of 0 to 100; null where it is not known, which leaves it out.',
    ),
    unit: s.string('What the value is in.'),
    weight: s.number('Of the value, a fraction or 1; 0 where it does not count.'),
  }),
);

export const indicatorExplanation = s.named(
  'IndicatorExplanation',
  s.object(
    {
      field: s.string('The field of the answer that the inputs give.'),
      result: s.number('Its value, as in the answer: percent, or index points of 0 to 100.'),
      method: s.oneOf(
        ['stated', 'rounded_weighted_mean', 'rounded_share_above'],
        'The value of the one input as its source states it; the sum of weight × value over that of the weights, rounded; or the share of the inputs above `threshold`, percent, rounded.',
      ),
      threshold: s.numberOrNull(
        'What the inputs are compared with, percent; null where they are not.',
      ),
      rule: s.string('What the inputs are, and how their weights follow.'),
      sources: s.list(s.string(), 'Where the inputs are from.'),
      updated_at: s.unixMs('Time of the newest input, Unix ms.'),
      age_ms: s.integer('How old that was when the number was made, ms.'),
      inputs: s.list(input, 'All that were looked at.'),
    },
    'What the main number is made of; with `explain=1`.',
  ),
);
type Explanation = s.Static<typeof indicatorExplanation>;
type Made = Omit<Explanation, 'sources' | 'updated_at' | 'age_ms'>;

const stated = (field: string, result: number, unit: string): Made => ({
  ...{ field, result, method: 'stated', threshold: null },
  rule: 'As the source states it: nothing of it is computed here.',
  inputs: [{ name: field, value: result, unit, weight: 1 }],
});

/** The indicators that explain themselves. */
export const explainedIndicators = ['fear-greed', 'altcoin-season', 'bitcoin-dominance'] as const;
export type ExplainedIndicator = (typeof explainedIndicators)[number];

type Fields<N extends ExplainedIndicator> = NonNullable<
  ReturnType<Indicator<N>['latest']>
>['fields'];

const makers: { readonly [N in ExplainedIndicator]: (fields: Fields<N>) => Made } = {
  'fear-greed'({ value, computed_from }) {
    if (computed_from === undefined) return stated('value', value, 'index points');
    return {
      ...{ field: 'value', result: value, method: 'rounded_weighted_mean', threshold: null },
      rule: 'Ranks among their own last 365 days; unrest and the change of dominance are turned over (100 less the rank). Parts with too few days are left out.',
      inputs: houseParts.map(({ name, weight, inverted }) => {
        const rank = computed_from.ranks[name] ?? null;
        const turned = rank !== null && inverted ? 100 - rank : rank;
        return { name, value: turned, unit: 'percent', weight: rank === null ? 0 : weight };
      }),
    };
  },
  'altcoin-season': ({ index, bitcoin_change_pct, coins }) => ({
    ...{ field: 'index', result: index, method: 'rounded_share_above' },
    threshold: bitcoin_change_pct,
    rule: 'Changes of the prices in 90 days of the 50 largest coins without stablecoins and coins backed by others, against that of Bitcoin.',
    inputs: coins.map(({ symbol, change_pct }) => ({
      ...{ name: symbol, value: change_pct, unit: 'percent', weight: 1 },
    })),
  }),
  'bitcoin-dominance': ({ dominance_pct }) => stated('dominance_pct', dominance_pct, 'percent'),
};

/** The answer of an indicator with the inputs of its main number. */
export function withExplanation<N extends ExplainedIndicator, T extends object>(
  answer: JsonText<T>,
  indicator: Indicator<N>,
) {
  const found = indicator.latest();
  if (found === null) return answer;
  const { fields, source, updated_at, received_at } = found;
  const make: (fields: Fields<N>) => Made = makers[indicator.name];
  const { inputs, ...made } = make(fields);
  return jsonWith(
    answer,
    'explanation',
    jsonText<Explanation>({
      ...made,
      ...{ sources: [source].flat(), updated_at, age_ms: Math.max(0, received_at - updated_at) },
      inputs,
    }),
  );
}
