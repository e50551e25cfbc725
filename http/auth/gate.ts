import { randomUUID } from 'node:crypto';
import type { Published } from '../../actors/bus/bus.ts';
import { type Cancel, type Clock, every, systemClock } from '../../actors/kernel/clock.ts';
import type { AccountChange } from '../../actors/topics/index.ts';
import { defaultPlans, type Plans } from '../../config/plans.ts';
import { type ApiError, isApiError } from '../wire/errors.ts';
import { digestOf, isTicket } from './api-key.ts';
import type { Caller, Gate } from './caller.ts';
import { durabilityFaults } from './durability.ts';
import { type IdentityProvider, Verifier } from './identity.ts';
import { KeyCache } from './key-cache.ts';
import { KeyStore } from './key-store.ts';
import { KeyUses, type UsedKey } from './key-uses.ts';
import { Keys } from './keys.ts';
import type { AuthLog } from './log.ts';
import { badTicket, keysUnavailable, noProvider } from './refusals.ts';

export interface AuthOptions {
  redisUrl: string;
  /** Id of this process, shown in Redis' CLIENT LIST. */
  process: string;
  /** Null without a provider: then no bearer token is accepted. */
  provider: IdentityProvider | null;
  /** Those of specification 8 when absent. */
  plans?: Plans;
  /** The bus's own. */
  publish(topic: 'accounts', key: string, value: AccountChange): Promise<Published>;
  clock?: Clock;
  log: AuthLog;
}

/** Keys and identities of one process. */
export interface Auth {
  readonly gate: Gate;
  /** The source of the answers of `http/routes/auth.ts`. */
  readonly keys: Keys;
  /** Call it with every row of the topic `accounts`. */
  changed(change: AccountChange): void;
  /** What is wrong with the store of keys, and what to do; null while nothing is known to be. */
  problem(): string | null;
  /** Keys in memory. */
  size(): number;
  /** Writes the remaining uses within about 2 s, and disconnects. */
  stop(): Promise<void>;
}

/** All changes share one field of the topic's hash of last values: it never grows. */
const field = 'latest';

/** Milliseconds between two looks for keys in use that are to be confirmed. */
const confirmEvery = 1_000;

/** Milliseconds between two log lines about look-ups that fail. */
const quiet = 10_000;

/** What an operator reads where Redis has been emptied. */
const emptied =
  'Redis has been emptied, API keys and accounts are missing. Where `npm start` runs: npm run key -- --restore; elsewhere restore the back-up (docs/operating.md#back-up-and-restore).';

/** Whether Redis has lost the keys: it had a marker and has it no more. */
class KeyLoss {
  /** See `KeyStore.look`. */
  readonly #look: (seen: string, fresh: string) => Promise<string | null>;
  #seen = '';
  #lost = false;

  constructor(look: (seen: string, fresh: string) => Promise<string | null>) {
    this.#look = look;
  }

  /** The reason and what to do; null while nothing is missing, as far as Redis has last said. */
  get problem(): string | null {
    return this.#lost ? emptied : null;
  }

  /** Asks Redis. Rejects when it is away. */
  async look(): Promise<void> {
    const marker = await this.#look(this.#seen, randomUUID());
    this.#lost = marker === null;
    // Once the loss is settled, the marker of then counts.
    this.#seen = marker ?? '';
  }
}

class Authority implements Auth {
  readonly gate: Gate;
  readonly keys: Keys;
  readonly #publish: AuthOptions['publish'];
  readonly #log: AuthOptions['log'];
  readonly #clock: Clock;
  readonly #store: KeyStore;
  readonly #cache: KeyCache;
  readonly #links: KeyCache;
  readonly #plans: Plans;
  readonly #uses: KeyUses;
  readonly #verifier: Verifier | null;
  readonly #loss: KeyLoss;
  /** Number of the latest change received; null where another server may give the same number to another change. */
  #received: number | null = null;
  #stopConfirming: Cancel = () => {};
  #warned = Number.NEGATIVE_INFINITY;

