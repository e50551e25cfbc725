/** What the schemas of the market indicators share: units, and what every answer ends with. */
import type { Schema } from './route.ts';
import * as s from './schemas.ts';

/** Schemas by the name of the property. */
export type Properties = Record<string, Schema>;

export const boolean = { type: 'boolean' } as const;
export const usd = (description = 'US dollars.') => s.of(s.number, description);
export const usdOrNull = s.of(s.numberOrNull, 'US dollars; null where it is not known.');
export const pct = s.of(s.number, 'Percent.');
export const pctOrNull = s.of(s.numberOrNull, 'Percent; null where it is not known.');
export const btc = s.of(s.number, 'BTC.');
export const index = s.of({ type: 'number', minimum: 0, maximum: 100 }, '0 to 100.');
export const indexOrNull = s.of(
  { type: ['number', 'null'], minimum: 0, maximum: 100 },
  '0 to 100.',
);
/** One of some words, or null where it cannot be told. */
export const wordOrNull = (...words: string[]): Schema => ({ enum: [...words, null] });
export const word = (...words: string[]): Schema => ({ enum: words });

/** What every answer ends with, and the row of its chart. */
const ending = (row: Properties, optional: string[]): Properties => ({
  updated_at: s.of(
    s.integer,
    'Time of the newest input, as its source states it, Unix milliseconds.',
  ),
  received_at: s.of(s.integer, 'When the newest input was received, Unix milliseconds.'),
  source: s.of(
    { anyOf: [s.string, s.array(s.string)] },
    'Who gave the inputs; `computed` for an index of our own.',
  ),
  stale: s.of(boolean, 'The newest input is older than three times its cadence.'),
  coverage: s.of(
    s.object({
      from: s.of(s.integerOrNull, 'Time of the first point, Unix milliseconds.'),
      to: s.of(s.integerOrNull, 'Time of the last point, Unix milliseconds.'),
      points: s.integer,
      recorded_from: s.of(
        s.integerOrNull,
        'Since when this service has recorded the series, Unix milliseconds; null where the sources give it whole.',
      ),
    }),
    'The whole chart that `history` is the end of.',
  ),
  history: s.of(
    s.array(
      s.object(
        {
          timestamp: s.unixMs,
          provisional: s.of({ const: true }, 'The day or hour of this point is not over.'),
          ...row,
        },
        ['provisional', ...optional],
      ),
    ),
    'Ascending by time; one point a UTC day where not said otherwise.',
  ),
});

/** Names of what may be absent, of the fields and of a row of the history. */
interface Optional {
  fields?: string[];
  row?: string[];
}

/** `data` of one indicator: its own fields, then what all have. */
export const answer = (fields: Properties, row: Properties, optional: Optional = {}): Schema =>
  s.object({ ...fields, ...ending(row, optional.row ?? []) }, optional.fields);
