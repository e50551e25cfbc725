/** What exchanges stated for the next settlement of funding, over time, out of the recorded series. */
import type { Recorded } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import { type Predicted, predictedMeans } from '../../../indicators/derivatives/funding-history.ts';
import type { Route } from '../../endpoints/route.ts';
import { seriesParams, sixIntervals } from '../analytics/history-params.ts';
import { columns } from '../factory/columns.ts';
import { history, points } from '../factory/history.ts';
import type { StepValues } from '../factory/market-subject.ts';
import { recordedSteps } from '../factory/recorded-subject.ts';
import * as params from '../params.ts';
import { group } from './common.ts';
import {
  type AboutContracts,
  type HistoryContext,
  ofContracts,
  ratesOf,
} from './recorded-rates.ts';

const point = columns<Predicted>()({
  timestamp: [s.unixMs('Start of the interval, Unix ms; rates are those at its end.'), 'time'],
  average_rate_8h: [s.number('Mean of `exchanges`, a fraction of eight hours.'), 'mean'],
  median_rate_8h: [s.number('Their median, a fraction of eight hours.'), 'median'],
  exchange_count: [
    s.integer('Exchanges with a rate at the end of the interval.'),
    ({ exchanges }) => Object.keys(exchanges).length,
  ],
  exchanges: s.mapOf(
    s.number('Rate stated for the next settlement x 8 / its hours, a fraction.'),
    'exchange',
  ),
});

/** The rates of eight hours of each exchange. */
const statedBy = ({ rows }: Recorded, { contracts }: AboutContracts) =>
  contracts.flatMap(({ exchange }, i) => {
    const row = rows[i];
    if (row === undefined) return [];
    const rates = ratesOf(row).filter(({ hours }) => hours > 0);
    return [
      { exchange, rows: rates.map((one) => ({ ...one, rate: rateOf8Hours(one.rate, one.hours) })) },
    ];
  });

export const predictedRoutes = (context: HistoryContext): Route[] =>
  history({
    path: '/v1/funding-rates/predicted-history',
    group,
    summary: 'Rates that exchanges stated for the next settlement, over time',
    params: {
      ...seriesParams(sixIntervals, 100, 500),
      exchange: params.severalExchanges('All that have such contracts when absent.'),
    },
    of: ofContracts<StepValues & { exchange?: string | undefined }>(context, {
      ...{ series: 'running-funding', what: 'the predicted funding rates', range: recordedSteps },
    }),
    fold: (reply, { about, values }) => predictedMeans(statedBy(reply, about)).slice(-values.limit),
    points: points(point),
  });
