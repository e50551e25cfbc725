/** The models of Bitcoin's price alone, which move with it: ahr999, Pi Cycle, rainbow chart, and long averages. */
import { minute } from '../../../config/time.ts';
import { ahr999, ahr999Days, ahr999Series } from '../../../indicators/market/ahr999.ts';
import {
  type AveragePoint,
  averageSeries,
  goldenDays,
  goldenMultiples,
  goldenReached,
  longWeeksDays,
  longWeeksSeries,
  newestAverage,
  newestLongWeeks,
  profitableDays,
  profitableSeries,
  twoYearDays,
  twoYearState,
} from '../../../indicators/market/cycle-averages.ts';
import type { HistoryDay } from '../../../indicators/market/daily-closes.ts';
import type { DayClose } from '../../../indicators/market/days.ts';
import {
  type PiCycleCrosses,
  piCycle,
  piCycleCrosses,
  piCycleDays,
  piCycleSeries,
} from '../../../indicators/market/pi-cycle.ts';
import { rainbow, rainbowSeries } from '../../../indicators/market/rainbow.ts';
import type { Enough } from '../../../indicators/market/statistics.ts';
import type { IndicatorName } from '../../topics/indicator-names.ts';
import type { IndicatorFields, IndicatorRow } from '../../topics/indicators/table.ts';
import { closesIn, contentOf, type Model, priced, type Timed, untimed } from './model.ts';

/** Days between two points of the charts of profitable days and of the rainbow. */
const week = 7;

/** What differs between models of the closes alone. */
interface ClosesModel<N extends IndicatorName, Point extends Timed, Value extends Point = Point> {
  name: N;
  /** Closes that the newest value is made of. */
  length: number;
  /** `rows` are all closes that are stored. */
  newest(closes: readonly DayClose[], rows: readonly HistoryDay[]): Enough<Value>;
  series(closes: readonly DayClose[]): Point[];
  fields(value: Value): IndicatorFields<N>;
  row(point: Point): IndicatorRow<N>;
}

const modelOf = <N extends IndicatorName, Point extends Timed, Value extends Point = Point>({
  name,
  length,
  newest,
  series,
  fields,
  row,
}: ClosesModel<N, Point, Value>): Model<N> => ({
  name,
  cadence: minute,
  what: 'daily closes of Bitcoin',
  inputs: ({ closes }) => [closes.rows],
  current({ closes }, moment) {
    const input = priced(closes, moment, length);
    return input && { ...input, found: contentOf(newest(input.closes, closes.rows), fields, row) };
  },
  history: ({ closes }) => series(closes.rows).map(row),
  days: (book) => [closesIn(book, length)],
});

const timeOf = ({ timestamp, provisional }: Timed) => ({
  timestamp,
  ...(provisional && { provisional }),
});

const ahr999Model = modelOf({
  name: 'ahr999',
  length: ahr999Days,
  newest: ahr999,
  series: ahr999Series,
  fields: untimed,
  row: ({ value, price_usd, cost_200d_usd, growth_valuation_usd, ...time }) => ({
    ...timeOf(time),
    value,
    price_usd,
    cost_200d_usd,
    growth_valuation_usd,
  }),
});

/** The crosses of stored closes, found once: the array is another one after every change. */
const crosses = new WeakMap<readonly HistoryDay[], PiCycleCrosses>();
function crossesOf(rows: readonly HistoryDay[]): PiCycleCrosses {
  const found = crosses.get(rows) ?? piCycleCrosses(piCycleSeries(rows));
  crosses.set(rows, found);
  return found;
}

const piCycleModel = modelOf({
  name: 'pi-cycle',
  length: piCycleDays,
  newest: (closes, rows) => piCycle(closes, crossesOf(rows)),
  series: piCycleSeries,
  fields({ price_usd: _, ...value }) {
    return untimed(value);
  },
  row: ({ price_usd, ma_111d_usd, ma_350d_x2_usd, ...time }) => ({
    ...timeOf(time),
    price_usd,
    ma_111d_usd,
    ma_350d_x2_usd,
  }),
});

const rainbowModel: Model<'rainbow-chart'> = {
  ...modelOf({
    name: 'rainbow-chart',
    length: 1,
    newest: rainbow,
    series: (closes) => rainbowSeries(closes, week),
    fields: untimed,
    row: ({ price_usd, base_usd, band, ...time }) => ({
      ...timeOf(time),
      price_usd,
      base_usd,
      band,
    }),
  }),
  // The price says it all.
  days: () => [],
};

const twoYearLines = ({ price, average }: AveragePoint) => ({
  price,
  two_year_ma: average,
  multiplier_5x: 5 * average,
});

const twoYear = modelOf({
  name: 'two-year-ma',
  length: twoYearDays,
  newest: (closes) => newestAverage(closes, twoYearDays),
  series: (closes) => averageSeries(closes, twoYearDays),
  fields: (point) => ({ ...twoYearLines(point), state: twoYearState(point) }),
  row: (point) => ({ ...timeOf(point), ...twoYearLines(point) }),
});

const longWeeks = modelOf({
  name: '200-week-ma',
  length: longWeeksDays,
  newest: newestLongWeeks,
  series: longWeeksSeries,
  fields: ({ price, average }) => ({
    price,
    ma_200_week: average,
    distance_percent: (price / average - 1) * 100,
  }),
  row: (point) => ({ ...timeOf(point), price: point.price, ma_200_week: point.average }),
});

const golden = modelOf({
  name: 'golden-ratio',
  length: goldenDays,
  newest: (closes) => newestAverage(closes, goldenDays),
  series: (closes) => averageSeries(closes, goldenDays),
  fields: (point) => ({
    price: point.price,
    ma_350_day: point.average,
    multiples: Object.fromEntries(goldenMultiples.map((each) => [each, each * point.average])),
    reached: goldenReached(point),
  }),
  row: (point) => ({ ...timeOf(point), price: point.price, ma_350_day: point.average }),
});

const profitable = modelOf({
  name: 'profitable-days',
  length: Number.POSITIVE_INFINITY,
  newest: profitableDays,
  series: (closes) => profitableSeries(closes, week),
  fields: untimed,
  row: (point) => point,
});

export const closesModels: readonly Model[] = [
  ahr999Model,
  piCycleModel,
  rainbowModel,
  twoYear,
  longWeeks,
  golden,
  profitable,
];
