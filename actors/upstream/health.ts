/** The health of an API from its replies: working hosts, breakers, and pauses that it wants. */
import { hour, minute } from '../../config/time.ts';
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
  /** Unix ms until which the upstream asks for no requests; null where it does not. */
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
  /** The upstream asks for silence: nothing is to be sent before `until` (monotonic ms). */
  onSilence(until: number, code: keyof typeof silence): void;
}

/** One request to one host. */
export interface Try {
  target: Target;
  permit: Permit;
  side: Side;
}

/** How long another host is used before the first is tried again, ms. */
const returnAfter = minute;

/** Silence after 429 or 418 that states no wait, in ms: `floor`, and full jitter that grows from time to time. */
const silence = {
  rate_limited: { floor: 1_000, base: 10_000, cap: 300_000 },
  banned: { floor: 60_000, base: 120_000, cap: hour },
};

/** Hosts and breaker that the failures of one kind of request count against. */
export interface Side {
  readonly hosts: Hosts;
  readonly breaker: Breaker;
}

/** Accounts whose failures are remembered, per API. */
const maxAccounts = 1_024;

/**
 * The polls have a breaker and an order of hosts of their own. Questions of clients share another order of hosts, and
 * every account has its own breaker: a client can fail its own queries only. A pause is for all.
 */
export class Health {
  readonly #polls: Side;
  readonly #askedHosts: Hosts;
  /** Of the accounts, least recently used first. */
  readonly #breakers = new Map<string, Breaker>();
  readonly #options: HealthOptions;
  /** Silences without a stated wait since the last answer. */
  #silences = 0;

  constructor(options: HealthOptions) {
    const { targets, clock } = options;
    this.#options = options;
    const hosts = () => new Hosts(targets, clock, returnAfter);
    this.#polls = { hosts: hosts(), breaker: this.#breaker() };
    this.#askedHosts = hosts();
  }

  /** Of a question of an account, or of a poll. */
  side(account: string | undefined): Side {
    if (account === undefined) return this.#polls;
    const breaker = this.#breakers.get(account) ?? this.#breaker();
    this.#breakers.delete(account);
    this.#breakers.set(account, breaker);
    const oldest =
      this.#breakers.size > maxAccounts ? this.#breakers.keys().next().value : undefined;
    if (oldest !== undefined) this.#breakers.delete(oldest);
    return { hosts: this.#askedHosts, breaker };
  }

  /** Whether `admit` would give a permit now. Nothing is asked of an API whose polls have failed a moment ago. */
  admits({ breaker }: Side): boolean {
    const shut = breaker !== this.#polls.breaker && this.#polls.breaker.state === 'open';
    return breaker.admits && !shut;
  }

  /** Ms after which a request that is not admitted may be. */
  wait({ breaker }: Side): number {
    return Math.max(
      breaker.wait,
      this.#polls.breaker.state === 'open' ? this.#polls.breaker.wait : 0,
    );
  }

  /** A permit, or null when the request must not be sent. */
  admit(side: Side): Permit | null {
    return this.admits(side) ? side.breaker.admit() : null;
  }

  state(): Omit<ApiState, 'pausedUntil'> {
    return { breaker: this.#polls.breaker.state, host: this.#polls.hosts.current };
  }

  /** Takes note of what `target` did; the verdict comes back with the wait of a silence that it begins. */
  learn(verdict: Verdict, at: Try): Verdict {
    const { result, concern } = verdict;
    const { target, permit, side } = at;
    if (concern === 'request') {
      permit.succeeded();
      side.hosts.worked(target);
      if (side !== this.#polls) this.#polls.breaker.revived();
      if (result.ok) this.#silences = 0;
      return verdict;
    }
    if (concern === 'host' && !result.ok) this.#fail(result.failure, at);
    else permit.released();
    if (concern !== 'api' || result.ok) return verdict;
    return { concern, result: { ok: false, failure: this.#fallSilent(result.failure, target) } };
  }

  #breaker(): Breaker {
    const { targets, clock, random, limits } = this.#options;
    return new Breaker({ clock, random, failures: Math.max(limits.failures, targets.length) });
  }

  #fail({ code, status }: Failure, { target, permit, side }: Try): void {
    const { log, source } = this.#options;
    const { hosts, breaker } = side;
    const fields = { source, host: target.name, code };
    const asked = side !== this.#polls;
    if (asked) log?.info(fields, 'a question of a client failed');
    // The host has answered: an error that its reader does not know is about this question alone.
    if (asked && status !== undefined && status < 500) {
      permit.released();
      return;
    }
    permit.failed();
    hosts.failed(target);
    if (asked) return;
    log?.info({ ...fields, next: hosts.current }, 'upstream host failed');
    if (breaker.state === 'open') log?.warn(fields, 'breaker open');
  }

  #fallSilent(failure: Failure, target: Target): Failure {
    const { source, clock, random, log, onSilence } = this.#options;
    const code = failure.code === 'banned' ? 'banned' : 'rate_limited';
    const wait = failure.retryAfter ?? fullJitter(this.#silences++, silence[code], random);
    const retryAfter = Math.min(Math.ceil(wait), maxRetryAfter);
    log?.warn({ source, host: target.name, code, retryAfter }, 'upstream asks for silence');
    onSilence(clock.monotonic() + retryAfter, code);
    return { ...failure, retryAfter };
  }
}
