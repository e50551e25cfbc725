/** The Redis keys of alerts, beside the streams of their topics. They stand on the server of accounts and API keys. */

/** Hash of the revision of every rule, by its id: without one there is no such rule. */
export const revisionsKey = 'alerts:revisions';
/** Hash of the rules of an account: id to the time of creation, Unix ms. */
export const rulesOf = (account: string): string => `alerts:of:${account}`;
/** Hash of the states of a rule, by what it watches. */
export const stateOf = (id: string): string => `alerts:state:${id}`;
/** Stream of what is to be delivered, by shard. */
export const queuePrefix = 'alerts:queue:';
export const queueOf = (shard: number): string => `${queuePrefix}${shard}`;
/** Hash of the attempts so far, by the id of an entry of the queue. */
export const triesPrefix = 'alerts:tries:';
export const triesOf = (shard: number): string => `${triesPrefix}${shard}`;
/** Sorted set of what is to be delivered of an account: `shard entry rule`, by time. */
export const waitingOf = (account: string): string => `alerts:waiting:${account}`;
/** List of the entries of an account in the log of events, the oldest first. */
export const loggedOf = (account: string): string => `alerts:logged:${account}`;
/** Until when the events of an account use up its rate, Unix ms. */
export const rateOf = (account: string): string => `alerts:rate:${account}`;
/** Hash of the receivers of an account that fail: how they do, by their key. */
export const receiversOf = (account: string): string => `alerts:receivers:${account}`;
/** Stream of what could not be delivered to the receivers of an account. */
export const deadOf = (account: string): string => `alerts:dead:${account}`;
/** Hash of what webhooks of an account are signed with: `current`, `previous`, `until` (Unix ms). */
export const secretOf = (account: string): string => `alerts:secret:${account}`;
/** The place up to which the events of a log were looked at, by shard and path. */
export const placesOf = (shard: number): string => `alerts:places:${shard}`;
