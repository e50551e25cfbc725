/** The datafeed protocol of charting libraries: `/udf`. */
import { allIntervals } from '../../../../actors/topics/index.ts';
import { snapshotOf } from '../../../answers/snapshots.ts';
import { apiError, kit, s } from '../../kit.ts';
import { form, resolutionOf } from './form.ts';
import { historyRoute } from './history.ts';
import { liveRoutes } from './live.ts';
import { searchRoute } from './search.ts';
import { symbolRoute } from './symbols.ts';
import { type Context, reference } from './tickers.ts';

const choice = s.named(
  'UdfChoice',
  s.object({
    value: s.string('Empty for all.'),
    name: s.string('What is shown.'),
    desc: s.optional(s.string('In words.')),
  }),
);
const config = s.object({
  supports_search: s.boolean('True: `search` and `symbols`.'),
  supports_group_request: s.boolean('False.'),
  supports_marks: s.boolean('True: liquidations.'),
  supports_timescale_marks: s.boolean('False.'),
  supports_time: s.boolean('True.'),
  supported_resolutions: s.list(s.string(), 'Those of any symbol.'),
  exchanges: s.list(choice, 'For `search`.'),
  symbols_types: s.list(choice, 'For `search`.'),
});

const configOf = ({ registry, exchanges }: Context): s.Static<typeof config> => {
  const named = exchanges.candles.map((id) => {
    const name = registry.find((one) => one.id === id)?.name ?? id;
    return { value: id, name, desc: name };
  });
  return {
    supports_search: true,
    supports_group_request: false,
    supports_marks: true,
    supports_timescale_marks: false,
    supports_time: true,
    supported_resolutions: allIntervals.map(resolutionOf),
    exchanges: [
      { value: '', name: 'All', desc: '' },
      ...named,
      { value: reference, name: 'Reference rates', desc: 'Reference rates' },
    ],
    symbols_types: [
      { value: '', name: 'All' },
      { value: 'spot', name: 'Spot' },
      { value: 'perpetual', name: 'Perpetual' },
      { value: 'series', name: 'Series' },
    ],
  };
};

/** All rows; without an exchange that has candles there are none. */
export function udfRoutes(context: Context): kit.Route[] {
  if (context.exchanges.candles.length === 0) return [];
  const neverChanges = () => () => {};
  const fixed = snapshotOf(configOf(context));
  const row = {
    params: {},
    access: 'open',
    free: true,
    noEnvelope: form,
  } as const;
  return [
    kit.route({
      ...row,
      path: '/udf/config',
      summary: 'What this datafeed can do',
      answer: config,
      from: { view: () => fixed, listen: neverChanges },
    }),
    kit.route({
      ...row,
      path: '/udf/time',
      summary: 'The time of this service',
      answer: s.integer('Unix seconds.'),
      from: {
        view: () => snapshotOf(Math.floor(context.clock.now() / 1_000)),
        listen: neverChanges,
      },
    }),
    symbolRoute(context),
    searchRoute(context),
    historyRoute(context),
    ...liveRoutes(context),
  ];
}

/** What all other paths below say. */
export const udfOtherwise = { pattern: '/udf/*', noEnvelope: form, error: apiError('not_found') };
