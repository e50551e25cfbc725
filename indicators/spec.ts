/** What an indicator is: the form of an entry of the catalogue, and of what is computed from and to. */

/** Closed candles as columns of equal length, oldest first. `time` is the open time, Unix ms; `volume` in base units. */
export interface Columns {
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

export type Category = 'overlap' | 'volatility' | 'momentum' | 'trend' | 'volume' | 'transform';

/** One number of an indicator that a caller may choose. */
export interface NumberParameter {
  readonly type: 'integer' | 'number';
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly description: string;
}

/** One word of an indicator that a caller may choose, such as the column it is computed from. */
export interface WordParameter {
  readonly type: 'word';
  readonly default: string;
  readonly allowed: readonly string[];
  readonly description: string;
}

export type Parameter = NumberParameter | WordParameter;

/** Chosen parameters, complete: every name of the entry's table has a value of its type and range. */
export type Chosen = Readonly<Record<string, number | string>>;

/** An entry of the catalogue. */
export interface Indicator {
  /** Lower snake case, unique among names and aliases. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly category: Category;
  /** In the order in which they are written. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Columns that are read. */
  readonly inputs: readonly (keyof Columns)[];
  /** Names of the columns that `compute` gives, in its order; a single one is `value`. */
  readonly outputs: readonly string[];
  /** Those of `outputs` that are prices; all of an overlap or a transform, and none of another, where this is absent. */
  readonly onPrice?: readonly string[];
  /** Closed candles needed until every output has its first value. */
  minimum(chosen: Chosen): number;
  /**
   * Candles after which the seeding shows by less than 1e-6 relative; `minimum` where this is absent (nothing is
   * seeded, or the start is part of the definition).
   */
  settle?(chosen: Chosen): number;
  /**
   * Where an output is about a calendar period: when the candles have to begin at the latest, Unix ms, for the candle that opens at
   * `time` to have its value. Undefined where no period is chosen.
   */
  beginsAt?(time: number, chosen: Chosen): number | undefined;
  /** True where each value counts from the first candle that there is: the values of two ranges differ by their starts, changes do not. */
  readonly cumulative?: boolean;
  /**
   * One column per output, as long as the input, NaN where there is no value. Never throws on finite input. Columns
   * may share a buffer with others: copy them before you transfer them to another thread.
   */
  compute(columns: Columns, chosen: Chosen): Float64Array[];
  /** For the documentation: the formula, the conventions (seeding, units, division by zero) and where they come from. */
  readonly formula: string;
  readonly source: string;
}
