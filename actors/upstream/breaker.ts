/** Circuit breaker: stops asking an API that has failed several times in a row, and probes it now and then. */
import { fullJitter } from '../kernel/backoff.ts';
import type { Clock } from '../kernel/clock.ts';

/** `half_open`: one probe may go, all other requests wait for its outcome. */
export type BreakerState = 'closed' | 'open' | 'half_open';

export interface BreakerOptions {
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  /** Consecutive failures that open it. */
  failures: number;
}

/** Leave to send one request; exactly one of the three is to be called when it has ended. */
export interface Permit {
  succeeded(): void;
  failed(): void;
  /** It ended without evidence about the upstream's health. */
  released(): void;
}

const openTime = { floor: 1_000, base: 5_000, cap: 120_000 };

export class Breaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  #openings = 0;
  /** When the open time ends; null while closed. */
  #until: number | null = null;
  #probe: Permit | null = null;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get state(): BreakerState {
    if (this.#until === null) return 'closed';
    return this.#options.clock.monotonic() < this.#until ? 'open' : 'half_open';
  }

  /** Whether `admit` would give a permit now. */
  get admits(): boolean {
    return this.state === 'closed' || (this.state === 'half_open' && this.#probe === null);
  }

  /** Ms until a request may be sent again: 0 while one may. */
  get wait(): number {
    if (this.admits) return 0;
    // The probe under way decides.
    return Math.max(openTime.floor, (this.#until ?? 0) - this.#options.clock.monotonic());
  }

  /** A permit, or null when the request must not be sent. */
  admit(): Permit | null {
    if (!this.admits) return null;
    const permit: Permit = {
      succeeded: () => this.#settle(permit, 'succeeded'),
      failed: () => this.#settle(permit, 'failed'),
      released: () => this.#settle(permit, 'released'),
    };
    if (this.#until !== null) this.#probe = permit;
    return permit;
  }

  /** The API has answered another caller: an expired open time ends for all. */
  revived(): void {
    if (this.state === 'half_open') this.#close();
  }

  /** While not closed only the probe counts: earlier requests are no evidence about now. */
  #settle(permit: Permit, outcome: keyof Permit): void {
    const probing = permit === this.#probe;
    if (this.#until !== null && !probing) return;
    this.#probe = null;
    if (outcome === 'succeeded') this.#close();
    else if (outcome === 'failed') this.#fail(probing);
  }

  #close(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#until = null;
  }

  #fail(probing: boolean): void {
    this.#failures++;
    if (!probing && this.#failures < this.#options.failures) return;
    const { clock, random } = this.#options;
    this.#until = clock.monotonic() + fullJitter(this.#openings++, openTime, random);
  }
}
