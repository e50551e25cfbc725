import { readFile } from 'node:fs/promises';
import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
  type LocalJWKSet,
} from 'jose';
import type { Clock } from '../../actors/kernel/clock.ts';
import { day } from '../../config/time.ts';
import type { AuthLog } from './log.ts';

/** Milliseconds. */
export const jwksTimes = {
  /** Deadline of one fetch, body included. */
  deadline: 3_000,
  /** Keys this old are fetched again while they are still used: a withdrawn key is accepted for at most this long. */
  refresh: 600_000,
  /** Time for which keys are used during an outage of their issuer. */
  outage: day,
  /** Pause between fetches that follow unknown key ids, or failures while there are keys. */
  cooldown: 30_000,
  /** The same while there are no keys at all. */
  start: 2_000,
};

/** Largest key set, bytes. */
const cap = 262_144;

/** There are no keys to verify a token with, and the issuer does not answer. */
export class KeysUnavailable extends Error {
  override name = 'KeysUnavailable';
}

/**
 * The public keys of an identity provider, from an `https:`, `http:` or `file:` URL. They stay in use during an outage
 * of up to a day. A token with an unknown key id causes a new fetch: issuers rotate their keys this way.
 */
export class Jwks {
  readonly #url: URL;
  readonly #clock: Clock;
  readonly #log: Pick<AuthLog, 'warn'>;
  #keys: LocalJWKSet | null = null;
  #fetched = 0;
  #tried = Number.NEGATIVE_INFINITY;
  #open: Promise<void> | null = null;

  /** Throws TypeError when `url` is invalid. */
  constructor(url: string, clock: Clock, log: Pick<AuthLog, 'warn'>) {
    this.#url = new URL(url);
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * The key of a token, in the form that jose expects. Rejects with the error of jose when there is no such key, with
   * KeysUnavailable when there are no keys.
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput) {
    const now = this.#clock.monotonic();
    if (this.#keys === null || now - this.#fetched > jwksTimes.outage) {
      await this.#reload(jwksTimes.start);
    } else if (now - this.#fetched > jwksTimes.refresh) {
      void this.#reload(jwksTimes.cooldown);
    }
    try {
      return await this.#current()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#reload(jwksTimes.cooldown);
      return this.#current()(header, token);
    }
  }

  #current(): LocalJWKSet {
    const usable = this.#clock.monotonic() - this.#fetched <= jwksTimes.outage;
    if (this.#keys === null || !usable) throw new KeysUnavailable('no keys to verify tokens with');
    return this.#keys;
  }

  /** Fetches the keys unless the last attempt is less than `pause` ms ago. One fetch at a time; never rejects. */
  async #reload(pause: number): Promise<void> {
    if (this.#open !== null) return this.#open;
    if (this.#clock.monotonic() - this.#tried < pause) return;
    this.#tried = this.#clock.monotonic();
    this.#open = this.#fetch().finally(() => {
      this.#open = null;
    });
    return this.#open;
  }

  async #fetch(): Promise<void> {
    try {
      const text = await (this.#url.protocol === 'file:'
        ? readFile(this.#url, 'utf8')
        : this.#get());
      this.#keys = createLocalJWKSet(JSON.parse(text));
      this.#fetched = this.#clock.monotonic();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#log.warn({ jwks: this.#url.origin, error: why }, 'signing keys could not be fetched');
    }
  }

  async #get(): Promise<string> {
    const response = await fetch(this.#url, {
      headers: { accept: 'application/jwk-set+json, application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(jwksTimes.deadline),
    });
    const isGiven = response.status === 200;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      // Leaving the loop ends the connection.
      if (!isGiven || size > cap) break;
      chunks.push(chunk);
    }
    if (!isGiven) throw new Error(`status ${response.status}`);
    if (size > cap) throw new Error(`more than ${cap} bytes`);
    return Buffer.concat(chunks).toString();
  }
}
