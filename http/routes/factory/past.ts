/** The recorded state of an asset at a time: what rows from memory answer to the parameter `at`. */

import type { Clock } from '../../../actors/kernel/clock.ts';
import * as topics from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { day, minute, year } from '../../../config/time.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import { Calendar } from '../../../indicators/market/days.ts';
import { type Question, questionOf } from '../../answers/queries.ts';
import type { CheckedValues, Param, Route } from '../../endpoints/route.ts';
import { assetAmong } from '../../views/markets.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import type { Columns } from './columns.ts';

/** The parameter of the rows that answer it. */
export const at = {
  type: 'integer',
  time: 'ms',
  minimum: 1_000_000_000_000,
  description:
    'The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin.',
} as const satisfies Param;

/** Of streams and batches, which answer what is. */
export const pastAlone = apiError(
  'bad_parameter',
  'at is for single requests, not for streams or batches',
);

/** A recorded sample with the parts of its key, `L`. */
export type Sample<L extends object = object> = L & {
  /** Unix ms. */
  sampled_at: number;
  /** An exchange stated it afterwards. */
  backfilled: boolean;
  /** A column by its name; null where it is not known. */
  value(column: string): number | null;
};

/** Reads a column of a sample. */
export const recordedAs =
  (column: string) =>
  ({ value }: Sample): number | null =>
    value(column);

/** A stored step, and for how long it is kept surely, ms. */
interface Kept {
  step: topics.Interval;
  keep: number;
}

/** A series of samples: the shortest steps for two years, hours for ten. */
export const keptFrom = (step: topics.Interval) =>
  [
    { step, keep: 2 * year },
    { step: '1h', keep: 10 * year },
  ] as const;

/** What is recorded of a row that answers `at`. */
export interface PastOf<L extends object, P extends s.TProperties> {
  series: topics.RecordedName;
  /** Stored steps with the time for which each is kept surely, ms; the last one is kept for long. From minutes on when absent. */
  tiers?: readonly [Kept, ...Kept[]];
  /** Settlements: a row states what happened at its time, not at the end of its step. So many ms before count. */
  settled?: number;
  /** The keys of an asset, with their parts, by what else is asked. */
  keys(symbol: string, asked: CheckedValues): readonly { key: string; labels: L }[];
  columns: Columns<Sample<L>, P>;
}

/** Steps before the time whose sample stands for it. */
const carried = 3;

/** The name of the schema, and what errors are made of. */
interface About {
  title: string;
  /** Subject of an error message: `the open interest`. */
  what: string;
  /** Whether there is an asset now. */
  view: { has(symbol: string): boolean };
  clock: Clock;
}

interface PastRequest extends CheckedValues {
  symbol: string;
  at: number;
}

const isoOf = (time: number): string => new Calendar(time).toISOString();

/** Fields of a row that say when, and whether afterwards. */
export const sampledCells = {
  sampled_at: s.unixMs('When it was sampled.'),
  backfilled: s.boolean('Whether an exchange stated it afterwards; false where it was recorded.'),
};

/** The fields of the answer before its rows. */
const head = {
  symbol: s.symbol,
  at: s.unixMs('As asked.'),
  step_ms: s.integer('Time between two samples, ms.'),
  count: s.count,
};

/** The newest known sample of each key, with its labels; it is of `after` ms after the time of its row. */
const samplesOf = <L extends object>(
  rows: readonly topics.RecordedRows[],
  labels: readonly L[],
  after: number,
) =>
  rows.flatMap(({ times, columns: cells, coverage: { backfilled } }, i): Sample<L>[] => {
    const [time, own] = [times.at(-1), labels[i]];
    const isKnown = Object.values(cells).some((values) => (values.at(-1) ?? null) !== null);
    if (time === undefined || own === undefined || !isKnown) return [];
    const value = (name: string) => cells[name]?.at(-1) ?? null;
    return [{ ...own, sampled_at: time + after, backfilled, value }];
  });

