import type { Published } from '../../actors/bus/bus.ts';
import { type Clock, systemClock } from '../../actors/kernel/clock.ts';
import type { AccountChange } from '../../actors/topics.ts';
import type { Caller, Gate } from '../caller.ts';
import { type ApiError, isApiError } from '../errors.ts';
import { durabilityFaults } from './durability.ts';
import { type IdentityProvider, Verifier } from './identity.ts';
import { KeyCache } from './key-cache.ts';
import { KeyStore } from './key-store.ts';
import { Keys } from './keys.ts';
import { LastUsed } from './last-used.ts';
import type { AuthLog } from './log.ts';
import { noProvider } from './refusals.ts';

export interface AuthOptions {
  redisUrl: string;
  /** Id of this process, shown in Redis' CLIENT LIST. */
  process: string;
  /** Null when there is none: then no bearer token is accepted. */
  provider: IdentityProvider | null;
  /** The bus's own. */
  publish(topic: 'accounts', key: string, value: AccountChange): Promise<Published>;
  clock?: Clock;
  log: AuthLog;
}

/** Keys and identities of one process. */
export interface Auth {
  readonly gate: Gate;
  /** What the rows of `http/routes/auth.ts` answer from. */
  readonly keys: Keys;
  /** To be called with everything that comes on the topic `accounts`. */
  changed(change: AccountChange): void;
  /** Keys in memory. */
  size(): number;
  /** Writes back what is still to be written, within about 2 s, and disconnects. */
  stop(): Promise<void>;
}

/** All changes share one field of the topic's hash of last values: it never grows. */
const field = 'latest';

/** Milliseconds between two log lines about look-ups that fail. */
const quiet = 10_000;

class Authority implements Auth {
  readonly gate: Gate;
  readonly keys: Keys;
  readonly #publish: AuthOptions['publish'];
  readonly #log: AuthOptions['log'];
  readonly #clock: Clock;
  readonly #store: KeyStore;
  readonly #cache: KeyCache;
  readonly #lastUsed: LastUsed;
  readonly #verifier: Verifier | null;
  /** Number of the latest change heard of. */
  #heard: number | null = null;
  #told = Number.NEGATIVE_INFINITY;

  constructor(options: AuthOptions) {
    const { redisUrl, process, provider, publish, clock = systemClock, log } = options;
    this.#publish = publish;
    this.#log = log;
    this.#clock = clock;
    this.#verifier = provider === null ? null : new Verifier(provider, clock, log);
    const store = new KeyStore(redisUrl, `${process}/auth`, log);
    this.#store = store;
    this.#lastUsed = new LastUsed(clock, (uses) => store.touch(uses));
    this.#cache = new KeyCache({
      clock,
      find: (digest) => store.find(digest),
      used: (digest, now) => this.#lastUsed.note(digest, now),
      failed: (error) => this.#failed(error),
    });
    this.keys = new Keys({ store, clock, log, announce: (...change) => this.#announce(...change) });
    this.gate = {
      byKey: (key) => this.#cache.get(key),
      byBearer: (authorization) => this.#byBearer(authorization),
    };
    void this.#warnOfLoss();
  }

  size(): number {
    return this.#cache.size;
  }

  /**
   * Changes are numbered. The next one concerns its account alone; any other number but the one heard last means
   * that some were missed, and then every key is looked up again.
   */
  changed({ number, account }: AccountChange): void {
    if (number === this.#heard) return;
    const next = this.#heard !== null && number === this.#heard + 1;
    this.#heard = number;
    if (next) this.#cache.drop(account);
    else this.#cache.dropAll();
  }

  async stop(): Promise<void> {
    await this.#lastUsed.stop();
    this.#store.close();
  }

  async #byBearer(authorization: string): Promise<Caller | ApiError> {
    if (this.#verifier === null) return noProvider;
    const identity = await this.#verifier.verify(authorization);
    if (isApiError(identity)) return identity;
    const { account, issued, email } = identity;
    const caller: Caller = { account, plan: identity.plan, key: null };
    if (email !== undefined) caller.email = email;
    try {
      const { plan, change } = await this.#store.observe(account, identity.plan, issued);
      caller.plan = plan;
      if (change > 0) this.#announce(account, change);
    } catch (error) {
      // What the token says stands.
      this.#failed(error);
    }
    return caller;
  }

  /** This process knows at once; the others by the stream, or when their records are too old. */
  #announce(account: string, number: number): void {
    this.#cache.drop(account);
    void this.#publish('accounts', field, { number, account });
  }

  #failed(error: unknown): void {
    const now = this.#clock.now();
    if (Math.abs(now - this.#told) < quiet) return;
    this.#told = now;
    const why = error instanceof Error ? error.message : String(error);
    this.#log.warn({ error: why }, 'keys and accounts cannot be looked up');
  }

  async #warnOfLoss(): Promise<void> {
    try {
      const [persistence, memory] = await Promise.all([
        this.#store.info('persistence'),
        this.#store.info('memory'),
      ]);
      const faults = durabilityFaults(persistence, memory);
      if (faults.length > 0) this.#log.warn({ faults }, 'this Redis may lose API keys');
    } catch {
      // Away, or INFO is forbidden: nothing can be said.
    }
  }
}

/** Connects to Redis, or goes on trying to. Throws RangeError or TypeError when a URL is none. */
export const createAuth = (options: AuthOptions): Auth => new Authority(options);
