/** Open interest of several exchanges over time, out of the recorded series (specification 4.4). */
import * as topics from '../../../actors/topics/index.ts';
import * as interestHistory from '../../../indicators/derivatives/interest-history.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import { rowsIn, valuesAt } from '../../../indicators/market/recorded.ts';
import { kit, params, s } from '../kit.ts';
import * as recordedContracts from './recorded-contracts.ts';

type Context = recordedContracts.RecordedContext & kit.Needs<'clock'>;

/** The recorded open interest of each contract. */
const interestSeries = (
  { rows }: topics.Recorded,
  { contracts }: recordedContracts.AssetContracts,
) =>
  rows.flatMap((row, i) => {
    const contract = contracts[i];
    return contract ? [{ ...contract, rows: rowsIn(row, { usd: 'usd' }, { base: 'base' }) }] : [];
  });

/** The newest totals. */
function pointsIn(
  { clock }: Context,
  own: topics.Recorded,
  {
    values,
    replies: [, prices],
  }: kit.Replies<'series', recordedContracts.AssetContracts & { limit: number }>,
) {
  const { step } = own;
  const series = interestSeries(own, values);
  const price = valuesAt(prices?.rows[0], 'price');
  const ended = clock.now() - step;
  return interestHistory.interestPoints(series, { step, limit: values.limit }).map((total) => ({
    ...total,
    price: price.get(total.time) ?? null,
    closed: total.time <= ended,
  }));
}
type Point = ReturnType<typeof pointsIn>[number];

/** The coverage of each exchange over both its margins. */
const byExchange = kit.columns<
  Pick<kit.Replies<'series', recordedContracts.AssetContracts>, 'values' | 'replies'>
>()({
  coverage_by_exchange: [
    s.mapOf(kit.coverage, 'exchange'),
    ({ values: { contracts }, replies: [own] }) =>
      kit.coverageBy(contracts.map(({ exchange }, i) => [exchange, own?.rows[i]])),
  ],
});

const priceText = 'Mean price of the perpetuals, US dollars; null where none is recorded.';
const start = {
  timestamp: [kit.timestamp, 'time'],
  open_interest_usd: [s.number('One side.'), 'usd'],
} as const;
const parts = {
  exchange_count: s.integer('Exchanges in the sum.'),
  missing_exchanges: s.optional(
    s.list(s.string(), 'Exchanges of this answer without a value then; absent where all have one.'),
  ),
  carried: s.integer('Values in the sum that stand for missing ones: the last ones before.'),
  closed: s.boolean('False while the interval still runs.'),
};

const marginPoint = kit.columns<Point>()({
  ...start,
  open_interest_base: [s.numberOrNull('One side; null where one in the sum states none.'), 'base'],
  ...parts,
  exchanges: s.mapOf(s.number('US dollars.'), 'exchange'),
});
const totalPoint = kit.columns<Point>()({
  ...start,
  change_usd: s.numberOrNull('Since the point before; null in the first or with other exchanges.'),
  change_percent: s.numberOrNull('Of contracts in both sums; null where those are less than half.'),
  stablecoin_margin_usd: [s.numberOrNull('Settled in dollars or a dollar stablecoin.'), 'stable'],
  coin_margin_usd: [s.numberOrNull('Settled in the asset itself.'), 'coin'],
  price: s.numberOrNull(priceText),
  ...parts,
});

/** The same in columns. */
const chart = kit.columns<{ made: readonly Point[] }>()({
  count: [s.count, ({ made }) => made.length],
  timestamps: [s.list(kit.timestamp, 'Ascending.'), ({ made }) => made.map(({ time }) => time)],
  prices: [s.list(s.numberOrNull(), priceText), ({ made }) => made.map((row) => row.price)],
  exchanges: [
    s.mapOf(s.list(s.numberOrNull(), 'US dollars at each of `timestamps`, or null.'), 'exchange'),
    ({ made }) => {
      const ids = new Set(made.flatMap(({ exchanges }) => Object.keys(exchanges)));
      const valuesOf = (id: string) => made.map(({ exchanges }) => exchanges[id] ?? null);
      return Object.fromEntries([...ids].map((id) => [id, valuesOf(id)]));
    },
  ],
});

