/** How long values take to the clients of streams: what is needed of that measurement. */

/** What has made an answer newer, and when its newest value there was received, Unix ms. */
export interface Cause {
  name: string;
  received: number;
}

/** How long values take to the clients. */
export interface Deliveries {
  /** What announces a change of the key just now; null where that is not measured. */
  cause(key?: string): Cause | null;
  /** A version of an answer that it has caused was written to all of its followers, at `now`, Unix ms. */
  delivered(cause: Cause, now: number): void;
}

/** Notes a cause, in place of an earlier one of its name. */
export function noteCause(causes: Cause[], cause: Cause): void {
  const at = causes.findIndex(({ name }) => name === cause.name);
  causes[at < 0 ? causes.length : at] = cause;
}
