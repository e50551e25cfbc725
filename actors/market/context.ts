/** Context and helpers shared by the jobs of the source. */

import { isDeepStrictEqual } from 'node:util';
import { hour } from '../../config/time.ts';
import { plausible, type Rule } from '../../indicators/market/plausible.ts';
import { type Failure, failed } from '../failure.ts';
import { sleep } from '../kernel/clock.ts';
import type { JobContext } from '../sources/context.ts';
import type { Parsed, Poll } from '../sources/define.ts';
import type { IndicatorName } from '../topics/indicator-names.ts';
import type { IndicatorRow } from '../topics/indicators/table.ts';
import {
  type IndicatorDocument,
  type IndicatorHistory,
  mostHistory,
} from '../topics/market-indicators.ts';
import type { RecordedStore } from './recorded.ts';
import type { Tickers } from './tickers.ts';

/** The context of each job. */
export interface Market {
  context: JobContext;
  tickers: Tickers;
  charts: Charts;
  recorded: RecordedStore;
  /** Ids of the exchanges that this process has clients of. */
  venues: ReadonlySet<string>;
}

/** A reading and its chart, to be published. */
export interface IndicatorUpdate<N extends IndicatorName = IndicatorName> {
  /** Of the topics; the name with the symbol behind it where there is one. */
  key?: string;
  reading: Omit<IndicatorDocument<N>, 'stale_after' | 'lacks'>;
  /** Milliseconds between two rounds: the answer is stale after three of them. */
  every: number;
  /** Null while they are not known, which leaves the chart as it is. */
  rows: readonly IndicatorRow<N>[] | null;
  /** Null where a source gives the series whole. */
  recordedFrom: number | null;
}

/** Publishes readings, and charts when they have changed. */
export class Charts {
  readonly #context: Pick<JobContext, 'publish' | 'last'>;
  readonly #published = new Map<string, Pick<IndicatorHistory, 'rows' | 'recorded_from'>>();

  constructor(context: Pick<JobContext, 'publish' | 'last'>) {
    this.#context = context;
  }

  /** Null when reading and chart are out, else why one of them is not. */
  async publish<N extends IndicatorName>({
    key,
    reading,
    every,
    rows,
    recordedFrom,
  }: IndicatorUpdate<N>): Promise<Failure | null> {
    const { name } = reading;
    const path = key ?? name;
    const full = { ...reading, lacks: null, stale_after: 3 * every };
    const chart = rows && { name, rows: rows.slice(-mostHistory), recorded_from: recordedFrom };
    const failure = chart && (await this.#publishChart(path, chart));
    if (failure) return failure;
    return this.#context.publish('marketIndicators', path, full);
  }

  async #publishChart(path: string, chart: IndicatorHistory): Promise<Failure | null> {
    const known =
      this.#published.get(path) ?? (await this.#context.last('indicatorHistories', path));
    if (!known || !isSame(known, chart)) {
      const failure = await this.#context.publish('indicatorHistories', path, chart);
      if (failure) return failure;
    }
    this.#published.set(path, chart);
    return null;
  }
}

type Chart = Pick<IndicatorHistory, 'rows' | 'recorded_from'>;

function isSame(a: Chart, b: Chart): boolean {
  if (a.recorded_from !== b.recorded_from || a.rows.length !== b.rows.length) return false;
  return a.rows.every((row, at) => row === b.rows[at] || isDeepStrictEqual(row, b.rows[at]));
}

/** A poll whose rows are mapped all at once. */
export const mapped = <From, To>(poll: Poll<From>, change: (rows: From[]) => To[]): Poll<To> => ({
  requests: (plan) => poll.requests(plan),
  parse(bodies, context): Parsed<To> {
    const { rows, dropped } = poll.parse(bodies, context);
    return { rows: change(rows), dropped };
  },
});

/**
 * Milliseconds until a job is due whose last reading (also of an earlier process) is still valid: `wait` of a job. Sets
 * the job's row in `/v1/status` accordingly.
 */
export async function remaining(
  { status, last }: Pick<JobContext, 'status' | 'last'>,
  { job, key = job, every }: { job: string; key?: string; every: number },
  now: number,
): Promise<number> {
  const reading = await last('marketIndicators', key);
  if (!reading) return 0;
  const left = Math.min(every, reading.received_at + every - now);
  if (left <= 0) return 0;
  for (const source of [reading.source].flat()) {
    status.resume(job, source, { received: reading.received_at, rows: 1 });
  }
  return left;
}

/** Sums wait until no further exchange has reported for `quiet`, at most `most`, checked every `look`, all in ms. */
const settling = { quiet: 5_000, most: 45_000, look: 1_000 };

/**
 * `wait` of a job that sums over the exchanges: resolves when probably all of them have reported. Sums over the first
 * few exchanges would differ.
 */
export async function settled(
  { context: { clock }, tickers }: Pick<Market, 'tickers'> & { context: Pick<JobContext, 'clock'> },
  signal: AbortSignal,
): Promise<number> {
  const began = clock.monotonic();
  let [known, since] = [0, began];
  while (!signal.aborted && clock.monotonic() - began < settling.most) {
    const parts = tickers.known();
    if (parts !== known) [known, since] = [parts, clock.monotonic()];
    else if (known > 0 && clock.monotonic() - since >= settling.quiet) break;
    await sleep(clock, settling.look);
  }
  return 0;
}

/** The failure of a computed answer one of whose inputs is not available yet. */
export const missingInput = (what: string): Failure => failed('unavailable', what).failure;

/** Age up to which values are compared, ms: exchanges gain and lose parts, and a lasting change is real. */
const memory = hour;

/** Values by key. Keys are those of exchanges, some with a number of markets: few, and always the same. */
export class LastAccepted {
  readonly #rule: Rule;
  readonly #values = new Map<string, { value: number; at: number }>();

  constructor(rule: Rule) {
    this.#rule = rule;
  }

  /** Whether a value can follow the last one of its key; it is then remembered. */
  accepts(key: string, value: number, now: number): boolean {
    const known = this.#values.get(key);
    const before = known && now - known.at <= memory ? known.value : null;
    if (plausible(value, before, this.#rule)) return false;
    this.#values.set(key, { value, at: now });
    return true;
  }
}
