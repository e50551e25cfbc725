/** Circuit breaker: stops asking an API that has failed several times in a row, and tries it again now and then. */
import { fullJitter } from '../kernel/backoff.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Around } from './limits.ts';

/** `half_open`: the open time is over, and the next outcome decides. */
export type BreakerState = 'closed' | 'open' | 'half_open';

const openTime = { floor: 1_000, base: 5_000, cap: 120_000 };

export class Breaker {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #most: number;
  #failures = 0;
  #openings = 0;
  /** When the open time ends; null while closed. */
  #until: number | null = null;

  /** `most`: consecutive failures that open it. */
  constructor({ clock, random }: Pick<Around, 'clock' | 'random'>, most: number) {
    this.#clock = clock;
    this.#random = random;
    this.#most = most;
  }

  get state(): BreakerState {
    if (this.#until === null) return 'closed';
    return this.wait > 0 ? 'open' : 'half_open';
  }

  /** Ms until a request may be sent: 0 while one may. */
  get wait(): number {
    return Math.max(0, (this.#until ?? 0) - this.#clock.monotonic());
  }

  /** A request was answered. While it is open no outcome counts: those of earlier requests are no evidence about now. */
  succeeded(): void {
    if (this.state === 'open') return;
    this.#failures = 0;
    this.#openings = 0;
    this.#until = null;
  }

  failed(): void {
    if (this.state === 'open' || (++this.#failures < this.#most && this.#until === null)) return;
    this.#until = this.#clock.monotonic() + fullJitter(this.#openings++, openTime, this.#random);
  }
}
