/** Settled funding of all exchanges over time, out of the recorded series (specification 4.4). */
import { type Recorded, type RecordedRows, recordedKey } from '../../../actors/topics/index.ts';
import { day, hour } from '../../../config/time.ts';
import { annualRate } from '../../../indicators/derivatives/funding.ts';
import * as fundingHistory from '../../../indicators/derivatives/funding-history.ts';
import { rowsIn, valuesAt } from '../../../indicators/market/recorded.ts';
import * as recordedContracts from '../analytics/recorded-contracts.ts';
import { apiError, kit, params, s } from '../kit.ts';
import { annualized } from './common.ts';
import { type HistoryContext, leadingParams, ratesOf } from './recorded-rates.ts';

/** The settled rates of each contract. */
const settledOn = ({ contracts }: recordedContracts.AssetContracts, { rows }: Recorded) =>
  contracts.map(({ exchange, contract }, i) => ({ exchange, contract, rows: ratesOf(rows[i]) }));

/** What takers traded in each step of which every minute is known, US dollars. */
const tradedIn = (row: RecordedRows | undefined): ReadonlyMap<number, number> =>
  new Map(
    rowsIn(row, { buy: 'buy_usd', sell: 'sell_usd' }).map(({ time, buy, sell }) => [
      time,
      buy + sell,
    ]),
  );

const meanPoint = kit.columns<
  ReturnType<typeof fundingHistory.settledMeans>[number] & { turnover: number | null }
>()({
  timestamp: [kit.timestamp, 'time'],
  vol_weighted_rate_8h: [
    s.number(
      'Mean of the rates of eight hours by the turnover of the perpetuals of each exchange in the interval, as recorded, a fraction: of the exchanges whose turnover is recorded, and without weights where `weighted_count` is 0.',
    ),
    'byVolume',
  ],
  average_rate_8h: [s.number('Mean of the same, each exchange counted once, a fraction.'), 'plain'],
  weighted_count: [s.integer('Exchanges that are weighted: with a recorded turnover.'), 'weighted'],
  total_volume_usd: [s.numberOrNull('Turnover of all perpetuals; null if unknown.'), 'turnover'],
  exchange_count: [s.integer('Exchanges with a settlement in the interval.'), 'exchanges'],
});

/** What the rows share. */
const settled = {
  series: 'funding',
  what: 'the settled funding rates',
  keys: recordedContracts.contractKeys,
} as const;
const meansParams = {
  ...params.rangeParams(90, 500, 'interval'),
  interval: params.interval(['8h', '1d'], '8h'),
};

const meansRow = (context: HistoryContext) =>
  kit.recorded({
    ...settled,
    path: '/v1/funding-rates/vol-weighted-history',
    summary: 'Settled funding rates of an asset over all exchanges and over time',
    params: { ...meansParams, ...leadingParams(context) },
    otherSeries: ({ symbol, contracts }) => [
      { series: 'price', keys: [recordedKey('perpetual', symbol)] },
      {
        series: 'taker-flow',
        keys: contracts.map(({ exchange }) => recordedKey(exchange, 'perpetual', symbol)),
      },
    ],
    range: kit.recordedSteps,
    fold(reply, { values, replies: [, prices, flows] }) {
      const ofDay = valuesAt(prices?.rows[0], 'turnover');
      // Of a step: that share of the 24 hours before its end.
      const turnoverAt = (time: number) => {
        const turnover = ofDay.get(time);
        return turnover === undefined ? null : (turnover * reply.step) / day;
      };
      const series = settledOn(values, reply).map((one, i) => ({
        ...one,
        turnover: tradedIn(flows?.rows[i]),
      }));
      return fundingHistory
        .settledMeans(series)
        .slice(-values.limit)
        .map((mean) => ({ ...mean, turnover: turnoverAt(mean.time) }));
    },
    points: kit.points(meanPoint),
  });

