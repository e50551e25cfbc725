/** How rules are divided over the processes that evaluate them. */
import { hash } from 'node:crypto';

/** Shards of all rules: each is one process's at a time, by a lease. */
export const shardCount = 8;

/** The shard of a rule. */
export const shardOf = (id: string): number =>
  Number.parseInt(hash('sha256', id, 'hex').slice(0, 8), 16) % shardCount;

/** The name of the lease of a shard. */
export const leaseOf = (shard: number): string => `alerts/${shard}`;
