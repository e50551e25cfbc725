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
  name: s.string('Name of the parameter.'),
  type: s.oneOf(['integer', 'number', 'word'], 'Word: one of `allowed`.'),
  default: s.unchecked<number | string>({
    type: ['number', 'string'],
    description: 'The value where none is given, in the unit of the parameter.',
  }),
  minimum: s.optional(s.number('Least value, in the unit of the parameter.')),
  maximum: s.optional(s.number('Largest value, in the unit of the parameter.')),
  allowed: s.optional(s.list(s.string(), 'Words that it may be.')),
  description: s.string('What it does, with its unit.'),
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
          name: s.string('Name for requests.'),
          aliases: s.list(s.string(), 'Other names of it.'),
          title: s.string('Name for readers.'),
          category: s.string('What it measures: trend, momentum, volatility, volume and others.'),
          parameters: s.list(parameterSchema, 'In the order of the short form.'),
          inputs: s.list(s.string(), 'Columns of the candles that it reads.'),
          outputs: s.list(s.string(), 'Names of its values.'),
          minimum: s.integer('Candles until every output has a value, with the defaults.'),
          formula: s.string('How it is computed.'),
          source: s.string('Where the formula is from.'),
        }),
        'By category.',
      ),
      count: s.count,
    }),
    access: 'open',
    undated: true,
    from: unchanging(snapshot),
  });
}
