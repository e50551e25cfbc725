/** Single-flight: identical requests share one exchange, and each caller keeps its own deadline and signal. */
import { failed, type Result } from '../failure.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import type { UpstreamRequest } from './request.ts';
import type { Claim } from './window.ts';

/** How one caller wants its request sent. */
export interface SendOptions {
  /** Milliseconds from now in which all must end: queue, connect, headers and body, over every try. */
  deadline: number;
  /** Abandons the request, for this caller alone. */
  signal?: AbortSignal;
  /**
   * The account whose question it is, empty for the service's own: it counts against what the polls leave of the budget, and its
   * failure does not affect the polls. Absent for a poll.
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

/** The same, and the least time, ms, in which a host can be expected to answer: two tries' worth must be left after a wait. */
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
  /** Those who ask; null for a poll. */
  readonly accounts: Set<string> | null;
  /** Monotonic ms, of the caller with the most time, and its leeway. */
  deadline = Number.NEGATIVE_INFINITY;
  leeway = 0;
  /** Largest body that one of the callers takes. */
  maxBody = 0;
  /** When its turn came, monotonic ms; null while it waits for that. */
  turn: number | null = null;
  isRefused = false;
  readonly #timing: FlightTiming;
  readonly #abort = new AbortController();
  readonly #outcome = Promise.withResolvers<Result<T>>();
  readonly #begun: number;
  #callers = 0;
  #isOver = false;

  constructor(timing: FlightTiming, label: string, weight: number, account: string | undefined) {
    this.#timing = timing;
    this.#begun = timing.clock.monotonic();
    this.label = label;
    this.weight = weight;
    this.accounts = account === undefined ? null : new Set();
  }

  /** Aborts, with an AbortReason, when the last caller has left. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Settles when the flight has its outcome, of any kind. */
  get ended(): Promise<unknown> {
    return this.#outcome.promise;
  }

  /** Gives all callers what `work` comes to. */
  land(work: Promise<Result<T>>): void {
    const outcome = work.then((result) => this.#blamed(result));
    void outcome.then(this.#outcome.resolve, this.#outcome.reject).finally(() => {
      this.#isOver = true;
    });
  }

  /** Ends the exchange, and the wait of its callers. */
  cut(code: AbortCode): void {
    if (this.#isOver) return;
    this.#abort.abort(new AbortReason(code));
    this.#outcome.resolve(this.#left(code));
  }

  /** The shared result, or what ends this caller's wait before that. */
  async join(options: SendOptions): Promise<Result<T>> {
    const { deadline, signal, account, maxBody = Infinity } = options;
    const { clock, patience } = this.#timing;
    const own = Promise.withResolvers<Result<T>>();
    let parting: AbortCode = 'stopped';
    const leave = (code: AbortCode) => {
      parting = code;
      own.resolve(this.#left(code));
    };
    const stop = () => leave('stopped');
    const stopTimer = cutAfter(this.#timing, deadline, leave);
    signal?.addEventListener('abort', stop, { once: true });
    this.#callers++;
    if (account !== undefined) this.accounts?.add(account);
    this.maxBody = Math.max(this.maxBody, maxBody);
    const end = clock.monotonic() + deadline;
    if (end > this.deadline) {
      this.deadline = end;
      this.leeway = Math.max(2 * patience, account === undefined ? 0 : deadline / 2);
    }
    try {
      return await Promise.race([this.#outcome.promise, own.promise]);
    } finally {
      stopTimer();
      signal?.removeEventListener('abort', stop);
      if (--this.#callers === 0) this.cut(parting);
    }
  }

  #left(code: AbortCode): Result<T> {
    return this.#blamed(failed(code, `${this.label}: ${words[code]}`));
  }

  /** A timeout after a wait for its turn that was longer than the time that hosts had then is the fault of the budget. */
  #blamed(result: Result<T>): Result<T> {
    if (result.ok || result.failure.code !== 'timeout') return result;
    const { clock, lag, patience } = this.#timing;
    const now = clock.monotonic();
    const turn = this.turn ?? now;
    const waited = turn - this.#begun;
    if (waited <= patience + lag || waited < now - turn) return result;
    const bound = `the wait of ${waited} ms for its turn left ${now - turn} ms for an answer`;
    return failed('over_budget', `${this.label}: ${bound}`, { retryAfter: waited, bound });
  }
}
