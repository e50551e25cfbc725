/** The list of the technical indicators. */
import * as s from '../../actors/topics/schema.ts';
import { catalogue } from '../../indicators/catalogue.ts';
import type { Indicator, Parameter } from '../../indicators/spec.ts';
import { snapshotOf } from '../answers/snapshots.ts';
import { unchanging } from '../answers/source.ts';
import { type Route, route } from '../endpoints/route.ts';

/** Heading of the technical indicators in the documentation. */
export const group = 'Technical indicators';

const described = (parameters: Readonly<Record<string, Parameter>>) =>
  Object.entries(parameters).map(([name, parameter]) => ({ name, ...parameter }));

const entryOf = (indicator: Indicator) => {
  const { name, aliases = [], title, category, parameters, inputs, outputs } = indicator;
  const defaults = Object.entries(parameters).map(([key, value]) => [key, value.default] as const);
  const minimum = indicator.minimum(Object.fromEntries(defaults));
  const { formula, source } = indicator;
  return {
    ...{ name, aliases, title, category, parameters: described(parameters) },
    ...{ inputs, outputs, minimum, formula, source },
  };
};

const parameterSchema = s.object({
  name: s.string(),
  type: s.oneOf(['integer', 'number', 'word']),
  default: s.unchecked<number | string>({ type: ['number', 'string'] }),
  minimum: s.optional(s.number()),
  maximum: s.optional(s.number()),
  allowed: s.optional(s.list(s.string())),
  description: s.string(),
});

/** Every indicator that can be computed. */
export function catalogueRoute(): Route {
  const entries = [...catalogue.values()].map(entryOf);
  const snapshot = snapshotOf({ indicators: entries, count: entries.length });
  return route({
    method: 'GET',
    path: '/v1/indicators/catalogue',
    group,
    summary: 'Every indicator that can be computed: parameters, outputs, formula',
    params: {},
    answer: s.object({
      indicators: s.list(
        s.object({
          name: s.string(),
          aliases: s.list(s.string()),
          title: s.string(),
          category: s.string(),
          parameters: s.list(parameterSchema, 'In the order of the short form.'),
          inputs: s.list(s.string()),
          outputs: s.list(s.string()),
          minimum: s.integer('Candles until every output has a value, with the defaults.'),
          formula: s.string(),
          source: s.string(),
        }),
      ),
      count: s.integer(),
    }),
    access: 'open',
    undated: true,
    from: unchanging(snapshot),
  });
}
