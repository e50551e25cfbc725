/** What browsers use in place of keys: sessions, and tickets for streams. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../actors/kernel/clock.ts';
import type { ApiError } from '../wire/errors.ts';
import { digestOf, generateKey, generateTicket, isTicket, prefixOf } from './api-key.ts';
import type { Caller } from './caller.ts';
import { guarded } from './guarded.ts';
import type { KeyStore } from './key-store.ts';
import type { AuthLog } from './log.ts';
import * as refused from './refusals.ts';
import { sessionLife, ticketLife } from './scripts.ts';

/** A ticket for one stream. */
interface MadeTicket {
  ticket: string;
  /** Unix ms. */
  expires_at: number;
}

/** A browser session; `key` is for the cookie alone. */
interface MadeSession {
  account: string;
  key: string;
  /** How long it lasts, ms. */
  life: number;
  /** Unix ms. */
  expires_at: number;
}

interface SessionsOptions {
  store: KeyStore;
  clock: Clock;
  log: Pick<AuthLog, 'info' | 'warn'>;
}

/** No method rejects. */
export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Makes a ticket that opens one stream in place of the caller's key, within a minute. */
  async ticket({ account, key }: Caller): Promise<MadeTicket | ApiError> {
    const { store, clock, log } = this.#options;
    if (key === null) return refused.badKey;
    const ticket = generateTicket();
    return guarded(log, async () => {
      await store.putTicket(digestOf(ticket), { account, id: key });
      return { ticket, expires_at: clock.now() + ticketLife };
    });
  }

  /** Makes a session for the account of a sign-in code, which is used up. */
  async byCode(code: string): Promise<MadeSession | ApiError> {
    const { store, log } = this.#options;
    if (!isTicket(code)) return refused.badCode;
    return guarded(log, async () => {
      const account = await store.takeCode(digestOf(code));
      return account === null ? refused.badCode : this.#make(account, sessionLife);
    });
  }

  /** Makes a session for the account of a bearer token, which ends with it. */
  async byToken({ account, key, until }: Caller): Promise<MadeSession | ApiError> {
    if (key !== null || until === undefined) return refused.noToken;
    const left = until - this.#options.clock.now();
    if (left <= 0) return refused.expiredToken;
    return guarded(this.#options.log, () => this.#make(account, Math.min(left, sessionLife)));
  }

  /** A session is a key that ends by itself, and that its owner sees in the list of keys. */
  async #make(account: string, life: number): Promise<MadeSession> {
    const { store, clock, log } = this.#options;
    const key = generateKey();
    const id = randomUUID();
    const created = clock.now();
    const made = { account, id, name: 'Browser session', prefix: prefixOf(key), created };
    await store.createSession({ ...made, digest: digestOf(key) }, created + life);
    log.info({ keyId: id }, 'browser session created');
    return { account, key, life, expires_at: created + life };
  }
}
