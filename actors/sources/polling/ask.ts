/** Asks sources: the answers of one poll together, and one figure from the first of its sources that gives a good answer. */

import { type Failure, failed, type Result, success } from '../../failure.ts';
import type { HttpClient } from '../../upstream/client.ts';
import { firstSuccess } from '../../upstream/first-success.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../upstream/request.ts';
import type { JobContext } from '../context.ts';
import type { Poll, PollPlan } from '../define.ts';
import type { Round } from '../job.ts';
import { validRows } from '../quality/body.ts';
import { countsOf } from '../status/status.ts';
import type { Gathered } from './publisher.ts';

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
  const asked = await askAll(poll.requests(full), (request) =>
    via.send(request, { deadline, signal, account }),
  );
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
        dropped: countsOf([], { bad_row: dropped, request_failed: lost }),
      });
      const others = candidates.slice(index + 1).map((other) => other.upstream);
      context.status.standby(job, others);
      return success(rest);
    },
    { clock: context.clock, until: Number.POSITIVE_INFINITY, isFinal: () => signal.aborted },
  );
}

/** Number of polls for which a last good body is used. */
const lasting = 10;

/** The last good bodies of optional requests, each until it is ten polls old. */
export class LastGoodBodies {
  readonly #every: number;
  readonly #lastGood = new Map<string, UpstreamAnswer>();

  /** `every` is the time between two polls, ms. */
  constructor(every: number) {
    this.#every = every;
  }

  /** Removes bodies that are too old: markets come and go. */
  forget(now: number): void {
    for (const [key, { received }] of this.#lastGood) {
      if (now - received > lasting * this.#every) this.#lastGood.delete(key);
    }
  }

  /** Remembers a request's good body; gives the last one, or undefined, for one that failed. */
  bodyOf(request: UpstreamRequest, result: Result<UpstreamAnswer>, now: number): unknown {
    const { api, method, path, query, text, body } = request;
    const key = JSON.stringify([api, method, path, query, text, body]);
    if (result.ok) {
      this.#lastGood.set(key, result.value);
      return result.value.body;
    }
    const last = this.#lastGood.get(key);
    return last && now - last.received <= lasting * this.#every ? last.body : undefined;
  }
}

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

const failuresOf = (asked: readonly Asked[]): Failure[] =>
  asked.flatMap(({ result }) => (result.ok ? [] : [result.failure]));

/** A market that the upstream does not know is not a failure. */
const isFailure = ({ code }: Failure) => code !== 'unknown_instrument';

/** Markets with several requests, one of which at least was answered. */
function answeredInPart(single: readonly Asked[]): ReadonlySet<string | undefined> {
  const counts = new Map<string | undefined, number>();
  for (const { market } of single.map(({ request }) => request)) {
    counts.set(market, (counts.get(market) ?? 0) + 1);
  }
  const answered = single.filter(({ result }) => result.ok).map(({ request }) => request.market);
  return new Set(answered.filter((market) => (counts.get(market) ?? 0) > 1));
}

/**
 * The bodies of one poll. A request about the venue as a whole fails the poll, unless it is optional; one about a
 * single market loses that market, unless all of them fail. Where another request about the same market was answered, the last
 * good body replaces that of the failed one, as for an optional request.
 */
export function gather(
  asked: readonly Asked[],
  { now, lastGoodBodies }: { now: number; lastGoodBodies: LastGoodBodies },
): Result<Gathered> {
  const optional = asked.filter(({ request }) => request.optional);
  const single = asked.filter(({ request }) => !request.optional && request.market !== undefined);
  const needed = asked.filter(({ request }) => !request.optional && request.market === undefined);
  const lost = failuresOf(single).filter(isFailure);
  const failure =
    failuresOf(needed)[0] ?? (lost.length === single.length ? lost.at(-1) : undefined);
  if (failure) return { ok: false, failure };
  lastGoodBodies.forget(now);
  const inPart = answeredInPart(single);
  const answers = asked.flatMap(({ result }) => (result.ok ? [result.value] : []));
  return {
    ok: true,
    value: {
      bodies: asked.map(({ request, result }) => {
        if (request.optional || inPart.has(request.market))
          return lastGoodBodies.bodyOf(request, result, now);
        return result.ok ? result.value.body : undefined;
      }),
      asked: Math.min(now, ...answers.map((answer) => answer.asked)),
      received: Math.max(0, ...answers.map((answer) => answer.received)) || now,
      lost: lost.length,
      missing: failuresOf(optional).find(isFailure) ?? null,
    },
  };
}
