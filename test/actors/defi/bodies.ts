/** Bodies and contexts for the tests of DeFi upstreams. */
import { readFileSync } from 'node:fs';
import type { PollContext } from '../../../actors/sources/define.ts';
import type { LendingPool } from '../../../actors/topics/defi.ts';

/** 2025-06-15 15:06:40 UTC. */
export const now = 1_750_000_000_000;
export const context: PollContext = { received: now, plan: { now } };

/** A body of our own making in the documented format: `test/fixtures/<upstream>/<name>.json`. */
export const body = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8'));

/** A lending pool with what the test is about. */
export const pool = (facts: Partial<LendingPool> = {}): LendingPool => ({
  protocol: 'aave-v3',
  chain: 'ethereum',
  asset: 'USDC',
  pool_id: 'a',
  supply_apy: 3,
  borrow_apy: 5,
  tvl_usd: 1_000_000,
  utilization: 0.5,
  reward_apy: null,
  borrowable: true,
  updated_at: now,
  ...facts,
});
