/** Asks sources: the answers of one poll together, and one figure from the first of its sources that gives a good answer. */
import { type Failure, failed, type Result, success } from '../../failure.ts';
import type { HttpClient } from '../../upstream/client.ts';
import { firstSuccess } from '../../upstream/first-success.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../upstream/request.ts';
import type { JobContext } from '../context.ts';
import { type Poll, type PollPlan, validRows } from '../define.ts';
import type { Round } from '../job.ts';
import { countsOf } from '../status/status.ts';

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
  /** What was not used, by reason. */
  dropped: Readonly<Record<string, number>>;
}

const usualDeadline = 20_000;

/** Asks one source and reads its answer. Upstream trouble is a value. */
export async function askPoll<Row>(
  { client, clock }: Pick<JobContext, 'client' | 'clock'>,
  candidate: Candidate<Row>,
  signal: AbortSignal,
): Promise<Result<Found<Row>>> {
  const { upstream, poll, deadline = usualDeadline, account, doubt } = candidate;
  const via = candidate.via ?? client(upstream);
  const plan = { ...candidate.plan, now: clock.now() };
  const asked = await askAll(poll.requests(plan), (request) =>
    via.send(request, { deadline, signal, account }),
  );
  const gathered = gather(asked, plan.now);
  if (!gathered.ok) return gathered;
  const { bodies, received, lost } = gathered.value;
  const parsed = validRows(() => poll.parse(bodies, { received, plan }));
  if (!parsed.ok) return parsed;
  const { rows } = parsed.value;
  const why = doubt?.(rows) ?? null;
  if (why !== null) return failed('shape', why);
  const dropped = countsOf(parsed.value.dropped, { request_failed: lost });
  return success({ source: upstream, rows, asked: gathered.value.asked, received, dropped });
}

/**
 * Asks the sources in order until one gives a good answer, and keeps the status. The failure is that of the first
 * source. A source that fails or gives an implausible answer is skipped; the next round begins with the first again.
 */
export const firstOf = <Row>(
  context: JobContext,
  job: string,
  candidates: readonly Candidate<Row>[],
  { signal }: Pick<Round, 'signal'>,
): Promise<Result<Found<Row>>> =>
  firstSuccess(
    candidates,
    async (candidate, _until, index) => {
      const { status } = context;
      const found = await askPoll(context, candidate, signal);
      if (signal.aborted) return failed('stopped', `${job}: stopped`);
      if (!found.ok) {
        status.failure(job, candidate.upstream, found.failure);
        return found;
      }
      status.success(job, candidate.upstream, { ...found.value, rows: found.value.rows.length });
      const others = candidates.slice(index + 1).map(({ upstream }) => upstream);
      status.standby(job, others);
      return found;
    },
    { clock: context.clock, until: Infinity, isFinal: () => signal.aborted },
  );

/** A request and its result. */
export interface Asked {
  request: UpstreamRequest;
  result: Result<UpstreamAnswer>;
}

/** Sends all requests at once. */
export const askAll = (
  requests: readonly UpstreamRequest[],
  send: (request: UpstreamRequest) => Promise<Result<UpstreamAnswer>>,
): Promise<Asked[]> =>
  Promise.all(requests.map(async (request) => ({ request, result: await send(request) })));

/** How long ago, ms, the oldest of the answers was given to a cache: one in front of an exchange gives old ones while that is away. */
export const oldestOf = (results: readonly Result<UpstreamAnswer>[]): number =>
  Math.max(0, ...results.map((result) => (result.ok && result.value.age) || 0));

/** The bodies of one poll, with the times around them. */
export interface Gathered {
  /** In the order of the requests; undefined for one that failed. */
  bodies: readonly unknown[];
  asked: number;
  received: number;
  /** Requests about single markets that failed. */
  lost: number;
  /** The failure of the first optional request that failed; null when none did. */
  missing: Failure | null;
}

/** The failures; that the upstream does not know a market is none. */
const failuresOf = (asked: readonly Asked[]): Failure[] =>
  asked.flatMap(({ result }) =>
    result.ok || result.failure.code === 'unknown_instrument' ? [] : [result.failure],
  );

/**
 * The bodies of one poll at `now` (Unix ms). A request about the venue as a whole fails the poll, unless it is optional; one about a
 * single market loses that market, unless all of them fail.
 */
export function gather(asked: readonly Asked[], now: number): Result<Gathered> {
  const optional = asked.filter(({ request }) => request.optional);
  const single = asked.filter(({ request }) => !request.optional && request.market !== undefined);
  for (const { request, result } of asked)
    if (!request.optional && request.market === undefined && !result.ok) return result;
  const lost = failuresOf(single);
  const last = lost.at(-1);
  if (last && lost.length === single.length) return { ok: false, failure: last };
  const answers = asked.flatMap(({ result }) => (result.ok ? [result.value] : []));
  return success({
    bodies: asked.map(({ result }) => (result.ok ? result.value.body : undefined)),
    asked: Math.min(now, ...answers.map((answer) => answer.asked)),
    received: Math.max(0, ...answers.map((answer) => answer.received)) || now,
    lost: lost.length,
    missing: failuresOf(optional)[0] ?? null,
  });
}
