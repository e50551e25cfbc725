/** The inputs of indicators of the market, such that their main numbers can be computed again from the answer alone. */
import type { IndicatorName, IndicatorReading, InputDays } from '../../actors/topics/index.ts';
import type { IndicatorFields } from '../../actors/topics/indicators/table.ts';
import { jsonText, jsonWith } from '../answers/json.ts';
import type { JsonText } from '../answers/json-text.ts';
import { type ApiError, warmingUp } from '../wire/errors.ts';
import { makers, type Parts } from './indicator-inputs.ts';
import type { Explanation, MainNumber } from './indicator-methods.ts';

const madeOf = <N extends IndicatorName>(
  name: N,
  fields: IndicatorFields<N>,
  parts: Parts,
): MainNumber | null => makers[name](fields, parts);

/**
 * The answer about a reading with the inputs of its main number; `days` are published with its chart. Errors: `warming_up`
 * while the inputs are not there.
 */
export function withExplanation<T extends object>(
  answer: JsonText<T>,
  { name, fields, source, updated_at, received_at, live, inputs = [] }: IndicatorReading,
  days: readonly InputDays[] = [],
): JsonText<T> | ApiError {
  // The job that publishes the reading has typed its fields by the same table.
  const typed = fields as IndicatorFields<IndicatorName> | null;
  const made = typed && madeOf(name, typed, { live, inputs, days, received_at });
  if (made === null) return warmingUp;
  const age_ms = Math.max(0, received_at - updated_at);
  const { inputs: parts, series: rows, ...head } = made;
  const about = { ...head, sources: [source].flat(), updated_at, age_ms, inputs: parts };
  const explanation = rows === undefined ? about : { ...about, series: rows };
  return jsonWith(answer, 'explanation', jsonText<Explanation>(explanation));
}
