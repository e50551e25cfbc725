/** Closed candles for indicators: asked of the processes that talk to exchanges, and kept until the next one closes. */
import { blockOf } from '../../indicators/job-columns.ts';
import { failed, type Result, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CandleRequest, Candles, Interval } from '../topics.ts';
import { endOf, openOf } from '../venues/candles.ts';

/** Closed candles of one market. */
export interface ClosedCandles {
  /** Shared with whoever asks the same: copy it before it is given to a thread. */
  block: Float64Array;
  /** The last millisecond of the newest candle, Unix ms; null without any. */
  closed: number | null;
  /** When the next candle closes: until then there is nothing newer. */
  until: number;
}

/** What closed candles are made with. */
export interface CandleContext {
  bus: {
    ask(
      service: 'candles',
      request: CandleRequest,
      options: { deadline: number },
    ): Promise<Result<Candles>>;
  };
  clock: Clock;
}

/**
 * For this long after its end, a candle without a successor may not be the last word: the exchange has not begun the
 * next one, or its clock is behind ours. It is asked for again after a pause. Both ms.
 */
const unsettled = 2_000;
const pause = 200;

/** What a reply takes on its way to whoever asked us, ms. */
const reserve = 250;

/** Series kept at most; one of 1,000 candles takes 48 KB. */
const capacity = 1_000;

type Answer = Result<ClosedCandles>;

/**
 * The newest closed rows. A row is closed when another follows it, and the last one when the time says so.
 */
function closedOf({ candles, received }: Candles, interval: Interval, limit: number) {
  const last = candles.at(-1);
  const rows = candles.slice(0, last && !last.closed ? -1 : undefined).slice(-limit);
  const newest = rows.at(-1);
  const open = last && !last.closed ? last.timestamp : openOf(received, interval);
  return {
    block: blockOf(rows),
    closed: newest ? endOf(newest.timestamp, interval) - 1 : null,
    // A candle that ought to have ended is looked at again soon, whatever the clocks say.
    until: Math.max(endOf(open, interval), received + pause),
  };
}

/** Whether the last row has only just ended and no other shows that the exchange has gone on. */
function mayChange({ candles, received }: Candles, interval: Interval): boolean {
  const last = candles.at(-1);
  if (!last?.closed) return false;
  return received - endOf(last.timestamp, interval) < unsettled;
}

/** Closed candles by market, interval and number. */
export class CandleStore {
  readonly #context: CandleContext;
  readonly #kept = new Map<string, ClosedCandles>();
  readonly #open = new Map<string, Promise<Answer>>();

  constructor(context: CandleContext) {
    this.#context = context;
  }

  /** The newest `limit` closed candles, or as many as there are. `deadline` is Unix ms. Equal questions share a call. */
  async get(request: CandleRequest, deadline: number): Promise<Answer> {
    const { exchange, market, kind = '', interval, limit } = request;
    const key = JSON.stringify([exchange, market, kind, interval, limit]);
    const kept = this.#kept.get(key);
    if (kept && kept.until > this.#context.clock.now()) return success(kept);
    const joined = this.#open.get(key);
    if (joined !== undefined) return joined;
    const fetching = this.#fetch(request, deadline - reserve).finally(() => this.#open.delete(key));
    this.#open.set(key, fetching);
    const answer = await fetching;
    if (answer.ok) this.#keep(key, answer.value);
    return answer;
  }

  async #fetch(request: CandleRequest, deadline: number): Promise<Answer> {
    const { bus, clock } = this.#context;
    const { interval, limit } = request;
    // One more, because the last one is usually still open.
    const asked = { ...request, limit: limit + 1 };
    for (;;) {
      const left = deadline - clock.now();
      if (left <= 0) return failed('timeout', 'the last candle did not close in time');
      const reply = await bus.ask('candles', asked, { deadline: left });
      if (!reply.ok) return reply;
      if (!mayChange(reply.value, interval)) {
        return success(closedOf(reply.value, interval, limit));
      }
      await new Promise<void>((resolve) => {
        clock.after(pause, resolve);
      });
    }
  }

  #keep(key: string, candles: ClosedCandles): void {
    this.#kept.delete(key);
    this.#kept.set(key, candles);
    const oldest = this.#kept.size > capacity ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}
