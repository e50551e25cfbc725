/** Shared by the histories of several exchanges: the kinds of points, cache lifetimes, and the hours of settled fundings. Pure. */
import { hour, minute } from '../../config/time.ts';
import { settledHours } from '../../indicators/derivatives/funding.ts';
import { endOf } from '../../indicators/market/candles.ts';
import type { MarginPoint } from '../../indicators/market/margin.ts';
import { asRow, isNumber, isRow, list, required, type WireRow } from '../read.ts';
import { type HistoryForm, historyQuery, inOrder, kept } from '../sources/queries/history-query.ts';
import type {
  BasisPoint,
  FundingPoint,
  HistoryParams,
  Instrument,
  InterestPoint,
  Interval,
  LongShortParams,
  LongShortPoint,
  SeriesParams,
  TakerCandle,
  TakerPoint,
} from '../topics/index.ts';

/** How long a history of fundings is fresh, ms. */
export const fundingLife = 300_000;

/** How long a series of steps is fresh, ms. */
export const seriesLife = minute;

/**
 * Histories of one kind of points as queries. The numbers of a point are named: to walk over its keys would take ten times as
 * long. Numbers that a point may lack are left out where they are unreadable.
 */
const queryOf =
  <P extends HistoryParams, Point extends { timestamp: number }>(
    isWhole: (point: Point) => boolean,
  ) =>
  <Request>(form: HistoryForm<P, Point, Request>) =>
    historyQuery(form, isWhole);

export const longShortQuery = queryOf<LongShortParams, LongShortPoint>(
  ({ timestamp, long, short }) => isNumber(timestamp) && isNumber(long) && isNumber(short),
);

/** True for a number that is readable, and for one that is not stated. */
const isStated = (number: number | null): boolean => number === null || isNumber(number);

const isWholeTaken = ({ timestamp, buy_base, sell_base, buy_usd, sell_usd }: TakerPoint) =>
  isNumber(timestamp) &&
  isStated(buy_base) &&
  isStated(sell_base) &&
  isStated(buy_usd) &&
  isStated(sell_usd);

/** The form with each row marked where its interval had ended when it was asked for. */
const withClosed = <Point extends TakerPoint, Request>(
  form: HistoryForm<SeriesParams, Point, Request>,
): HistoryForm<SeriesParams, Point, Request> => ({
  ...form,
  parse: (bodies, asked) =>
    form.parse(bodies, asked).map((point) => ({
      ...point,
      closed: endOf(point.timestamp, asked.interval) <= asked.now,
    })),
});

const takers = queryOf<SeriesParams, TakerPoint>(isWholeTaken);
export const takerQuery = <Request>(form: HistoryForm<SeriesParams, TakerPoint, Request>) =>
  takers(withClosed(form));

const takerCandles = queryOf<SeriesParams, TakerCandle>(
  (candle) =>
    isWholeTaken(candle) &&
    isNumber(candle.open) &&
    isNumber(candle.high) &&
    isNumber(candle.low) &&
    isNumber(candle.close),
);
export const takerCandleQuery = <Request>(form: HistoryForm<SeriesParams, TakerCandle, Request>) =>
  takerCandles(withClosed(form));

export const interestQuery = queryOf<SeriesParams, InterestPoint>(
  ({ timestamp, base, usd }) => isNumber(timestamp) && isStated(base) && isStated(usd),
);

export const basisQuery = queryOf<SeriesParams, BasisPoint>(
  ({ timestamp, mark, index }) => isNumber(timestamp) && isNumber(mark) && isStated(index),
);

export const marginQuery = queryOf<SeriesParams, MarginPoint>(
  ({ timestamp, long_size, short_size }) =>
    isNumber(timestamp) && isNumber(long_size) && isNumber(short_size),
);

export const fundingQuery = queryOf<HistoryParams, FundingPoint>(
  ({ timestamp, rate }) => isNumber(timestamp) && isNumber(rate),
);

/** The rows of a list; none where an optional answer is missing. */
export function rowsIn(rows: unknown, what: string): readonly WireRow[] {
  if (rows === undefined) return [];
  const values = list(rows, what);
  return values.every(isRow) ? values : values.map(asRow);
}

/**
 * Finds the row of a time in another series, where it has one; `timeOf` gives what stands in its rows. Two series of one
 * market have the same times in the same order as a rule, so the row after the one found last is tried first, as it is
 * written; only where that fails are the times read as numbers.
 */
export function byTime<Row>(
  rows: readonly Row[],
  timeOf: (row: Row) => unknown,
): (time: unknown) => Row | undefined {
  let next = 0;
  let known: ReadonlyMap<number, number> | undefined;
  return (time) => {
    const row = rows[next];
    if (row === undefined || timeOf(row) !== time) {
      known ??= new Map(rows.map((each, i) => [required(timeOf(each)), i]));
      next = known.get(required(time)) ?? rows.length;
    }
    return rows[next++];
  };
}

/** The length of one funding of a perpetual, ms; null for other markets. */
export const fundingStep = ({ instrument }: { instrument: Instrument }): number | null =>
  instrument.kind === 'perpetual' ? (instrument.funding_hours ?? 8) * hour : null;

const isCharged = ({ timestamp, rate }: FundingPoint) => timestamp > 0 && Math.abs(rate) < 1;

/** Gives fundings the hours that follow from the times between them (`settledHours`). Rows that cannot be used stay, to be counted. */
export function withHours(
  points: FundingPoint[],
  { funding_hours }: Pick<Instrument, 'funding_hours'>,
): FundingPoint[] {
  const settled = inOrder(kept(points, isCharged));
  const hours = settledHours(
    settled.map(({ timestamp }) => timestamp),
    funding_hours,
  );
  for (const [i, point] of settled.entries()) point.hours = hours[i] ?? null;
  return points;
}

/** An exchange's word for an interval, or '' where it has none. */
export const wordOf = (
  words: Readonly<Partial<Record<Interval, string>>>,
  interval: Interval,
): string => words[interval] ?? '';

/** The two shares of a long to short ratio. */
export const pointOfRatio = (timestamp: number, ratio: number): LongShortPoint => ({
  timestamp,
  long: ratio / (1 + ratio),
  short: 1 / (1 + ratio),
});
