/** Open interest of all exchanges in bars, out of the recorded series. */
import { type Interval, intervals } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import {
  type InterestBar,
  interestBars,
} from '../../../indicators/derivatives/interest-history.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import type { Route } from '../../endpoints/route.ts';
import type { RoutesContext } from '../context.ts';
import { columns } from '../factory/columns.ts';
import { points, timestamp } from '../factory/history.ts';
import type { StepValues } from '../factory/market-subject.ts';
import { recorded } from '../factory/recorded-subject.ts';
import * as params from '../params.ts';
import { byExchange, interestSeries } from './interest-history.ts';
import { contractKeys, contractParams, type RecordedContext } from './recorded-contracts.ts';

/** The stored step whose rows are the samples of a bar. */
const sampleOf = (interval: Interval): Interval =>
  intervals[interval] > intervals['1h'] ? '1h' : '5m';

/** The samples of the bars, and the one before them. */
function samplesOf({ interval, limit, from, to }: StepValues) {
  const step = sampleOf(interval);
  const length = intervals[interval];
  return {
    step,
    limit: (limit * length) / intervals[step] + 1,
    from: from === undefined ? from : Math.ceil(from / length) * length - intervals[step],
    to: to === undefined ? to : stepAt(to, length) + length - 1,
  };
}

const bar = columns<InterestBar & { closed: boolean }>()({
  timestamp: [timestamp, 'time'],
  open: s.number('At the end of the interval before, one side, US dollars.'),
  high: s.number('Highest of the samples and `open`, US dollars.'),
  low: s.number('Lowest of them, US dollars.'),
  close: s.number('At the end of the interval, US dollars; the newest while it runs.'),
  samples: s.integer('Samples of the interval: each five minutes, above `1h` each hour.'),
  exchange_count: [s.integer('Exchanges in the sums.'), ({ exchanges }) => exchanges.length],
  closed: s.boolean('False while the interval still runs.'),
});

export const interestBarRoutes = (
  context: RecordedContext & Pick<RoutesContext, 'clock'>,
): Route[] =>
  recorded({
    path: '/v1/open-interest/ohlc',
    group: 'Open interest over time',
    summary: 'Open interest of all perpetuals of an asset over time, in bars',
    params: {
      ...params.seriesParams(params.sixIntervals, 100, 200),
      ...contractParams(context, ['stable', 'coin']),
    },
    series: 'open-interest',
    what: 'the open interest',
    keys: contractKeys,
    range: samplesOf,
    head: byExchange,
    fold(reply, { values }) {
      const length = intervals[values.interval];
      const ended = context.clock.now() - length;
      return interestBars(interestSeries(reply, values), { step: reply.step, length })
        .slice(-values.limit)
        .map((one) => ({ ...one, closed: one.time <= ended }));
    },
    points: points(bar),
  });
