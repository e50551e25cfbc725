/** Fields and chart of the fear and greed index (specification 4.9). */
import * as s from '../schema.ts';
import { index, indexOrNull, point } from './units.ts';

const fearGreedClass = s.oneOf(
  ['extreme_fear', 'fear', 'neutral', 'greed', 'extreme_greed'],
  'What the value means.',
);

export const fearGreed = {
  fields: s.object({
    value: index(),
    classification: fearGreedClass,
    classification_label: s.string('The same in words.'),
    previous_close: indexOrNull(),
    week_ago: indexOrNull(),
    month_ago: indexOrNull(),
    next_update_in_s: s.integerOrNull(
      'Seconds to the next value, counted down each minute; null where the source does not say.',
    ),
    computed_from: s.optional(
      s.named(
        'FearGreedParts',
        s.object(
          {
            weight: s.number('Of the parts that are known, a fraction of all.'),
            ranks: s.mapOf(s.numberOrNull(), 'part to its rank among its last 365 days, percent'),
          },
          'The parts of our own index.',
        ),
      ),
    ),
  }),
  row: point({ value: index(), classification: fearGreedClass }),
};
