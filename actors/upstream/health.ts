/** The health of an API from its replies: working hosts, breakers, and pauses that it wants. */
import { hour } from '../../config/time.ts';
import type { Failure } from '../failure.ts';
import { fullJitter } from '../kernel/backoff.ts';
import type { SharedPause } from '../kernel/shared-window.ts';
import { Breaker, type BreakerState } from './breaker.ts';
import type { Target } from './gateway.ts';
import { Hosts } from './hosts.ts';
import type { Around } from './limits.ts';
import { maxRetryAfter, type Verdict } from './verdict.ts';

/** How an API is doing. */
export interface ApiState {
  breaker: BreakerState;
  /** Unix ms until which the upstream asks for no requests; null where it does not. */
  pausedUntil: number | null;
  /** Name of the host that is asked first. */
  host: string;
}

/** Silence after 429 or 418 that states no wait, in ms: `floor`, and full jitter that grows from time to time. */
const silence = {
  rate_limited: { floor: 1_000, base: 10_000, cap: 300_000 },
  banned: { floor: 60_000, base: 120_000, cap: hour },
};

/** Accounts whose failures are remembered, per API. */
const maxAccounts = 1_024;

/**
 * The polls have a breaker and an order of hosts of their own. Questions of clients share another order of hosts, and
 * every account has its own breaker: a client can fail its own queries only.
 */
export class Health {
  readonly #around: Around;
  /** Consecutive failures that open a breaker. */
  readonly #failures: number;
  readonly #polls: Breaker;
  /** Of the accounts, least recently used first. */
  readonly #breakers = new Map<string, Breaker>();
  readonly #hosts: { polls: Hosts; questions: Hosts };
  /** Silences without a stated wait since the last answer. */
  #silences = 0;

  constructor(around: Around, targets: readonly Target[]) {
    this.#around = around;
    this.#failures = Math.max(around.limits.failures, targets.length);
    const hosts = () => new Hosts(targets, around.clock);
    this.#hosts = { polls: hosts(), questions: hosts() };
    this.#polls = new Breaker(around, this.#failures);
  }

  /** The hosts in the order in which a request tries them. `asker`: an account, or null for a poll. */
  order(asker: string | null): Target[] {
    return this.#hostsOf(asker).order();
  }

  /** Ms after which the asker may ask; 0 where it may now. Nothing is asked of an API whose polls have failed a moment ago. */
  wait(asker: string | null): number {
    return Math.max(this.#breakerOf(asker).wait, this.#polls.wait);
  }

  state(): Omit<ApiState, 'pausedUntil'> {
    return { breaker: this.#polls.state, host: this.#hosts.polls.current };
  }

  /** Takes note of what `target` did. The result is the ms for which the API wants no requests, if any. */
  learn({ result, concern }: Verdict, target: Target, asker: string | null): SharedPause | null {
    if (concern === 'request') {
      this.#breakerOf(asker).succeeded();
      // An answered question is as good as a poll that tries again.
      if (this.#polls.state === 'half_open') this.#polls.succeeded();
      this.#hostsOf(asker).worked(target);
      if (result.ok) this.#silences = 0;
    }
    if (concern === 'host' && !result.ok) this.#fail(result.failure, target, asker);
    return concern === 'api' && !result.ok ? this.#silence(result.failure, target) : null;
  }

  #hostsOf(asker: string | null): Hosts {
    return asker === null ? this.#hosts.polls : this.#hosts.questions;
  }

  #breakerOf(asker: string | null): Breaker {
    if (asker === null) return this.#polls;
    const breaker = this.#breakers.get(asker) ?? new Breaker(this.#around, this.#failures);
    this.#breakers.delete(asker);
    this.#breakers.set(asker, breaker);
    const [oldest = ''] = this.#breakers.keys();
    if (this.#breakers.size > maxAccounts) this.#breakers.delete(oldest);
    return breaker;
  }

  #fail({ code, status }: Failure, target: Target, asker: string | null): void {
    const { log, source } = this.#around;
    const fields = { source, host: target.name, code };
    if (asker !== null) log?.info(fields, 'a question of a client failed');
    // The host has answered: an error that its reader does not know is about this question alone.
    if (asker !== null && status !== undefined && status < 500) return;
    const [breaker, hosts] = [this.#breakerOf(asker), this.#hostsOf(asker)];
    breaker.failed();
    hosts.failed(target);
    if (asker !== null) return;
    log?.info({ ...fields, next: hosts.current }, 'upstream host failed');
    if (breaker.state === 'open') log?.warn(fields, 'breaker open');
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
