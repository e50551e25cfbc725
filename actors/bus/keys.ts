/**
 * The names and lengths that every process must agree on. Scripts touch several keys at once, so Redis
 * Cluster is not supported.
 */

/** Stream of a topic: `key`, `seq` (grows by one per topic) and `data`. */
export const feedKey = (topic: string): string => `feed:${topic}`;
/** Hash of a topic: key to the payload that was published last. */
export const lastKey = (topic: string): string => `last:${topic}`;
/** The topic's newest sequence number. */
export const seqKey = (topic: string): string => `seq:${topic}`;
/** Stream of open queries to a source: `id`, `to` (reply stream), `within` (ms that the asker waits), `data` and `for` (account). */
export const queryKey = (source: string): string => `query:${source}`;
/** Stream of replies to one process: `id` and `data`. */
export const replyKey = (process: string): string => `reply:${process}`;
/** Sign of life of a process that serves queries. `liveness.ts` builds the same name inside Lua. */
export const aliveKey = (process: string): string => `alive:${process}`;
/** Window of an upstream's budget, of the processes whose requests leave from one address: see `budgets.ts`. */
export const budgetKey = (address: string, name: string): string => `budget:${address}${name}`;
/** Until when an API wants no requests, and why. */
export const pauseKey = (address: string, api: string): string => `pause:${address}${api}`;
/** Hash of an account's active API keys: id to digest. */
export const accountKeysOf = (account: string): string => `auth:keys:${account}`;
export const leaseKey = (name: string): string => `lease:${name}`;
/** Newest fencing number of a lease; never expires. */
export const fenceKey = (name: string): string => `fence:${name}`;
/** The time, Unix ms, that a process has last left here to see when it arrives at a replica. */
export const markKey = (process: string): string => `mark:${process}`;
export const markLife = 60_000;
/** The process that gets a lease next, and after a slash whether it is `ready`. */
export const standbyKey = (name: string): string => `standby:${name}`;

/** Consumer group of every stream of queries. */
export const group = 'servers';

/** Milliseconds that a blocking read waits; a stop or a dead peer is noticed within it. */
export const block = 1_000;

/** Queries that wait for one source at most, expired ones not counted; more are refused. */
export const queryLength = 65_536;

/**
 * Length that trimming leaves of a reply stream. An open query gets one reply, a second when it was claimed from a
 * process that still lived: twice the open queries, of which ASK_IN_FLIGHT allows 32,000, can never be trimmed unread.
 */
export const replyLength = 65_536;

/** Milliseconds for which unread replies are kept after the end of their process. */
export const replyLife = 120_000;

/** Life of an `alive:` key and the time between renewals, ms. */
export const aliveLife = 3_000;
export const beat = 1_000;
