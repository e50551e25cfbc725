/**
 * The front with keys and quotas, in a process of its own: `node gated.ts PORT`, with the URL of the Redis on
 * standard input. After `{counting: false}` it counts no answers until `{counting: true}`. Views, queries,
 * the gate and the quotas are the product's own, over that Redis; only the plan's limit is out of reach, since what a
 * request costs is measured and not how few there may be. It sends `{key, usedUp, others}` when it listens: a key with the
 * large limit, one whose account has used up the free plan, and those of 100 accounts with a large limit each of its own.
 */
import { text } from 'node:stream/consumers';
import { createBus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { chosenSources } from '../../cmd/process/sources.ts';
import { catalogueOf } from '../../cmd/process/venues.ts';
import { createViews } from '../../cmd/process/views.ts';
import { defaultPlans } from '../../config/plans.ts';
import { FrontQueries } from '../../http/answers/queries.ts';
import { createAuth } from '../../http/auth/gate.ts';
import { Counters } from '../../http/endpoints/counters.ts';
import { createQuota } from '../../http/quota/quota.ts';
import { createQuotaStore } from '../../http/quota/store.ts';
import { settledFundingRoutes } from '../../http/routes/analytics/settled-funding.ts';
import { dexRoutes } from '../../http/routes/dex.ts';
import { marketRoutes } from '../../http/routes/market.ts';
import { marketTables } from '../../http/routes/markets/index.ts';
import { onDemandRoutes } from '../../http/routes/on-demand.ts';
import { optionsRoutes } from '../../http/routes/options/index.ts';
import { createServer } from '../../http/server/server.ts';
import { isApiError } from '../../http/wire/errors.ts';

const outOfReach = 900_000_000;

/** Counters whose counts and latencies of answers can be left out. */
class Switched extends Counters {
  counting = true;

  override answered(slot: number, status: number, bytes: number, now?: number): void {
    if (this.counting) super.answered(slot, status, bytes, now);
  }
}

const [, , port] = process.argv;
const url = await text(process.stdin);
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: console.error };
process.on('disconnect', () => process.exit(0));

const bus = createBus({ url, process: 'gated' });
const { venues } = chosenSources([]);
const views = createViews({ lendingLeastTvl: 0, venues });
bus.follow(views.handlers);
const auth = createAuth({
  redisUrl: url,
  process: 'gated',
  provider: null,
  publish: (topic, key, value) => bus.publish(topic, key, value),
  log,
});
const limits = new Map([['heavy', outOfReach]]);
const others = Array.from({ length: 100 }, (_, i) => `other-${i}`);
for (const [i, account] of others.entries()) limits.set(account, outOfReach + i);
const limitOf = ({ account }: { account: string }) =>
  limits.get(account) ?? defaultPlans.of('free').requestsPerMinute;
const quota = createQuota({ store: createQuotaStore({ url, name: 'gated' }), log, limitOf });

const context = { ...views, ...catalogueOf(venues) };
const routes = [
  ...marketRoutes({ ...context, registry: [], clock }),
  ...dexRoutes(context),
  ...settledFundingRoutes(context),
  ...optionsRoutes(context),
  ...onDemandRoutes(context),
  ...marketTables({ ...context, clock }),
].map((row) => ({ ...row, access: 'key' as const }));
const cors = { origins: ['*'] };
const counters = new Switched(routes, clock);
process.on('message', (message) => {
  if (typeof message === 'object' && message !== null && 'counting' in message)
    counters.counting = message.counting === true;
});
await createServer({
  routes,
  host: '127.0.0.1',
  port: Number(port),
  cors,
  version: 'bench',
  gate: auth.gate,
  quota,
  counters,
  queries: new FrontQueries({ bus, clock, random: Math.random }),
});

async function keyOf(account: string): Promise<string> {
  const made = await auth.keys.create({ account, plan: 'free', key: null }, 'bench', '');
  if (isApiError(made)) throw new Error(made.message);
  return made.key ?? '';
}

process.send?.({
  key: await keyOf('heavy'),
  usedUp: await keyOf('light'),
  others: await Promise.all(others.map(keyOf)),
});