/** The schema of the answer, and its question. */
export function pastOf<L extends object, P extends s.TProperties>(
  { series, tiers = keptFrom('1m'), settled, columns, ...past }: PastOf<L, P>,
  { title, what, view, clock }: About,
) {
  const answer = s.named(
    title,
    s.object({ ...head, items: s.list(columns.schema, 'What was recorded.') }),
  );

  /** How long after its time a row was sampled, ms. */
  const after = (step: number) => (settled === undefined ? step : 0);

  function query(asked: PastRequest): Question<s.Static<typeof answer>> | ApiError {
    const { symbol: given, at: time } = asked;
    const now = clock.now();
    if (time > now) {
      return apiError('bad_parameter', `at must not be in the future: it is ${now} now`);
    }
    const symbol = assetAmong((name) => view.has(name), given);
    const keys = past.keys(symbol, asked);
    const [tier, ...coarser] = tiersAt(tiers, now - time);
    const paramsOf = (name: topics.Interval) => {
      const step = topics.intervals[name];
      const to = settled === undefined ? stepAt(time, step) - step : stepAt(time, step);
      const from = settled === undefined ? to - carried * step : stepAt(time - settled, step);
      // The newest, with the coverage of it alone.
      return { series, keys: keys.map(({ key }) => key), step: name, from, to, limit: 1 };
    };
    return questionOf({
      source: topics.historySource,
      name: 'series',
      params: paramsOf(tier),
      sameQueryElsewhere: coarser.map((name) => ({
        source: topics.historySource,
        params: paramsOf(name),
      })),
      what: `${what} of ${symbol}`,
      variant: JSON.stringify([title, { ...asked, symbol }]),
      data(own, others) {
        for (const reply of [own, ...others]) {
          const { rows, step } = reply ?? { rows: [], step: 0 };
          const labels = keys.map((key) => key.labels);
          const items = columns.all(samplesOf(rows, labels, after(step)));
          if (items.length > 0)
            return { symbol, at: time, step_ms: step, count: items.length, items };
        }
        if (!view.has(symbol))
          return apiError('unknown_symbol', `there is no ${what} of ${symbol}`);
        const begun = own.rows[0]?.recorded_from ?? now;
        return apiError(
          'not_found',
          `${what} of ${symbol} was not recorded at ${isoOf(time)}: records begin at ${isoOf(begun)} (${begun})`,
        );
      },
    });
  }
  return { answer, query };
}

/** The steps that may have a sample of so long ago, ms: after a day those that exchanges were asked for, too. */
function tiersAt(
  tiers: readonly [Kept, ...Kept[]],
  age: number,
): readonly [topics.Interval, ...topics.Interval[]] {
  const [last] = tiers.slice(-1);
  const [first = last ?? tiers[0], ...others] = tiers.filter(({ keep }) => age < keep - minute);
  return [first.step, ...(age < day ? [] : others.map(({ step }) => step))];
}

/**
 * A row from memory that answers `at` too; `now` is the name of the schema of what it answers otherwise, `choice` says which answer is
 * given when, in words.
 */
export function withPast<L extends object, P extends s.TProperties>(
  row: Route,
  recorded: PastOf<L, P>,
  { now, choice, ...about }: About & { now: string; choice: string },
): Route {
  const { from, answer } = row;
  const past = pastOf(recorded, about);
  if (!('view' in from) || answer === null) throw new TypeError(`${row.path} has no view`);
  const ofNow =
    <Found>(read: (values: CheckedValues) => Found) =>
    (values: CheckedValues) =>
      values.at === undefined ? read(values) : pastAlone;
  return {
    ...row,
    params: { ...row.params, at },
    fails: ['not_found', 'store_unavailable', ...(row.fails ?? [])],
    answer: s.chosenBy({ at: past.answer }, s.named(now, answer), choice),
    from: { ...from, view: ofNow(from.view), ...(from.data && { data: ofNow(from.data) }) },
    past({ symbol = 'BTC', at: time, ...others }) {
      return past.query({ ...others, symbol: String(symbol), at: Number(time) });
    },
  };
}
