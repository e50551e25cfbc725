/** Whether upstreams can be reached at all: without a network, a client's query fails at once. */

import { failed, type Result } from '../failure.ts';
import { type Clock, late, systemClock, within } from '../kernel/clock.ts';
import { defaultLimits } from './limits.ts';

/** So many hosts must have failed since the last answer of any, before the network is to blame. */
const enoughHosts = 2;
/** How long a question waits for a sign of any upstream when there is none, ms. */
const timeoutMs = 1_000;

type Handler<Q, L, R> = (request: Q, limits: L) => Promise<Result<R>>;

/** The state of the network as the requests of a process have shown it. */
export class Network {
  readonly #clock: Clock;
  #answers = 0;
  readonly #failed = new Set<string>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** A host answered, with any status. */
  answered(): void {
    this.#answers++;
    this.#failed.clear();
  }

  /** A host gave no answer. */
  failed(host: string): void {
    if (this.#failed.size < enoughHosts) this.#failed.add(host);
  }

  /** No host has answered since the start, or none has since several failed. */
  get silent(): boolean {
    return this.#answers === 0 || this.#failed.size >= enoughHosts;
  }

  /**
   * The handler, with an end to its waiting: while the network is silent, it fails with `network` after 1 s in which
   * no upstream has answered anything.
   */
  guard<Q, L, R>(handler: Handler<Q, L, R>): Handler<Q, L, R> {
    return async (request, limits) => {
      const answer = handler(request, limits);
      if (!this.silent) return answer;
      const before = this.#answers;
      const due = this.#clock.monotonic() + timeoutMs;
      const early = await within(this.#clock, timeoutMs, answer);
      if (early !== late) return early;
      // A process that lags reads answers late as well.
      const lag = this.#clock.monotonic() - due;
      if (this.#answers > before || lag > defaultLimits.lag) return answer;
      answer.catch(() => {});
      return failed('network', 'no upstream can be reached');
    };
  }
}

/** The network of this process. */
export const processNetwork = new Network();
