import { connect, hangUp } from '../../actors/bus/redis.ts';
import { Commands } from '../../actors/bus/script.ts';
import { isPlanName, type PlanName } from '../../config/plans.ts';
import type { AuthLog } from './log.ts';
import * as s from './scripts.ts';

/** A key as lists show it; times are Unix milliseconds. */
export interface StoredKey {
  id: string;
  name: string;
  prefix: string;
  created: number;
  /** Null until its first use has been written back. */
  used: number | null;
}

/** What a request with a key needs to know of it. */
export interface KeyOwner {
  id: string;
  account: string;
  plan: PlanName;
}

/** A key to be stored. */
export interface NewKey {
  account: string;
  id: string;
  digest: string;
  name: string;
  prefix: string;
  /** Unix ms. */
  created: number;
  /** Most active keys of the account; null for no limit. */
  most: number | null;
  /** Digest of the request's idempotency key; null when it has none. */
  creation: string | null;
}

export type Creation =
  | { outcome: 'created' | 'repeated'; stored: Omit<StoredKey, 'used'> }
  | { outcome: 'full' }
  | { outcome: 'mismatch' };

/** The plan that holds for an account; `change` is the change's number when this token changed it, else 0. */
export interface Observed {
  plan: PlanName;
  change: number;
}

const unpaid: PlanName = 'free';

/** Accounts and keys in Redis, on a connection of its own. Every method rejects when Redis is away, late or says no. */
export class KeyStore {
  readonly #commands: Commands;

  /** Throws RangeError when `url` is not one of Redis. `name` is shown in CLIENT LIST. */
  constructor(url: string, name: string, log: Pick<AuthLog, 'info' | 'warn' | 'error'>) {
    this.#commands = new Commands(connect(url, { name, log }), s.authScripts);
  }

  close(): void {
    hangUp(this.#commands.redis);
  }

  /** Checks the limit and the idempotency key and stores the key, all in one step. */
  async create(key: NewKey): Promise<Creation> {
    const keys = [s.keysOf(key.account), s.keyPrefix + key.digest];
    if (key.creation !== null) keys.push(s.creationOf(key.account, key.creation));
    const { most, id, digest, account, name, prefix, created } = key;
    const args = [most ?? -1, id, digest, account, name, prefix, created, s.creationLife];
    const [outcome, ...row] = texts(await this.#commands.run(s.createScript, keys, args));
    if (outcome === 'full' || outcome === 'mismatch') return { outcome };
    if (outcome !== 'created' && outcome !== 'repeated') throw unreadable();
    return { outcome, stored: readKey(row) };
  }

  /** The account's active keys, the oldest first. */
  async list(account: string): Promise<StoredKey[]> {
    const rows = await this.#commands.run(s.listScript, [s.keysOf(account)], [s.keyPrefix]);
    if (!Array.isArray(rows)) throw unreadable();
    return rows
      .map((row) => {
        const fields = texts(row);
        return { ...readKey(fields), used: fields[4] ? Number(fields[4]) : null };
      })
      .sort((a, b) => a.created - b.created);
  }

  /** How many active keys the account has. */
  async count(account: string): Promise<number> {
    return readCount(await this.#commands.send('HLEN', s.keysOf(account)));
  }

  /** The number of the change; 0 when the account has no key of this id. */
  async revoke(account: string, id: string): Promise<number> {
    const keys = [s.keysOf(account), s.changesKey];
    return readCount(await this.#commands.run(s.revokeScript, keys, [id, s.keyPrefix]));
  }

  /** Whose key this is; null when it is nobody's. */
  async find(digest: string): Promise<KeyOwner | null> {
    const keys = [s.keyPrefix + digest];
    const reply = await this.#commands.run(s.findScript, keys, [s.accountPrefix]);
    if (reply === null) return null;
    const [id, account, plan] = texts(reply);
    if (!id || !account) throw unreadable();
    return { id, account, plan: readPlan(plan) };
  }

  /** Notes what a token of the account says of its plan; `issued` is the token's `iat`, Unix seconds. */
  async observe(account: string, plan: PlanName, issued: number): Promise<Observed> {
    const keys = [s.accountPrefix + account, s.changesKey];
    const reply = await this.#commands.run(s.observeScript, keys, [plan, issued, unpaid]);
    if (!Array.isArray(reply)) throw unreadable();
    return { plan: readPlan(texts(reply)[0]), change: readCount(reply[1]) };
  }

  /** Notes when keys were last used, digest to Unix ms. */
  async touch(uses: ReadonlyMap<string, number>): Promise<void> {
    const keys = [...uses.keys()].map((digest) => s.keyPrefix + digest);
    await this.#commands.run(s.touchScript, keys, [...uses.values()]);
  }

  /** A section of INFO. */
  async info(section: string): Promise<string> {
    return String(await this.#commands.send('INFO', section));
  }
}

const unreadable = () => new Error('unreadable reply of an auth script');

/** The parts of an array reply; empty where one is missing. */
function texts(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw unreadable();
  return reply.map((part) => (Buffer.isBuffer(part) ? part.toString() : ''));
}

function readKey([id, name, prefix, created]: string[]): Omit<StoredKey, 'used'> {
  if (!id || !name || !prefix || !created) throw unreadable();
  return { id, name, prefix, created: Number(created) };
}

function readCount(reply: unknown): number {
  if (typeof reply !== 'number') throw unreadable();
  return reply;
}

/** A plan that this version does not know gives no more than the free one. */
const readPlan = (text: string | undefined): PlanName =>
  text !== undefined && isPlanName(text) ? text : unpaid;
