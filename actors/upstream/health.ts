/** The health of an API from its replies: the hosts that work, who may ask, and pauses that it wants. */
import { hour, minute } from '../../config/time.ts';
import type { Failure } from '../failure.ts';
import { fullJitter } from '../kernel/backoff.ts';
import type { Clock } from '../kernel/clock.ts';
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

/** For how long a breaker is open, ms. */
const openTime = { floor: 1_000, base: 5_000, cap: 120_000 };
/** After a failure of a host the others are asked before it for so long, ms. */
const returnAfter = minute;
/** Silence after 429 or 418 that states no wait, in ms: `floor`, and full jitter that grows from time to time. */
const silence = {
  rate_limited: { floor: 1_000, base: 10_000, cap: 300_000 },
  banned: { floor: 60_000, base: 120_000, cap: hour },
};
/** Accounts whose failures are remembered, per API. */
const maxAccounts = 1_024;

/** Stops an asker after several failures in a row, for longer from time to time. */
class Breaker {
  #failures = 0;
  #openings = 0;
  /** When the open time ends, monotonic ms; null while closed. */
  #until: number | null = null;

  /** Ms until a request may be sent, 0 while one may; null while it is closed. */
  left(now: number): number | null {
    return this.#until && Math.max(0, this.#until - now);
  }

  /** A request was answered. While it is open no outcome counts: those of earlier requests are no evidence about now. */
  succeeded(now: number): void {
    if (this.left(now)) return;
    this.#failures = 0;
    this.#openings = 0;
    this.#until = null;
  }

  /** `most`: failures in a row that open it. */
  failed(now: number, most: number, random: () => number): void {
    if (this.left(now) || (++this.#failures < most && this.#until === null)) return;
    this.#until = now + fullJitter(this.#openings++, openTime, random);
  }
}

/** The hosts of an API in the order in which they are asked. */
class Hosts {
  readonly #targets: readonly Target[];
  readonly #clock: Clock;
  /** When those that have failed are asked in their turn again, monotonic ms. */
  readonly #failed = new Map<Target, number>();

  constructor(targets: readonly Target[], clock: Clock) {
    this.#targets = targets;
    this.#clock = clock;
  }

  /** The preferred one first, those that have failed within a minute last. */
  order(): Target[] {
    const now = this.#clock.monotonic();
    const until = (target: Target) => {
      const at = this.#failed.get(target) ?? now;
      return at > now ? at : 0;
    };
    return this.#targets.toSorted((a, b) => until(a) - until(b));
  }

  /** The order of one request. One request alone tries a host again that has failed; the others do not wait to see it fail. */
  take(): Target[] {
    const order = this.order();
    const [first] = order;
    const due = first && this.#failed.get(first);
    if (first && due !== undefined && due <= this.#clock.monotonic()) this.failed(first);
    return order;
  }

  worked(target: Target): void {
    this.#failed.delete(target);
  }

  failed(target: Target): void {
    this.#failed.set(target, this.#clock.monotonic() + returnAfter);
  }
}

/**
 * The polls have a breaker and an order of hosts of their own. Questions of clients share another order of hosts, and
 * every account has its own breaker: a client can fail its own queries only.
 */
export class Health {
  readonly #around: Around;
  /** Failures in a row that open a breaker. */
  readonly #failures: number;
  readonly #polls = new Breaker();
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
  }

  /** The hosts in the order in which a request tries them. `asker`: an account, or null for a poll. */
  order(asker: string | null): Target[] {
    return this.#hostsOf(asker).take();
  }

  /** Ms after which the asker may ask; 0 where it may now. Nothing is asked of an API whose polls have failed a moment ago. */
  wait(asker: string | null): number {
    const now = this.#around.clock.monotonic();
    return Math.max(this.#breakerOf(asker).left(now) ?? 0, this.#polls.left(now) ?? 0);
  }

  state(): Omit<ApiState, 'pausedUntil'> {
    const left = this.#polls.left(this.#around.clock.monotonic());
    const breaker = left === null ? 'closed' : left > 0 ? 'open' : 'half_open';
    return { breaker, host: this.#hosts.polls.order()[0]?.name ?? '' };
  }

  /** Takes note of what `target` did. The result is the ms for which the API wants no requests, if any. */
  learn({ result, concern }: Verdict, target: Target, asker: string | null): SharedPause | null {
    if (concern === 'request') {
      const now = this.#around.clock.monotonic();
      this.#breakerOf(asker).succeeded(now);
      // An answered question is as good as a poll that tries again.
      if (this.#polls.left(now) === 0) this.#polls.succeeded(now);
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
    const breaker = this.#breakers.get(asker) ?? new Breaker();
    this.#breakers.delete(asker);
    this.#breakers.set(asker, breaker);
    const [oldest = ''] = this.#breakers.keys();
    if (this.#breakers.size > maxAccounts) this.#breakers.delete(oldest);
    return breaker;
  }

  #fail({ code, status }: Failure, target: Target, asker: string | null): void {
    const { clock, random, log, source } = this.#around;
    const fields = { source, host: target.name, code };
    if (asker !== null) log?.info(fields, 'a question of a client failed');
    // The host has answered: an error that its reader does not know is about this question alone.
    if (asker !== null && status !== undefined && status < 500) return;
    this.#breakerOf(asker).failed(clock.monotonic(), this.#failures, random);
    this.#hostsOf(asker).failed(target);
    if (asker !== null) return;
    const { breaker, host: next } = this.state();
    log?.info({ ...fields, next }, 'upstream host failed');
    if (breaker === 'open') log?.warn(fields, 'breaker open');
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
