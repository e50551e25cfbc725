/** Open interest of several exchanges over time, out of the recorded series (specification 4.4). */
import { type Margin, type RecordedRows, recordedKey } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import {
  type InterestSeries,
  type InterestTotal,
  interestChange,
  interestTotals,
  missingAt,
} from '../../../indicators/derivatives/interest-history.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { isApiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';
import {
  type Contracts,
  contractsOf,
  coverage,
  coverageOf,
  exchangesParam,
  type RecordedContext,
  recordedQuestion,
  recordFields,
  recordOf,
} from './recorded.ts';
import { seriesParams, sevenIntervals } from './series.ts';

type Context = RecordedContext & Pick<RoutesContext, 'clock'>;

const common = { method: 'GET', group: 'Open interest over time', access: 'key' } as const;

const paramsOf = (limit: number) => ({
  ...seriesParams(sevenIntervals, limit, 500),
  limit: params.limit(limit, 500, 'Newest intervals.'),
  exchange: exchangesParam,
});

const about = {
  symbol: s.string('Base asset.'),
  interval: s.interval,
  count: s.integer('Intervals.'),
  ...recordFields,
  coverage_by_exchange: s.mapOf(coverage, 'exchange'),
  stale: s.stale,
};
const timestamp = s.unixMs('Start of the interval, Unix ms.');
const byExchange = s.mapOf(s.number('US dollars.'), 'exchange');
const exchange_count = s.integer('Exchanges in the sum.');
const missing_exchanges = s.optional(
  s.list(
    s.string(),
    'Exchanges of this answer that have no value at this time; absent where all have.',
  ),
);
const carried = s.integer('Values in the sum that stand for missing ones: the last ones before.');
const closed = s.boolean('False while the interval still runs.');

const marginAnswer = s.object({
  ...about,
  points: s.list(
    s.object({
      timestamp,
      open_interest_usd: s.number('One side, US dollars.'),
      open_interest_base: s.numberOrNull(
        'One side, base units; null where an exchange in the sum states none.',
      ),
      ...{ exchange_count, missing_exchanges, carried, closed },
      exchanges: byExchange,
    }),
    'Ascending by time.',
  ),
});

const totalAnswer = s.object({
  ...about,
  points: s.list(
    s.object({
      timestamp,
      open_interest_usd: s.number('One side, US dollars.'),
      change_usd: s.numberOrNull(
        'Since the point before; null in the first one, and where other exchanges are in its sum.',
      ),
      change_percent: s.numberOrNull(
        'Since the point before, of the contracts that are in both sums; null where they are less than half.',
      ),
      stablecoin_margin_usd: s.numberOrNull(
        'Of contracts settled in dollars or a dollar stablecoin.',
      ),
      coin_margin_usd: s.numberOrNull('Of contracts settled in the asset itself.'),
      price: s.numberOrNull(
        'Mean price of the perpetuals, US dollars; null where none is recorded.',
      ),
      ...{ exchange_count, missing_exchanges, carried, closed },
    }),
    'Ascending by time.',
  ),
});

const chartAnswer = s.object({
  ...about,
  timestamps: s.list(timestamp, 'Ascending.'),
  prices: s.list(
    s.numberOrNull(),
    'Mean price of the perpetuals, US dollars; null where none is recorded.',
  ),
  exchanges: s.mapOf(
    s.list(s.numberOrNull(), 'US dollars at each of `timestamps`; null where there is no value.'),
    'exchange',
  ),
});

/** What the answers of all rows are made of. */
interface InterestHistory {
  symbol: string;
  interval: string;
  /** Ms. */
  step: number;
  totals: readonly InterestTotal[];
  series: readonly InterestSeries[];
  /** By time, US dollars. */
  prices: ReadonlyMap<number, number | null>;
  head: s.Static<s.TObject<Omit<typeof about, 'symbol' | 'interval' | 'count' | 'stale'>>>;
}

const interestOf = ({ times, columns: { usd = [], base = [] } }: RecordedRows) =>
  times.flatMap((time, i) => {
    const value = usd[i] ?? null;
    return value === null ? [] : [{ time, usd: value, base: base[i] ?? null }];
  });

const pricesOf = (rows: RecordedRows | undefined): InterestHistory['prices'] =>
  new Map(rows?.times.map((time, i) => [time, rows.columns.price?.[i] ?? null]));

/** The coverage of each exchange over both its margins. */
function byExchangeOf(contracts: readonly Contracts[], rows: readonly RecordedRows[]) {
  const ids = [...new Set(contracts.map(({ exchange }) => exchange))];
  const of = (id: string) =>
    rows.filter((_, i) => contracts[i]?.exchange === id).map((row) => row.coverage);
  return Object.fromEntries(ids.map((id) => [id, coverageOf(of(id))]));
}

/** How a row answers. */
interface Form<D> {
  path: string;
  margins: readonly Margin[];
  data(found: InterestHistory): D;
  /** Prices are asked for as well. */
  prices?: true;
}

