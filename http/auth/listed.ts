/** Keys as their owner sees them in a list. */
import { type KeyKind, kindOfPrefix } from './api-key.ts';
import { dayOf } from './key-uses.ts';
import type { UsedKey } from './stored-key.ts';

/** A key as its owner sees it in a list. */
export interface ListedKey {
  id: string;
  name: string;
  prefix: string;
  kind: KeyKind;
  paths: readonly string[] | null;
  created_at: number;
  /** Null when it was never used. */
  last_used_at: number | null;
  /** Requests with it since 00:00 UTC, as reported by the processes so far. */
  requests_today: number;
  plan: string;
  status: 'active' | 'revoked';
  revoked: boolean;
  /** When it ends by itself; null where it does not. */
  ends_at: number | null;
  /** Null while it is active. */
  revoked_at: number | null;
}

/** A key of an account with this plan; `now` in Unix ms. */
export function listed(key: UsedKey, plan: string, now: number): ListedKey {
  const { id, name, prefix, created, use, until, revoked, paths } = key;
  return {
    ...{ id, name, prefix, kind: kindOfPrefix(prefix), paths },
    created_at: created,
    last_used_at: use?.at ?? null,
    requests_today: use !== null && dayOf(use.at) === dayOf(now) ? use.count : 0,
    plan,
    status: revoked === null ? 'active' : 'revoked',
    revoked: revoked !== null,
    ends_at: until,
    revoked_at: revoked,
  };
}
