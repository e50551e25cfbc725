/** Keys and accounts as Redis holds them, and how the replies of its scripts are read. */
import type { Use } from './key-uses.ts';

/** A key as it was made; `created` is Unix milliseconds. */
export interface StoredKey {
  id: string;
  name: string;
  prefix: string;
  created: number;
}

/** A key as lists show it; times are Unix milliseconds. */
export interface UsedKey extends StoredKey {
  /** Its latest use; null until the first one has been written. */
  use: Use | null;
  /** When it ends by itself, as a session or a replaced key does; null for others. */
  until: number | null;
  /** Null while it is active. */
  revoked: number | null;
  /** Those that a link key reads; null for others. */
  paths: readonly string[] | null;
}

/** The facts of a key that requests need. */
export interface KeyOwner {
  id: string;
  account: string;
  /** From the newest token that states one. */
  plan: string;
  /** Those that a link key reads; absent for others. */
  paths?: readonly string[] | undefined;
  /** When it ends by itself, Unix ms; absent for others. */
  until?: number | undefined;
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
  /** Those that a link key reads; absent for others. */
  paths?: readonly string[] | undefined;
  /** The active key that it replaces, which ends at `until`, Unix ms; the limit does not count then. */
  replaces?: { id: string; until: number } | undefined;
}

export type Creation =
  | { outcome: 'created' | 'repeated'; stored: StoredKey }
  /** The account has as many keys as it may have: active ones, or replaced ones that still work. */
  | { outcome: 'full' }
  /** The key to be replaced is not there, or ends already. */
  | { outcome: 'gone' }
  | { outcome: 'mismatch' };

/** The facts that a token states about its account. */
export interface TokenFacts {
  account: string;
  /** Null when it states none: then the plan of the account does not change. */
  plan: string | null;
  /** `iat` of the token, Unix seconds. */
  issued: number;
  /** Unix ms: the time of creation of an account that is not known yet. */
  now: number;
}

/** The plan of an account; `change` is the change's number when this token changed it, else 0. */
export interface Observed {
  plan: string;
  change: number;
}

/** The end of a key. */
export interface Revocation {
  /** The number of the change; 0 when the account has no active key of this id. */
  change: number;
  /** Whether the replicas have it as well. */
  isSafe: boolean;
}

/** Active keys of an account but those that end by themselves, and the time of its creation; null for one that no token has named. */
export interface Account {
  keys: number;
  created: number | null;
}

/** Requests with a key on each of some days. */
export interface KeyHistory {
  id: string;
  name: string;
  requests: number[];
}

export const unreadable = () => new Error('unreadable reply of an auth script');

/** The parts of an array reply; empty where one is missing. */
export function texts(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw unreadable();
  return reply.map((part) => (Buffer.isBuffer(part) ? part.toString() : ''));
}

export function readKey([id, name, prefix, created]: string[]): StoredKey {
  if (!id || !name || !prefix || !created) throw unreadable();
  return { id, name, prefix, created: Number(created) };
}

export function readUsedKey(fields: string[]): UsedKey {
  const [used, count, revoked, paths = '', until] = fields.slice(4);
  return {
    ...readKey(fields),
    use: used ? { at: Number(used), count: Number(count) } : null,
    until: until ? Number(until) : null,
    revoked: revoked ? Number(revoked) : null,
    paths: readPaths(paths),
  };
}

export function readPaths(text: string): string[] | null {
  const paths: unknown = text === '' ? null : JSON.parse(text);
  return Array.isArray(paths) ? paths.map(String) : null;
}

export function readCount(reply: unknown): number {
  if (typeof reply !== 'number') throw unreadable();
  return reply;
}
