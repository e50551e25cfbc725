/** The state of each exchange and stream of liquidations in a view. */
import type { Liquidations } from '../../actors/topics/index.ts';
import { minute } from '../../config/time.ts';
import { HeardTimes } from '../../indicators/derivatives/liquidation-sums.ts';
import type { Event } from '../answers/event-log.ts';

/** Newest events of an exchange that are kept. */
const mostEvents = 2_000;
/** A stream has an entry every minute; after this time without one it counts as not received, ms. */
const overdue = 150_000;
/** How long a stream must be lost to count as not connected, ms. */
const lost = minute;

/** The newest events of one exchange by their time, ascending. */
export class Newest {
  readonly events: Event[] = [];

  add(event: Event): void {
    const { events } = this;
    let at = events.length;
    while (at > 0 && (events[at - 1]?.timestamp ?? 0) > event.timestamp) at--;
    if (at === events.length) events.push(event);
    else events.splice(at, 0, event);
    if (events.length > 2 * mostEvents) events.splice(0, events.length - mostEvents);
  }
}

/** The state of one stream. */
export class FeedCoverage {
  readonly times = new HeardTimes();
  #at = 0;
  #open = false;
  #last = 0;
  #repeated = 0;

  /** False for an entry that was taken before. */
  accept({ at, since }: Liquidations): boolean {
    if (at < this.#repeated) return false;
    this.#last = Math.max(this.#last, at);
    if (since !== null) this.times.add(since, at);
    this.#open = since !== null;
    if (this.#open || this.#at === 0) this.#at = at;
    return true;
  }

  /** The log follows from its beginning. */
  repeat(): void {
    this.#repeated = this.#last;
  }

  /** Takes over what is stored: the time of its last entry, and minutes (Unix ms) with the received time of each. */
  restore(at: number, minutes: readonly (readonly [start: number, ms: number])[]): void {
    this.times.expire(Infinity);
    for (const [start, ms] of minutes) this.times.add(start, start + ms);
    const end = (minutes.at(-1)?.[0] ?? -minute) + minute;
    this.#open = end >= at;
    this.#at = Math.min(at, end);
    this.#last = at;
    this.#repeated = 0;
  }

  isConnected(now: number): boolean {
    return this.#at > 0 && now - this.#at <= (this.#open ? overdue : lost);
  }
}
