/** A screen of assets by their indicators: which values are asked for, and by which of them rows are chosen and sorted. */
import { findIndicator } from '../catalogue.ts';
import { ranked } from '../derivatives/rankings.ts';
import { rounded } from '../digits.ts';
import { BadInput, type Entry, readEntries } from '../job-entries.ts';

/** Indicators and conditions of one question at most. */
export const screenLimits = { indicators: 20, filters: 10 } as const;

/** The values of one row by name; null where one is not known. */
export type ScreenValues = ReadonlyMap<string, number | null>;

/** `rsi:7,macd:8:21:5`: indicators with commas between them, parameters after colons. Throws BadInput, which names the indicator. */
export function readScreenEntries(text: string): Entry[] {
  const written = text.split(',');
  if (written.length > screenLimits.indicators) {
    throw new BadInput(`indicators may be ${screenLimits.indicators} at most`);
  }
  return readEntries(
    written.map((one) => {
      const [name = '', ...parameters] = one.trim().split(':');
      return parameters.length === 0 ? name : `${name}:${parameters.join(',')}`;
    }),
  );
}

/** The names of the values of an entry: its id, with the output behind it where there are several. */
export function valueNames({ id, name }: Entry): string[] {
  const outputs = findIndicator(name)?.outputs ?? [];
  return outputs.length === 1 ? [id] : outputs.map((output) => `${id}.${output}`);
}

const comparisons = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
} as const;
const isComparison = (word: string): word is keyof typeof comparisons =>
  Object.hasOwn(comparisons, word);

const condition = /^([^<>=]+)(<=|>=|<|>)([^<>=]+)$/;
const decimal = /^-?\d+(\.\d+)?(e-?\d{1,3})?$/i;

/** The name if it is one of `names`. Throws BadInput that lists them. */
export function namedValue(name: string, names: readonly string[], parameter: string): string {
  const wanted = name.trim().toLowerCase();
  if (names.includes(wanted)) return wanted;
  const shown = wanted.length > 32 ? `${wanted.slice(0, 32)}…` : wanted;
  throw new BadInput(
    `${parameter}: there is no value ${JSON.stringify(shown)}; there are ${names.join(', ')}`,
  );
}

/** Whether the values of a row fulfil a condition; those that are not known fulfil none. */
export type Condition = (values: ScreenValues) => boolean;

function readCondition(text: string, names: readonly string[]): Condition {
  const [, left = '', sign = '', right = ''] = condition.exec(text.trim()) ?? [];
  if (!isComparison(sign)) {
    throw new BadInput(
      'filter must be conditions such as rsi<30 or price>=ema_200, with commas between them',
    );
  }
  const name = namedValue(left, names, 'filter');
  const isNumber = decimal.test(right.trim());
  const limit = isNumber ? Number(right) : namedValue(right, names, 'filter');
  const compare = comparisons[sign];
  return (values) => {
    const value = values.get(name) ?? null;
    const other = typeof limit === 'number' ? limit : (values.get(limit) ?? null);
    // As they are served: a price that stands still is neither above its average nor below.
    return value !== null && other !== null && compare(rounded(value), rounded(other));
  };
}

/** `rsi<30,price>ema_200`: conditions of which a row must fulfil all. Throws BadInput. */
export function readConditions(text: string, names: readonly string[]): Condition[] {
  const written = text.split(',');
  if (written.length > screenLimits.filters) {
    throw new BadInput(`filter may have ${screenLimits.filters} conditions at most`);
  }
  return written.map((one) => readCondition(one, names));
}

/** What is shown of a table. */
export interface Screen {
  entries: Entry[];
  conditions: readonly Condition[];
  sort: string | null;
}

/** Throws BadInput, which names the parameter. */
export function readScreen({
  indicators,
  filter,
  sort,
}: {
  indicators: string;
  filter?: string | undefined;
  sort?: string | undefined;
}): Screen {
  const entries = readScreenEntries(indicators);
  const names = ['price', ...entries.flatMap(valueNames)];
  return {
    entries,
    conditions: filter === undefined ? [] : readConditions(filter, names),
    sort: sort === undefined ? null : namedValue(sort, names, 'sort'),
  };
}

/** A row with its values by indicator, then by output. */
interface ScreenedRow {
  price: number;
  values: readonly (readonly (number | null)[])[];
}

/** The same with its values by name, the price among them. */
export type NamedRow<R> = Omit<R, 'values'> & { values: ScreenValues };

function named<R extends ScreenedRow>(row: R, entries: readonly Entry[]): NamedRow<R> {
  const values = entries.flatMap((entry, i) =>
    valueNames(entry).map((name, output) => [name, row.values[i]?.[output] ?? null] as const),
  );
  return { ...row, values: new Map([['price', row.price], ...values]) };
}

/** The rows that fulfil the conditions, in their order. */
export function screened<R extends ScreenedRow>(
  rows: readonly R[],
  { entries, conditions, sort }: Screen,
  order: 'asc' | 'desc',
): NamedRow<R>[] {
  const found = rows
    .map((row) => named(row, entries))
    .filter(({ values }) => conditions.every((fulfils) => fulfils(values)));
  return sort === null ? found : ranked(found, order, ({ values }) => values.get(sort) ?? null);
}
