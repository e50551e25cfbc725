/** Histories that this service has recorded itself. */
import * as topics from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { covered } from '../../../indicators/market/recorded.ts';
import type { Params, Resolved, Route } from '../../endpoints/route.ts';
import type { ApiError } from '../../wire/errors.ts';
import { type Fields, type HistoryRow, history, type Replies } from './history.ts';
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
export function coverageOf(all: readonly topics.Coverage[]): s.Static<typeof coverage> {
  const sum = (of: (one: topics.Coverage) => number) =>
    all.reduce((total, one) => total + of(one), 0);
  const [expected, present] = [sum((one) => one.expected), sum((one) => one.present)];
  const from = all.length === 0 ? null : Math.min(...all.map((one) => one.from));
  const to = all.length === 0 ? null : Math.max(...all.map((one) => one.to));
  return covered(
    { from, to, expected, present },
    all.some(({ backfilled }) => backfilled),
  );
}

/** The coverage of the series of each exchange. */
export function coverageBy(
  rows: readonly (readonly [exchange: string, topics.RecordedRows | undefined])[],
) {
  const known = rows.flatMap(([exchange, row]) => (row ? [{ exchange, own: row.coverage }] : []));
  const groups = Map.groupBy(known, ({ exchange }) => exchange);
  return Object.fromEntries(
    [...groups].map(([id, all]) => [id, coverageOf(all.map(({ own }) => own))]),
  );
}

/** A recorded answer: the record, and the points that were made of it. */
interface Kept {
  replies: readonly (topics.Recorded | null)[];
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
export type Keys = Pick<topics.RecordedParams, 'series' | 'keys'>;
export type RecordedRange = Pick<topics.RecordedParams, 'step' | 'limit' | 'from' | 'to'>;

/** A history out of the store, without what follows from that. */
type RecordedRow<Ps extends Params, F extends object> = Omit<
  HistoryRow<Ps, 'series', object, F>,
  'of' | 'fold' | 'foldAll'
> & {
  series: topics.RecordedName;
  /** Subject of an error message: `the open interest`, of the symbol that is asked for, or all of it. */
  what: string | ((values: Resolved<Ps>) => string);
  /** The keys of the rows. */
  keys(values: Resolved<Ps>): readonly string[];
  /** Further series. */
  otherSeries?(values: Resolved<Ps>): readonly Keys[];
  range(values: Resolved<Ps>): RecordedRange;
  fold(reply: topics.Recorded, given: Replies<'series', Resolved<Ps>>): F | ApiError;
  /** False where nothing is recorded: then there is no row. */
  isAnswered?: boolean;
  /** Null where the answer has no fields of the record. */
  record?: null;
};

/** The queries to the store. */
export const storeQueries = (
  { otherSeries = [], ...first }: Keys & { otherSeries?: readonly Keys[] | undefined },
  range: RecordedRange,
) => {
  const asked = ({ series, keys }: Keys) => ({
    source: topics.historySource,
    params: { series, keys, ...range },
  });
  return { ...asked(first), sameQueryElsewhere: otherSeries.map(asked) };
};

/** Declares a history out of recorded series. Any failure of the store is 503. */
export const recorded = <const Ps extends Params, F extends object>({
  series,
  what,
  keys,
  otherSeries,
  range,
  isAnswered = true,
  record: shown,
  ...row
}: RecordedRow<Ps, F>): Route[] =>
  history<Ps, 'series', object, F>({
    ...row,
    of: {
      names: ['series'],
      series,
      isAnswered,
      fails: [],
      ...(shown !== null && { record }),
      what:
        typeof what === 'function'
          ? what
          : (values) => `${what} of ${String(Reflect.get(values, 'symbol'))}`,
      ask: (values) =>
        storeQueries(
          { series, keys: keys(values), otherSeries: otherSeries?.(values) },
          range(values),
        ),
    },
  });

/** The rows of a series in intervals. */
export const recordedSteps = ({ interval, limit, from, to }: StepValues): RecordedRange => ({
  step: interval,
  limit,
  from,
  to,
});
