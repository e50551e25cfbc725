/** One figure from the first of its sources that gives a good answer. */
import { type Failure, failed, type Result, success } from '../failure.ts';
import type { Figure, FigurePlan } from '../market/upstream.ts';
import { gather, StandIns } from '../sources/gather.ts';
import { soundRows } from '../sources/sound.ts';
import type { DeskContext } from './desk.ts';
import type { Round } from './duty.ts';

/** A source of a figure. */
export interface Candidate<Row> {
  /** Id of the upstream whose client is asked. */
  upstream: string;
  figure: Figure<Row>;
  /** What to ask beyond the time. */
  plan?: Omit<FigurePlan, 'now'>;
  /** Longest that the source may take, ms; 20 s when absent. */
  deadline?: number;
  /** Why rows that are well formed cannot be true, or null. */
  doubt?(rows: readonly Row[]): string | null;
}

/** A good answer. */
export interface Found<Row> {
  /** The upstream that gave it. */
  source: string;
  rows: Row[];
  /** Unix ms before the first request and after the last answer. */
  asked: number;
  received: number;
}

const usualDeadline = 20_000;

/** Asks one source and reads its answer. Upstream trouble is a value. */
export async function askFigure<Row>(
  { client, clock }: Pick<DeskContext, 'client' | 'clock'>,
  { upstream, figure, plan = {}, deadline = usualDeadline, doubt }: Candidate<Row>,
  signal: AbortSignal,
): Promise<Result<Found<Row> & { dropped: number; lost: number }>> {
  const now = clock.now();
  const full = { ...plan, now };
  const asked = await Promise.all(
    figure.requests(full).map(async (request) => ({
      request,
      result: await client(upstream).send(request, { deadline, signal }),
    })),
  );
  const caught = gather(asked, { now, standIns: new StandIns(0) });
  if (!caught.ok) return caught;
  const { bodies, received, lost } = caught.value;
  const parsed = soundRows(() => figure.parse(bodies, { received, plan: full }));
  if (!parsed.ok) return parsed;
  const { rows, dropped } = parsed.value;
  const why = doubt?.(rows) ?? null;
  if (why !== null) return failed('shape', why);
  return success({
    source: upstream,
    rows,
    asked: caught.value.asked,
    received,
    dropped: dropped.length,
    lost,
  });
}

/**
 * Asks the sources in order until one gives a good answer, and keeps the board. The failure is that of the first
 * source. A source that fails or lies is passed over; the next round begins with the first again.
 */
export async function firstFigure<Row>(
  desk: DeskContext,
  duty: string,
  candidates: readonly Candidate<Row>[],
  { signal }: Pick<Round, 'signal'>,
): Promise<Result<Found<Row>>> {
  let first: Failure | null = null;
  for (const [index, candidate] of candidates.entries()) {
    const { upstream } = candidate;
    const found = await askFigure(desk, candidate, signal);
    if (signal.aborted) return failed('stopped', `${duty}: stopped`);
    if (found.ok) {
      const { dropped, lost, ...rest } = found.value;
      desk.board.success(duty, upstream, {
        ...rest,
        rows: rest.rows.length,
        dropped: {
          ...(dropped > 0 && { bad_row: dropped }),
          ...(lost > 0 && { request_failed: lost }),
        },
      });
      desk.board.standby(
        duty,
        candidates.slice(index + 1).map((other) => other.upstream),
      );
      return success(rest);
    }
    desk.board.failure(duty, upstream, found.failure);
    first ??= found.failure;
  }
  return first === null ? failed('refused', `${duty}: no source`) : { ok: false, failure: first };
}
