import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../actors/kernel/clock.ts';
import type { Plans } from '../../config/plans.ts';
import { day } from '../../config/time.ts';
import { nameIn } from '../../config/values.ts';
import { BoundedMap } from '../wire/bounded-map.ts';
import { type ApiError, isApiError } from '../wire/errors.ts';
import { digestOf, generateKey, type KeyKind, kindOfPrefix, prefixOf } from './api-key.ts';
import type { Caller } from './caller.ts';
import { guarded } from './guarded.ts';
import type { KeyStore } from './key-store.ts';
import { dayOf } from './key-uses.ts';
import { arePaths, badPaths } from './link.ts';
import { type ListedKey, listed } from './listed.ts';
import type { AuthLog } from './log.ts';
import * as refused from './refusals.ts';
import { Sessions } from './sessions.ts';
import type { KeyHistory, NewKey, Revocation, UsedKey } from './stored-key.ts';

/** A new key; times are Unix milliseconds. */
export interface MadeKey {
  id: string;
  name: string;
  prefix: string;
  kind: KeyKind;
  /** Those that a link key reads; null for others. */
  paths: readonly string[] | null;
  /** The full key; null when this repeats an earlier creation, whose answer had it. */
  key: string | null;
  created_at: number;
}

/** An account as its owner sees it. */
export interface Profile {
  id: string;
  email?: string;
  plan: string;
  /** Requests a minute; null for no limit. */
  rate_limit: number | null;
  limits: {
    requests_per_minute: number | null;
    api_keys: number | null;
    connections: number | null;
  };
  /** Active keys. */
  key_count: number;
  /** When the first token of the account was seen; null while the store has not noted it. */
  created_at: number | null;
}

/** Requests with keys by day. */
interface KeyDays {
  /** Beginnings of UTC days, Unix ms. */
  timestamps: number[];
  keys: KeyHistory[];
}

/** A key that is asked for; `paths` are those that a link key reads. */
interface AskedKey {
  name: string;
  kind: KeyKind;
  paths: readonly string[] | undefined;
  replaces?: NewKey['replaces'];
}

export interface KeysOptions {
  store: KeyStore;
  plans: Plans;
  clock: Clock;
  log: Pick<AuthLog, 'info' | 'warn'>;
  /** Called after a key was revoked, which other processes must apply, with the number of the change. */
  announce(account: string, change: number, key: string): void;
  /** Writes the uses of keys that this process has counted; never rejects. */
  flush(): Promise<void>;
}

export const longestName = 64;
/** What an `Idempotency-Key` may be. */
export const idempotencyForm = /^[\x20-\x7e]{1,255}$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Key management of an account (specification 4.1). No method rejects. */
export class Keys {
  readonly #options: KeysOptions;
  /** Accounts by the keys whose revocation is not confirmed. */
  readonly #revoking = new BoundedMap<string, string>({ entries: 1_000 });
  #isRevoking = false;
  readonly sessions: Sessions;

  constructor(options: KeysOptions) {
    this.#options = options;
    this.sessions = new Sessions(options);
  }

