/** Records of keys in memory, by the texts of the keys and by account. */
import { BoundedMap } from '../wire/bounded-map.ts';
import type { KeyRecord } from './caller.ts';
import { type UsedKey, unused } from './key-uses.ts';

/** Milliseconds. A revoked key is accepted for `life` at most, even when its revocation event is lost. */
export const times = {
  /** Age of its look-up at which a record expires: specification 5.4 allows 30 s. */
  life: 30_000,
  /**
   * A record this old is looked up again while its key is used, at most a second later: when Redis goes away each has
   * at least 20 s left.
   */
  refresh: 8_000,
  /** Pause after such a look-up failed. */
  retry: 1_000,
  /** Time since the last request with a key in which it counts as used, and after which its record is dropped. */
  active: 30_000,
  idle: 60_000,
  /** How long an unknown key is refused without another look-up. */
  unknown: 10_000,
  /**
   * How long a request waits for a key that is not in memory while the look-up fails, and the pause between two look-ups: a
   * Redis that has lost its master has another one in about four seconds.
   */
  patience: 5_000,
  again: 200,
};

/** A record, with the times that decide about its next look-up. */
export interface Entry extends KeyRecord, UsedKey {
  /** When its latest look-up was sent. */
  asked: number;
  /** When a stream with it was looked at last: that is no use of it. */
  held: number;
  /** Time from which a refresh may be tried. */
  refresh: number;
}

/** Not when the clock of the machine was set back since the look-up. */
export const isFresh = ({ asked }: Entry, now: number): boolean =>
  now >= asked && now - asked < times.life;

/** Most look-ups of one step of `confirm`. */
const batch = 500;

/**
 * The records are in the order of their look-ups. A record in use is looked up at least every 30 s, so the first one is the least
 * recently used to within that time, and it is dropped when there are too many.
 */
export class KeyRecords extends BoundedMap<string, Entry> {
  /** Texts of the keys in memory, by account. */
  readonly #accounts = new Map<string, Set<string>>();

  constructor(most: number) {
    super({ entries: most });
  }

  /** Keeps what a look-up has found. */
  keep(text: string, { digest, caller, asked }: Pick<Entry, 'digest' | 'caller' | 'asked'>): void {
    const { used = asked, held = asked } = this.get(text) ?? {};
    const entry = { ...unused(digest), caller, allowance: null, asked, used, held };
    this.set(text, { ...entry, refresh: asked + times.refresh });
    const texts = this.#accounts.get(caller.account);
    if (texts === undefined) this.#accounts.set(caller.account, new Set([text]));
    else texts.add(text);
  }

  override delete(text: string): boolean {
    const entry = this.get(text);
    if (entry === undefined) return false;
    const { account } = entry.caller;
    const texts = this.#accounts.get(account);
    texts?.delete(text);
    if (texts?.size === 0) this.#accounts.delete(account);
    return super.delete(text);
  }

  /** Forgets the key of an account that has this id; every key of the account without one. */
  drop(account: string, key?: string): void {
    for (const text of [...(this.#accounts.get(account) ?? [])]) {
      if (key === undefined || this.get(text)?.caller.key === key) this.delete(text);
    }
  }

  override clear(): void {
    super.clear();
    this.#accounts.clear();
  }

  /** The keys in use at `now` whose records are to be looked up again, the oldest first. Drops what has not been used for long. */
  due(now: number): string[] {
    const due: string[] = [];
    for (const [text, entry] of this) {
      if (now - entry.asked < times.refresh || due.length === batch) break;
      const since = now - Math.max(entry.used, entry.held);
      if (since < times.active) due.push(text);
      else if (since >= times.idle) this.delete(text);
    }
    return due;
  }
}
