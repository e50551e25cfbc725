/** Settled funding of all exchanges over time, out of the recorded series (specification 4.4). */
import { type RecordedRows, recordedKey } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { day, hour } from '../../../config/time.ts';
import {
  cumulativeFunding,
  runningFundings,
  type Settled,
  settledMeans,
} from '../../../indicators/derivatives/funding-history.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { isApiError } from '../../wire/errors.ts';
import { range, symbolOrBitcoin } from '../analytics/common.ts';
import {
  type Contracts,
  contractsOf,
  exchangesParam,
  type RecordedContext,
  recordedQuestion,
  recordFields,
  recordOf,
} from '../analytics/recorded.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';
import { annualized, common } from './common.ts';

export type HistoryContext = RecordedContext & Pick<RoutesContext, 'clock'>;

const settledOf = ({ times, columns: { rate = [], hours = [] } }: RecordedRows): Settled[] =>
  times.flatMap((time, i) => {
    const [own, length] = [rate[i] ?? null, hours[i] ?? null];
    return own === null || length === null ? [] : [{ time, rate: own, hours: length }];
  });

/** The contract of an asset on each exchange: the linear one, or the inverse one where there is no other. */
function contractOnEach(
  context: HistoryContext,
  { symbol, exchange }: { symbol: string; exchange?: string | undefined },
) {
  const found = contractsOf(context, { symbol, exchange, margins: ['stable', 'coin'] });
  if (isApiError(found)) return found;
  const first = new Map<string, Contracts>();
  for (const one of found.contracts) if (!first.has(one.exchange)) first.set(one.exchange, one);
  const contracts = [...first.values()];
  const keys = contracts.map((one) => recordedKey(one.exchange, one.margin, found.symbol));
  return { symbol: found.symbol, contracts, keys };
}

const meansAnswer = s.object({
  symbol: s.string('Base asset.'),
  interval: s.interval,
  count: s.integer('Intervals.'),
  ...recordFields,
  points: s.list(
    s.object({
      timestamp: s.unixMs('Start of the interval, Unix ms.'),
      vol_weighted_rate_8h: s.number(
        'Mean of the rates of eight hours by the turnover that the contracts have now, a fraction.',
      ),
      average_rate_8h: s.number('Mean of the same, each exchange counted once, a fraction.'),
      total_volume_usd: s.numberOrNull(
        'Turnover of the perpetuals of all exchanges in the interval, US dollars; null where none is recorded.',
      ),
      exchange_count: s.integer('Exchanges with a settlement in the interval.'),
    }),
    'Ascending by time.',
  ),
  stale: s.stale,
});

/** Turnover of 24 hours of each contract, US dollars; null where it is not known. */
function volumesOf(
  { perpetuals }: HistoryContext,
  symbol: string,
  contracts: readonly Contracts[],
) {
  const fundings = perpetuals.fundings().get(symbol) ?? [];
  return contracts.map(({ exchange, contract }) => {
    const own = fundings.find((one) => one.exchange === exchange && one.contract === contract);
    return own?.volume_24h_usd ?? null;
  });
}

/** Turnover by time, of steps of `step` ms: that share of the 24 hours before their end. */
const turnoversOf = (rows: RecordedRows | undefined, step: number) =>
  new Map(
    rows?.times.map((time, i) => {
      const turnover = rows.columns.turnover?.[i] ?? null;
      return [time, turnover === null ? null : (turnover * step) / day];
    }),
  );

const meansRoute = (context: HistoryContext): Route =>
  route({
    ...common,
    path: '/v1/funding-rates/vol-weighted-history',
    summary: 'Settled funding rates of an asset over all exchanges and over time',
    params: {
      symbol: symbolOrBitcoin,
      interval: params.interval(['8h', '1d'], '8h'),
      limit: params.limit(90, 500, 'Newest intervals.'),
      exchange: exchangesParam,
      ...range,
    },
    answer: meansAnswer,
    from: {
      query(asked) {
        const found = contractOnEach(context, asked);
        if (isApiError(found)) return found;
        const { symbol, contracts, keys } = found;
        const { interval, limit, from, to } = asked;
        const wanted = { step: interval, limit, from, to };
        return recordedQuestion<s.Static<typeof meansAnswer>>({
          params: { series: 'funding', keys, ...wanted },
          also: [{ series: 'price', keys: [recordedKey('perpetual', symbol)], ...wanted }],
          what: `the settled funding rates of ${symbol}`,
          form: `weighted ${symbol}`,
          data(reply, [prices]) {
            const volumes = volumesOf(context, symbol, contracts);
            const turnovers = turnoversOf(prices?.rows[0], reply.step);
            const series = reply.rows.map((row, i) => ({
              exchange: contracts[i]?.exchange ?? '',
              rows: settledOf(row),
              volume: volumes[i] ?? null,
            }));
            const points = settledMeans(series)
              .slice(-limit)
              .map(({ time, byVolume, plain, exchanges }) => ({
                ...{ timestamp: time, vol_weighted_rate_8h: byVolume, average_rate_8h: plain },
                ...{ total_volume_usd: turnovers.get(time) ?? null, exchange_count: exchanges },
              }));
            const record = recordOf(reply, points.length);
            return { symbol, interval, count: points.length, ...record, points };
          },
        });
      },
    },
  });

