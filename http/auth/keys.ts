import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../actors/kernel/clock.ts';
import { type PlanName, plans } from '../../config/plans.ts';
import type { Caller } from '../caller.ts';
import type { ApiError } from '../errors.ts';
import { digestOf, generateKey, prefixOf } from './api-key.ts';
import type { KeyStore, StoredKey } from './key-store.ts';
import type { AuthLog } from './log.ts';
import * as refused from './refusals.ts';

/** A key just made; times are Unix milliseconds. */
export interface MadeKey {
  id: string;
  name: string;
  prefix: string;
  /** The key itself; null when this repeats an earlier creation, whose answer alone had it. */
  key: string | null;
  created_at: number;
}

/** A key as its owner sees it in a list. */
export interface ListedKey {
  id: string;
  name: string;
  prefix: string;
  created_at: number;
  /** To about a minute; null when it was never used. */
  last_used_at: number | null;
  plan: PlanName;
  status: 'active';
}

/** An account as its owner sees it. */
export interface Profile {
  id: string;
  email?: string;
  plan: PlanName;
  limits: { requests_per_minute: number; api_keys: number | null };
  key_count: number;
}

export interface KeysOptions {
  store: KeyStore;
  clock: Clock;
  log: Pick<AuthLog, 'info' | 'warn'>;
  /** Called after a change that other processes must learn of, with its number. */
  announce(account: string, change: number): void;
}

const longestName = 64;
/** Control and line-breaking characters, lone surrogates, and what reverses the direction of text. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]/u;
const idempotencyForm = /^[\x20-\x7e]{1,255}$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** What an account does with its keys (specification 4.1). No method rejects. */
export class Keys {
  readonly #options: KeysOptions;

  constructor(options: KeysOptions) {
    this.#options = options;
  }

  async profile(caller: Caller): Promise<Profile | ApiError> {
    const { account, plan, email } = caller;
    const { requestsPerMinute, keys } = plans[plan];
    return this.#guard(async () => ({
      id: account,
      ...(email === undefined ? {} : { email }),
      plan,
      limits: { requests_per_minute: requestsPerMinute, api_keys: keys },
      key_count: await this.#options.store.count(account),
    }));
  }

  async list({ account, plan }: Caller): Promise<ListedKey[] | ApiError> {
    return this.#guard(async () => {
      const stored = await this.#options.store.list(account);
      return stored.map((key) => listed(key, plan));
    });
  }

  /** Makes a key; under an idempotency key that was used before, answers with the key that was made then. */
  async create(caller: Caller, name: string, idempotencyKey: string): Promise<MadeKey | ApiError> {
    const trimmed = name.trim();
    if (trimmed === '' || [...trimmed].length > longestName || unprintable.test(trimmed)) {
      return refused.badName;
    }
    if (idempotencyKey !== '' && !idempotencyForm.test(idempotencyKey)) {
      return refused.badIdempotencyKey;
    }
    return this.#guard(() => this.#make(caller, trimmed, idempotencyKey));
  }

  /** Ends a key for good; the error when it is not the caller's, or not there. */
  async revoke({ account }: Caller, id: string): Promise<{ id: string } | ApiError> {
    const wanted = id.toLowerCase();
    if (!uuid.test(wanted)) return refused.noSuchKey;
    return this.#guard(async () => {
      const change = await this.#options.store.revoke(account, wanted);
      if (change === 0) return refused.noSuchKey;
      this.#options.announce(account, change);
      this.#options.log.info({ keyId: wanted }, 'API key revoked');
      return { id: wanted };
    });
  }

  async #make(
    { account, plan }: Caller,
    name: string,
    idempotencyKey: string,
  ): Promise<MadeKey | ApiError> {
    const { store, clock, log } = this.#options;
    const key = generateKey();
    const limit = plans[plan].keys;
    const creation = await store.create({
      account,
      id: randomUUID(),
      digest: digestOf(key),
      name,
      prefix: prefixOf(key),
      created: clock.now(),
      most: limit,
      creation: idempotencyKey === '' ? null : sha256(idempotencyKey),
    });
    if (creation.outcome === 'mismatch') return refused.idempotencyMismatch;
    if (creation.outcome === 'full') return refused.tooManyKeys(limit ?? 0);
    const made = creation.outcome === 'created';
    const { id, prefix, created } = creation.stored;
    if (made) log.info({ keyId: id }, 'API key created');
    return { id, name, prefix, key: made ? key : null, created_at: created };
  }

  async #guard<T>(work: () => Promise<T | ApiError>): Promise<T | ApiError> {
    try {
      return await work();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.log.warn({ error: why }, 'the key store failed');
      return refused.storeUnavailable;
    }
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

const listed = ({ id, name, prefix, created, used }: StoredKey, plan: PlanName): ListedKey => ({
  id,
  name,
  prefix,
  created_at: created,
  last_used_at: used,
  plan,
  status: 'active',
});