  constructor(options: AuthOptions) {
    const { redisUrl, process, provider, publish, clock = systemClock, log } = options;
    const { plans = defaultPlans } = options;
    this.#publish = publish;
    this.#log = log;
    this.#clock = clock;
    this.#plans = plans;
    this.#verifier = provider === null ? null : new Verifier(provider, plans, clock, log);
    const store = new KeyStore(redisUrl, { name: `${process}/auth`, clock, log });
    this.#store = store;
    store.onConnect(() => {
      this.#received = null;
    });
    this.#loss = new KeyLoss((...args) => store.look(...args));
    const uses = new KeyUses(clock, (noted) => store.touch(noted));
    this.#uses = uses;
    const found = {
      ...{ clock, plans, find: (digest: string) => store.find(digest) },
      used: (key: UsedKey, now: number) => uses.note(key, now),
      failed: (error: unknown) => this.#failed(error),
    };
    this.#cache = new KeyCache(found);
    this.#links = new KeyCache({ ...found, kind: 'link' });
    this.keys = new Keys({
      store,
      plans,
      clock,
      log,
      announce: (...change) => this.#announce(...change),
      flush: () => uses.flush(),
    });
    this.gate = {
      known: this.#cache.known,
      byKey: (key, address) => this.#cache.get(key, address),
      byLink: (key, address) => this.#links.get(key, address),
      byTicket: (...asked) => this.#byTicket(...asked),
      holds: (key) => this.#cache.holds(key),
      byBearer: (authorization) => this.#byBearer(authorization),
    };
    this.#confirm();
    this.#stopConfirming = every(clock, confirmEvery, () => this.#confirm());
    void this.#warnOfLoss();
  }

  problem(): string | null {
    return this.#loss.problem ?? this.#store.problem();
  }

  size(): number {
    return this.#cache.size + this.#links.size;
  }

  /**
   * Changes are numbered. The next number concerns its account alone. Any other number but the latest one means that
   * changes were missed, and then every key is looked up again.
   */
  changed({ number, account, key }: AccountChange): void {
    if (number === this.#received) return;
    const next = this.#received !== null && number === this.#received + 1;
    this.#received = number;
    for (const cache of [this.#cache, this.#links]) {
      if (next) cache.drop(account, key);
      else cache.dropAll();
    }
  }

  async stop(): Promise<void> {
    this.#stopConfirming();
    await this.#uses.stop();
    this.#store.close();
  }

  #confirm(): void {
    void this.#cache.confirm();
    void this.#links.confirm();
    void this.#store.watch();
    void this.keys.revokeAgain();
    this.#loss.look().catch((error: unknown) => this.#failed(error));
  }

  async #byTicket(ticket: string, address = ''): ReturnType<Gate['byTicket']> {
    if (!isTicket(ticket)) return badTicket;
    const { room } = this.#cache;
    if (!room.hold(address, 1)) return keysUnavailable;
    try {
      const digest = await this.#store.takeTicket(digestOf(ticket));
      return digest === null ? badTicket : await this.#cache.byDigest(digest);
    } catch (error) {
      this.#failed(error);
      return keysUnavailable;
    } finally {
      room.release(address, 1);
    }
  }

  async #byBearer(authorization: string): Promise<Caller | ApiError> {
    if (this.#verifier === null) return noProvider;
    const identity = await this.#verifier.verify(authorization);
    if (isApiError(identity)) return identity;
    const { account, issued, until, email } = identity;
    const caller: Caller = { account, plan: this.#plans.of(identity.plan).name, key: null, until };
    if (email !== undefined) caller.email = email;
    const statement = { account, plan: identity.plan, issued, now: this.#clock.now() };
    try {
      const { plan, change } = await this.#store.observe(statement);
      caller.plan = this.#plans.of(plan).name;
      if (change > 0) this.#announce(account, change);
    } catch (error) {
      // The plan that the token states counts.
      this.#failed(error);
    }
    return caller;
  }

  /** Applies a change here at once. Other processes learn of it by the topic, or when their records expire. */
  #announce(account: string, number: number, key?: string): void {
    this.#cache.drop(account, key);
    this.#links.drop(account, key);
    const change = { number, account };
    void this.#publish('accounts', field, key === undefined ? change : { ...change, key });
  }

  #failed(error: unknown): void {
    const now = this.#clock.now();
    if (Math.abs(now - this.#warned) < quiet) return;
    this.#warned = now;
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
      // Redis is away or forbids INFO: the settings are unknown.
    }
  }
}

/** Connects to Redis and keeps trying. Throws RangeError or TypeError for an invalid URL. */
export const createAuth = (options: AuthOptions): Auth => new Authority(options);
