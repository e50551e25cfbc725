/** Closed candles for indicators: requested from the exchange's source, and cached until the next one closes. */
import { blockOf } from '../../indicators/job-columns.ts';
import { endOf, openOf } from '../../indicators/market/candles.ts';
import type { Bus } from '../bus/bus.ts';
import { failed, type Result, success } from '../failure.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import { QueryCache } from '../queries/query-cache.ts';
import type {
  Asking,
  CacheCounts,
  CandleParams,
  Candles,
  Interval,
  Reply,
} from '../topics/index.ts';

/** Closed candles of one market. */
export interface ClosedCandles {
  /** Shared by equal requests: copy it before it is given to a thread. */
  block: Float64Array;
  /** The last millisecond of the newest candle, Unix ms; null without any. */
  closed: number | null;
}

/** The context of closed candles. */
export interface CandleContext {
  bus: Pick<Bus, 'query'>;
  clock: Clock;
}

/**
 * For this long after its end, a candle without a successor may still change: the exchange has not begun the
 * next one, or its clock is behind ours. It is asked for again after a pause. Both ms.
 */
const unsettled = 2_000;
const pause = 200;

/** Time, ms, that a reply takes to the process that asked. */
const reserve = 250;

/** Most cached series, and their bytes; one of 1,000 candles takes 48 KB. */
const room = { entries: 1_000, bytes: 64 * 2 ** 20 };

/** Candles of one market of an exchange. */
type Market = CandleParams & { exchange: string };

/**
 * The newest closed rows, and when the next one closes. A row is closed when another follows it, and the last one when
 * the time says so.
 */
function closedOf({ candles, received }: Candles, interval: Interval, limit: number) {
  const last = candles.at(-1);
  const rows = candles.slice(0, last && !last.closed ? -1 : undefined).slice(-limit);
  const newest = rows.at(-1);
  const open = last && !last.closed ? last.timestamp : openOf(received, interval);
  return {
    block: blockOf(rows),
    closed: newest ? endOf(newest.timestamp, interval) - 1 : null,
    // A candle that ought to have ended is requested again soon, independent of the clocks.
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
  readonly #cache: QueryCache<ClosedCandles>;

  constructor(context: CandleContext) {
    this.#context = context;
    this.#cache = new QueryCache({ clock: context.clock, ...room, staleLives: 0 });
  }

  counts(): CacheCounts {
    return this.#cache.counts();
  }

  /** The time of its clock, Unix ms. */
  now(): number {
    return this.#context.clock.now();
  }

  /** The newest `limit` closed candles, or as many as there are; fresh until the next one closes. */
  get(market: Market, { deadline, account }: Asking): Promise<Result<Reply<ClosedCandles>>> {
    const { exchange, market: id, kind = '', interval, limit } = market;
    const key = JSON.stringify([exchange, id, kind, interval, limit]);
    const asking = { account, deadline: deadline - reserve };
    return this.#cache.load(key, account, () => this.#fetch(market, asking));
  }

  async #fetch({ exchange, ...asked }: Market, { deadline, account }: Asking) {
    const { bus, clock } = this.#context;
    const { interval, limit } = asked;
    // One more, because the last one is usually still open.
    const params = { ...asked, limit: limit + 1 };
    for (;;) {
      const left = deadline - clock.monotonic();
      if (left <= 0) return failed('timeout', 'the last candle did not close in time');
      const query = { source: exchange, name: 'candles', params } as const;
      const reply = await bus.query(query, { deadline: left, account });
      if (!reply.ok) return reply;
      const { value: candles, stale, received } = reply.value;
      const { until, ...value } = closedOf(candles, interval, limit);
      if (stale) return success({ value, received, until: reply.value.until, stale });
      if (!mayChange(candles, interval)) return success({ value, received, until });
      await sleep(clock, pause);
    }
  }
}
