/** Single-flight: identical requests share one exchange, and each caller keeps its own deadline and signal. */
import { failed, type Result } from '../failure.ts';
import type { Cancel } from '../kernel/clock.ts';
import type { Around } from './limits.ts';
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
}

const words = {
  timeout: 'no answer before the deadline',
  unanswered: 'this process is too busy to hear an answer before the deadline',
  stopped: 'abandoned',
};

/** Why an exchange was cut before its end; `unanswered` where this process was too busy to hear an answer in time. */
export type AbortCode = keyof typeof words;

type Timed = Pick<Around, 'clock' | 'limits'>;

/** Calls `end` after `ms` with the reason for which open calls are ended: where timers are late, answers are read late as well. */
export function cutAfter(
  { clock, limits }: Timed,
  ms: number,
  end: (code: AbortCode) => void,
): Cancel {
  const due = clock.monotonic() + ms;
  return clock.after(ms, () =>
    end(clock.monotonic() - due > limits.lag ? 'unanswered' : 'timeout'),
  );
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

/** Equal for requests that may share one exchange: nobody waits for the share of another account. */
export const flightKey = (
  request: UpstreamRequest,
  { account = null }: { account?: string | null },
): string => {
  const { api, path, query, method = 'GET', body, text } = request;
  return JSON.stringify([account, method, api, path, query, body, text]);
};

/** One exchange under way and the callers who wait for it. It ends with its result or when the last one goes. */
export class Flight<T> implements Claim {
  /** Names the request in messages. */
  readonly label: string;
  readonly weight: number;
  readonly asker: string | null;
  /** Monotonic ms, of the caller with the most time. */
  deadline = Number.NEGATIVE_INFINITY;
  readonly #around: Timed;
  readonly #abort = new AbortController();
  readonly #outcome = Promise.withResolvers<Result<T>>();
  #callers = 0;
  #hasLanded = false;

  constructor(around: Timed, label: string, weight: number, account: string | undefined) {
    this.#around = around;
    this.label = label;
    this.weight = weight;
    this.asker = account ?? null;
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
    const landed = () => {
      this.#hasLanded = true;
    };
    void work.finally(landed).then(this.#outcome.resolve, this.#outcome.reject);
  }

  /** Ends the exchange, and the wait of its callers; nothing where it has ended. */
  cut(code: AbortCode): void {
    if (this.#hasLanded) return;
    this.#abort.abort(new AbortReason(code));
    this.#outcome.resolve(this.#left(code));
  }

  /** The shared result, or what ends this caller's wait before that. */
  async join({ deadline, signal }: SendOptions): Promise<Result<T>> {
    const own = Promise.withResolvers<Result<T>>();
    let parting: AbortCode = 'stopped';
    const leave = (code: AbortCode) => {
      parting = code;
      own.resolve(this.#left(code));
    };
    const stop = () => leave('stopped');
    const stopTimer = cutAfter(this.#around, deadline, leave);
    signal?.addEventListener('abort', stop, { once: true });
    this.#callers++;
    this.deadline = Math.max(this.deadline, this.#around.clock.monotonic() + deadline);
    try {
      return await Promise.race([this.#outcome.promise, own.promise]);
    } finally {
      stopTimer();
      signal?.removeEventListener('abort', stop);
      if (--this.#callers === 0) this.cut(parting);
    }
  }

  #left(code: AbortCode): Result<T> {
    return failed(code, `${this.label}: ${words[code]}`);
  }
}
