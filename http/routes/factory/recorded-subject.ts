/** Histories that this service has recorded itself. */
import {
  type Coverage,
  historySource,
  type Recorded,
  type RecordedName,
  type RecordedParams,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import { type Fields, type Subject, symbolField } from './history.ts';
import type { StepValues } from './market-subject.ts';

export const coverage = s.named(
  'RecordCoverage',
  s.object(
    {
      from: s.integerOrNull('First interval that was asked for, Unix ms.'),
      to: s.integerOrNull('Last interval that was asked for, Unix ms.'),
      expected: s.integer('Rows of an unbroken record.'),
      present: s.integer('Rows that there are.'),
      complete: s.boolean('At least 95 % of the expected rows are there.'),
      backfilled: s.boolean('Some rows are from the history that the exchange itself keeps.'),
    },
    'How much of what was asked for is recorded.',
  ),
);

/** The coverage of several series together. */
export function coverageOf(all: readonly Coverage[]): s.Static<typeof coverage> {
  const sum = (of: (one: Coverage) => number) => all.reduce((total, one) => total + of(one), 0);
  const [expected, present] = [sum((one) => one.expected), sum((one) => one.present)];
  return {
    from: all.length === 0 ? null : Math.min(...all.map(({ from }) => from)),
    to: all.length === 0 ? null : Math.max(...all.map(({ to }) => to)),
    expected,
    present,
    complete: present >= 0.95 * expected,
    backfilled: all.some(({ backfilled }) => backfilled),
  };
}

/** A recorded answer: the record, and the points that were made of it. */
interface Kept {
  replies: readonly (Recorded | null)[];
  made: unknown;
}

/** The record of an answer, and why it has no points where it has none. */
export const record: Fields<Kept> = {
  properties: { coverage, note: s.optional(s.string('Why there are no points.')) },
  read({ replies: [own], made }) {
    const rows = own?.rows ?? [];
    const found = { coverage: coverageOf(rows.map((row) => row.coverage)) };
    const begun = rows[0]?.recorded_from;
    const isEmpty = Array.isArray(made) && made.length === 0;
    if (!isEmpty || begun === undefined) return found;
    return { ...found, note: `recording started at ${new Date(begun).toISOString()}` };
  },
};

/** Rows of a series, or of several. */
export type Keys = Pick<RecordedParams, 'series' | 'keys'>;
export type RecordedRange = Pick<RecordedParams, 'step' | 'limit' | 'from' | 'to'>;

interface RecordedSubject<V, A> {
  series: RecordedName;
  /** Subject of an error message: `the open interest`. */
  what: string;
  /** The asset with the keys of its rows, and further series. */
  find(values: V): (A & { keys: readonly string[]; also?: readonly Keys[] }) | ApiError;
  range(values: V): RecordedRange;
}

/** The queries to the store. */
export const storeQueries = (
  { also = [], ...first }: Keys & { also?: readonly Keys[] },
  range: RecordedRange,
) => {
  const asked = ({ series, keys }: Keys) => ({
    source: historySource,
    params: { series, keys, ...range },
  });
  return { ...asked(first), name: 'series' as const, also: also.map(asked) };
};

/** The recorded series of an asset. Any failure of the store is 503. */
export const ofRecord = <V, A extends { symbol: string }>({
  series,
  what,
  find,
  range,
}: RecordedSubject<V, A>): Subject<'series', V, A> => ({
  isAnswered: true,
  head: symbolField,
  record,
  what: (about) => `${what} of ${about.symbol}`,
  ask(values) {
    const found = find(values);
    if (isApiError(found)) return found;
    return { ...storeQueries({ series, ...found }, range(values)), about: found };
  },
});

/** The rows of a series in intervals. */
export const recordedSteps = ({ interval, limit, from, to }: StepValues): RecordedRange => ({
  step: interval,
  limit,
  from,
  to,
});
