/** Which indicators that mark tops of Bitcoin's cycles have reached their threshold. */
import { indicatorNames } from '../../actors/topics/index.ts';
import { indicatorCommon } from '../../actors/topics/indicators/table.ts';
import * as s from '../../actors/topics/schema.ts';
import type { Route } from '../endpoints/route.ts';
import { type PeakSignal, PeakSignals } from '../views/bull-market-peak.ts';
import type { RoutesContext } from './context.ts';
import { columns } from './factory/columns.ts';
import { table } from './factory/table.ts';
import * as params from './params.ts';

const signal = columns<PeakSignal>()({
  indicator: s.oneOf(indicatorNames, 'Last segment of the path of the indicator.'),
  title: s.string('Its name in words.'),
  value: s.numberOrNull(
    'What is compared, a ratio or an index, as `rule` says; null while it is not known.',
  ),
  threshold: s.number('The value from which on it is reached, a ratio or an index as `value`.'),
  rule: s.string('What the value is, and where its threshold is from.'),
  reached: s.orNull(s.boolean(), 'Null while the value is not known or stale.'),
  progress: s.numberOrNull('Value over threshold, a fraction of 0 to 1; null without a value.'),
  source: s.orNull(indicatorCommon.properties.source, 'Null without a value.'),
  updated_at: s.integerOrNull('Time of the newest input, Unix milliseconds; null without a value.'),
  stale: s.orNull(
    s.boolean(),
    'The newest input is older than three times its cadence; null without a value.',
  ),
  inputs: s.optional(
    s.list(
      s.object({
        field: s.string('Field of the answer of the indicator.'),
        value: s.number('Its value, US dollars, a ratio or index points as there.'),
        power: s.oneOf([1, -1], 'Of the value.'),
      }),
      '`value` is the product of these to their powers; with `explain=1`.',
    ),
  ),
});

const explain = {
  ...params.explain,
  description: '1 adds `inputs` to each row: the fields of its indicator that give the value.',
} as const;

/** One row a signal; the numbers are those of the indicators' own endpoints. */
export function bullMarketPeakRoute({
  marketIndicators,
}: Pick<RoutesContext, 'marketIndicators'>): Route {
  const signals = new PeakSignals(marketIndicators);
  return table({
    group: 'Market indicators',
    path: '/v1/indicators/bull-market-peak',
    summary: "Signals of a top of Bitcoin's cycle: value, threshold and state of each",
    params: { explain },
    columns: signal,
    fields: {
      reached: s.integer('Signals that are reached.'),
      known: s.integer('Signals whose state is known.'),
    },
    order: 'One row a signal.',
    source: signals.source,
    find({ explain: wanted }) {
      const all = signals.current();
      if (all === null) return null;
      const rows = wanted === '1' ? all : all.map(({ inputs: _, ...row }) => row);
      const known = rows.filter(({ reached }) => reached !== null);
      const reached = known.filter((row) => row.reached).length;
      const asOf = Math.max(...rows.map(({ received_at }) => received_at ?? 0));
      return { reached, known: known.length, rows, asOf };
    },
  });
}
