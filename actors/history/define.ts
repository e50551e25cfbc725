/** The form of a recorded series: its columns, the life of each step, and the origin of its rows. */
import { day, hour, year } from '../../config/time.ts';
import type { Combine } from '../../indicators/market/buckets.ts';
import type { MarketState } from '../state/market-state.ts';
import {
  type Interval,
  intervals,
  type Query,
  type QueryName,
  type RecordedColumns,
  type RecordedName,
  type ReplyOf,
} from '../topics/index.ts';

/** Digits of a number stored with double precision, and with single precision, which takes half of the room. */
export type Digits = 7 | 15;

/** What the values of a column are counted in; `quote` is that of the market, `of the chart` depends on the key. */
export type Unit =
  | 'US dollars'
  | 'base asset'
  | 'quote'
  | 'fraction'
  | 'fraction a year'
  | 'percent'
  | 'ms'
  | 'Unix ms'
  | 'minutes'
  | 'hours'
  | 'count'
  | 'of the chart';

export interface Column {
  unit: Unit;
  /** How the values of shorter steps are combined to that of a longer one. */
  combine: Combine;
  /** Significant digits that are kept; 15 when absent. */
  digits?: Digits;
}

/** The last value of a step, with single precision. */
export const last = (unit: Unit): Column => ({ unit, combine: 'last', digits: 7 });
/** The last value of a step, as it is. */
export const exact = (unit: Unit): Column => ({ unit, combine: 'last' });
/** What adds up over steps. */
export const summed = (unit: Unit): Column => ({ unit, combine: 'sum' });

/** A stored step, and for how long its rows are kept. */
export interface Tier {
  step: Interval;
  /** Such as `26h`, `92d` or `2y`. */
  keep: `${number}${'h' | 'd' | 'y'}` | 'always';
  /** It is sampled as the finest one is, of keys that the finer tier has not, and not combined from it. */
  isSampled?: true;
}

/** The columns of a series; any where it is not known which one. */
type ColumnOf<Name extends RecordedName | 'any'> = Name extends RecordedName
  ? RecordedColumns[Name]
  : string;

/** A row of one key: values by column name, null where one is not known. */
export interface SampleRow<Name extends RecordedName | 'any' = 'any'> {
  key: string;
  values: Readonly<Record<ColumnOf<Name>, number | null>>;
}

/** A row of a step. */
export interface Row<Name extends RecordedName | 'any' = 'any'> extends SampleRow<Name> {
  /** Start of its step, or a time within it, Unix ms. */
  time: number;
  /** It came from an upstream, or was made, after its time. */
  backfilled?: boolean;
}

/** A query of a source whose reply holds rows of one key, for one stored step. */
export type Ask<Name extends RecordedName | 'any' = 'any'> = {
  [Q in QueryName]: Query<Q> & {
    name: Q;
    key: string;
    step: Interval;
    rows(reply: ReplyOf<Q>['value']): readonly Omit<Row<Name>, 'key'>[];
  };
}[QueryName];

/** The rows of a series that an upstream keeps. */
export interface Backfill<Name extends RecordedName | 'any' = 'any'> {
  /** The keys that are asked without a client's question, the most important first. */
  keys(market: MarketState, now: number): readonly string[];
  /** How a key is asked: one group for each stored step, whose queries are added up. Empty where no upstream has it. */
  asks(key: string, market: MarketState): readonly (readonly Ask<Name>[])[];
  /** The rows replace those that were recorded live, because they are exact; they only fill holes when absent. */
  exact?: true;
  /** Ms between two askings of a key of `keys`; only while rows are missing when absent. */
  every?: number;
}

