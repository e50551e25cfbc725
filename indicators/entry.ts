/** What the entries of the catalogue are written with. */

import type {
  Chosen,
  Columns,
  Indicator,
  NumberParameter,
  Parameter,
  WordParameter,
} from './spec.ts';
import { price, priceNames } from './technical/columns.ts';

type Value<P extends Parameter> = P extends NumberParameter ? number : string;

type Entry<P extends Readonly<Record<string, Parameter>>> = Omit<
  Indicator,
  'parameters' | 'minimum' | 'settle' | 'beginsAt' | 'compute'
> & {
  readonly parameters: P;
  minimum(chosen: { readonly [K in keyof P]: Value<P[K]> }): number;
  settle?(chosen: { readonly [K in keyof P]: Value<P[K]> }): number;
  beginsAt?(time: number, chosen: { readonly [K in keyof P]: Value<P[K]> }): number | undefined;
  compute(columns: Columns, chosen: { readonly [K in keyof P]: Value<P[K]> }): Float64Array[];
};

/**
 * Whole numbers as the small integers of the engine. A 20 that has shared a field with a 0.7 is kept as a
 * floating-point number, and loops bounded by such a one take twice as long.
 */
function whole(chosen: Chosen, names: readonly string[]): Chosen {
  const out: Record<string, number | string> = {};
  for (const name of names) {
    const value = chosen[name] ?? Number.NaN;
    out[name] = typeof value === 'number' && Number.isInteger(value) ? Math.trunc(value) : value;
  }
  return out;
}

/** An entry whose functions see its own parameters by name and type. */
export function define<P extends Readonly<Record<string, Parameter>>>(entry: Entry<P>): Indicator {
  const indicator: Indicator = entry;
  const names = Object.keys(entry.parameters);
  return {
    ...indicator,
    compute: (columns, chosen) => indicator.compute(columns, whole(chosen, names)),
  };
}

/** A number of candles, up to 500. */
export const candles = (
  fallback: number,
  description = 'Candles in the window',
  minimum = 1,
): NumberParameter => ({
  type: 'integer',
  default: fallback,
  minimum,
  maximum: 500,
  description,
});

/** A factor, above 0 and up to 100. */
export const factor = (fallback: number, description: string): NumberParameter => ({
  type: 'number',
  default: fallback,
  minimum: 0.001,
  maximum: 100,
  description,
});

/** What is subtracted from n in the divisor of a variance. */
export const ddof: NumberParameter = {
  type: 'integer',
  default: 1,
  minimum: 0,
  maximum: 1,
  description: 'Degrees of freedom taken off: 1 sample, 0 population',
};

/** The column that an indicator of one series is computed from. */
export const source: WordParameter = {
  type: 'word',
  default: 'close',
  allowed: priceNames,
  description: 'The input series',
};

/** The inputs of an indicator with a `source`. */
export const anyPrice: readonly (keyof Columns)[] = ['open', 'high', 'low', 'close', 'volume'];

/** Candles until the seed of an EMA weighs less than 1e-6. */
export const emaSettle = (length: number): number => Math.ceil(6.9 * (length + 1));

/** Candles until the seed of a Wilder average weighs less than 1e-6. */
export const rmaSettle = (length: number): number => 14 * length;

/** Words about an entry. */
export type Words = Pick<Indicator, 'name' | 'title' | 'formula' | 'source'>;

/** An entry with one length that gives one column. */
interface OfLength<Given> extends Pick<Indicator, keyof Words | 'aliases' | 'category'> {
  readonly length: NumberParameter;
  /** The length itself when absent. */
  readonly minimum?: (length: number) => number;
  readonly settle?: (length: number) => number;
  readonly compute: (given: Given, length: number) => Float64Array;
}

function oneColumn<Given>(entry: OfLength<Given>) {
  const { length: _, minimum = (n) => n, settle, compute: __, ...words } = entry;
  return {
    ...words,
    outputs: ['value'],
    minimum: (chosen: { length: number }) => minimum(chosen.length),
    settle: settle && ((chosen: { length: number }) => settle(chosen.length)),
  };
}

/** An entry with one length that makes one column out of columns of the candles. */
export const ofCandles = (entry: OfLength<Columns> & Pick<Indicator, 'inputs'>): Indicator =>
  define({
    ...oneColumn(entry),
    parameters: { length: entry.length },
    inputs: entry.inputs,
    compute: (columns, { length }) => [entry.compute(columns, length)],
  });

/** An entry of the commonest kind: one series and one length give one column. */
export const ofSeries = (entry: OfLength<Float64Array>): Indicator =>
  define({
    ...oneColumn(entry),
    parameters: { length: entry.length, source },
    inputs: anyPrice,
    compute: (columns, { length, source }) => [entry.compute(price(columns, source), length)],
  });
