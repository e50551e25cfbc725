import { randomUUID } from 'node:crypto';
import { type Clock, late, sleep, within } from '../../actors/kernel/clock.ts';
import type { Plans } from '../../config/plans.ts';
import { BoundedMap } from '../wire/bounded-map.ts';
import { type ApiError, isApiError } from '../wire/errors.ts';
import { Held } from '../wire/held.ts';
import { digestOf, isKeyOf, type KeyKind } from './api-key.ts';
import type { Caller, KeyRecord } from './caller.ts';
import { type Entry, isFresh, KeyRecords, times } from './key-records.ts';
import { type UsedKey, unused } from './key-uses.ts';
import { badKey, keysUnavailable } from './refusals.ts';
import type { KeyOwner } from './stored-key.ts';

export interface KeyCacheOptions {
  clock: Clock;
  /**
   * Looks a key up by its digest; null when there is none. Rejects, within a deadline, when the store does not answer.
   */
  find(digest: string): Promise<KeyOwner | null>;
  plans: Plans;
  /** Of its keys; `live` when absent. */
  kind?: KeyKind;
  /** Called for every request whose key is valid. */
  used(key: UsedKey, now: number): void;
  /** A look-up failed. */
  failed(error: unknown): void;
  /**
   * Most records, unknown keys, and look-ups at once: of known keys, and as many of others and of tickets; of the latter
   * so many of one client address.
   */
  most?: { records: number; unknown: number; open: number; perAddress: number };
}

/** The caller with a key of a kind, `live` when absent; a link key without paths reads nothing. */
function callerOf(
  { id, account, plan, paths, until }: KeyOwner,
  { plans, kind }: { plans: Plans; kind?: KeyKind },
): Caller {
  const caller: Caller = { account, plan: plans.of(plan).name, key: id };
  if (until !== undefined) caller.until = until;
  return Object.freeze(kind === 'link' ? { ...caller, link: paths ?? [] } : caller);
}

/** A look-up that is under way, and the number of drops before it began. */
interface LookUp {
  readonly drops: number;
  readonly answer: Promise<Caller | ApiError>;
}

/** Look-ups under way, by the text of the key. */
type LookUps = Map<string, LookUp>;

/** The usual bounds. */
export const roomy = { records: 100_000, unknown: 10_000, open: 1_000, perAddress: 32 };

/**
 * Keys in memory, by their text. A hit is one map look-up. When the keys or the plan of an account change, all its
 * records are dropped; a record whose change was missed expires by its age. `confirm`, called
 * each second, keeps the records of keys in use young.
 */
export class KeyCache {
  readonly #options: KeyCacheOptions;
  readonly #clock: Clock;
  readonly #most: NonNullable<KeyCacheOptions['most']>;
  /** For look-ups of what is not in memory: those of tickets take places in it as well. */
  readonly room: Held;
  readonly #entries: KeyRecords;
  /** Well-formed keys that do not exist, with the time until which they are refused without a look-up. */
  readonly #unknown: BoundedMap<string, number>;
  /** Those of keys in memory have their own room: invented keys cannot keep them from being refreshed. */
  readonly #refreshes: LookUps = new Map();
  readonly #firsts: LookUps = new Map();
  #confirming = false;
  /** Counts drops: a look-up that began before a drop is not stored after it. */
  #drops = 0;
  /** Begins the texts that stand for keys known by their digest alone; no client can know it. */
  readonly #secret = `${randomUUID()} `;

