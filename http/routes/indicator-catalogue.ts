/** The list of the technical indicators. */
import { catalogue, pricesOf } from '../../indicators/catalogue.ts';
import type { Indicator } from '../../indicators/spec.ts';
import { Source } from '../answers/source.ts';
import { kit, s } from './kit.ts';

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

const indicator = kit.columns<Indicator>()({
  name: s.string('Name for requests.'),
  aliases: [s.list(s.string(), 'Other names of it.'), ({ aliases = [] }) => aliases],
  title: s.string('Name for readers.'),
  category: s.string('What it measures: trend, momentum, volatility, volume and others.'),
  parameters: [
    s.list(parameterSchema, 'In the order of the short form.'),
    ({ parameters }) =>
      Object.entries(parameters).map(([name, parameter]) => ({ name, ...parameter })),
  ],
  inputs: s.list(s.string(), 'Columns of the candles that it reads.'),
  outputs: s.list(s.string(), 'Names of its values.'),
  on_price: [
    s.list(
      s.string(),
      'Those of `outputs` that are prices where it is computed from prices: on a chart they belong over the candles, the others into a pane of their own.',
    ),
    pricesOf,
  ],
  minimum: [
    s.integer('Candles until every output has a value, with the defaults.'),
    ({ parameters, minimum }) => {
      const defaults = Object.entries(parameters).map(([name, of]) => [name, of.default]);
      return minimum(Object.fromEntries(defaults));
    },
  ],
  cumulative: [
    s.boolean(
      'True where each value counts from the first candle that is fetched: the same candle has another value with another `limit` or start, and only changes compare.',
    ),
    ({ cumulative = false }) => cumulative,
  ],
  formula: s.string('How it is computed.'),
  source: s.string('Where the formula is from.'),
});

/** Every indicator that can be computed. */
export const catalogueRoute = () =>
  kit.table({
    access: 'open',
    noMarketData: true,
    path: '/v1/indicators/catalogue',
    summary: 'Every indicator that can be computed: parameters, outputs, formula',
    params: {},
    columns: indicator,
    list: 'indicators',
    order: 'By category.',
    source: new Source(),
    find: () => [...catalogue.values()],
  });