export interface SeriesForm<Name extends RecordedName | 'any'> {
  name: Name;
  /** The parts of a key, such as `exchange/margin/asset`. */
  key: string;
  columns: Readonly<Record<ColumnOf<Name>, Column>>;
  /** The column that counts the minutes of a row: the others of one that lacks some are answered as null. */
  wholeBy?: ColumnOf<Name>;
  /** The finest first; each is combined from the one before it, unless it is sampled. Minutes of two years and hours of ten when absent. */
  tiers?: readonly [Tier, ...Tier[]];
  /**
   * The rows of all keys of a sampled tier at the end of one of its steps, of `step` ms, once each. `now` is Unix ms. Where there are
   * thousands they are made one after the other, in turns with other work.
   */
  sample?(market: MarketState, now: number, step: number): Iterable<SampleRow<Name>>;
  /** For series that are made of events: a function that gives the rows of what has happened since its last call. */
  collector?(): (market: MarketState, now: number) => readonly Row<Name>[];
  backfill?: Backfill<Name>;
  /** Ms between two rows of an unbroken record, where that is not the step: of the last known row, null without one. */
  spacing?(last: Readonly<Record<ColumnOf<Name>, number | null>> | null): number;
  /** Life of an answer, ms, where rows change within their step; until the next step when absent. */
  fresh?: number;
  /**
   * Of a series that adds up events: for how long the streams that bring them were received, by `exchange/stream`. A step without a row
   * in which a stream of the exchange was received is answered as zero.
   */
  heardBy?: Series;
}

/** A tier in milliseconds. */
export interface TierMs {
  name: Interval;
  step: number;
  /** Infinity where rows are never removed. */
  keep: number;
  isSampled: boolean;
}

/** A series as the machinery sees it, with any columns. */
export interface Series extends Omit<SeriesForm<'any'>, 'name' | 'columns' | 'tiers'> {
  name: RecordedName;
  columns: readonly (Required<Column> & { name: string })[];
  tiers: readonly [TierMs, ...TierMs[]];
}

const usual: readonly [Tier, ...Tier[]] = [
  { step: '1m', keep: '2y' },
  { step: '1h', keep: '10y' },
];
const units = { h: hour, d: day, y: year } as const;

/** The milliseconds of `26h` or `92d`; Infinity of `always`. */
export function durationOf(keep: Tier['keep']): number {
  if (keep === 'always') return Number.POSITIVE_INFINITY;
  const unit = keep.endsWith('h') ? units.h : keep.endsWith('d') ? units.d : units.y;
  return Number(keep.slice(0, -1)) * unit;
}

/**
 * Declares a series. Throws RangeError at load when a tier is not a multiple of the one before it, or is kept for a
 * shorter time.
 */
export function defineSeries<Name extends RecordedName>(form: SeriesForm<Name>): Series {
  const tiers = (form.tiers ?? usual).map(({ step, keep, isSampled }, at) => ({
    name: step,
    step: intervals[step],
    keep: durationOf(keep),
    isSampled: form.sample !== undefined && (at === 0 || isSampled === true),
  }));
  for (const [at, { step, keep }] of tiers.entries()) {
    const finer = tiers[at - 1];
    if (finer && (step % finer.step !== 0 || keep < finer.keep)) {
      throw new RangeError(
        `series ${form.name}: tier ${at} does not follow from the one before it`,
      );
    }
  }
  const [finest, ...coarser] = tiers;
  if (finest === undefined) throw new RangeError(`series ${form.name} has no tier`);
  const columns = Object.entries<Column>(form.columns).map(([name, column]) => ({
    name,
    digits: 15 as const,
    ...column,
  }));
  return { ...form, columns, tiers: [finest, ...coarser] };
}

/** The series with no tier kept for longer than so many days; what is kept always stays. */
export function keptFor(series: Series, days: number): Series {
  const limited = (tier: TierMs): TierMs =>
    Number.isFinite(tier.keep) ? { ...tier, keep: Math.min(tier.keep, days * day) } : tier;
  const [finest, ...coarser] = series.tiers;
  return { ...series, tiers: [limited(finest), ...coarser.map(limited)] };
}

/** The table of a tier, in SQL and in the documentation: `open_interest_5m`. */
export function tableOf({ name, tiers }: Series, step: number): string {
  const tier = tiers.find((one) => one.step === step);
  if (!tier) throw new RangeError(`series ${name} has no step of ${step} ms`);
  return `${name.replaceAll('-', '_')}_${tier.name}`;
}
