/**
 * The source `screener`: indicators of the tracked assets, computed by the compute processes when candles close. Only what
 * somebody has asked for is computed, once for all who ask, and for as long as it is asked for.
 */
import type { Answer } from '../bus/respond.ts';
import { beyond, type Failure, failed, success } from '../failure.ts';
import { type Clock, within } from '../kernel/clock.ts';
import type { JobContext, JobSource } from '../sources/context.ts';
import type { Job } from '../sources/job.ts';
import { askRound, type LeadingOptions } from '../sources/leading-markets.ts';
import {
  type ChosenIndicator,
  type Interval,
  intervals,
  screenerIntervals,
} from '../topics/index.ts';
import { type Computed, keyOf, type Outputs, type Place, ScreenerTable } from './screener-table.ts';

/** Between two questions about candles to one exchange, ms. */
const pace = 150;
/** How long a question waits for values that are being computed, ms; the reserve is for its way back. */
const patience = { longest: 5_000, reserve: 1_000 };

export interface ScreenerOptions extends Pick<LeadingOptions, 'market'> {
  clock: Clock;
  /** Per exchange with candles, their lengths. */
  candles: ReadonlyMap<string, readonly Interval[]>;
}

/** The close of the candle, as the mean of one value: the price that the others are of. */
const close: ChosenIndicator = { id: 'close', name: 'sma', chosen: { length: 1, source: 'close' } };

/** What a compute process replies, as far as it is read. */
interface Data {
  timestamp: number;
  indicators: Readonly<Record<string, { latest: Readonly<Record<string, number | null>> }>>;
}

/** The values in the reply of a compute process; null without a close. */
function computedOf(text: string, indicators: readonly ChosenIndicator[]): Computed | null {
  const { timestamp, indicators: found }: Data = JSON.parse(text);
  const price = found.close?.latest.value ?? null;
  if (price === null) return null;
  const values = indicators.map((one, i): [string, Outputs] => [
    keyOf(one),
    Object.values(found[i]?.latest ?? {}),
  ]);
  return { price, as_of: timestamp, values: new Map(values) };
}

class Screener {
  readonly #options: ScreenerOptions;
  readonly #tables = new Map(screenerIntervals.map((name) => [name, new ScreenerTable(name)]));
  /** What begins a round of a table. */
  readonly #wake = new Map<ScreenerTable, () => void>();

  constructor(options: ScreenerOptions) {
    this.#options = options;
  }

  /** One for each length of candles, so that no table waits for another. */
  jobs(context: JobContext): Job[] {
    return [...this.#tables].map(([interval, table]) => ({
      name: interval,
      every: intervals[interval],
      run: ({ signal }) => this.#run(table, context, signal),
      pause: () => table.rest(context.clock.now()) ?? intervals[interval],
      watch: (run) => {
        this.#wake.set(table, run);
        return () => void this.#wake.delete(table);
      },
    }));
  }

  readonly answer: Answer<'screener'> = async ({ interval, indicators }, { deadline }) => {
    const { clock, market } = this.#options;
    const table = this.#tables.get(interval);
    if (table === undefined) return failed('refused', `there is no table of ${interval}`);
    if (!table.want(indicators, clock.now())) {
      const bound = 'so many other indicators are followed that there is no room';
      return beyond(bound, { retryAfter: 60_000 });
    }
    const end = Math.min(clock.monotonic() + patience.longest, deadline - patience.reserve);
    const read = () => table.read(market.tracked(clock.now()), indicators, clock.now());
    let found = read();
    if (found.isWaiting) this.#wake.get(table)?.();
    while (found.isWaiting && clock.monotonic() < end) {
      await within(clock, end - clock.monotonic(), table.changed);
      found = read();
    }
    const { reply, until } = found;
    if (reply.rows.length === 0) {
      return failed('not_ready', 'the first values are being computed', { retryAfter: 2_000 });
    }
    return success({ value: reply, received: clock.now(), until });
  };

  /** Asks for what is due until nothing is. The failure of all questions, or null. */
  async #run(
    table: ScreenerTable,
    context: JobContext,
    signal: AbortSignal,
  ): Promise<Failure | null> {
    const { clock } = context;
    for (;;) {
      const due = this.#dueIn(table);
      if (due.length === 0 || signal.aborted) return null;
      const taken = new Set<string>();
      const { failure } = await askRound(
        Map.groupBy(due, ({ exchange }) => exchange),
        {
          ...{ clock, signal, pace },
          ask: async (exchange, market) => {
            const failed = await this.#ask(table, { ...market, exchange }, context);
            if (failed === null) taken.add(market.symbol);
            return failed;
          },
        },
      );
      for (const { symbol } of due) if (!taken.has(symbol)) table.pause(symbol, clock.now());
      if (failure !== null) return failure;
    }
  }

  /** The markets of the assets that lack an indicator. */
  #dueIn(table: ScreenerTable): Place[] {
    const { clock, market } = this.#options;
    const now = clock.now();
    const tracked = market.tracked(now);
    table.forget(tracked, now);
    return tracked.flatMap((symbol) => {
      if (!table.isDue(symbol, now)) return [];
      const place = this.#placeOf(symbol, table.interval);
      if (place === null) table.pause(symbol, now);
      return place ?? [];
    });
  }

  /** The most traded dollar market of an asset with such candles, spot before perpetual. */
  #placeOf(symbol: string, interval: Interval): Place | null {
    const { market, candles } = this.#options;
    for (const kind of ['spot', 'perpetual'] as const) {
      const found = [...candles].flatMap(([exchange, given]) => {
        const [first] = given.includes(interval) ? market.markets(exchange, kind, symbol) : [];
        return first ? [{ ...first, exchange }] : [];
      });
      const [most] = found.sort((a, b) => b.turnover - a.turnover);
      if (most) return { kind, symbol, market: most.market, exchange: most.exchange };
    }
    return null;
  }

  async #ask(table: ScreenerTable, place: Place, context: JobContext): Promise<Failure | null> {
    const { exchange, market, kind, symbol } = place;
    const asked = context.clock.now();
    const indicators = table.lacks(symbol, asked);
    const wanted = indicators.map((one, i) => ({ ...one, id: String(i) }));
    const reply = await context.query({
      source: 'compute',
      name: 'compute',
      params: {
        market: { exchange, market, kind, interval: table.interval, limit: 1 },
        own: null,
        indicators: [close, ...wanted],
        series: false,
      },
    });
    if (!reply.ok) return reply.failure;
    const { data } = reply.value.value;
    const found = data === null ? null : computedOf(data, indicators);
    if (found === null) return failed('shape', 'no candles').failure;
    table.take(place, found, asked);
    return null;
  }
}

/** The source `screener` with its answers. */
export function screenerSource(options: ScreenerOptions): JobSource {
  const screener = new Screener(options);
  return {
    id: 'screener',
    jobs: (context) => screener.jobs(context),
    answers: { screener: screener.answer },
  };
}