/** The question of a row about the contracts of an asset; an error where it has none. */
function questionOf<D>(
  context: Context,
  asked: {
    symbol: string;
    interval: (typeof sevenIntervals)[number];
    limit: number;
    exchange?: string | undefined;
    from?: number | undefined;
    to?: number | undefined;
  },
  form: Form<D>,
) {
  const listed = contractsOf(context, { ...asked, margins: form.margins });
  if (isApiError(listed)) return listed;
  const { symbol, contracts } = listed;
  const { interval, limit, from, to } = asked;
  const range = { step: interval, limit, from, to };
  const keys = contracts.map(({ exchange, margin }) => recordedKey(exchange, margin, symbol));
  return recordedQuestion<D>({
    params: { series: 'open-interest', keys, ...range },
    also: form.prices
      ? [{ series: 'price', keys: [recordedKey('perpetual', symbol)], ...range }]
      : [],
    what: `the open interest of ${symbol}`,
    form: `${form.path} ${symbol}`,
    data(reply, [prices]) {
      const { rows, step } = reply;
      const series = contracts.map((one, i) => ({ ...one, rows: rowsAt(rows, i) }));
      const totals = interestTotals(series, step).slice(-limit);
      const record = recordOf(reply, totals.length);
      const head = { ...record, coverage_by_exchange: byExchangeOf(contracts, rows) };
      const found = { symbol, interval, step, totals, series, head };
      return form.data({ ...found, prices: pricesOf(prices?.rows[0]) });
    },
  });
}

const rowsAt = (rows: readonly RecordedRows[], i: number) => {
  const row = rows[i];
  return row ? interestOf(row) : [];
};

const headOf = ({ symbol, interval, totals, head }: InterestHistory) => ({
  ...{ symbol, interval, count: totals.length, ...head },
});

function sumOf(total: InterestTotal, { step, series }: InterestHistory, now: number) {
  const missing = missingAt(series, total);
  return {
    exchange_count: Object.keys(total.exchanges).length,
    ...(missing.length > 0 && { missing_exchanges: missing }),
    carried: total.carried,
    closed: total.time + step <= now,
  };
}

const marginData = (found: InterestHistory, now: number): s.Static<typeof marginAnswer> => ({
  ...headOf(found),
  points: found.totals.map((total) => ({
    timestamp: total.time,
    open_interest_usd: total.usd,
    open_interest_base: total.base,
    ...sumOf(total, found, now),
    exchanges: total.exchanges,
  })),
});

const totalData = (found: InterestHistory, now: number): s.Static<typeof totalAnswer> => ({
  ...headOf(found),
  points: found.totals.map((total, i) => {
    const change = interestChange(total, found.totals[i - 1]);
    return {
      timestamp: total.time,
      open_interest_usd: total.usd,
      change_usd: change.usd,
      change_percent: change.percent,
      stablecoin_margin_usd: total.stable,
      coin_margin_usd: total.coin,
      price: found.prices.get(total.time) ?? null,
      ...sumOf(total, found, now),
    };
  }),
});

function chartData(found: InterestHistory): s.Static<typeof chartAnswer> {
  const { totals, prices } = found;
  const ids = [...new Set(totals.flatMap(({ exchanges }) => Object.keys(exchanges)))];
  return {
    ...headOf(found),
    timestamps: totals.map(({ time }) => time),
    prices: totals.map(({ time }) => prices.get(time) ?? null),
    exchanges: Object.fromEntries(
      ids.map((id) => [id, totals.map(({ exchanges }) => exchanges[id] ?? null)]),
    ),
  };
}

const both: readonly Margin[] = ['stable', 'coin'];

const marginRows = (context: Context): Route[] =>
  (
    [
      ['stablecoin-margin-history', 'stable', 'dollars or a dollar stablecoin'],
      ['coin-margin-history', 'coin', 'the asset itself'],
    ] as const
  ).map(([name, margin, money]) => {
    const path = `/v1/open-interest/${name}`;
    const data = (found: InterestHistory) => marginData(found, context.clock.now());
    return route({
      ...{ ...common, path, params: paramsOf(100), answer: marginAnswer },
      summary: `Open interest over time of perpetuals settled in ${money}`,
      from: { query: (asked) => questionOf(context, asked, { path, margins: [margin], data }) },
    });
  });

/** Open interest over time: by margin, of all exchanges together, and each beside the others. */
export function interestHistoryRoutes(context: Context): Route[] {
  const total = '/v1/open-interest/aggregated-history';
  const chart = '/v1/open-interest/exchange-history-chart';
  const all = { margins: both, prices: true } as const;
  const totalOf = (found: InterestHistory) => totalData(found, context.clock.now());
  return [
    ...marginRows(context),
    route({
      ...{ ...common, path: total, params: paramsOf(100), answer: totalAnswer },
      summary: 'Open interest of all perpetuals of an asset over time, with its changes',
      from: {
        query: (asked) => questionOf(context, asked, { ...all, path: total, data: totalOf }),
      },
    }),
    route({
      ...{ ...common, path: chart, params: paramsOf(168), answer: chartAnswer },
      summary: 'Open interest of each exchange over time, in columns',
      from: {
        query: (asked) => questionOf(context, asked, { ...all, path: chart, data: chartData }),
      },
    }),
  ];
}
