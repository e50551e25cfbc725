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
/** Stream of open requests: `id`, `to` (reply stream), `by` (deadline, Unix ms) and `data`. */
export const askKey = (service: string): string => `ask:${service}`;
/** Stream of replies to one process: `id` and `data`. */
export const replyKey = (process: string): string => `reply:${process}`;
/** Sign of life of an answering process. `liveness.ts` builds the same name inside Lua. */
export const aliveKey = (process: string): string => `alive:${process}`;
export const leaseKey = (name: string): string => `lease:${name}`;
/** Newest fencing number of a lease; never expires. */
export const fenceKey = (name: string): string => `fence:${name}`;

/** Consumer group of every ask stream. */
export const group = 'answerers';

/** Milliseconds that a blocking read waits; also how soon a stop or a dead peer is noticed at the latest. */
export const block = 1_000;

/** Requests that wait for one service at most, expired ones not counted; more are refused. */
export const askLength = 65_536;

/** Open asks of one process at most, whatever its own cap. */
export const mostInFlight = 32_000;

/**
 * Length that trimming leaves of a reply stream. An open ask gets one reply, a second when its request was
 * claimed from a process that still lived: twice the open asks can never be trimmed unread.
 */
export const replyLength = 65_536;

/** Milliseconds that unread replies outlive their process. */
export const replyLife = 120_000;

/** Life of an `alive:` key and the time between renewals, ms. */
export const aliveLife = 3_000;
export const beat = 1_000;
