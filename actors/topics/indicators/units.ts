/** Schemas of fields that several market indicators share. */
import * as s from '../schema.ts';

export const usd = (description = 'US dollars.') => s.number(description);
export const usdOrNull = s.numberOrNull('US dollars; null where it is not known.');
export const pct = s.number('Percent.');
export const pctOrNull = s.numberOrNull('Percent; null where it is not known.');
export const btc = s.number('BTC.');
export const index = (description = '0 to 100.') =>
  s.number(description, { minimum: 0, maximum: 100 });
export const indexOrNull = (description = '0 to 100.') =>
  s.numberOrNull(description, { minimum: 0, maximum: 100 });

/** A point of a chart. */
export const point = <P extends s.TProperties>(columns: P) =>
  s.object({
    timestamp: s.unixMs(),
    provisional: s.optional(s.literal(true, 'The day or hour of this point is not over.')),
    ...columns,
  });

/** A point of a chart with a column for each key of a map. */
export const columns = (values: s.TSchema, key: string) =>
  s.unchecked<{
    timestamp: number;
    provisional?: true;
    [column: string]: number | null | true | undefined;
  }>({ ...point({}), description: `Map from ${key}.`, additionalProperties: values });
