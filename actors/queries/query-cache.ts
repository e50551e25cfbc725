/** Replies that are given again: the one cache between a client's question and an upstream. */
import type { Failure, Result } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CacheCounts, Reply } from '../topics/index.ts';

/** The result of a fetch. */
export interface Fetched<T> extends Reply<T> {
  /** The value is incomplete because this account's share was used up: it is cached for this account alone. */
  own?: true;
}

export interface QueryCacheOptions<T> {
  clock: Clock;
  /** Most entries. */
  entries: number;
  /** Most bytes of all keys and values, as `sizeOf` estimates the latter (`roughSize` when absent). */
  bytes: number;
  sizeOf?(value: T): number;
  /** Multiple of its lifetime for which a reply is given, marked as stale, while its source fails; 10 when absent. */
  staleLives?: number;
}

type Outcome<T> = Result<Reply<T>>;

interface Entry<T> {
  outcome: Outcome<T>;
  /** When the outcome stops being fresh, monotonic ms. */
  until: number;
  /** Until when the value may be given while the source fails, monotonic ms. */
  staleUntil: number;
  /** Life of the value, ms. */
  life: number;
  bytes: number;
  /** When a client last asked for it, Unix ms. */
  asked: number;
}

/** A call under way. */
interface Call<T> {
  account: string;
  outcome: Promise<Outcome<T>>;
  /** When a client last asked for it, Unix ms. */
  asked: number;
  /** Once it has ended: the outcome is due to the share of its account and says nothing to others. */
  isOwn: boolean;
}

/** A question: `fetch` asks the source for it. */
interface Asking<T> {
  key: string;
  account: string;
  fetch(): Promise<Result<Fetched<T>>>;
  asked: number;
}

/** How long it is remembered that a source does not know an instrument, ms; one that has known it lately only fails. */
const unknownLife = 30_000;
/** How long a stale reply is given before the source is asked again, ms; the life of the value where that is shorter. */
const longestPause = 5_000;
/** Memory of an entry besides its key and its value, bytes. */
const overhead = 200;

/** Whether a result is due to the account's share of a budget. */
const isOwn = <T>(result: Result<Fetched<T>>): boolean =>
  result.ok ? result.value.own === true : result.failure.code === 'over_budget';

/**
 * Equal questions in flight share a call, whichever accounts ask; where its account's share was used up, each other account
 * asks by itself, so that no share limits another account. The result is kept for all, until it is no longer fresh. The
 * least recently asked entries make room.
 */
export class QueryCache<T> {
  readonly #options: QueryCacheOptions<T>;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #open = new Map<string, Call<T>>();
  readonly #counts = { hits: 0, joined: 0, loaded: 0, failed: 0, stale: 0, evicted: 0 };
  #bytes = 0;

  constructor(options: QueryCacheOptions<T>) {
    this.#options = options;
  }

  /** The fresh value, or the fresh failure of an unknown instrument; null without one. */
  get(key: string, account = ''): Outcome<T> | null {
    return this.#fresh(key) ?? this.#fresh(ownKey(key, account));
  }

  /**
   * The fresh value, else that of `fetch`; while that fails, the last value, marked as stale. `fetch` is not called
   * where a call for the key is under way whose outcome is of use to this account. Rejects when `fetch` does.
   */
  async load(
    key: string,
    account: string,
    fetch: () => Promise<Result<Fetched<T>>>,
  ): Promise<Outcome<T>> {
    return this.get(key, account) ?? this.refresh(key, account, fetch);
  }

  /** Like `load`, but calls `fetch` even where there is a fresh value. With `asked` the request does not come from a client. */
  async refresh(
    key: string,
    account: string,
    fetch: () => Promise<Result<Fetched<T>>>,
    asked = this.#options.clock.now(),
  ): Promise<Outcome<T>> {
    return this.#share(key, { key, account, fetch, asked });
  }

