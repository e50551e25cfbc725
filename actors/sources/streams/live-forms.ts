/** How polled and streamed rows about a market become one: prices, derivatives, open interest. */
import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import { optional } from '../../read.ts';
import {
  type DerivativeRow,
  type MarketRows,
  type OpenInterestRow,
  type PriceRow,
  topics,
} from '../../topics/index.ts';
import type { AnyRow, LiveTopic } from '../define.ts';

/** The topics whose rows are streamed beside the polls of the same parts, with the topic of the rows that a stream has changed. */
export const changesOf = {
  prices: 'priceChanges',
  derivatives: 'derivativeChanges',
  openInterest: 'openInterestChanges',
} as const satisfies Readonly<Record<LiveTopic, string>>;

/** A row that may be streamed. */
export interface LiveRow extends AnyRow {
  stated: number | null;
  doubt?: 'value' | 'unit';
}

/** How the rows of a topic are compared and merged. */
export interface LiveForm<Row extends LiveRow> {
  /** Age at which a row is no longer changed by the stream, ms. */
  maxAge: number;
  /** The number in which the poll and the stream are compared; null where the row has none. */
  value(row: Row): number | null;
  /**
   * A polled row with the streamed values of the same market; fields that the stream lacks stay as polled, but for those
   * that the streamed values contradict: they are null.
   */
  merge(polled: Row, streamed: Row): Row;
  /**
   * A polled row with the values of an earlier one that no poll has but the stream alone; null where the poll has them. The row
   * is as old as these values.
   */
  filled?(polled: Row, before: Row): Row | null;
  /** Fields that are of use for a short time only, where the rows have such: see `LiveRows`. */
  quotes?: {
    has(row: Row): boolean;
    without(row: Row): Row;
    /** With the time at which they were received; undefined where that is the row's own. */
    dated(row: Row, at: number | undefined): Row;
  };
}

/** Share of the interval of a poll by which it may be late: polled quotes are left out once the next poll is later than that. */
export const lateness = 1.5;

/** A polled bound that the streamed price does not contradict; null for one that it does. */
const below = (bound: number | null, price: number) =>
  bound !== null && bound > price ? null : bound;
const above = (bound: number | null, price: number) =>
  bound !== null && bound < price ? null : bound;

export const withStreamedPrice = (polled: PriceRow, streamed: PriceRow): PriceRow => ({
  ...polled,
  price: streamed.price,
  stated: streamed.stated,
  bid: streamed.bid ?? below(polled.bid, streamed.price),
  ask: streamed.ask ?? above(polled.ask, streamed.price),
  high: streamed.high ?? above(polled.high, streamed.price),
  low: streamed.low ?? below(polled.low, streamed.price),
  base: streamed.base ?? polled.base,
  volume: streamed.volume ?? polled.volume,
  change: streamed.change ?? polled.change,
  received: undefined,
});

/** A rate that comes without its hours is one per those that were polled. */
function withStreamedDerivative(polled: DerivativeRow, streamed: DerivativeRow): DerivativeRow {
  const rate = streamed.funding_rate ?? polled.funding_rate;
  const hours = streamed.funding_hours ?? polled.funding_hours;
  return {
    ...polled,
    mark: streamed.mark ?? polled.mark,
    index: streamed.index ?? polled.index,
    funding_rate: rate,
    funding_hours: hours,
    funding_rate_8h: rate === null || hours === null ? null : optional(rateOf8Hours(rate, hours)),
    next_funding: streamed.next_funding ?? polled.next_funding,
    ...(streamed.predicted_rate !== undefined && { predicted_rate: streamed.predicted_rate }),
    ...(streamed.premium !== undefined && { premium: streamed.premium }),
    stated: streamed.stated,
    received: undefined,
  };
}

const withStreamedInterest = (
  polled: OpenInterestRow,
  streamed: OpenInterestRow,
): OpenInterestRow => ({
  ...polled,
  units: streamed.units ?? polled.units,
  value: streamed.value,
  mark: streamed.mark ?? polled.mark,
  stated: streamed.stated,
  received: undefined,
});

export const liveForms: { readonly [T in LiveTopic]: LiveForm<MarketRows[T]> } = {
  prices: {
    maxAge: topics.prices.maxAge,
    value: ({ price }) => price,
    merge: withStreamedPrice,
    quotes: {
      has: ({ bid, ask }) => bid !== null || ask !== null,
      without: ({ quoted: _, ...row }) => ({ ...row, bid: null, ask: null }),
      dated: ({ quoted: _, ...row }, at) => (at === undefined ? row : { ...row, quoted: at }),
    },
  },
  derivatives: {
    maxAge: topics.derivatives.maxAge,
    value: ({ mark, index }) => mark ?? index,
    merge: withStreamedDerivative,
    filled: (polled, { mark, index, stated }) =>
      polled.mark === null && polled.index === null ? { ...polled, mark, index, stated } : null,
  },
  openInterest: {
    maxAge: topics.openInterest.maxAge,
    value: ({ value }) => value,
    merge: withStreamedInterest,
  },
};

/**
 * Two streamed rows of one market as one: fields that the later one lacks are those of the earlier one. Rows in doubt are
 * not joined, because a poll decides about them.
 */
export const joined =
  <Row extends LiveRow>({ merge }: LiveForm<Row>) =>
  (before: Row, row: Row): Row =>
    before.doubt === undefined && row.doubt === undefined ? merge(before, row) : row;
