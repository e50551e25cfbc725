/** The health of an API from its replies: the hosts that work, a breaker, and pauses that the API wants. */
import { hour, minute } from '../../config/time.ts';
import type { Failure } from '../failure.ts';
import { fullJitter } from '../kernel/backoff.ts';
import type { SharedPause } from '../kernel/shared-window.ts';
import type { Target } from './gateway.ts';
import type { Around } from './request.ts';
import { maxRetryAfter, type Verdict } from './verdict.ts';

/** How an API is doing. */
export interface ApiState {
  /** `half_open`: the open time is over, and the next outcome decides. */
  breaker: 'closed' | 'open' | 'half_open';
  /** Unix ms until which the upstream asks for no requests; null where it does not. */
  pausedUntil: number | null;
  /** Name of the host that is asked first. */
  host: string;
}

/** For how long the breaker is open, ms. */
const openTime = { floor: 1_000, base: 5_000, cap: 120_000 };
/** After a failure of a host the others are asked before it for so long, ms. */
const returnAfter = minute;
/** Silence after 429 or 418 that states no wait, in ms: `floor`, and full jitter that grows from time to time. */
const silence = {
  rate_limited: { floor: 1_000, base: 10_000, cap: 300_000 },
  banned: { floor: 60_000, base: 120_000, cap: hour },
};

/**
 * Polls and questions share the order of the hosts and the breaker. Only failures of polls open it: a client that asks what the API
 * cannot answer must not stop the others. An answer to anyone closes it.
 */
export class Health {
  readonly #around: Around;
  readonly #targets: readonly Target[];
  /** When the hosts that have failed are asked in their turn again, monotonic ms. */
  readonly #failedUntil = new Map<Target, number>();
  /** Failures of polls in a row that open the breaker. */
  readonly #mostFailures: number;
  #failures = 0;
  #openings = 0;
  /** When the open time ends, monotonic ms; null while the breaker is closed. */
  #openUntil: number | null = null;
  /** Silences without a stated wait since the last answer. */
  #silences = 0;

  constructor(around: Around, targets: readonly Target[]) {
    this.#around = around;
    this.#targets = targets;
    this.#mostFailures = Math.max(around.limits.failures, targets.length);
  }

  /** Milliseconds for which the breaker lets nothing through; 0 when a request may be sent. */
  get wait(): number {
    return Math.max(0, (this.#openUntil ?? 0) - this.#around.clock.monotonic());
  }

  state(): Omit<ApiState, 'pausedUntil'> {
    const breaker = this.#openUntil === null ? 'closed' : this.wait > 0 ? 'open' : 'half_open';
    return { breaker, host: this.#order()[0]?.name ?? '' };
  }

  /**
   * The hosts in the order in which a request tries them. One request alone tries a host again that has failed; the others do not
   * wait to see it fail.
   */
  order(): readonly Target[] {
    const order = this.#order();
    const [first] = order;
    if (first && this.#failedUntil.has(first)) this.#demote(first);
    return order;
  }

  /** Takes note of what `target` did. The result is the ms for which the API wants no requests, if any. */
  learn({ result, concern }: Verdict, target: Target, isPoll: boolean): SharedPause | null {
    if (concern === 'request') {
      this.#failedUntil.delete(target);
      // While it is open, outcomes are those of earlier requests.
      if (this.wait === 0) [this.#failures, this.#openings, this.#openUntil] = [0, 0, null];
      if (result.ok) this.#silences = 0;
    }
    if (concern === 'host' && !result.ok) this.#fail(result.failure, target, isPoll);
    return concern === 'api' && !result.ok ? this.#silence(result.failure, target) : null;
  }

  /** The preferred host first, those that have failed within a minute last. */
  #order(): Target[] {
    const now = this.#around.clock.monotonic();
    const until = (target: Target) => {
      const at = this.#failedUntil.get(target) ?? now;
      return at > now ? at : 0;
    };
    return this.#targets.toSorted((a, b) => until(a) - until(b));
  }

  #demote(target: Target): void {
    this.#failedUntil.set(target, this.#around.clock.monotonic() + returnAfter);
  }

  #fail({ code, status }: Failure, target: Target, isPoll: boolean): void {
    const { clock, random, log, source } = this.#around;
    const fields = { source, host: target.name, code };
    log?.info(fields, isPoll ? 'upstream host failed' : 'a question of a client failed');
    // The host has answered: an error that its reader does not know is about this question alone.
    if (!isPoll && status !== undefined && status < 500) return;
    this.#demote(target);
    if (!isPoll || this.wait > 0) return;
    this.#failures += 1;
    if (this.#failures < this.#mostFailures && this.#openUntil === null) return;
    this.#openUntil = clock.monotonic() + fullJitter(this.#openings, openTime, random);
    this.#openings += 1;
    log?.warn(fields, 'breaker open');
  }

  #silence(failure: Failure, target: Target): SharedPause {
    const { source, random, log } = this.#around;
    const code = failure.code === 'banned' ? 'banned' : 'rate_limited';
    const wait = failure.retryAfter ?? fullJitter(this.#silences++, silence[code], random);
    const ms = Math.min(Math.ceil(wait), maxRetryAfter);
    log?.warn({ source, host: target.name, code, retryAfter: ms }, 'upstream asks for silence');
    return { ms, code };
  }
}
