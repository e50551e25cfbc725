import assert from 'node:assert/strict';
import type { Plans } from '../../config/plans.ts';
import type { Caller, Gate } from '../../http/auth/caller.ts';
import { Bucket } from '../../http/quota/bucket.ts';
import { createQuota, type Quota } from '../../http/quota/quota.ts';
import type { QuotaStore, QuotaWindow, Settlement, Usage } from '../../http/quota/store.ts';
import { type ApiError, apiError } from '../../http/wire/errors.ts';
import { FakeClock } from './clock.ts';

interface Window {
  name: string;
  end: number;
  reserved: number;
  used: number;
  keys: Map<string, number>;
  /** The latest settlement and what it has reserved. */
  latest: { number: number; granted: number };
}

/** Windows in memory, by the rules of the script in `http/quota/store.ts`; `state` makes it answer after 500 ms, reject or never answer. */
export class MemoryQuotaStore implements QuotaStore {
  readonly settled: Settlement[] = [];
  state: 'up' | 'slow' | 'away' | 'silent' = 'up';
  readonly #clock: FakeClock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  /** Loses everything, as a Redis that was restarted. */
  clear(): void {
    this.#windows.clear();
  }

  reserved(subject: string): number {
    return this.#open(subject)?.reserved ?? 0;
  }

  async settle(settlement: Settlement): Promise<QuotaWindow | null> {
    this.settled.push(settlement);
    await this.#answer();
    const { subject, limit, want, back, owed, used } = settlement;
    const window = this.#open(subject) ?? (want + owed > 0 ? this.#begin(subject) : undefined);
    if (window === undefined) return null;
    if (settlement.window === '' || settlement.window === window.name) {
      window.reserved += owed - back;
      for (const [key, count] of used) {
        window.used += count;
        if (key !== '') window.keys.set(key, (window.keys.get(key) ?? 0) + count);
      }
    }
    const rest = Math.max(0, limit - window.reserved);
    const granted = want > 0 ? Math.min(rest, Math.max(want, Math.ceil(rest / 16))) : 0;
    window.reserved += granted;
    window.latest = { number: settlement.number, granted };
    const resetIn = window.end - this.#clock.now();
    return { window: window.name, granted, rest: rest - granted, resetIn };
  }

  async undo({ number, subject, window: name, back }: Settlement): Promise<boolean> {
    await this.#answer();
    const window = this.#open(subject);
    if (window === undefined) return false;
    const done = window.latest.number === number;
    if (done) window.reserved -= window.latest.granted;
    else if (window.name === name) window.reserved -= back;
    window.latest = { number, granted: 0 };
    return done;
  }

  async usage(subject: string): Promise<Usage> {
    await this.#answer();
    const window = this.#open(subject);
    if (window === undefined) return { used: 0, resetIn: null, keys: new Map() };
    return { used: window.used, resetIn: window.end - this.#clock.now(), keys: window.keys };
  }

  async #answer(): Promise<void> {
    if (this.state === 'away') throw new Error('Connection is closed.');
    if (this.state === 'slow') await new Promise<void>((done) => this.#clock.after(500, done));
    if (this.state === 'silent') await new Promise(() => {});
  }

  #open(subject: string): Window | undefined {
    const window = this.#windows.get(subject);
    return window && window.end > this.#clock.now() ? window : undefined;
  }

  #begin(subject: string): Window {
    const now = this.#clock.now();
    const counts = { reserved: 0, used: 0, latest: { number: 0, granted: 0 } };
    const window = { name: `w${now}`, end: now + 60_000, keys: new Map(), ...counts };
    this.#windows.set(subject, window);
    return window;
  }
}

/** Quotas over a store in memory, with what they have logged. */
export function memoryQuota(
  clock: FakeClock,
  plans?: Plans,
): {
  quota: Quota;
  store: MemoryQuotaStore;
  lines: string[];
} {
  const store = new MemoryQuotaStore(clock);
  const lines: string[] = [];
  const write = (_: object, message: string) => void lines.push(message);
  const log = { info: write, warn: write, error: write };
  return { quota: createQuota({ store, clock, log, ...(plans && { plans }) }), store, lines };
}

export const alice: Caller = { account: 'alice', plan: 'free', key: 'k1' };

/** A gate that knows these credentials, at once for API keys unless they begin with `slow`. */
export const gateOf = (callers: Readonly<Record<string, Caller>>): Gate => {
  const of = (text: string): Caller | ApiError => callers[text] ?? apiError('unauthorized');
  return {
    known: (key) => {
      const caller = key.startsWith('slow') ? undefined : callers[key];
      return caller === undefined ? null : { caller, allowance: null };
    },
    byLink: of,
    byKey: (key) => (key.startsWith('slow') ? Promise.resolve(of(key)) : of(key)),
    byTicket: async (ticket) => {
      const caller = of(ticket);
      return 'error' in caller ? caller : { caller, key: ticket };
    },
    holds: (key) => !('error' in of(key)),
    byBearer: async (authorization) => of(authorization.replace(/^Bearer /, '')),
  };
};

/** Quotas with a way to make so many requests; gives how many were admitted. */
export function quotaStage() {
  const clock = new FakeClock();
  const made = memoryQuota(clock);
  const bucket = () => {
    const found = made.quota.account(alice);
    assert.ok(found instanceof Bucket);
    return found;
  };
  const request = async (times: number) => {
    let admitted = 0;
    for (let i = 0; i < times; i++) if (await bucket().take('k1')) admitted += 1;
    return admitted;
  };
  /** The settlements since the last call: wanted, returned, owed and the reported uses; `?` without a window. */
  const settled = () =>
    made.store.settled.splice(0).map(({ want, back, owed, used, window }) => {
      const uses = [...used].map(([by, count]) => `${by}:${count}`);
      return [`${want}-${back}+${owed}${window === '' ? '?' : ''}`, ...uses].join(' ');
    });
  return { ...made, clock, bucket, request, settled };
}