const ranges = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 } as const;
const rangeNames = ['1d', '7d', '30d', '90d'] as const satisfies (keyof typeof ranges)[];

const sum = (what: string) =>
  s.numberOrNull(
    `Sum of the rates settled in ${what}, a fraction; null where less than that is recorded.`,
  );

const cumulativeAnswer = s.object({
  symbol: s.string('Base asset.'),
  range: s.string('Days back, as asked.'),
  exchanges: s.list(
    s.object({
      exchange: s.exchange,
      contract: s.string("The exchange's own id."),
      interval_hours: s.numberOrNull('Hours before the newest settlement; null without any.'),
      settlements: s.integer('Settlements that are recorded in the range.'),
      cumulative_1d: sum('24 hours'),
      cumulative_7d: sum('7 days'),
      cumulative_30d: sum('30 days'),
      cumulative_range: sum('the range'),
      annualized: s.orNull(annualized, 'The sum of the range in 365 days.'),
    }),
    'Largest sum of the range first.',
  ),
  points: s.list(
    s.unchecked<{ timestamp: number } & Record<string, number>>({
      type: 'object',
      properties: {
        timestamp: { type: 'integer', description: 'Start of the day (UTC), Unix ms.' },
      },
      required: ['timestamp'],
      additionalProperties: { type: 'number' },
    }),
    'By exchange that has recorded the whole range: the sum from its beginning until the end of the day.',
  ),
  stale: s.stale,
});
type Cumulative = s.Static<typeof cumulativeAnswer>;

/** What the settlements of some contracts add up to. */
function cumulativeOf(
  { symbol, contracts }: { symbol: string; contracts: readonly Contracts[] },
  rows: readonly RecordedRows[],
  { range: name, now }: { range: keyof typeof ranges; now: number },
): Cumulative {
  const days = ranges[name];
  const series = contracts.map((one, i) => {
    const row = rows[i];
    const settled = row ? settledOf(row) : [];
    return { ...one, rows: settled, total: cumulativeFunding(settled, days, now) };
  });
  const exchanges = series.map(({ exchange, contract, rows: settled, total }) => ({
    ...{ exchange, contract, interval_hours: settled.at(-1)?.hours ?? null },
    settlements: settled.filter(({ time }) => time > now - days * day).length,
    cumulative_1d: cumulativeFunding(settled, 1, now),
    cumulative_7d: cumulativeFunding(settled, 7, now),
    cumulative_30d: cumulativeFunding(settled, 30, now),
    cumulative_range: total,
    annualized: total === null ? null : (total * 365) / days,
  }));
  const least = Number.NEGATIVE_INFINITY;
  exchanges.sort((a, b) => (b.cumulative_range ?? least) - (a.cumulative_range ?? least) || 0);
  const whole = series.filter(({ total }) => total !== null);
  const points = runningFundings(whole, days, now);
  return {
    ...{ symbol, range: name, exchanges },
    points: points.map(({ time, sums }) => ({ ...sums, timestamp: time })),
  };
}

const cumulativeRoute = (context: HistoryContext): Route =>
  route({
    ...common,
    path: '/v1/funding-rates/cumulative',
    summary: 'Funding that a constant long paid, by exchange',
    params: {
      symbol: symbolOrBitcoin,
      range: {
        type: 'string',
        default: '30d',
        enum: rangeNames,
        description: 'Time until now.',
      },
      exchange: exchangesParam,
    },
    answer: cumulativeAnswer,
    from: {
      query(asked) {
        const found = contractOnEach(context, asked);
        if (isApiError(found)) return found;
        const now = context.clock.now();
        // Whole hours, so that all questions of an hour are one. 30 days are shown in every range.
        const hours = Math.max(30, ranges[asked.range]) * 24;
        const from = (Math.floor(now / hour) - hours) * hour;
        return recordedQuestion<Cumulative>({
          params: { series: 'funding', keys: found.keys, step: '1h', limit: hours + 1, from },
          what: `the settled funding rates of ${found.symbol}`,
          form: `cumulative ${asked.range} ${found.symbol}`,
          data: ({ rows }) => cumulativeOf(found, rows, { range: asked.range, now }),
        });
      },
    },
  });

export const settledRoutes = (context: HistoryContext): Route[] => [
  meansRoute(context),
  cumulativeRoute(context),
];
