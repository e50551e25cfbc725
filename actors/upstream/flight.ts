/** Single-flight: identical requests share one exchange, and each caller keeps its own deadline and signal. */
import { failed, type Result } from '../failure.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import type { UpstreamRequest } from './request.ts';
import type { Claim } from './schedule.ts';

/** How one caller wants its request sent. */
export interface SendOptions {
  /** Milliseconds from now in which all must end: queue, connect, headers and body, over every try. */
  deadline: number;
  /** Abandons the request, for this caller alone. */
  signal?: AbortSignal;
  /**
   * The account whose question it is: it goes before the polls, counts against the account's share of the budget, and
   * its failure does not affect the polls. Absent for a poll.
   */
  account?: string;
  /**
   * Largest body, in bytes after decompression, where that is less than what the API may send; of callers that share
   * the exchange, the one that allows most decides.
   */
  maxBody?: number;
}

/** Why an exchange was cut before its end; `unanswered` where this process was too busy to hear an answer in time. */
export type AbortCode = 'timeout' | 'unanswered' | 'stopped';

const words: Record<AbortCode, string> = {
  timeout: 'no answer before the deadline',
  unanswered: 'this process is too busy to hear an answer before the deadline',
  stopped: 'abandoned',
};

/** A clock, and how late timers of a process are at most that has time for its work, ms. */
export interface Timing {
  clock: Clock;
  lag: number;
}

/** The same, and the least time, ms, in which a host can be expected to answer. */
export interface FlightTiming extends Timing {
  patience: number;
}

/** Calls `end` after `ms` with the reason for which open calls are ended: where timers are late, answers are read late as well. */
export function cutAfter(
  { clock, lag }: Timing,
  ms: number,
  end: (code: AbortCode) => void,
): Cancel {
  const due = clock.monotonic() + ms;
  return clock.after(ms, () => end(clock.monotonic() - due > lag ? 'unanswered' : 'timeout'));
}

/** The reason of an abort signal that cuts an exchange. */
export class AbortReason extends Error {
  override name = 'Cut';
  readonly code: AbortCode;

  constructor(code: AbortCode) {
    super(words[code]);
    this.code = code;
  }
}

/**
 * What must be left of a request's `deadline` (ms) when its turn has come after a wait: enough for the first of two tries, and
 * half of the time of a question. Where the budget has less room than that, the client is to come again: clients who all
 * wait until the end are let through together, when an exchange has no time left to answer so many.
 */
export const leewayOf = (
  { patience }: Pick<FlightTiming, 'patience'>,
  { deadline, account }: Pick<SendOptions, 'deadline' | 'account'>,
): number => Math.max(2 * patience, account === undefined ? 0 : deadline / 2);

/** Equal for requests that may share one exchange. A poll never waits for the share of an account. */
export const flightKey = (
  request: UpstreamRequest,
  { account }: Pick<SendOptions, 'account'>,
): string => {
  const { api, path, query, method = 'GET', body, text } = request;
  return JSON.stringify([account !== undefined, method, api, path, query, body, text]);
};

/** One exchange under way and the callers who wait for it. It ends with its result or when the last one goes. */
export class Flight<T> implements Claim {
  /** Names the request in messages. */
  readonly label: string;
  readonly weight: number;
  /** Unix ms, of the caller with the most time. */
  deadline = 0;
  /** Of the same caller. */
  leeway = 0;
  /** Largest body that one of the callers takes. */
  maxBody = 0;
  readonly #timing: FlightTiming;
  readonly #abort = new AbortController();
  readonly #outcome = Promise.withResolvers<Result<T>>();
  readonly #accounts = new Set<string>();
  #callers = 0;
  #isOver = false;
  readonly #begun: number;
  /** When its turn came, monotonic ms; null while it waits for that. */
  #turn: number | null = null;

  constructor(timing: FlightTiming, label: string, weight: number) {
    this.#timing = timing;
    this.#begun = timing.clock.monotonic();
    this.label = label;
    this.weight = weight;
  }

  /** Of everyone who has asked for it; null for a poll. */
  get accounts(): ReadonlySet<string> | null {
    return this.#accounts.size === 0 ? null : this.#accounts;
  }

  /** Aborts, with an AbortReason, when the last caller has left. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Settles when the flight has its outcome, of any kind. */
  get ended(): Promise<unknown> {
    return this.#outcome.promise;
  }

  /** Its turn has come; only the first one counts. */
  go(): void {
    this.#turn ??= this.#timing.clock.monotonic();
  }

  /** Gives all callers what `work` comes to. */
  land(work: Promise<Result<T>>): void {
    void work.then(
      (result) => {
        this.#isOver = true;
        this.#outcome.resolve(this.#blamed(result));
      },
      (error: unknown) => {
        this.#isOver = true;
        this.#outcome.reject(error);
      },
    );
  }

  /** Ends the exchange, and the wait of its callers. */
  cut(code: AbortCode): void {
    if (this.#isOver) return;
    this.#abort.abort(new AbortReason(code));
    this.#outcome.resolve(this.#ended(code));
  }

  /** The shared result, or what ends this caller's wait before that. */
  async join(options: SendOptions): Promise<Result<T>> {
    const { deadline, signal, account, maxBody = Infinity } = options;
    const own = Promise.withResolvers<Result<T>>();
    let parting: AbortCode = 'stopped';
    const leave = (code: AbortCode) => {
      parting = code;
      own.resolve(this.#ended(code));
    };
    const stop = () => leave('stopped');
    const stopTimer = cutAfter(this.#timing, deadline, leave);
    signal?.addEventListener('abort', stop, { once: true });
    this.#callers++;
    if (account !== undefined) this.#accounts.add(account);
    this.maxBody = Math.max(this.maxBody, maxBody);
    const end = this.#timing.clock.monotonic() + deadline;
    if (end > this.deadline) {
      this.deadline = end;
      this.leeway = leewayOf(this.#timing, options);
    }
    try {
      return await Promise.race([this.#outcome.promise, own.promise]);
    } finally {
      stopTimer();
      signal?.removeEventListener('abort', stop);
      if (--this.#callers === 0) this.cut(parting);
    }
  }

  #ended(code: AbortCode): Result<never> {
    return this.#blamed(failed(code, `${this.label}: ${words[code]}`));
  }

  /** A timeout after a wait for its turn that was longer than the time that hosts had then is the fault of the budget. */
  #blamed<R extends Result<T>>(result: R): R | Result<never> {
    if (result.ok || result.failure.code !== 'timeout') return result;
    const { clock, lag, patience } = this.#timing;
    const now = clock.monotonic();
    const turn = this.#turn ?? now;
    const waited = turn - this.#begun;
    if (waited <= patience + lag || waited < now - turn) return result;
    const bound = `the wait of ${waited} ms for its turn left ${now - turn} ms for an answer`;
    return failed('over_budget', `${this.label}: ${bound}`, { retryAfter: waited, bound });
  }
}