  /** Joins the call that is open at a place, or opens one; an outcome that is another account's alone is followed by a call of its own. */
  async #share(place: string, asking: Asking<T>): Promise<Outcome<T>> {
    const { key, account, asked } = asking;
    const open = this.#open.get(place);
    if (!open) return this.#call(place, asking);
    open.asked = Math.max(open.asked, asked);
    this.#counts.joined++;
    const outcome = await open.outcome;
    const isOthers = open.isOwn && open.account !== account;
    return isOthers ? this.#share(ownKey(key, account), asking) : outcome;
  }

  #call(place: string, { key, account, fetch, asked }: Asking<T>): Promise<Outcome<T>> {
    const { promise, resolve } = Promise.withResolvers<Outcome<T>>();
    const call: Call<T> = { account, outcome: promise, asked, isOwn: false };
    this.#open.set(place, call);
    const ask = async () => {
      const result = await fetch();
      call.isOwn = isOwn(result);
      return result.ok
        ? this.#loaded(key, call, result.value)
        : this.#failed(key, call, result.failure);
    };
    resolve(ask().finally(() => this.#open.delete(place)));
    return promise;
  }

  /** Whether there is a fresh value. */
  has(key: string): boolean {
    return (this.#entries.get(key)?.until ?? 0) > this.#options.clock.monotonic();
  }

  /** The cached values, least recently asked first, with the end of their freshness and the time of the last request. */
  *values(): Generator<{ key: string; value: T; until: number; asked: number }> {
    for (const [key, { outcome, asked }] of this.#entries) {
      if (!outcome.ok) continue;
      const { value, until } = outcome.value;
      yield { key, value, until, asked };
    }
  }

  counts(): CacheCounts {
    return { ...this.#counts, entries: this.#entries.size, bytes: this.#bytes };
  }

  #fresh(key: string): Outcome<T> | null {
    const entry = this.#entries.get(key);
    const { clock } = this.#options;
    if (entry === undefined || entry.until <= clock.monotonic()) return null;
    this.#counts.hits++;
    entry.asked = clock.now();
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.outcome;
  }

  #loaded(key: string, { account, asked }: Call<T>, { own, ...reply }: Fetched<T>): Outcome<T> {
    this.#counts.loaded++;
    const { clock, sizeOf = roughSize, staleLives = 10 } = this.#options;
    const life = reply.until - clock.now();
    const outcome: Outcome<T> = { ok: true, value: reply };
    if (life <= 0) return outcome;
    const now = clock.monotonic();
    // A stale value is past its lifetime at its source already.
    const staleUntil = now + (reply.stale ? 1 : staleLives) * life;
    const bytes = sizeOf(reply.value);
    const entry = { outcome, until: now + life, staleUntil, life, bytes, asked };
    this.#keep(own ? ownKey(key, account) : key, entry);
    return outcome;
  }

  #failed(key: string, { account, asked }: Call<T>, failure: Failure): Outcome<T> {
    this.#counts.failed++;
    const { clock } = this.#options;
    const now = clock.monotonic();
    const outcome: Outcome<T> = { ok: false, failure };
    // The source has understood the question.
    if (failure.code === 'refused') return outcome;
    const own = ownKey(key, account);
    const at = this.#entries.has(own) ? own : key;
    const entry = this.#entries.get(at);
    if (!entry?.outcome.ok || entry.staleUntil <= now) {
      if (failure.code !== 'unknown_instrument') return outcome;
      const until = now + unknownLife;
      this.#keep(key, { outcome, until, staleUntil: until, life: 0, bytes: 0, asked });
      return outcome;
    }
    this.#counts.stale++;
    if (entry.until > now) return entry.outcome;
    const until = Math.min(now + Math.min(entry.life, longestPause), entry.staleUntil);
    const ends = clock.now() + until - now;
    entry.outcome = { ok: true, value: { ...entry.outcome.value, until: ends, stale: true } };
    entry.until = until;
    return entry.outcome;
  }

  #keep(key: string, entry: Entry<T>): void {
    const before = this.#remove(key);
    const bytes = entry.bytes + 2 * key.length + overhead;
    if (bytes > this.#options.bytes) return;
    const asked = Math.max(entry.asked, before?.asked ?? 0);
    this.#entries.set(key, { ...entry, bytes, asked });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.entries && this.#bytes <= this.#options.bytes) break;
      this.#remove(oldest);
      this.#counts.evicted++;
    }
  }

  #remove(key: string): Entry<T> | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
    return entry;
  }
}

/** About the bytes that a value takes in memory; an array is taken to hold equal rows. */
export function roughSize(value: unknown): number {
  if (typeof value === 'string') return 16 + 2 * value.length;
  if (ArrayBuffer.isView(value)) return 64 + value.byteLength;
  if (Array.isArray(value)) return 16 + value.length * (8 + roughSize(value[0]));
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, each) => sum + 8 + roughSize(each), 32);
}

/** Differs from every key: keys hold no line break. */
const ownKey = (key: string, account: string): string => `${account}\n${key}`;

/** Bounds of the cache of one query of one source. */
const room = { entries: 500, bytes: 4 * 2 ** 20 };

/** The caches of one process: every query of every source has its own, so that none takes room from another. */
export class QueryCaches {
  readonly #clock: Clock;
  readonly #caches = new Map<string, { counts(): CacheCounts }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new cache, counted under `source/name`. */
  open<T>(source: string, name: string): QueryCache<T> {
    const cache = new QueryCache<T>({ clock: this.#clock, ...room });
    this.#caches.set(`${source}/${name}`, cache);
    return cache;
  }

  /** By `source/name`. */
  counts(): Record<string, CacheCounts> {
    return Object.fromEntries([...this.#caches].map(([name, cache]) => [name, cache.counts()]));
  }
}
