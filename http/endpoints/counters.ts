import { type Clock, systemClock } from '../../actors/kernel/clock.ts';
import type { Caller } from '../auth/caller.ts';
import type { Route } from './route.ts';
import { StreamCounts } from './stream-counts.ts';

/** A count that can be awaited until it is zero. */
export class Gauge {
  value = 0;
  #waiting: (() => void)[] = [];

  add(change: number): void {
    this.value += change;
    if (this.value > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when the value is zero. */
  async empty(): Promise<void> {
    if (this.value > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** Upper bounds of the latency buckets, milliseconds; one more bucket counts the rest. */
export const latencyBuckets = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;
const width = latencyBuckets.length + 1;

/** Status classes 1xx to 5xx of one slot stand side by side. */
const classes = 5;

type Label = Pick<Route, 'method' | 'path'> | { method: 'OPTIONS' | 'any'; path: string };

/** Durations by bucket of `latencyBuckets`, and their sum in milliseconds. */
export interface Latencies {
  counts: number[];
  sum: number;
}

/** An answer to a request; `route` is the path of its row, `ms` the time from its head to the answer. */
export interface Answered {
  route: string;
  status: number;
  bytes: number;
  ms: number;
}

/** A request that has an id. */
export interface Visit {
  readonly id: string;
  /** Null until its admission is decided, and without a credential. */
  caller: Caller | null;
  answered(answer: Answered): void;
}

/** The counts of one slot. */
export interface SlotCount {
  method: string;
  path: string;
  /** Answers by status class, from the request's head to the answer: index 0 is 1xx, 4 is 5xx. */
  statuses: Latencies[];
  /** Body bytes sent. */
  bytes: number;
  /** Handlers that threw. */
  exceptions: number;
  /** Clients that left before their answer. */
  aborted: number;
  asks: Latencies;
}

/** Histograms side by side. */
class Histograms {
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;

  constructor(size: number) {
    this.#counts = new Float64Array(size * width);
    this.#sums = new Float64Array(size);
  }

  add(index: number, ms: number): void {
    let bucket = 0;
    for (const bound of latencyBuckets) {
      if (ms <= bound) break;
      bucket++;
    }
    bump(this.#counts, index * width + bucket, 1);
    bump(this.#sums, index, ms);
  }

  at(index: number): Latencies {
    const counts = [...this.#counts.subarray(index * width, (index + 1) * width)];
    return { counts, sum: numberAt(this.#sums, index) };
  }
}

/** How many durations there are. */
export const countOf = ({ counts }: Latencies): number =>
  counts.reduce((total, count) => total + count, 0);

/**
 * The counts of the server: additions to flat arrays, no look-up by name. A slot is a row of the table; more are for POST /mcp, for
 * requests for streams that are refused, for preflights and for requests that no row takes. Float64 holds whole numbers up to 2^53.
 */
export class Counters {
  readonly connections = new Gauge();
  /** Requests that wait for their answer. */
  readonly inFlight = new Gauge();
  readonly streams = new StreamCounts();
  readonly preflight: number;
  readonly unmatched: number;
  /** Requests for recordings, in all forms. */
  readonly replay: number;
  /** Requests of the Model Context Protocol. */
  readonly mcp: number;
  /** Requests for streams that get none. */
  readonly stream: number;
  readonly socket: number;
  readonly #labels: readonly Label[];
  /** When the request that is handled now began, Unix ms. A handler that answers later calls `resume` before it answers. */
  began = 0;
  /** The same request; null where requests have no ids. */
  visit: Visit | null = null;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #answers: Histograms;
  readonly #bytes: Float64Array;
  readonly #exceptions: Float64Array;
  readonly #aborted: Float64Array;
  readonly #asks: Histograms;

  constructor(
    routes: readonly Pick<Route, 'method' | 'path'>[],
    clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.#clock = clock;
    this.#labels = [
      ...routes.map(({ method, path }) => ({ method, path })),
      { method: 'GET', path: '/replay' },
      { method: 'POST', path: '/mcp' },
      { method: 'GET', path: '/v1/stream' },
      { method: 'GET', path: '/v1/ws' },
      { method: 'OPTIONS', path: 'preflight' },
      { method: 'any', path: 'unmatched' },
    ];
    const slots = this.#labels.length;
    this.replay = slots - 6;
    this.mcp = slots - 5;
    this.stream = slots - 4;
    this.socket = slots - 3;
    this.preflight = slots - 2;
    this.unmatched = slots - 1;
    this.#answers = new Histograms(slots * classes);
    this.#bytes = new Float64Array(slots);
    this.#exceptions = new Float64Array(slots);
    this.#aborted = new Float64Array(slots);
    this.#asks = new Histograms(slots);
  }

  /** The slot of a row. Throws when these counters were made for other rows. */
  slotOf({ method, path }: Pick<Route, 'method' | 'path'>): number {
    const slot = this.#labels.findIndex((l) => l.method === method && l.path === path);
    if (slot < 0) throw new Error(`no counter for ${method} ${path}`);
    return slot;
  }

  /** The head of a request has arrived. */
  begin(): void {
    this.began = this.#clock.now();
  }

  /** The request that is handled now is this one, which began at `began`. */
  resume(began: number, visit: Visit | null): void {
    this.began = began;
    this.visit = visit;
  }

  /** The request that began at `began` was answered `now`; `bytes` is the size of the body. */
  answered(slot: number, status: number, bytes: number, now = this.#clock.now()): void {
    const row = slot * classes + Math.trunc(status / 100) - 1;
    // A clock that was set back in between gives no duration.
    const ms = Math.max(0, now - this.began);
    this.#answers.add(row, ms);
    bump(this.#bytes, slot, bytes);
    if (this.visit === null) return;
    this.visit.answered({ route: this.#labels[slot]?.path ?? '', status, bytes, ms });
    this.visit = null;
  }

  threw(slot: number): void {
    bump(this.#exceptions, slot, 1);
  }

  left(slot: number): void {
    bump(this.#aborted, slot, 1);
  }

  /** A query has ended after `ms` milliseconds, whether or not its client was still connected. */
  asked(slot: number, ms: number): void {
    this.#asks.add(slot, ms);
  }

  /** The used slots as plain objects. */
  snapshot(): SlotCount[] {
    return this.#labels
      .map(({ method, path }, slot) => ({
        method,
        path,
        statuses: Array.from({ length: classes }, (_, i) => this.#answers.at(slot * classes + i)),
        bytes: numberAt(this.#bytes, slot),
        exceptions: numberAt(this.#exceptions, slot),
        aborted: numberAt(this.#aborted, slot),
        asks: this.#asks.at(slot),
      }))
      .filter(({ statuses, aborted }) => aborted > 0 || statuses.some((all) => countOf(all) > 0));
  }
}

/** The number of a slot. */
const numberAt = (counts: Float64Array, slot: number): number => counts[slot] ?? 0;

function bump(counts: Float64Array, index: number, by: number): void {
  counts[index] = numberAt(counts, index) + by;
}
