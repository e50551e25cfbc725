import { performance } from 'node:perf_hooks';
import type { BusLog } from '../../actors/bus/log.ts';
import { type Clock, late, systemClock, within } from '../../actors/kernel/clock.ts';
import { type BudgetName, plans, budgets as usualBudgets } from '../../config/plans.ts';
import type { Caller } from '../caller.ts';
import { Bucket, reservationDeadline, untouched } from './bucket.ts';
import { Outage } from './outage.ts';
import type { QuotaStore, Usage } from './store.ts';

/** Buckets that are kept at once, of accounts and again of addresses; the oldest goes first. */
const capacity = 50_000;
const sweepEvery = 1_000;
/** Longest that `close` takes, milliseconds. */
const closeDeadline = 500;

export interface QuotaOptions {
  store: QuotaStore;
  /** Durations are measured with it; the process's steady clock when absent. */
  clock?: Clock;
  log: BusLog;
  /** Requests a minute of an account; those of its plan when absent. */
  limitOf?: (caller: Caller) => number;
  /** Requests a minute of an address; those of the free plan when absent. */
  addressLimit?: number;
  /** Requests a minute of each budget, for one account; those of config/plans.ts when absent. */
  budgets?: Readonly<Record<BudgetName, number>>;
}

/** Who may make how many requests: one bucket per account, per client address, and per account and budget. */
export interface Quota {
  account(caller: Caller): Bucket;
  address(address: string): Bucket;
  /** What an account has of a budget. */
  budget(name: BudgetName, caller: Caller): Bucket;
  /** Headers for an answer that is not counted and whose account is not known. */
  peek(address: string): string;
  /** The account's use over all processes; null when Redis cannot be asked. */
  usage(caller: Caller): Promise<(Usage & { limit: number }) | null>;
  /** Gives everything unspent back. */
  close(): Promise<void>;
}

/** A clock that is not set back or forward with the machine's. */
export const steadyClock: Clock = { now: () => performance.now(), after: systemClock.after };

const subjectOf = ({ account }: Caller): string => `account:${account}`;

/** Quotas over `store`, shared with every other process on it. */
export function createQuota(options: QuotaOptions): Quota {
  const { store, log, budgets = usualBudgets, clock = steadyClock } = options;
  const { limitOf = ({ plan }) => plans[plan].requestsPerMinute } = options;
  const { addressLimit = plans.free.requestsPerMinute } = options;
  const context = { store, clock, outage: new Outage(log, () => clock.now()) };
  const accounts = new Map<string, Bucket>();
  const addresses = new Map<string, Bucket>();
  const shares = new Map<string, Bucket>();

  const keep = (buckets: Map<string, Bucket>, name: string, bucket: Bucket): Bucket => {
    const oldest = buckets.size < capacity ? undefined : buckets.keys().next().value;
    if (oldest !== undefined) buckets.delete(oldest);
    buckets.set(name, bucket);
    return bucket;
  };

  const account = (caller: Caller): Bucket => {
    const limit = limitOf(caller);
    const known = accounts.get(caller.account);
    if (known === undefined) {
      return keep(accounts, caller.account, new Bucket(context, subjectOf(caller), limit));
    }
    if (known.limit !== limit) known.limitTo(limit);
    return known;
  };

  const fresh = untouched(addressLimit);
  const stopSweeping = every(clock, () => {
    const now = clock.now();
    for (const buckets of [accounts, addresses, shares]) {
      for (const [name, bucket] of buckets) if (bucket.sweep(now)) buckets.delete(name);
    }
  });

  return {
    account,
    address: (address) =>
      addresses.get(address) ??
      keep(addresses, address, new Bucket(context, `address:${address}`, addressLimit)),
    budget(name, caller) {
      const subject = `${name}:${subjectOf(caller)}`;
      return (
        shares.get(subject) ?? keep(shares, subject, new Bucket(context, subject, budgets[name]))
      );
    },
    peek: (address) => addresses.get(address)?.lines() ?? fresh,
    async usage(caller) {
      const bucket = account(caller);
      await bucket.settle(false);
      const asked = store.usage(bucket.subject).catch(() => null);
      const usage = await within(clock, reservationDeadline, asked);
      return usage === null || usage === late ? null : { ...usage, limit: bucket.limit };
    },
    async close() {
      stopSweeping();
      const buckets = [accounts, addresses, shares].flatMap((kept) => [...kept.values()]);
      const settled = Promise.all(buckets.map((bucket) => bucket.settle(true)));
      await within(clock, closeDeadline, settled);
    },
  };
}

function every(clock: Clock, work: () => void): () => void {
  let cancel = () => {};
  const next = () => {
    cancel = clock.after(sweepEvery, next);
    work();
  };
  cancel = clock.after(sweepEvery, next);
  return () => cancel();
}
