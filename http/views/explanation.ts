/** The inputs of a number, such that it can be computed again from the answer alone. */
import * as s from '../../actors/topics/schema.ts';

const input = s.named(
  'ExplanationInput',
  s.object({
    exchange: s.exchange,
    market: s.ownSymbol,
    value: s.number('As the exchange states it, in `unit`: an amount in quote, or a fraction.'),
    unit: s.string('What the value is in.'),
    conversion: s.number('Factor that makes it comparable: US dollars a quote, or 8 / hours.'),
    weight: s.number('Weight of the converted value, a fraction or 1; 0 where it does not count.'),
    received_at: s.unixMs('When it was received.'),
    age_ms: s.integer('How much older it is than the newest input, or than the answer, ms.'),
    excluded: s.stringOrNull('Why it does not count; null where it does.'),
  }),
);
export type ExplanationInput = s.Static<typeof input>;

export const explanation = s.named(
  'Explanation',
  s.object(
    {
      field: s.string('The field of the answer that the inputs give.'),
      result: s.number('Its value, US dollars or a fraction.'),
      method: s.oneOf(
        ['weighted_sum', 'weighted_median'],
        'Sum of weight × value × conversion, or the smallest value × conversion at which half of the weight is reached.',
      ),
      rule: s.string('Which inputs count, and how their weights follow.'),
      inputs: s.list(input, 'All that were looked at.'),
    },
    'What the main number is made of; with `explain=1`.',
  ),
);
export type Explanation = s.Static<typeof explanation>;

/** The field of an answer to a request with `explain=1`. */
export const explained = { explanation: s.optional(explanation) };

/** An input before its age is known. */
export type Dated = Omit<ExplanationInput, 'age_ms'>;

/** The inputs with their ages at a time, Unix ms; at that of the newest when absent. */
export function agedInputs(inputs: readonly Dated[], at?: number): ExplanationInput[] {
  const newest = at ?? Math.max(...inputs.map(({ received_at }) => received_at));
  return inputs.map(({ excluded, ...one }) => ({
    ...one,
    age_ms: Math.max(0, newest - one.received_at),
    excluded,
  }));
}
