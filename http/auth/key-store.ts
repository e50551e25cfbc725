import { accountKeysOf } from '../../actors/bus/keys.ts';
import { closeAtOnce, connect } from '../../actors/bus/redis.ts';
import { SafeChanges } from '../../actors/bus/safe-changes.ts';
import { Commands } from '../../actors/bus/script.ts';
import type { Clock } from '../../actors/kernel/clock.ts';
import { day } from '../../config/time.ts';
import type { Use } from './key-uses.ts';
import type { AuthLog } from './log.ts';
import * as s from './scripts.ts';
import {
  type Account,
  type Creation,
  type KeyHistory,
  type KeyOwner,
  type NewKey,
  type Observed,
  type Revocation,
  readCount,
  readKey,
  readPaths,
  readUsedKey,
  type TokenFacts,
  texts,
  type UsedKey,
  unreadable,
} from './stored-key.ts';

/** The plan of an account for which no token has stated one. */
const defaultPlan = 'free';

interface StoreOptions {
  name: string;
  clock: Clock;
  log: Pick<AuthLog, 'info' | 'warn' | 'error'>;
}

/**
 * Accounts and keys in Redis, on a connection of its own. Every method rejects when Redis is away, late or reports an
 * error.
 */
export class KeyStore {
  readonly #commands: Commands;
  readonly #changes: SafeChanges;

