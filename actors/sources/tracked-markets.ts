/** The markets that a stream of tracked assets subscribes to. */
import type { InstrumentMap } from './define.ts';

/** Between two questions for them: before there are any, and afterwards; ms. */
const pauses = { before: 3_000, after: 60_000 };

export class TrackedMarkets {
  readonly #tracked: (now: number) => InstrumentMap;
  #due = Number.NEGATIVE_INFINITY;
  #pause = pauses.before;

  constructor(tracked: (now: number) => InstrumentMap) {
    this.#tracked = tracked;
  }

  /**
   * The markets to subscribe to at `now`, Unix ms; null while none are asked for. Where none are tracked any more, the
   * last ones stay: prices may be absent for a moment.
   */
  next(now: number): InstrumentMap | null {
    if (now < this.#due) return null;
    const markets = this.#tracked(now);
    if (markets.size > 0) this.#pause = pauses.after;
    this.#due = now + this.#pause;
    return markets.size > 0 ? markets : null;
  }
}
