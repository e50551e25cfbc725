import type { Result } from '../../actors/failure.ts';
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import {
  type Asks,
  type IndicatorsReply,
  type IndicatorsRequest,
  intervals,
} from '../../actors/topics.ts';
import { type ApiError, apiError, fromFailure, isApiError } from '../errors.ts';
import { Snapshot } from '../snapshots.ts';

/** What the view asks, and when. */
export interface IndicatorsContext {
  bus: {
    ask(
      service: 'indicators',
      request: IndicatorsRequest,
    ): Promise<Result<Asks['indicators']['reply']>>;
  };
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  /** Answers kept at most; 10,000 when absent. */
  capacity?: number;
}

type Answer = Snapshot | ApiError;

interface Kept {
  request: IndicatorsRequest;
  answer: Answer;
  /** When it is no longer true. */
  until: number;
  /** When a client last wanted it. */
  asked: number;
}

/** An answer on its way; `asked` moves on with every client that joins. */
interface Loading {
  asked: number;
  answer: Promise<Answer>;
}

/** How long an unknown symbol is believed to be unknown, ms. */
const unknownFor = 30_000;
/** A little after the close, so that the exchange has the next candle; spread, so that not all ask at once. Both ms. */
const delay = { least: 100, spread: 400 } as const;
/** The end of a month is further away than a timer of Node's can reach (24.8 days). */
const longestTimer = 86_400_000;
/** Answers that are made anew without being asked for: this recently wanted, ms, this many, this many at once. */
const hot = { within: 3_600_000, most: 1_000, atOnce: 16 } as const;
/** What the specification wants at least. */
const least = 51;

const keyOf = ({ symbol, interval }: IndicatorsRequest): string => `${symbol} ${interval}`;

function answerOf({ symbol, interval }: IndicatorsRequest, reply: IndicatorsReply): Answer {
  const { values, closed, timestamp } = reply;
  if (values === null) {
    const message = `${symbol} has ${closed} closed candles of ${interval}, at least ${least} are needed`;
    return apiError('not_enough_data', message);
  }
  return new Snapshot(JSON.stringify({ symbol, timeframe: interval, ...values, timestamp }));
}

/**
 * The answers of `GET /v1/indicators`: made once, kept as bytes until the next candle closes, and then made anew for
 * those that were wanted during the last candle.
 */
export class IndicatorsView {
  readonly #context: IndicatorsContext;
  readonly #capacity: number;
  /** Least recently wanted first. */
  readonly #kept = new Map<string, Kept>();
  readonly #open = new Map<string, Loading>();
  /** What shall happen after each close. */
  readonly #closes = new Map<number, Cancel>();

  constructor(context: IndicatorsContext) {
    this.#context = context;
    this.#capacity = context.capacity ?? 10_000;
  }

  /** Answers that are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** At once when the answer is known, else when it has been asked for. Never rejects. */
  read(request: IndicatorsRequest): Answer | Promise<Answer> {
    const key = keyOf(request);
    const now = this.#context.clock.now();
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.until <= now) return this.#load(key, request, now);
    kept.asked = now;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.answer;
  }

  stop(): void {
    for (const cancel of this.#closes.values()) cancel();
    this.#closes.clear();
  }

  #load(key: string, request: IndicatorsRequest, asked: number): Promise<Answer> {
    const joined = this.#open.get(key);
    if (joined) {
      joined.asked = Math.max(joined.asked, asked);
      return joined.answer;
    }
    const answer = this.#ask(key, request).finally(() => this.#open.delete(key));
    this.#open.set(key, { asked, answer });
    return answer;
  }

  async #ask(key: string, request: IndicatorsRequest): Promise<Answer> {
    const { bus, clock } = this.#context;
    const result = await bus.ask('indicators', request);
    const asked = this.#open.get(key)?.asked ?? clock.now();
    if (!result.ok) {
      const error = fromFailure(result.failure, `the candles of ${request.symbol}`);
      if (error.error === 'unknown_symbol') {
        this.#keep(key, { request, answer: error, until: clock.now() + unknownFor, asked });
      }
      return error;
    }
    const { until } = result.value;
    const answer = answerOf(request, result.value);
    this.#keep(key, { request, answer, until, asked });
    this.#planClose(until);
    return answer;
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const oldest = this.#kept.size > this.#capacity ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
  }

  #planClose(until: number): void {
    if (this.#closes.has(until)) return;
    const { clock, random } = this.#context;
    const at = until + delay.least + random() * delay.spread;
    const wait = (): void => {
      const left = at - clock.now();
      this.#closes.set(until, clock.after(Math.min(left, longestTimer), left > 0 ? wait : act));
    };
    const act = (): void => {
      this.#closes.delete(until);
      void this.#refresh(until);
    };
    wait();
  }

  /** Lets go of what the close has made untrue, but for the hot answers, which are made anew. */
  async #refresh(close: number): Promise<void> {
    const wanted: [string, Kept][] = [];
    for (const [key, kept] of this.#kept) {
      if (kept.until > close) continue;
      const length = Math.min(intervals[kept.request.interval], hot.within);
      const isHot = kept.asked >= close - length && !isApiError(kept.answer);
      if (isHot && kept.until === close) wanted.push([key, kept]);
      else this.#kept.delete(key);
    }
    const queue = wanted.slice(-hot.most);
    for (const [key] of wanted.slice(0, -hot.most)) this.#kept.delete(key);
    const work = async () => {
      for (let next = queue.pop(); next; next = queue.pop()) {
        const [key, { request, asked }] = next;
        if (this.#kept.get(key) === next[1]) await this.#load(key, request, asked);
      }
    };
    await Promise.all(Array.from({ length: hot.atOnce }, work));
  }
}