const openPoint = kit.columns<ReturnType<typeof fundingHistory.interestMeans>[number]>()({
  timestamp: [kit.timestamp, 'time'],
  funding_rate_8h: [s.number('Mean by open interest, a fraction of eight hours.'), 'byInterest'],
  annualized: [annualized, ({ byInterest }) => annualRate(byInterest, 8)],
  average_rate_8h: [s.number('Plain mean of the same rates, a fraction.'), 'plain'],
  open_interest_usd: [s.number('At the end of the interval, one side.'), 'interest'],
  exchange_count: [s.integer('Exchanges with a settlement and open interest in it.'), 'exchanges'],
});

/** The record of both series together: a point takes a row of each. */
const bothCovered = kit.columns<{ replies: readonly (Recorded | null)[] }>()({
  coverage: [
    kit.coverage,
    ({ replies }) =>
      kit.coverageOf(replies.flatMap((reply) => reply?.rows ?? []).map((row) => row.coverage)),
  ],
});

const openOf = (row: RecordedRows | undefined): ReadonlyMap<number, number> =>
  new Map(rowsIn(row, {}, { usd: 'usd' }).map(({ time, usd }) => [time, usd ?? 0]));

/** The contracts of both margins of an asset: their settled rates, and beside them their open interest. */
const openRow = (context: HistoryContext) =>
  kit.recorded({
    ...settled,
    path: '/v1/funding-rates/oi-weighted-history',
    summary: 'Settled funding rates of an asset over time, weighted by open interest of that time',
    params: { ...meansParams, ...recordedContracts.contractParams(context, ['stable', 'coin']) },
    otherSeries: (found) => [
      { series: 'open-interest', keys: recordedContracts.contractKeys(found) },
    ],
    range: kit.recordedSteps,
    head: bothCovered,
    fold({ rows }, { values, replies: [, interest] }) {
      if (!interest) return apiError('upstream_failed');
      const all = values.contracts.map((one, i) => ({
        exchange: one.exchange,
        rows: ratesOf(rows[i]),
        open: openOf(interest.rows[i]),
      }));
      return fundingHistory.interestMeans(all).slice(-values.limit);
    },
    points: kit.points(openPoint),
  });

const ranges = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 } as const;

const sum = (what: string) =>
  s.numberOrNull(`Sum of the rates settled in ${what}, a fraction; null where less is recorded.`);

type Paid = ReturnType<typeof fundingHistory.paidFunding>;

const paidOn = kit.columns<Paid['exchanges'][number]>()({
  exchange: s.exchange,
  contract: s.ownId,
  interval_hours: s.numberOrNull('Hours before the newest settlement; null without any.'),
  settlements: s.integer('Settlements that are recorded in the range.'),
  cumulative_1d: sum('24 hours'),
  cumulative_7d: sum('7 days'),
  cumulative_30d: sum('30 days'),
  cumulative_range: sum('the range'),
  annualized: s.orNull(annualized, 'The sum of the range in 365 days.'),
});

const fields = kit.columns<Paid>()({
  exchanges: s.list(paidOn.schema, 'Largest sum of the range first.'),
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
});

/** The days of a range until now in whole hours, so that all questions of an hour are one. 30 days are shown in every range. */
const hoursOf = (range: keyof typeof ranges, now: number): kit.RecordedRange => {
  const hours = Math.max(30, ranges[range]) * 24;
  return { step: '1h', limit: hours + 1, from: (Math.floor(now / hour) - hours) * hour };
};

const cumulativeRow = (context: HistoryContext) => {
  const { symbol, exchange } = leadingParams(context);
  return kit.recorded({
    ...settled,
    path: '/v1/funding-rates/cumulative',
    summary: 'Funding that a constant long paid, by exchange',
    params: {
      symbol,
      range: params.wordOr(['1d', '7d', '30d', '90d'], '30d', 'Time until now.'),
      exchange,
    },
    range: ({ range }) => hoursOf(range, context.clock.now()),
    record: null,
    head: kit.repeated({ range: s.string('Days back, as asked.') }),
    list: 'points',
    fields,
    fold: (reply, { values }) =>
      fundingHistory.paidFunding(
        settledOn(values, reply),
        ranges[values.range],
        context.clock.now(),
      ),
  });
};

export const settledRoutes = (context: HistoryContext) => [
  ...meansRow(context),
  ...openRow(context),
  ...cumulativeRow(context),
];