  constructor(options: KeyCacheOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#most = options.most ?? roomy;
    this.#entries = new KeyRecords(this.#most.records);
    this.#unknown = new BoundedMap({ entries: this.#most.unknown });
    this.room = new Held({ most: this.#most.open, ofClient: this.#most.perAddress });
  }

  /** Records in memory. */
  get size(): number {
    return this.#entries.size;
  }

  /** The record of this key out of memory; null where it must be looked up. `now` is the present by the clock of the cache. */
  readonly known = (text: string, now: number): KeyRecord | null => {
    const entry = this.#entries.get(text);
    if (entry === undefined) return null;
    if (now < entry.used || now >= entry.due) return this.#note(text, entry, now);
    entry.used = now;
    entry.count += 1;
    return entry;
  };

  /** A use of a record about which something is due. */
  #note(text: string, entry: Entry, now: number): KeyRecord | null {
    if (!isFresh(entry, now)) {
      entry.used = now;
      return null;
    }
    this.#options.used(entry, now);
    entry.used = now;
    if (now >= entry.refresh) this.#refresh(text, entry, now);
    entry.due = Math.min(entry.due, entry.refresh, entry.asked + times.life);
    return entry;
  }

  /** The caller with this key, or an error. `address` is the client's. */
  get(text: string, address = ''): Caller | ApiError | Promise<Caller | ApiError> {
    const known = this.known(text, this.#clock.now());
    if (known !== null) return known.caller;
    return this.#used(
      text,
      this.#entries.get(text) !== undefined ? this.#lookUp(text) : this.#miss(text, address),
    );
  }

  /** The caller with the key of a digest, and the text by which `holds` knows the key. */
  async byDigest(digest: string): Promise<{ caller: Caller; key: string } | ApiError> {
    const key = this.#secret + digest;
    const caller = await this.#used(key, this.#lookUp(key));
    return isApiError(caller) ? caller : { caller, key };
  }

  /** Whether a key that was accepted is still valid; true while that cannot be known. No use of it is counted. */
  holds(text: string): boolean | Promise<boolean> {
    const entry = this.#entries.get(text);
    const now = this.#clock.now();
    if (entry !== undefined) entry.held = now;
    if (entry !== undefined && isFresh(entry, now)) {
      if (now >= entry.refresh) this.#refresh(text, entry, now);
      return true;
    }
    const found = this.#lookUp(text);
    const isGood = (one: Caller | ApiError) => !isApiError(one) || one.error !== 'unauthorized';
    return found instanceof Promise ? found.then(isGood) : isGood(found);
  }

  /** Looks the records of keys in use up again before they are old, so many at once; not while it does so. Never rejects. */
  async confirm(): Promise<void> {
    if (this.#confirming) return;
    this.#confirming = true;
    for (let ok = true; ok; ) {
      const found = await Promise.all(
        this.#entries.due(this.#clock.now()).map((text) => this.#lookUp(text)),
      );
      ok = found.length > 0 && !found.some((one) => isApiError(one) && one !== badKey);
    }
    this.#confirming = false;
  }

  /** Forgets the key of an account that has this id; every key of the account without one. */
  drop(account: string, key?: string): void {
    this.#drops++;
    this.#entries.drop(account, key);
  }

  dropAll(): void {
    this.#drops++;
    this.#entries.clear();
  }

  #miss(text: string, address: string): ApiError | Promise<Caller | ApiError> {
    if (!isKeyOf(this.#options.kind ?? 'live', text)) return badKey;
    const until = this.#unknown.get(text);
    if (until !== undefined && this.#clock.monotonic() < until) return badKey;
    return this.#lookUp(text, address);
  }

  #refresh(text: string, entry: Entry, now: number): void {
    entry.refresh = now + times.retry;
    void this.#lookUp(text);
  }

  /** Each request that waits for a look-up is a use of the key that it finds. */
  #used(text: string, answer: Promise<Caller | ApiError> | ApiError) {
    if (!(answer instanceof Promise)) return answer;
    return answer.then((found) => {
      if (!isApiError(found)) this.#options.used(unused(this.#digestOf(text)), this.#clock.now());
      return found;
    });
  }

  /** Equal look-ups share one, unless there was a drop since it began; never rejects. */
  #lookUp(text: string, address = ''): Promise<Caller | ApiError> | ApiError {
    const known = this.#entries.get(text) !== undefined || text.startsWith(this.#secret);
    const open = known ? this.#refreshes : this.#firsts;
    const joined = open.get(text);
    if (joined?.drops === this.#drops) return joined.answer;
    if (known ? open.size >= this.#most.open : !this.room.hold(address, 1)) return keysUnavailable;
    const answer = this.#ask(text, known ? 0 : times.patience).finally(() => {
      if (!known) this.room.release(address, 1);
      if (open.get(text) === started) open.delete(text);
    });
    const started = { drops: this.#drops, answer };
    open.set(text, started);
    return answer;
  }

  /** Asks until the store answers, for `patience` ms at most, but once at least. */
  async #ask(text: string, patience: number): Promise<Caller | ApiError> {
    const until = this.#clock.monotonic() + patience;
    let found = await this.#askOnce(text);
    while (found === keysUnavailable && this.#clock.monotonic() + times.again < until) {
      await sleep(this.#clock, times.again);
      const left = until - this.#clock.monotonic();
      const again = await within(this.#clock, left, this.#askOnce(text));
      found = again === late ? keysUnavailable : again;
    }
    return found;
  }

  async #askOnce(text: string): Promise<Caller | ApiError> {
    const asked = this.#clock.now();
    const drops = this.#drops;
    const digest = this.#digestOf(text);
    let owner: KeyOwner | null;
    try {
      owner = await this.#options.find(digest);
    } catch (error) {
      this.#options.failed(error);
      return keysUnavailable;
    }
    if (owner === null) return this.#refuse(text);
    const caller = callerOf(owner, this.#options);
    if (drops === this.#drops) this.#entries.keep(text, { digest, caller, asked });
    return caller;
  }

  #digestOf(text: string): string {
    return text.startsWith(this.#secret) ? text.slice(this.#secret.length) : digestOf(text);
  }

  #refuse(text: string): ApiError {
    this.#entries.delete(text);
    this.#unknown.set(text, this.#clock.monotonic() + times.unknown);
    return badKey;
  }
}