const margined = [
  { margin: 'stable', name: 'stablecoin', settled: 'dollars or a dollar stablecoin' },
  { margin: 'coin', name: 'coin', settled: 'the asset itself' },
] as const;

/** Open interest over time: by margin, of all exchanges together, and each beside the others. */
export function interestHistoryRoutes(context: Context) {
  const rowOf = (margins: readonly topics.Margin[], limit = 100) =>
    ({
      params: {
        ...params.seriesParams(params.minuteIntervals, limit, 500),
        ...recordedContracts.contractParams(context, margins),
      },
      series: 'open-interest',
      what: 'the open interest',
      keys: recordedContracts.contractKeys,
      range: kit.recordedSteps,
      head: byExchange,
      fold: (
        own: topics.Recorded,
        given: kit.Replies<'series', recordedContracts.AssetContracts & { limit: number }>,
      ) => pointsIn(context, own, given),
    }) as const;
  const withPrice = ({ symbol }: recordedContracts.AssetContracts) =>
    [{ series: 'price', keys: [topics.recordedKey('perpetual', symbol)] }] as const;
  return [
    ...margined.flatMap(({ margin, name, settled }) =>
      kit.recorded({
        ...rowOf([margin]),
        path: `/v1/open-interest/${name}-margin-history`,
        summary: `Open interest over time of perpetuals settled in ${settled}`,
        points: kit.points(marginPoint),
      }),
    ),
    ...kit.recorded({
      ...rowOf(['stable', 'coin']),
      path: '/v1/open-interest/aggregated-history',
      summary: 'Open interest of all perpetuals of an asset over time, with its changes',
      otherSeries: withPrice,
      points: kit.points(totalPoint),
    }),
    ...kit.recorded({
      ...rowOf(['stable', 'coin'], 168),
      path: '/v1/open-interest/exchange-history-chart',
      summary: 'Open interest of each exchange over time, in columns',
      otherSeries: withPrice,
      head: kit.joined<
        Pick<kit.Replies<'series', recordedContracts.AssetContracts>, 'values' | 'replies'> & {
          made: readonly Point[];
        }
      >(byExchange, chart),
    }),
  ];
}

/** The stored step whose rows are the samples of a bar. */
const sampleOf = (interval: topics.Interval): topics.Interval =>
  topics.intervals[interval] > topics.intervals['1h'] ? '1h' : '5m';

/** The samples of the bars, and the one before them. */
function samplesOf({ interval, limit, from, to }: kit.StepValues) {
  const step = sampleOf(interval);
  const length = topics.intervals[interval];
  return {
    step,
    limit: (limit * length) / topics.intervals[step] + 1,
    from: from === undefined ? from : Math.ceil(from / length) * length - topics.intervals[step],
    to: to === undefined ? to : stepAt(to, length) + length - 1,
  };
}

const bar = kit.columns<
  ReturnType<typeof interestHistory.interestBars>[number] & { closed: boolean }
>()({
  timestamp: [kit.timestamp, 'time'],
  open: s.number('At the end of the interval before, one side, US dollars.'),
  high: s.number('Highest of the samples and `open`, US dollars.'),
  low: s.number('Lowest of them, US dollars.'),
  close: s.number('At the end of the interval, US dollars; the newest while it runs.'),
  samples: s.integer('Samples of the interval: each five minutes, above `1h` each hour.'),
  exchange_count: [s.integer('Exchanges in the sums.'), ({ exchanges }) => exchanges.length],
  closed: s.boolean('False while the interval still runs.'),
});

export const interestBarRoutes = (context: Context) =>
  kit.recorded({
    path: '/v1/open-interest/ohlc',
    summary: 'Open interest of all perpetuals of an asset over time, in bars',
    params: {
      ...params.seriesParams(params.sixIntervals, 100, 200),
      ...recordedContracts.contractParams(context, ['stable', 'coin']),
    },
    series: 'open-interest',
    what: 'the open interest',
    keys: recordedContracts.contractKeys,
    range: samplesOf,
    head: byExchange,
    fold(reply, { values }) {
      const length = topics.intervals[values.interval];
      const ended = context.clock.now() - length;
      return interestHistory
        .interestBars(interestSeries(reply, values), { step: reply.step, length })
        .slice(-values.limit)
        .map((one) => ({ ...one, closed: one.time <= ended }));
    },
    points: kit.points(bar),
  });
