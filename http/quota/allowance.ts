import type { QuotaState } from '../wire/form.ts';

/** The requests that an account or address may make. */
export interface Allowance {
  /** Requests a window; null without a limit. */
  readonly limit: number | null;
  /** Grows with every new window. */
  readonly epoch: number;
  /** Another one counts in its place: it was dropped after its window. */
  readonly gone: boolean;
  /** Whether a request by `key` (empty where there is none) is admitted; a promise only when Redis must be asked. */
  take(key: string): boolean | Promise<boolean>;
  /** Takes an admission of the window `epoch` back. */
  refund(key: string, epoch: number): void;
  /** As headers state it now, valid until the next call. `sameTurn`: as it was when the last request was taken. */
  state(sameTurn: boolean): QuotaState;
}

const noLimit: QuotaState = { limit: null, remaining: 0, seconds: 0 };

/** The allowance of accounts without a limit: counts nothing and never asks Redis. */
export const unlimited: Allowance = {
  limit: null,
  epoch: 0,
  gone: false,
  take: () => true,
  refund: () => {},
  state: () => noLimit,
};
