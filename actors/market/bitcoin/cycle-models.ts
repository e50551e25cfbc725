/** Long averages of Bitcoin's price, which move with it. */
import { minute } from '../../../config/time.ts';
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
import type { DayClose } from '../../../indicators/market/days.ts';
import type { Enough } from '../../../indicators/market/statistics.ts';
import type { IndicatorName } from '../../topics/indicator-names.ts';
import type { IndicatorFields, IndicatorRow } from '../../topics/indicators/table.ts';
import { closesIn, contentOf, type Model, priced, type Timed, untimed } from './model.ts';

/** Days between two points of the chart of profitable days. */
const week = 7;

/** What differs between models of the closes alone. */
interface ClosesModel<N extends IndicatorName, Point extends Timed> {
  name: N;
  /** Closes that the newest value is made of. */
  length: number;
  newest(closes: readonly DayClose[]): Enough<Point>;
  series(closes: readonly DayClose[]): Point[];
  fields(point: Point): IndicatorFields<N>;
  row(point: Point): IndicatorRow<N>;
}

const modelOf = <N extends IndicatorName, Point extends Timed>({
  name,
  length,
  newest,
  series,
  fields,
  row,
}: ClosesModel<N, Point>): Model<N> => ({
  name,
  cadence: minute,
  what: 'daily closes of Bitcoin',
  inputs: ({ closes }) => [closes.rows],
  current({ closes }, moment) {
    const input = priced(closes, moment, length);
    return input && { ...input, found: contentOf(newest(input.closes), fields, row) };
  },
  history: ({ closes }) => series(closes.rows).map(row),
  days: (book) => [closesIn(book, length)],
});

const timeOf = ({ timestamp, provisional }: Timed) => ({
  timestamp,
  ...(provisional && { provisional }),
});

const twoYearLines = ({ price, average }: AveragePoint) => ({
  price,
  two_year_ma: average,
  multiplier_5x: 5 * average,
});

const twoYear = modelOf<'two-year-ma', AveragePoint>({
  name: 'two-year-ma',
  length: twoYearDays,
  newest: (closes) => newestAverage(closes, twoYearDays),
  series: (closes) => averageSeries(closes, twoYearDays),
  fields: (point) => ({ ...twoYearLines(point), state: twoYearState(point) }),
  row: (point) => ({ ...timeOf(point), ...twoYearLines(point) }),
});

const longWeeks = modelOf<'200-week-ma', AveragePoint>({
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

const golden = modelOf<'golden-ratio', AveragePoint>({
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

const profitable = modelOf<'profitable-days', ReturnType<typeof profitableSeries>[number]>({
  name: 'profitable-days',
  length: Number.POSITIVE_INFINITY,
  newest: profitableDays,
  series: (closes) => profitableSeries(closes, week),
  fields: untimed,
  row: (point) => point,
});

export const cycleModels: readonly Model[] = [twoYear, longWeeks, golden, profitable];
