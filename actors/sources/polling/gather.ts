/** Combines the answers of one poll: failures of optional and of required requests, and older bodies in place of new. */
import type { Failure, Result } from '../../failure.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../upstream/request.ts';
import type { Gathered } from './publisher.ts';

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
