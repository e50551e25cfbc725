/** Which of an API's hosts to ask: stays with the one that works, and goes back to the first after a while. */
import { minute } from '../../config/time.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Target } from './gateway.ts';

/** How long another host is used before the first is tried again, ms. */
const returnAfter = minute;

export class Hosts {
  readonly #targets: readonly Target[];
  readonly #clock: Clock;
  #current = 0;
  /** When the first host is to be tried again, while another one is current. */
  #returnAt = 0;

  /** `targets`: at least one, the preferred first. */
  constructor(targets: readonly Target[], clock: Clock) {
    this.#targets = targets;
    this.#clock = clock;
  }

  /** Name of the host that is asked first. */
  get current(): string {
    return this.#targets[this.#current]?.name ?? '';
  }

  /**
   * All hosts in the order in which one request shall try them: the current one, then round the list. When the
   * return is due, the first host leads for this one request alone; the others do not wait to see it fail.
   */
  order(): Target[] {
    const round = [...this.#targets.slice(this.#current), ...this.#targets.slice(0, this.#current)];
    const [first] = this.#targets;
    if (!first || this.#current === 0 || this.#clock.monotonic() < this.#returnAt) return round;
    this.#returnAt = this.#clock.monotonic() + returnAfter;
    return [first, ...round.filter((target) => target !== first)];
  }

  worked(target: Target): void {
    this.#moveTo(this.#targets.indexOf(target));
  }

  /** The next host becomes current, if `target` still was. */
  failed(target: Target): void {
    if (this.#targets[this.#current] !== target) return;
    this.#moveTo((this.#current + 1) % this.#targets.length);
  }

  #moveTo(index: number): void {
    if (this.#current === 0 && index !== 0) {
      this.#returnAt = this.#clock.monotonic() + returnAfter;
    }
    this.#current = index;
  }
}
