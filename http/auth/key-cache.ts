import type { Clock } from '../../actors/kernel/clock.ts';
import type { Caller } from '../caller.ts';
import type { ApiError } from '../errors.ts';
import { digestOf, isWellFormed } from './api-key.ts';
import type { KeyOwner } from './key-store.ts';
import { badKey, keysUnavailable } from './refusals.ts';

/** Milliseconds; a revoked key is served no longer than `life`, whatever becomes of its revocation event. */
export const times = {
  /** After its look-up was sent a record is used no more: specification 5.4 gives 30 s. */
  life: 30_000,
  /** A record this old is looked up again while it still serves. */
  refresh: 20_000,
  /** Pause after such a look-up failed. */
  retry: 1_000,
  /** How long an unknown key is refused without another look-up. */
  unknown: 10_000,
  /** Uses of one key are noted this often. */
  use: 60_000,
};

export interface KeyCacheOptions {
  clock: Clock;
  /** Looks a key up by its digest; null when there is none. Rejects, within a deadline, when that is not known. */
  find(digest: string): Promise<KeyOwner | null>;
  /** Called with a key's digest at most once a minute while the key is used. */
  used(digest: string, now: number): void;
  /** A look-up failed. */
  failed(error: unknown): void;
  /** Records kept, unknown keys kept, look-ups open at once. */
  most?: { records: number; unknown: number; open: number };
}

interface Entry {
  readonly digest: string;
  caller: Caller;
  /** When its latest look-up was sent. */
  asked: number;
  /** When a refresh may be tried. */
  refresh: number;
  noted: number;
}

/** A look-up that is under way, and the drops there had been when it began. */
interface LookUp {
  readonly drops: number;
  readonly answer: Promise<Caller | ApiError>;
}

const roomy = { records: 100_000, unknown: 10_000, open: 1_000 };

/**
 * Keys in memory, by their text. A hit is one map look-up. Whenever the keys or the plan of an account change, all
 * its records are dropped; a record that no change reached goes by its age.
 *
 * Records stand in the order of their look-ups. One that is in use is looked up every 30 s at least, so the first is
 * the one unused for longest, to within that time, and it goes when there are too many.
 */
export class KeyCache {
  readonly #options: KeyCacheOptions;
  readonly #clock: Clock;
  readonly #most: NonNullable<KeyCacheOptions['most']>;
  readonly #entries = new Map<string, Entry>();
  /** Texts of the keys in memory, by account. */
  readonly #accounts = new Map<string, Set<string>>();
  /** Well-formed keys that do not exist, and until when that is believed; no key comes to be by being asked for. */
  readonly #unknown = new Map<string, number>();
  readonly #open = new Map<string, LookUp>();
  /** Counts drops: what was looked up before one is not kept after it. */
  #drops = 0;

  constructor(options: KeyCacheOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#most = options.most ?? roomy;
  }

  /** Records in memory. */
  get size(): number {
    return this.#entries.size;
  }

  /** Who has this key. */
  get(text: string): Caller | ApiError | Promise<Caller | ApiError> {
    const entry = this.#entries.get(text);
    if (entry === undefined) return this.#miss(text);
    const now = this.#clock.now();
    const age = now - entry.asked;
    // Below zero when the machine's clock was set back.
    if (age < 0 || age >= times.life) return this.#lookUp(text);
    if (now - entry.noted >= times.use) this.#note(entry, now);
    if (now >= entry.refresh) this.#refresh(text, entry, now);
    return entry.caller;
  }

  /** Forgets every key of an account. */
  drop(account: string): void {
    this.#drops += 1;
    for (const text of this.#accounts.get(account) ?? []) this.#entries.delete(text);
    this.#accounts.delete(account);
  }

  dropAll(): void {
    this.#drops += 1;
    this.#entries.clear();
    this.#accounts.clear();
  }

  #miss(text: string): ApiError | Promise<Caller | ApiError> {
    if (!isWellFormed(text)) return badKey;
    const until = this.#unknown.get(text);
    if (until === undefined) return this.#lookUp(text);
    if (this.#clock.now() < until) return badKey;
    this.#unknown.delete(text);
    return this.#lookUp(text);
  }

  #refresh(text: string, entry: Entry, now: number): void {
    entry.refresh = now + times.retry;
    void this.#lookUp(text);
  }

  #note(entry: Entry, now: number): void {
    entry.noted = now;
    this.#options.used(entry.digest, now);
  }

  /** Equal look-ups share one, unless there was a drop since it began; never rejects. */
  #lookUp(text: string): Promise<Caller | ApiError> | ApiError {
    const open = this.#open.get(text);
    if (open?.drops === this.#drops) return open.answer;
    if (this.#open.size >= this.#most.open) return keysUnavailable;
    const answer = this.#ask(text).finally(() => {
      if (this.#open.get(text) === started) this.#open.delete(text);
    });
    const started = { drops: this.#drops, answer };
    this.#open.set(text, started);
    return answer;
  }

  async #ask(text: string): Promise<Caller | ApiError> {
    const asked = this.#clock.now();
    const drops = this.#drops;
    const digest = digestOf(text);
    let owner: KeyOwner | null;
    try {
      owner = await this.#options.find(digest);
    } catch (error) {
      this.#options.failed(error);
      return keysUnavailable;
    }
    if (owner === null) return this.#refuse(text, asked);
    const caller: Caller = Object.freeze({
      account: owner.account,
      plan: owner.plan,
      key: owner.id,
    });
    if (drops === this.#drops) this.#keep(text, { digest, caller, asked });
    return caller;
  }

  #refuse(text: string, asked: number): ApiError {
    const entry = this.#entries.get(text);
    if (entry !== undefined) this.#remove(text, entry);
    if (this.#unknown.size >= this.#most.unknown) dropFirst(this.#unknown);
    this.#unknown.set(text, asked + times.unknown);
    return badKey;
  }

  #keep(text: string, found: Pick<Entry, 'digest' | 'caller' | 'asked'>): void {
    const { caller, digest, asked } = found;
    const known = this.#entries.get(text);
    const use = known === undefined || asked - known.noted >= times.use;
    if (use) this.#options.used(digest, asked);
    const noted = use ? asked : known.noted;
    if (known === undefined && this.#entries.size >= this.#most.records) this.#removeFirst();
    this.#entries.delete(text);
    this.#entries.set(text, { ...found, refresh: asked + times.refresh, noted });
    const texts = this.#accounts.get(caller.account);
    if (texts === undefined) this.#accounts.set(caller.account, new Set([text]));
    else texts.add(text);
  }

  #removeFirst(): void {
    for (const [text, entry] of this.#entries) {
      this.#remove(text, entry);
      return;
    }
  }

  #remove(text: string, { caller }: Entry): void {
    this.#entries.delete(text);
    const texts = this.#accounts.get(caller.account);
    texts?.delete(text);
    if (texts?.size === 0) this.#accounts.delete(caller.account);
  }
}

function dropFirst(map: Map<string, unknown>): void {
  const first = map.keys().next().value;
  if (first !== undefined) map.delete(first);
}
