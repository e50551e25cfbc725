/** Publishes a figure's rows: in the order served, limited to the largest answer, checked against the last reading. */
import { doubtIn, type Known } from '../../indicators/defi/plausible.ts';
import type { Failure, Result } from '../failure.ts';
import type { JobContext } from '../sources/context.ts';
import type { Job, Round } from '../sources/job.ts';
import { type Candidate, type Found, firstOf } from '../sources/polling/ask.ts';
import type { DefiFigure, DefiReading, DefiRows } from '../topics/defi.ts';
import { isOf } from '../topics/defi.ts';

/** The rules of a published figure. */
export interface Publication<F extends DefiFigure> {
  figure: F;
  /** The rows in the order served, no more than can be asked for. */
  served(rows: readonly DefiRows[F][]): DefiRows[F][];
  /** US dollars of a row. */
  weight(row: DefiRows[F]): number;
}

/** The last reading of a figure, also of an earlier process. */
export async function lastOf<F extends DefiFigure>(
  context: Pick<JobContext, 'last'>,
  figure: F,
): Promise<DefiReading<F> | undefined> {
  const reading = await context.last('defi', figure);
  return isOf(reading, figure) ? reading : undefined;
}

/** A figure from the first of its sources whose rows are plausible. */
export function find<F extends DefiFigure>(
  context: JobContext,
  { figure, served, weight }: Publication<F>,
  {
    known,
    sources,
  }: { known: Known<DefiRows[F]> | undefined; sources: readonly Candidate<DefiRows[F]>[] },
  { now, signal }: Round,
): Promise<Result<Found<DefiRows[F]>>> {
  const doubt = (rows: readonly DefiRows[F][]) => doubtIn(served(rows), known, { weight, now });
  const candidates = sources.map((source) => ({ ...source, doubt }));
  return firstOf(context, figure, candidates, { signal });
}

/** Publishes the rows, unless they are the known ones. */
export async function publish<F extends DefiFigure>(
  context: JobContext,
  { figure, served }: Publication<F>,
  { source, rows, received }: Found<DefiRows[F]>,
  known: DefiReading<F> | undefined,
): Promise<Failure | null> {
  if (known?.received === received) return null;
  const reading: DefiReading<F> = { figure, sources: [source], rows: served(rows), received };
  return context.publish('defi', figure, reading);
}

/** Milliseconds for which the reading of an earlier process is new enough; the status then shows its source. */
export async function waitFor<F extends DefiFigure>(
  context: JobContext,
  figure: F,
  { every, now }: { every: number; now: number },
): Promise<number> {
  const known = await lastOf(context, figure);
  const [source] = known?.sources ?? [];
  if (known === undefined || source === undefined) return 0;
  const { received, rows } = known;
  const wait = Math.min(every, received + every - now);
  if (wait > 0) context.status.resume(figure, source, { received, rows: rows.length });
  return wait;
}

/**
 * The job of a figure that is asked of one source after the other, and of which the last good rows stay. `onRows` sees the rows of
 * a source before they are published.
 */
export function listJob<F extends DefiFigure>(
  context: JobContext,
  publication: Publication<F>,
  {
    every,
    sources,
    onRows,
  }: {
    every: number;
    sources: readonly Candidate<DefiRows[F]>[];
    onRows?(rows: readonly DefiRows[F][]): void;
  },
): Job {
  const { figure } = publication;
  return {
    name: figure,
    every,
    wait: (now) => waitFor(context, figure, { every, now }),
    async run(round) {
      const known = await lastOf(context, figure);
      const found = await find(context, publication, { known, sources }, round);
      if (!found.ok) return found.failure;
      onRows?.(found.value.rows);
      return publish(context, publication, found.value, known);
    },
  };
}
