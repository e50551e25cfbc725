import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../actors/kernel/clock.ts';
import { digestOf, generateKey, generateTicket, prefixOf } from './api-key.ts';
import { KeyStore } from './key-store.ts';
import type { AuthLog } from './log.ts';

export interface IssueOptions {
  redisUrl: string;
  account: string;
  plan: string;
  /** Of the key, as lists show it. */
  name: string;
  /** Those that a link key reads; absent for others. */
  paths?: readonly string[] | undefined;
  /** How long Redis may take to become ready, ms; 10,000 when absent. */
  patience?: number | undefined;
  log: Pick<AuthLog, 'info' | 'warn' | 'error'>;
}

/** Between attempts, ms. */
const pause = 100;

/**
 * Makes a key for an account, whatever its limit, without a token: for the operator, who has access to its Redis.
 * Returns the full key. Rejects when Redis stays away.
 */
export const issueKey = (options: IssueOptions): Promise<string> => withStore(options, issue);

/** A new key, or the prefix of an existing one. */
export type IssuedKey = { key: string; prefix?: undefined } | { key?: undefined; prefix: string };

/** As `issueKey`; the prefix of the oldest active key when the account has one. */
export const firstKey = (options: IssueOptions): Promise<IssuedKey> =>
  withStore(options, async (store) => {
    const keys = await store.list(options.account);
    const known = keys.find(({ revoked }) => revoked === null);
    return known ? { prefix: known.prefix } : { key: await issue(store, options) };
  });

/** A code that signs one browser in to an account, once and within an hour. Rejects when Redis stays away. */
export const issueCode = (options: IssueOptions): Promise<string> =>
  withStore(options, async (store, { account, plan }) => {
    const now = Date.now();
    await store.observe({ account, plan, issued: Math.floor(now / 1000), now });
    const code = generateTicket();
    await store.putCode(digestOf(code), account);
    return code;
  });

/** Tries until it succeeds or Redis stays away. */
async function withStore<T>(
  options: IssueOptions,
  use: (store: KeyStore, options: IssueOptions) => Promise<T>,
): Promise<T> {
  const { redisUrl, patience = 10_000, log } = options;
  const store = new KeyStore(redisUrl, { name: 'issue-key', clock: systemClock, log });
  const end = performance.now() + patience;
  try {
    for (;;) {
      try {
        return await use(store, options);
      } catch (error) {
        if (performance.now() > end) throw error;
        await wait(pause);
      }
    }
  } finally {
    store.close();
  }
}

async function issue(
  store: KeyStore,
  { account, plan, name, paths }: IssueOptions,
): Promise<string> {
  const now = Date.now();
  await store.observe({ account, plan, issued: Math.floor(now / 1000), now });
  const key = generateKey(paths === undefined ? 'live' : 'link');
  await store.create({
    account,
    id: randomUUID(),
    digest: digestOf(key),
    name,
    prefix: prefixOf(key),
    created: now,
    most: null,
    ...{ creation: null, paths },
  });
  return key;
}
