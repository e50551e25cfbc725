import type { BusLog } from '../../actors/bus/log.ts';
import { type Clock, every, systemClock, within } from '../../actors/kernel/clock.ts';
import {
  type BudgetName,
  defaultPlans,
  type Plans,
  budgets as usualBudgets,
} from '../../config/plans.ts';
import type { Caller } from '../auth/caller.ts';
import { linkRequests } from '../auth/link.ts';
import { BoundedMap } from '../wire/bounded-map.ts';
import { quotaLines } from '../wire/form.ts';
import { type Allowance, unlimited } from './allowance.ts';
import { Bucket, type BucketContext } from './bucket.ts';
import { Outage } from './outage.ts';
import { inTime, type QuotaStore, type Usage, windowSeconds } from './store.ts';
import { Within } from './within.ts';

/** Most buckets of accounts, and of addresses; the oldest is dropped first. */
const capacity = 50_000;
const sweepEvery = 1_000;
/** Longest duration of `close`, milliseconds. */
const closeDeadline = 500;

export interface QuotaOptions {
  store: QuotaStore;
  /** Measures durations; the monotonic clock of the process when absent. */
  clock?: Clock;
  log: BusLog;
  /** Those of specification 8 when absent. */
  plans?: Plans;
  /** Requests a minute of an account, null for no limit; those of its plan when absent. */
  limitOf?: (caller: Caller) => number | null;
  /** Requests a minute of each budget, for one account; those of config/plans.ts when absent. */
  budgets?: Readonly<Record<BudgetName, number>>;
}

/** The use of an account in its current window; `used` is null without a limit, because nothing is counted. */
export interface AccountUsage extends Omit<Usage, 'used'> {
  used: number | null;
  limit: number | null;
  /** Requests that this process would still admit in the window, as the headers say; null without a limit. */
  remaining: number | null;
}

/** The quotas of one process: one bucket per account, per client address, and per account and budget. */
export interface Quota {
  account(caller: Caller): Allowance;
  address(address: string): Allowance;
  /** The allowance of an account in a budget. */
  budget(name: BudgetName, caller: Caller): Allowance;
  /** Most requests of the account that may wait for their answers at once in this process. */
  connections(caller: Caller): number;
  /** Answers that the streams of the account may follow at once in this process, Infinity without a limit. */
  subscriptions(caller: Caller): number;
  /** Headers of an answer that is not counted and has no account. */
  peek(address: string): string;
  /** The use of the account over all processes; null when Redis does not answer. */
  usage(caller: Caller): Promise<AccountUsage | null>;
  /** Returns all unspent requests. */
  close(): Promise<void>;
}

/** The buckets of one kind by key, the least recently created dropped beyond `capacity`. */
class Buckets {
  readonly #buckets = new BoundedMap<string, Bucket>(
    { entries: capacity },
    {
      dropped: (bucket) => {
        bucket.gone = true;
      },
    },
  );
  readonly #context: BucketContext;
  readonly #prefix: string;

  /** The subject of a bucket in the store is `prefix` and its key. */
  constructor(context: BucketContext, prefix: string) {
    this.#context = context;
    this.#prefix = prefix;
  }

  /** The bucket of a key with this limit, created where there is none. */
  of(key: string, limit: number): Bucket {
    const known = this.#buckets.get(key);
    if (known === undefined) return this.#create(key, limit);
    if (known.limit !== limit) known.limitTo(limit);
    return known;
  }

  peek(key: string): Bucket | undefined {
    return this.#buckets.get(key);
  }

  all(): Iterable<Bucket> {
    return this.#buckets.values();
  }

  sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (!bucket.sweep(now)) continue;
      bucket.gone = true;
      this.#buckets.delete(key);
    }
  }

  #create(key: string, limit: number): Bucket {
    const bucket = new Bucket(this.#context, this.#prefix + key, limit);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

/** The headers of who has not asked yet, made anew when the limit has changed. */
function linesOfFresh(limitNow: () => number | null): () => string {
  let fresh: { limit: number | null; lines: string } | null = null;
  return () => {
    const limit = limitNow();
    if (fresh?.limit !== limit) {
      const lines = quotaLines({ limit, remaining: limit ?? 0, seconds: windowSeconds });
      fresh = { limit, lines };
    }
    return fresh.lines;
  };
}

/** What an account has used, with what this process has not reported before; null where the store does not answer. */
async function usageOf(bucket: Bucket, { store, clock }: Pick<BucketContext, 'store' | 'clock'>) {
  // Redis answers in the order of its questions: the use has what is reported with it.
  const isFirst = !bucket.isSettling;
  const reported = bucket.settle(false);
  if (!isFirst) await reported;
  const [usage] = await Promise.all([inTime(clock, store.usage(bucket.subject)), reported]);
  return usage instanceof Error ? null : usage;
}

/** Quotas over `store`, shared with every other process on it. */
export function createQuota(options: QuotaOptions): Quota {
  const { store, log, budgets = usualBudgets, clock = systemClock } = options;
  const { plans = defaultPlans } = options;
  const { limitOf = ({ plan }) => plans.of(plan).requestsPerMinute } = options;
  // Clients without an account have the limit of the free plan.
  const addressLimit = () => plans.of('free').requestsPerMinute;
  let settlements = 0;
  const context = {
    store,
    clock,
    outage: new Outage(log, () => clock.monotonic()),
    next: () => ++settlements,
  };
  const accounts = new Buckets(context, 'account:');
  const addresses = new Buckets(context, 'address:');
  const shares = new Buckets(context, '');
  const kinds = [accounts, addresses, shares];

  const freshLines = linesOfFresh(addressLimit);
  const stopSweeping = every(clock, sweepEvery, () => {
    const now = clock.monotonic();
    for (const buckets of kinds) buckets.sweep(now);
  });

  return {
    account(caller) {
      const limit = limitOf(caller);
      const account = limit === null ? unlimited : accounts.of(caller.account, limit);
      if (!caller.link) return account;
      const most = Math.min(limit ?? linkRequests, linkRequests);
      return new Within(shares.of(`link:${caller.key}`, most), account);
    },
    address(address) {
      const limit = addressLimit();
      return limit === null ? unlimited : addresses.of(address, limit);
    },
    budget: (name, { account }) => shares.of(`${name}:account:${account}`, budgets[name]),
    subscriptions: ({ plan }) => plans.of(plan).subscriptions ?? Number.POSITIVE_INFINITY,
    connections: ({ plan }) => plans.of(plan).connections ?? Number.POSITIVE_INFINITY,
    peek(address) {
      const bucket = addresses.peek(address);
      return bucket === undefined ? freshLines() : quotaLines(bucket.state(false));
    },
    async usage(caller) {
      const limit = limitOf(caller);
      if (limit === null)
        return { limit, used: null, remaining: null, resetIn: null, keys: new Map() };
      const bucket = accounts.of(caller.account, limit);
      const usage = await usageOf(bucket, context);
      return usage && { ...usage, limit, remaining: bucket.state(false).remaining };
    },
    async close() {
      stopSweeping();
      const buckets = kinds.flatMap((one) => [...one.all()]);
      const settled = Promise.all(buckets.map((bucket) => bucket.settle(true)));
      await within(clock, closeDeadline, settled);
    },
  };
}
