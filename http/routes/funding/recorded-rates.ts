/** The recorded rates of funding of an asset: of one contract on each exchange; and those that were stated for the next settlement. */
import type { Recorded, RecordedRows } from '../../../actors/topics/index.ts';
import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import { predictedMeans } from '../../../indicators/derivatives/funding-history.ts';
import { rowsIn } from '../../../indicators/market/recorded.ts';
import * as recordedContracts from '../analytics/recorded-contracts.ts';
import { isApiError, kit, params, s } from '../kit.ts';

export type HistoryContext = recordedContracts.RecordedContext & kit.Needs<'clock'>;

/** The rates of a key with their hours, settled or running. */
export const ratesOf = (row: RecordedRows | undefined) =>
  rowsIn(row, { rate: 'rate', hours: 'hours' });

/** The contract of an asset on each exchange: the linear one, or the inverse one where there is no other. */
export const leadingParams = (context: HistoryContext) => {
  const { symbol, exchange } = recordedContracts.contractParams(context, ['stable', 'coin']);
  const resolve = (values: kit.CheckedValues) => {
    const found = symbol.resolve(values);
    if (isApiError(found)) return found;
    const first = new Map<string, recordedContracts.Contracts>();
    for (const one of found.contracts) if (!first.has(one.exchange)) first.set(one.exchange, one);
    return { symbol: found.symbol, contracts: [...first.values()] };
  };
  return { symbol: { ...symbol, resolve }, exchange };
};

const point = kit.columns<ReturnType<typeof predictedMeans>[number]>()({
  timestamp: [s.unixMs('Start of the interval; rates are those at its end.'), 'time'],
  average_rate_8h: [s.number('Mean of `exchanges`, a fraction of eight hours.'), 'mean'],
  median_rate_8h: [s.number('Their median, a fraction of eight hours.'), 'median'],
  exchange_count: kit.exchangeCount('with a rate at the end of the interval'),
  exchanges: s.mapOf(s.number('Stated rate x 8 / its hours, a fraction.'), 'exchange'),
});

/** The rates of eight hours of each exchange. */
const statedBy = ({ rows }: Recorded, { contracts }: recordedContracts.AssetContracts) =>
  contracts.map(({ exchange }, i) => ({
    exchange,
    rows: ratesOf(rows[i])
      .filter(({ hours }) => hours > 0)
      .map((one) => ({ ...one, rate: rateOf8Hours(one.rate, one.hours) })),
  }));

export const predictedRoutes = (context: HistoryContext) =>
  kit.recorded({
    path: '/v1/funding-rates/predicted-history',
    summary: 'Rates that exchanges stated for the next settlement, over time',
    params: {
      ...params.seriesParams(params.sixIntervals, 100, 500),
      ...leadingParams(context),
    },
    series: 'running-funding',
    what: 'the predicted funding rates',
    keys: recordedContracts.contractKeys,
    range: kit.recordedSteps,
    fold: (reply, { values }) => predictedMeans(statedBy(reply, values)).slice(-values.limit),
    points: kit.points(point),
  });
