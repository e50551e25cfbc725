/** When the streams of events of exchanges were received. */
import * as topics from '../../actors/topics/index.ts';
import { day, minute } from '../../config/time.ts';
import { HeardTimes } from '../../indicators/derivatives/liquidation-sums.ts';
import { covered } from '../../indicators/market/recorded.ts';

/** A stream has an entry every minute; after this time without one it counts as not received, ms. */
const overdue = 150_000;
/** How long a stream must be lost to count as not connected, ms. */
const lost = minute;

/** The state of one stream. */
class FeedCoverage {
  readonly times = new HeardTimes();
  #at = 0;
  #open = false;
  #last = 0;
  #repeated = 0;

  /** False for an entry that was taken before. */
  accept({ at, since }: Pick<topics.StreamEvents<unknown>, 'at' | 'since'>): boolean {
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

/** The record that an answer is made of. */
export interface EventRecord {
  /** Since when the feeds are recorded, Unix ms: the first time of the last 24 hours. */
  recording_since: number;
  /** Exchanges that are not received at present. */
  disconnected: string[];
  /** Minutes of the window times the streams, and how many of them were received. */
  coverage: topics.Coverage;
}

/** The streams of each exchange that has any. */
export class EventFeeds {
  readonly exchanges: readonly string[];
  readonly #streams = new Map<string, Map<string, FeedCoverage>>();
  readonly #begun: number;
  #now: number;

  /** `parts`: by exchange its streams; `now` is Unix ms. */
  constructor(parts: ReadonlyMap<string, readonly string[]>, now: number) {
    this.exchanges = [...parts.keys()];
    this.#begun = now;
    this.#now = now;
    for (const [exchange, names] of parts)
      this.#streams.set(exchange, new Map(names.map((part) => [part, new FeedCoverage()])));
  }

  /** False for an entry that was taken before, or of a stream that is not followed here. */
  accept(entry: topics.StreamEvents<unknown>): boolean {
    return this.#streams.get(entry.source)?.get(entry.part)?.accept(entry) === true;
  }

  /** The log follows from its beginning. */
  repeat(): void {
    for (const feed of this.#of()) feed.repeat();
  }

  /** Takes what is stored in the place of all that is known. */
  restore({ heard, feeds }: Pick<topics.LiquidationState, 'heard' | 'feeds'>): void {
    for (const [id, streams] of this.#streams)
      for (const [part, stream] of streams) {
        const key = topics.recordedKey(id, part);
        stream.restore(heard[key] ?? 0, minutesOf(feeds, key));
      }
  }

  /** Tells it the time, Unix ms. */
  expire(now: number): void {
    this.#now = now;
  }

  /** Forgets what is older than a day. */
  forget(): void {
    for (const feed of this.#of()) feed.times.expire(this.#now - day);
  }

  /** Whether no stream was ever received: of the exchange, or of all. */
  isEmpty(exchange?: string): boolean {
    return this.#of(exchange).every(({ times }) => times.first === null);
  }

  /** The exchanges of which a stream is not received at present. */
  disconnected(among: readonly string[] = this.exchanges): string[] {
    const isLost = (id: string) => this.#of(id).some((feed) => !feed.isConnected(this.#now));
    return among.filter(isLost);
  }

  /** The record of `hours` of one exchange or of all. */
  record(exchange: string | undefined, hours: number): EventRecord {
    const feeds = this.#of(exchange);
    const [from, to] = [this.#now - hours * 60 * minute, this.#now];
    const expected = hours * 60 * feeds.length;
    const present = feeds.reduce(
      (sum, { times }) => sum + Math.round(times.within(from, to) / minute),
      0,
    );
    const firsts = feeds.flatMap(({ times }) => times.first ?? []);
    return {
      recording_since: firsts.length === 0 ? this.#begun : Math.min(...firsts),
      disconnected: this.disconnected(exchange === undefined ? undefined : [exchange]),
      coverage: covered({ from, to, expected, present }),
    };
  }

  /** The streams of one exchange or of all, as `exchange/stream`. */
  namesOf(exchange?: string): string[] {
    return [...this.#streams].flatMap(([id, streams]) =>
      exchange === undefined || id === exchange
        ? [...streams.keys()].map((part) => topics.recordedKey(id, part))
        : [],
    );
  }

  #of(exchange?: string): FeedCoverage[] {
    const streams =
      exchange === undefined ? [...this.#streams.values()] : [this.#streams.get(exchange)];
    return streams.flatMap((one) => [...(one?.values() ?? [])]);
  }
}

/** The minutes of one key with the received time of each, ms. */
const minutesOf = (feeds: topics.LiquidationState['feeds'], wanted: string) =>
  feeds
    .filter(({ key }) => key === wanted)
    .flatMap(({ times, columns: [ms] }) => times.map((time, at) => [time, ms?.[at] ?? 0] as const));
