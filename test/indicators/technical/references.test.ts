/**
 * Third-party output, value by value: every file of `test/fixtures/indicators`, and of a larger collection where there is one, is
 * tried with the entry it names. The form of the collection is `{indicator, params, input, expected, compare_from, tolerance,
 * absolute_tolerance?, compare_to?}`; a null expects nothing. Our own files are tables: two lines with the source and with what is
 * not in columns, the names of the columns (`=value` is expected), the rows.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findIndicator } from '../../../indicators/catalogue.ts';
import type { Chosen, Columns, Indicator } from '../../../indicators/spec.ts';

interface Reference {
  indicator: string;
  params: Record<string, number | string | boolean | number[]>;
  input: Partial<Record<keyof Columns, number[]>>;
  expected: Record<string, (number | null)[]>;
  compare_from: number;
  compare_to?: number;
  tolerance: number;
  absolute_tolerance?: number;
}

const own = join(import.meta.dirname, '../../fixtures/indicators');
const collection = join(import.meta.dirname, '../../../../shared/data/indicator-references');

const columnNames = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** A parameter of the file by our names: a list `roc` is `roc_1`, `roc_2`, …; words stay words. */
const flat = (params: Reference['params']): [string, number | string][] =>
  Object.entries(params).flatMap(([name, value]): [string, number | string][] => {
    if (Array.isArray(value)) return value.map((one, i) => [`${name}_${i + 1}`, one]);
    return [[name, typeof value === 'boolean' ? String(value) : value]];
  });

function choose(indicator: Indicator, params: Reference['params']): Chosen {
  const given = flat(params);
  const foreign = given.filter(([name]) => !Object.hasOwn(indicator.parameters, name));
  if (foreign.length > 0) throw new Error(`${indicator.name} has no ${foreign.join(' ')}`);
  const defaults = Object.entries(indicator.parameters).map(([name, p]) => [name, p.default]);
  return Object.fromEntries([...defaults, ...given]);
}

/** What is wrong with a column, or null. */
function fault(got: Float64Array, expected: (number | null)[], reference: Reference) {
  const { compare_from, compare_to = expected.length, tolerance } = reference;
  const largest = Math.max(...expected.map((value) => Math.abs(value ?? 0)));
  const least = Math.max(reference.absolute_tolerance ?? 0, tolerance * 1e-3 * largest);
  let compared = 0;
  for (const [i, value] of expected.entries()) {
    if (value === null || i < compare_from || i >= compare_to) continue;
    compared++;
    const own = got[i] ?? Number.NaN;
    if (!(Math.abs(own - value) <= Math.max(tolerance * Math.abs(value), least)))
      return `at ${i}: ${own} where ${value} is expected`;
  }
  return compared === 0 ? 'nothing was compared' : null;
}

/** Faults of a file, by output. */
function faults(reference: Reference): string[] {
  const indicator = findIndicator(reference.indicator);
  if (!indicator) return [`no indicator ${reference.indicator}`];
  const columns = Object.fromEntries(
    columnNames.map((name) => [name, Float64Array.from(reference.input[name] ?? [])]),
  ) as unknown as Columns;
  const got = indicator.compute(columns, choose(indicator, reference.params));
  return Object.entries(reference.expected).flatMap(([field, expected]) => {
    const column = got[indicator.outputs.indexOf(field)];
    if (!column) return [`no output ${field}`];
    if (column.length !== expected.length) return [`${field} has ${column.length} values`];
    const wrong = fault(column, expected, reference);
    return wrong ? [`${field} ${wrong}`] : [];
  });
}

function ofTable(text: string): Reference {
  const [, about = '', head = '', ...lines] = text.trim().split('\n');
  const cells = lines.map((line) => line.split(','));
  const all = head
    .split(',')
    .map((name, at): [string, (number | null)[]] => [
      name,
      cells.map((row) => (row[at] ? Number(row[at]) : null)),
    ]);
  const input = all.filter(([name]) => !name.startsWith('='));
  const expected = all.filter(([name]) => name.startsWith('='));
  return {
    ...JSON.parse(about.slice(1)),
    input: Object.fromEntries(input),
    expected: Object.fromEntries(expected.map(([name, values]) => [name.slice(1), values])),
  };
}

function readFrom(folder: string, file: string): Reference {
  const text = readFileSync(join(folder, file), 'utf8');
  return file.endsWith('.csv') ? ofTable(text) : JSON.parse(text);
}

for (const folder of [own, collection]) {
  const skip = existsSync(folder) ? false : `no reference files in ${folder}`;
  t.test(`reference files of ${folder}`, { skip }, async (t) => {
    const files = readdirSync(folder).filter((name) => /\.(json|csv)$/.test(name));
    t.not(files.length, 0, 'there are files');
    for (const file of files) t.strictSame(faults(readFrom(folder, file)), [], file);
  });
}
