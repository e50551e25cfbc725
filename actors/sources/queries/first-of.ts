/** One figure from the first of its sources that gives a good answer. */
import { failed, type Result, success } from '../../failure.ts';
import type { HttpClient } from '../../upstream/client.ts';
import { firstSuccess } from '../../upstream/first-success.ts';
import type { JobContext } from '../context.ts';
import type { Round } from '../job.ts';
import { askAll, gather, LastGoodBodies } from '../polling/gather.ts';
import type { Poll, PollPlan } from '../polling/poll.ts';
import { validRows } from '../quality/valid.ts';

/** A source of a figure. */
export interface Candidate<Row> {
  /** Its name in `/v1/status`: the id of the upstream whose client is asked, unless `via` is. */
  upstream: string;
  via?: Pick<HttpClient, 'send'>;
  poll: Poll<Row>;
  /** The names and days to ask for. */
  plan?: Omit<PollPlan, 'now'>;
  /** Deadline of the source, ms; 20 s when absent. */
  deadline?: number;
  /** The account of the query; absent for a poll. */
  account?: string;
  /** Why well-formed rows are implausible, or null. */
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
export async function askPoll<Row>(
  { client, clock }: Pick<JobContext, 'client' | 'clock'>,
  candidate: Candidate<Row>,
  signal: AbortSignal,
): Promise<Result<Found<Row> & { dropped: number; lost: number }>> {
  const { upstream, poll, plan = {}, deadline = usualDeadline, account, doubt } = candidate;
  const via = candidate.via ?? client(upstream);
  const now = clock.now();
  const full = { ...plan, now };
  const options = { deadline, signal, ...(account !== undefined && { account }) };
  const asked = await askAll(poll.requests(full), (request) => via.send(request, options));
  const gathered = gather(asked, { now, lastGoodBodies: new LastGoodBodies(0) });
  if (!gathered.ok) return gathered;
  const { bodies, received, lost } = gathered.value;
  const parsed = validRows(() => poll.parse(bodies, { received, plan: full }));
  if (!parsed.ok) return parsed;
  const { rows, dropped } = parsed.value;
  const why = doubt?.(rows) ?? null;
  if (why !== null) return failed('shape', why);
  return success({
    source: upstream,
    rows,
    asked: gathered.value.asked,
    received,
    dropped: dropped.length,
    lost,
  });
}

/**
 * Asks the sources in order until one gives a good answer, and keeps the status. The failure is that of the first
 * source. A source that fails or gives an implausible answer is skipped; the next round begins with the first again.
 */
export async function firstOf<Row>(
  context: JobContext,
  job: string,
  candidates: readonly Candidate<Row>[],
  { signal }: Pick<Round, 'signal'>,
): Promise<Result<Found<Row>>> {
  return firstSuccess(
    candidates,
    async (candidate, _until, index) => {
      const { upstream } = candidate;
      const found = await askPoll(context, candidate, signal);
      if (signal.aborted) return failed('stopped', `${job}: stopped`);
      if (!found.ok) {
        context.status.failure(job, upstream, found.failure);
        return found;
      }
      const { dropped, lost, ...rest } = found.value;
      context.status.success(job, upstream, {
        ...rest,
        rows: rest.rows.length,
        dropped: {
          ...(dropped > 0 && { bad_row: dropped }),
          ...(lost > 0 && { request_failed: lost }),
        },
      });
      const others = candidates.slice(index + 1).map((other) => other.upstream);
      context.status.standby(job, others);
      return success(rest);
    },
    { clock: context.clock, until: Number.POSITIVE_INFINITY, isFinal: () => signal.aborted },
  );
}
