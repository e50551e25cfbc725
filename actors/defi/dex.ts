/** Searches for pairs, answered on demand: DexScreener, then GeckoTerminal. */
import type { Answers } from '../bus/respond.ts';
import { type Failure, failed, type Result, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import { soundRows } from '../sources/sound.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { PairQuery } from './pair.ts';
import type { DexReply } from './types.ts';
import { dexscreener } from './upstreams/dexscreener.ts';
import { geckoterminal } from './upstreams/geckoterminal.ts';

export interface DexContext {
  /** The client of an upstream, by its id. */
  client(upstream: string): Pick<HttpClient, 'send'>;
  clock: Clock;
}

/** How long an answer is given again, ms, and how many are kept. */
const lasting = 15_000;
const capacity = 1_000;
/** Below this, ms, asking is not worth it. */
const leastTime = 100;

/** A way to ask one upstream. */
interface Way {
  upstream: string;
  query: PairQuery;
}

const ways = {
  dexSearch: [
    { upstream: dexscreener.id, query: dexscreener.queries.search },
    { upstream: geckoterminal.id, query: geckoterminal.queries.search },
  ],
  dexToken: [
    { upstream: dexscreener.id, query: dexscreener.queries.token },
    { upstream: geckoterminal.id, query: geckoterminal.queries.token },
  ],
} as const satisfies Record<string, readonly Way[]>;

async function askOne(
  { client, clock }: DexContext,
  { upstream, query }: Way,
  asked: string,
  until: number,
): Promise<Result<DexReply>> {
  const deadline = until - clock.now();
  const answer = await client(upstream).send(query.request(asked), { deadline, urgent: true });
  if (!answer.ok) return answer;
  const { body, received } = answer.value;
  const parsed = soundRows(() => query.parse(body, asked));
  return parsed.ok ? success({ pairs: parsed.value.rows, source: upstream, received }) : parsed;
}

/** Each source may take an equal share of the time that is left; the failure is that of the first. */
async function askAll(
  context: DexContext,
  sources: readonly Way[],
  asked: string,
  deadline: number,
): Promise<Result<DexReply>> {
  let first: Failure | null = null;
  for (const [index, way] of sources.entries()) {
    const now = context.clock.now();
    if (deadline - now < leastTime) break;
    const until = now + (deadline - now) / (sources.length - index);
    const reply = await askOne(context, way, asked, until);
    if (reply.ok) return reply;
    first ??= reply.failure;
  }
  return first === null ? failed('timeout', 'no time left') : { ok: false, failure: first };
}

/** One kind of question: equal ones under way share one call, and good answers are given again for 15 s. */
function answering(context: DexContext, sources: readonly Way[]) {
  const open = new Map<string, Promise<Result<DexReply>>>();
  const kept = new Map<string, { reply: DexReply; until: number }>();
  const keep = (asked: string, reply: DexReply) => {
    kept.delete(asked);
    kept.set(asked, { reply, until: context.clock.now() + lasting });
    const oldest = kept.size > capacity ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
  };
  const ask = async (asked: string, deadline: number) => {
    const reply = await askAll(context, sources, asked, deadline);
    if (reply.ok) keep(asked, reply.value);
    return reply;
  };
  return async (
    { asked }: { asked: string },
    { deadline }: { deadline: number },
  ): Promise<Result<DexReply>> => {
    const ready = kept.get(asked);
    if (ready && ready.until > context.clock.now()) return success(ready.reply);
    const joined = open.get(asked);
    if (joined !== undefined) return joined;
    const asking = ask(asked, deadline).finally(() => open.delete(asked));
    open.set(asked, asking);
    return asking;
  };
}

/** The handlers, ready for the bus. `asked` is what actors/defi/query.ts gave; upstream trouble is a value. */
export const dexAnswers = (context: DexContext) =>
  ({
    dexSearch: answering(context, ways.dexSearch),
    dexToken: answering(context, ways.dexToken),
  }) satisfies Answers;