  /** Throws RangeError when `url` is not a Redis URL. CLIENT LIST shows `name`. */
  constructor(url: string, { name, clock, log }: StoreOptions) {
    this.#commands = new Commands(connect(url, { name, log }), s.authScripts);
    const changes = { commands: this.#commands, name: `${name}-changes`, clock, log };
    this.#changes = new SafeChanges(url, changes);
  }

  close(): void {
    closeAtOnce(this.#commands.redis);
    this.#changes.close();
  }

  /** Calls `listener` after each connection: it may lead to another server, where the latest changes are not known. */
  onConnect(listener: () => void): void {
    this.#commands.redis.on('ready', listener);
  }

  /** Looks whether the replicas have the latest changes. Never rejects. */
  async watch(): Promise<void> {
    await this.#changes.look();
  }

  /** What is wrong with the replicas, and what to do; null while nothing is. */
  problem(): string | null {
    return this.#changes.problem();
  }

  /** The marker; null when it was `seen` (empty where none is known) and has gone. `fresh` is set where there is none. */
  look(seen: string, fresh: string): Promise<string | null> {
    return s.look(this.#commands, seen, fresh);
  }

  /**
   * Checks the limit and the idempotency key and stores the key, all in one step. Rejects, and there is no key, when the replicas
   * do not have it in time.
   */
  async create(key: NewKey): Promise<Creation> {
    const keys = [accountKeysOf(key.account), s.keyPrefix + key.digest];
    if (key.creation !== null) keys.push(s.creationOf(key.account, key.creation));
    const { most, id, digest, account, name, prefix, created } = key;
    const paths = key.paths === undefined ? '' : JSON.stringify(key.paths);
    const { id: old = '', until = 0 } = key.replaces ?? {};
    const args = [
      ...[most ?? -1, id, digest, account, name, prefix, created, s.creationLife, paths],
      ...[s.keyPrefix, old, until, s.mostReplaced],
    ];
    if (!(await this.#changes.canChange())) throw unconfirmed();
    const { reply, isSafe } = await this.#changes.run(s.createScript, keys, args);
    const [outcome, ...row] = texts(reply);
    if (!isSafe) {
      if (outcome === 'created')
        await this.#commands.run(s.withdrawScript, keys, [id, s.keyPrefix, old]);
      throw unconfirmed();
    }
    if (outcome === 'full' || outcome === 'gone' || outcome === 'mismatch') return { outcome };
    if (outcome !== 'created' && outcome !== 'repeated') throw unreadable();
    return { outcome, stored: readKey(row) };
  }

  /** The account's active keys and the newest of its revoked ones, the oldest first. */
  async list(account: string): Promise<UsedKey[]> {
    const keys = [accountKeysOf(account), s.revokedOf(account)];
    const rows = await this.#commands.run(s.listScript, keys, [s.keyPrefix, day]);
    if (!Array.isArray(rows)) throw unreadable();
    return rows.map((row) => readUsedKey(texts(row))).sort((a, b) => a.created - b.created);
  }

  async account(account: string): Promise<Account> {
    const keys = [accountKeysOf(account), s.accountPrefix + account];
    const [count, created] = texts(await this.#commands.run(s.accountScript, keys, [s.keyPrefix]));
    return { keys: Number(count), created: created ? Number(created) : null };
  }

  /** `now` is Unix ms. */
  async revoke(account: string, id: string, now: number): Promise<Revocation> {
    const keys = [accountKeysOf(account), s.changesKey, s.revokedOf(account)];
    const args = [id, s.keyPrefix, now, s.mostRevoked, day];
    const { reply, isSafe } = await this.#changes.run(s.revokeScript, keys, args);
    return { change: readCount(reply), isSafe };
  }

  /** The owner of a key; null when the key does not exist. Rejects also when Redis is not the master of the keys any more. */
  async find(digest: string): Promise<KeyOwner | null> {
    if (!this.#changes.isMaster) throw new Error('this Redis is not the master, or is cut off');
    const keys = [s.keyPrefix + digest];
    const reply = await this.#commands.run(s.findScript, keys, [s.accountPrefix]);
    if (reply === null) return null;
    const [id, account, plan, paths = '', until] = texts(reply);
    if (!id || !account) throw unreadable();
    return {
      ...{ id, account, plan: plan || defaultPlan, paths: readPaths(paths) ?? undefined },
      until: until ? Number(until) : undefined,
    };
  }

  /** Stores a ticket, by its digest, for a key of an account. */
  async putTicket(digest: string, { account, id }: Pick<KeyOwner, 'account' | 'id'>) {
    const value = JSON.stringify([account, id]);
    await this.#commands.send('SET', s.ticketOf(digest), value, 'PX', s.ticketLife);
  }

  /** Takes a ticket away: the digest of its key; null when there is no such ticket or no such key any more. */
  async takeTicket(digest: string): Promise<string | null> {
    const keys = [s.ticketOf(digest)];
    const reply = await this.#commands.run(s.takeTicketScript, keys, [accountKeysOf('')]);
    return reply === null ? null : String(reply);
  }

  /** Stores a sign-in code, by its digest, for an account. */
  async putCode(digest: string, account: string): Promise<void> {
    await this.#commands.send('SET', s.codeOf(digest), account, 'PX', s.codeLife);
  }

  /** Takes a sign-in code away: its account; null when there is no such code any more. */
  async takeCode(digest: string): Promise<string | null> {
    const reply = await this.#commands.send('GETDEL', s.codeOf(digest));
    return reply === null ? null : String(reply);
  }

  /** Stores a key that ends by itself at `until`, Unix ms. A fail-over may lose it: then its owner signs in again. */
  async createSession(
    key: Omit<NewKey, 'most' | 'creation' | 'paths' | 'replaces'>,
    until: number,
  ): Promise<void> {
    const { id, digest, account, name, prefix, created } = key;
    const keys = [accountKeysOf(account), s.keyPrefix + digest];
    const args = [id, digest, account, name, prefix, created, until, s.keyPrefix, s.mostSessions];
    await this.#commands.run(s.sessionScript, keys, args);
  }

  /** Stores the facts that a token states about its account. */
  async observe({ account, plan, issued, now }: TokenFacts): Promise<Observed> {
    const keys = [s.accountPrefix + account, s.changesKey];
    const args = [plan ?? '', issued, now, defaultPlan];
    const reply = await this.#commands.run(s.observeScript, keys, args);
    if (!Array.isArray(reply)) throw unreadable();
    return { plan: texts(reply)[0] || defaultPlan, change: readCount(reply[1]) };
  }

  /** Adds uses of keys, by digest. */
  async touch(uses: ReadonlyMap<string, Use>): Promise<void> {
    const keys = [...uses.keys()].map((digest) => s.keyPrefix + digest);
    const args = [...uses.values()].flatMap(({ at, count }) => [at, count]);
    await this.#commands.run(s.touchScript, keys, [day, s.daysKept, ...args]);
  }

  /** Requests with each active key of an account on UTC days, by their numbers (days since 1970). */
  async history(account: string, days: readonly number[]): Promise<KeyHistory[]> {
    const args = [s.keyPrefix, ...days.map((number) => `d${number}`)];
    const rows = await this.#commands.run(s.historyScript, [accountKeysOf(account)], args);
    if (!Array.isArray(rows)) throw unreadable();
    return rows.map((row) => {
      const [id = '', name = '', ...counts] = texts(row);
      return { id, name, requests: counts.map(Number) };
    });
  }

  /** A section of INFO. */
  async info(section: string): Promise<string> {
    return String(await this.#commands.send('INFO', section));
  }
}

const unconfirmed = () => new Error('the replicas of Redis did not confirm the key in time');
