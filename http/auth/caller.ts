import { hash } from 'node:crypto';
import type { Allowance } from '../quota/allowance.ts';
import type { ApiError } from '../wire/errors.ts';

/** The caller of a request. */
export interface Caller {
  /** The account: the subject that the identity provider states. */
  account: string;
  /** Name of the plan, one of those of the service. */
  plan: string;
  /** Id of the API key; null for a bearer token. */
  key: string | null;
  email?: string;
  /** When its credential ends by itself, Unix ms; absent for keys that do not. */
  until?: number;
  /** The paths that its link key reads; absent for all other credentials. */
  link?: readonly string[];
}

/** The id by which the actors know the account of a query; `address` as the quotas have it. */
export function accountIdOf(caller: Pick<Caller, 'account'> | null, address: string): string {
  const text = caller === null ? `address ${address}` : `account ${caller.account}`;
  return hash('sha256', text, 'base64url').slice(0, 16);
}

/** What a process knows of a key in use. */
export interface KeyRecord {
  readonly caller: Caller;
  /** What its requests count against; null before the first. */
  allowance: Allowance | null;
}

/** Finds the caller of a request by its credential. */
export interface Gate {
  /** By the text of `X-API-Key`, out of memory; null where Redis must be asked. `now` is the present, Unix ms. */
  known(key: string, now: number): KeyRecord | null;
  /**
   * By the text of `X-API-Key`. A promise, with a deadline, only when Redis must be asked. `address` is the client's, as the
   * quotas have it: the look-ups of unknown keys and of tickets that one has open are bounded.
   */
  byKey(key: string, address?: string): Caller | ApiError | Promise<Caller | ApiError>;
  /** By a link key, which `byKey` does not take; otherwise as that. */
  byLink(key: string, address?: string): Caller | ApiError | Promise<Caller | ApiError>;
  /**
   * By a ticket of `POST /v1/auth/ticket`, which is used up: the caller, and the text by which `holds` knows the key. Never
   * rejects. `address`: see `byKey`.
   */
  byTicket(ticket: string, address?: string): Promise<{ caller: Caller; key: string } | ApiError>;
  /** Whether a key that was accepted is still valid; true while that cannot be known. It is not counted as a use. */
  holds(key: string): boolean | Promise<boolean>;
  /** By the text of `Authorization`. Never rejects. */
  byBearer(authorization: string): Promise<Caller | ApiError>;
}
