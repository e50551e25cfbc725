/** What an API's replies have taught: which host works, whether to ask at all, how long to be silent. */
import type { Failure } from '../failure.ts';
import { fullJitter } from '../kernel/backoff.ts';
import type { Clock } from '../kernel/clock.ts';
import { Breaker, type BreakerState, type Permit } from './breaker.ts';
import type { Target } from './gateway.ts';
import { Hosts } from './hosts.ts';
import type { Limits } from './limits.ts';
import { maxRetryAfter } from './retry.ts';
import type { Verdict } from './verdict.ts';

/** The part of a pino logger that is used. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** How an API is doing. */
export interface ApiState {
  breaker: BreakerState;
  /** Unix ms until which the upstream wants no requests; null when it does not say so. */
  pausedUntil: number | null;
  /** Name of the host that is asked first. */
  host: string;
}

export interface HealthOptions {
  /** Id of the source, for logs. */
  source: string;
  targets: readonly Target[];
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  limits: Limits;
  log: Log | undefined;
  /** Silence begins: nothing is to be sent before `until` (Unix ms), because of `why`. */
  onSilence(until: number, why: Failure): void;
}

/** Silence after 429 or 418 that states no wait, in ms: `floor`, and full jitter that grows from time to time. */
const silence = {
  rate_limited: { floor: 1_000, base: 10_000, cap: 300_000 },
  banned: { floor: 60_000, base: 120_000, cap: 3_600_000 },
};

export class Health {
  readonly hosts: Hosts;
  readonly breaker: Breaker;
  readonly #options: HealthOptions;
  #silentUntil = 0;
  /** Silences without a stated wait since the last answer. */
  #silences = 0;

  constructor(options: HealthOptions) {
    const { targets, clock, random, limits } = options;
    this.#options = options;
    this.hosts = new Hosts(targets, clock, limits.returnAfter);
    const failures = Math.max(limits.failures, targets.length);
    this.breaker = new Breaker({ clock, random, failures });
  }

  state(): ApiState {
    const silent = this.#options.clock.now() < this.#silentUntil;
    return {
      breaker: this.breaker.state,
      pausedUntil: silent ? this.#silentUntil : null,
      host: this.hosts.current,
    };
  }

  /** Takes note of what `target` did; the verdict comes back with the wait of a silence that it begins. */
  learn(verdict: Verdict, target: Target, permit: Permit): Verdict {
    const { result, concern } = verdict;
    if (concern === 'request') {
      permit.succeeded();
      this.hosts.worked(target);
      if (result.ok) this.#silences = 0;
      return verdict;
    }
    if (concern === 'host' && !result.ok) this.#fail(result.failure, target, permit);
    else permit.released();
    if (concern !== 'api' || result.ok) return verdict;
    return { concern, result: { ok: false, failure: this.#fallSilent(result.failure, target) } };
  }

  #fail({ code }: Failure, target: Target, permit: Permit): void {
    const { log, source } = this.#options;
    permit.failed();
    this.hosts.failed(target);
    const fields = { source, host: target.name, code };
    log?.info({ ...fields, next: this.hosts.current }, 'upstream host failed');
    if (this.breaker.state === 'open') log?.warn(fields, 'breaker open');
  }

  #fallSilent(failure: Failure, target: Target): Failure {
    const { source, clock, random, log, onSilence } = this.#options;
    const code = failure.code === 'banned' ? 'banned' : 'rate_limited';
    const { floor, ...growth } = silence[code];
    const wait = failure.retryAfter ?? floor + fullJitter(this.#silences++, growth, random);
    const retryAfter = Math.min(Math.ceil(wait), maxRetryAfter);
    this.#silentUntil = Math.max(this.#silentUntil, clock.now() + retryAfter);
    log?.warn({ source, host: target.name, code, retryAfter }, 'upstream asks for silence');
    onSilence(this.#silentUntil, { code, message: 'the upstream asked for silence' });
    return { ...failure, retryAfter };
  }
}
