/** Searches for pairs, answered on demand: DexScreener, then GeckoTerminal. */

import type { Answers } from '../bus/respond.ts';
import { type Result, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import { dexscreener } from '../providers/dexscreener.ts';
import { geckoterminal } from '../providers/geckoterminal.ts';
import type { PairQuery } from '../providers/pair.ts';
import type { Fetched, QueryCaches } from '../queries/query-cache.ts';
import { validRows } from '../sources/define.ts';
import type { Asking, DexParams, DexReply } from '../topics/index.ts';
import type { HttpClient } from '../upstream/client.ts';
import { firstSuccess } from '../upstream/first-success.ts';

export interface DexContext {
  /** The client of an upstream, by its id. */
  client(upstream: string): Pick<HttpClient, 'send'>;
  clock: Clock;
  caches: Pick<QueryCaches, 'open'>;
}

/** Cache lifetime of an answer, ms. */
const ttl = 15_000;
/** Least time, ms, for which a request is sent. */
const leastTime = 100;

/** A way to ask one upstream. */
interface DexUpstream {
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
} as const satisfies Record<string, readonly DexUpstream[]>;

async function askOne(
  { client, clock }: DexContext,
  { upstream, query }: DexUpstream,
  asked: string,
  { deadline: until, account }: Asking,
): Promise<Result<Fetched<DexReply>>> {
  const deadline = until - clock.monotonic();
  const answer = await client(upstream).send(query.request(asked), { deadline, account });
  if (!answer.ok) return answer;
  const { body, received } = answer.value;
  const parsed = validRows(() => query.parse(body, asked));
  if (!parsed.ok) return parsed;
  const value = { pairs: parsed.value.rows, source: upstream, received };
  return success({ value, received, until: clock.now() + ttl });
}

/** One query: its sources in order. */
function answering(context: DexContext, name: keyof typeof ways) {
  const { clock, caches } = context;
  const cache = caches.open<DexReply>('dex', name);
  return ({ asked }: DexParams, { deadline, account }: Asking) =>
    cache.load(asked, account, () =>
      firstSuccess(
        ways[name],
        (way, until) => askOne(context, way, asked, { deadline: until, account }),
        { clock, until: deadline, leastTime },
      ),
    );
}

/** The handlers, ready for the bus. `asked` is what actors/defi/query.ts gave; upstream trouble is a value. */
export const dexAnswers = (context: DexContext) =>
  ({
    dexSearch: answering(context, 'dexSearch'),
    dexToken: answering(context, 'dexToken'),
  }) satisfies Answers;
