import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PlanName } from '../../config/plans.ts';
import { digestOf, generateKey, prefixOf } from './api-key.ts';
import { KeyStore } from './key-store.ts';
import type { AuthLog } from './log.ts';

export interface IssueOptions {
  redisUrl: string;
  account: string;
  plan: PlanName;
  /** Of the key, as lists show it. */
  name: string;
  /** How long Redis may take to become ready, ms; 10,000 when absent. */
  patience?: number;
  log: Pick<AuthLog, 'info' | 'warn' | 'error'>;
}

/** Between attempts, ms. */
const pause = 100;

/**
 * A fresh key for an account, whatever its limit, without a token: for whoever runs the service, who has its Redis
 * at hand. Gives the full key. Rejects when Redis stays away.
 */
export async function issueKey(options: IssueOptions): Promise<string> {
  const { redisUrl, patience = 10_000, log } = options;
  const store = new KeyStore(redisUrl, 'issue-key', log);
  const end = performance.now() + patience;
  try {
    for (;;) {
      try {
        return await issue(store, options);
      } catch (error) {
        if (performance.now() > end) throw error;
        await wait(pause);
      }
    }
  } finally {
    store.close();
  }
}

async function issue(store: KeyStore, { account, plan, name }: IssueOptions): Promise<string> {
  const now = Date.now();
  await store.observe(account, plan, Math.floor(now / 1000));
  const key = generateKey();
  await store.create({
    account,
    id: randomUUID(),
    digest: digestOf(key),
    name,
    prefix: prefixOf(key),
    created: now,
    most: null,
    creation: null,
  });
  return key;
}