  async profile(caller: Caller): Promise<Profile | ApiError> {
    const { account, plan, email } = caller;
    const { requestsPerMinute, keys, connections } = this.#options.plans.of(plan);
    return guarded(this.#options.log, async () => {
      const stored = await this.#options.store.account(account);
      return {
        id: account,
        ...(email === undefined ? {} : { email }),
        plan,
        rate_limit: requestsPerMinute,
        limits: { requests_per_minute: requestsPerMinute, api_keys: keys, connections },
        key_count: stored.keys,
        created_at: stored.created,
      };
    });
  }

  /** Active and revoked keys, the oldest first. */
  async list({ account, plan }: Caller): Promise<ListedKey[] | ApiError> {
    const { store, clock, flush } = this.#options;
    return guarded(this.#options.log, async () => {
      await flush();
      const stored = await store.list(account);
      const now = clock.now();
      return stored.map((key) => listed(key, plan, now));
    });
  }

  /** Makes a key. For an idempotency key that was used before it returns the key that was made then. */
  async create(caller: Caller, name: string, idempotencyKey: string): Promise<MadeKey | ApiError> {
    return this.#create(caller, { name, kind: 'live', paths: undefined }, idempotencyKey);
  }

  /** Makes a key that stands in URLs and reads these paths alone; otherwise as `create`. */
  async createLink(
    caller: Caller,
    { name, paths }: { name: string; paths: readonly string[] },
    idempotencyKey: string,
  ): Promise<MadeKey | ApiError> {
    if (!arePaths(paths)) return badPaths;
    return this.#create(caller, { name, kind: 'link', paths }, idempotencyKey);
  }

  /**
   * Makes a key with the name, the kind and the paths of another one, which works for `overlap` ms longer and is not counted meanwhile. The
   * idempotency key is as with `create`.
   */
  async rotate(
    caller: Caller,
    { id, overlap }: { id: string; overlap: number },
    idempotencyKey: string,
  ): Promise<(MadeKey & { replaces: { id: string; ends_at: number } }) | ApiError> {
    const { store, clock, log } = this.#options;
    const old = await guarded<UsedKey>(log, async () => {
      const keys = await store.list(caller.account);
      return keys.find((key) => key.id === id.toLowerCase() && !key.revoked) ?? refused.noSuchKey;
    });
    if (isApiError(old)) return old;
    const { name, prefix, paths } = old;
    const replaces = { id: old.id, until: old.until ?? clock.now() + overlap };
    const asked = { name, kind: kindOfPrefix(prefix), paths: paths ?? undefined, replaces };
    const made = await this.#create(caller, asked, idempotencyKey);
    if (isApiError(made)) return made;
    return { ...made, replaces: { id: old.id, ends_at: replaces.until } };
  }

  /** Requests with each active key on the latest UTC days, the earliest first; times are their beginnings. */
  async history({ account }: Caller, days: number): Promise<KeyDays | ApiError> {
    const { store, clock, log, flush } = this.#options;
    const today = dayOf(clock.now());
    const numbers = Array.from({ length: days }, (_, at) => today - days + 1 + at);
    return guarded(log, async () => {
      await flush();
      const keys = await store.history(account, numbers);
      return { timestamps: numbers.map((number) => number * day), keys };
    });
  }

  /** Revokes a key for good; an error when the caller has no such key. */
  async revoke({ account }: Caller, id: string): Promise<{ id: string } | ApiError> {
    const wanted = id.toLowerCase();
    if (!uuid.test(wanted)) return refused.noSuchKey;
    return guarded(
      this.#options.log,
      async () => {
        await this.#options.flush();
        const { change, isSafe } = await this.#revoke(account, wanted);
        if (!isSafe) return refused.revocationUnconfirmed;
        return change === 0 ? refused.noSuchKey : { id: wanted };
      },
      refused.revocationUnconfirmed,
    );
  }

  /** Carries revocations out that were not confirmed: a fail-over may have undone them. Never rejects. */
  async revokeAgain(): Promise<void> {
    if (this.#isRevoking) return;
    this.#isRevoking = true;
    for (const [id, account] of this.#revoking.entries()) {
      const done = await this.#revoke(account, id).catch(() => null);
      if (!done?.isSafe) break;
    }
    this.#isRevoking = false;
  }

  async #revoke(account: string, id: string): Promise<Revocation> {
    const { store, clock, log, announce } = this.#options;
    const done = await store.revoke(account, id, clock.now()).catch((error: unknown) => {
      this.#revoking.set(id, account);
      throw error;
    });
    if (done.isSafe) this.#revoking.delete(id);
    else this.#revoking.set(id, account);
    if (done.change > 0) {
      announce(account, done.change, id);
      log.info({ keyId: id }, 'API key revoked');
    }
    return done;
  }

  async #create(
    caller: Caller,
    asked: AskedKey,
    idempotencyKey: string,
  ): Promise<MadeKey | ApiError> {
    const name = nameIn(asked.name, longestName);
    if (name === null) return refused.badName;
    if (idempotencyKey !== '' && !idempotencyForm.test(idempotencyKey)) {
      return refused.badIdempotencyKey;
    }
    return guarded(this.#options.log, () => this.#make(caller, { ...asked, name }, idempotencyKey));
  }

  async #make(
    { account, plan }: Caller,
    { name, kind, paths, replaces }: AskedKey,
    idempotencyKey: string,
  ): Promise<MadeKey | ApiError> {
    const { store, plans, clock, log } = this.#options;
    const key = generateKey(kind);
    const limit = plans.of(plan).keys;
    const creation = await store.create({
      account,
      id: randomUUID(),
      digest: digestOf(key),
      name,
      prefix: prefixOf(key),
      created: clock.now(),
      most: limit,
      creation: idempotencyKey === '' ? null : sha256(`${replaces?.id ?? ''}${idempotencyKey}`),
      ...{ paths, replaces },
    });
    if (creation.outcome === 'mismatch') return refused.idempotencyMismatch;
    if (creation.outcome === 'gone') return refused.endsAlready;
    if (creation.outcome === 'full')
      return replaces ? refused.tooManyReplaced : refused.tooManyKeys(limit ?? 0);
    const made = creation.outcome === 'created';
    const { id, prefix, created } = creation.stored;
    if (made) log.info({ keyId: id }, 'API key created');
    const about = { id, name, prefix, kind: kindOfPrefix(prefix), paths: paths ?? null };
    return { ...about, key: made ? key : null, created_at: created };
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
