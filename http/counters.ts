import type { Route } from './routes/route.ts';

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

/** Upper bounds of the query latency buckets, milliseconds; one more bucket counts the rest. */
export const askBuckets = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;

/** Status classes 1xx to 5xx of one slot stand side by side. */
const classes = 5;

type Label = Pick<Route, 'method' | 'path'> | { method: 'OPTIONS' | 'any'; path: string };

/** The counts of one slot. */
export interface SlotCount {
  method: string;
  path: string;
  /** Answers by status class: index 0 is 1xx, 4 is 5xx. */
  statuses: number[];
  /** Body bytes sent. */
  bytes: number;
  /** Handlers that threw. */
  exceptions: number;
  /** Clients that left before their answer. */
  aborted: number;
  /** Queries by bucket of `askBuckets`, and their total duration in milliseconds. */
  asks: number[];
  askTime: number;
}

/**
 * The counts of the server: additions to flat arrays, no look-up by name. A slot is a row of the table; two more are
 * for preflights and for requests that no row takes. Float64 holds whole numbers up to 2^53.
 */
export class Counters {
  readonly connections = new Gauge();
  /** Requests that wait for their answer. */
  readonly inFlight = new Gauge();
  readonly preflight: number;
  readonly unmatched: number;
  readonly #labels: readonly Label[];
  readonly #statuses: Float64Array;
  readonly #bytes: Float64Array;
  readonly #exceptions: Float64Array;
  readonly #aborted: Float64Array;
  readonly #asks: Float64Array;
  readonly #askTime: Float64Array;

  constructor(routes: readonly Pick<Route, 'method' | 'path'>[]) {
    this.#labels = [
      ...routes.map(({ method, path }) => ({ method, path })),
      { method: 'OPTIONS', path: 'preflight' },
      { method: 'any', path: 'unmatched' },
    ];
    const slots = this.#labels.length;
    this.preflight = slots - 2;
    this.unmatched = slots - 1;
    this.#statuses = new Float64Array(slots * classes);
    this.#bytes = new Float64Array(slots);
    this.#exceptions = new Float64Array(slots);
    this.#aborted = new Float64Array(slots);
    this.#asks = new Float64Array(slots * (askBuckets.length + 1));
    this.#askTime = new Float64Array(slots);
  }

  /** The slot of a row. Throws when these counters were made for other rows. */
  slotOf({ method, path }: Pick<Route, 'method' | 'path'>): number {
    const slot = this.#labels.findIndex((l) => l.method === method && l.path === path);
    if (slot < 0) throw new Error(`no counter for ${method} ${path}`);
    return slot;
  }

  /** An answer was sent; `bytes` is the size of its body. */
  answered(slot: number, status: number, bytes: number): void {
    bump(this.#statuses, slot * classes + Math.trunc(status / 100) - 1, 1);
    bump(this.#bytes, slot, bytes);
  }

  threw(slot: number): void {
    bump(this.#exceptions, slot, 1);
  }

  left(slot: number): void {
    bump(this.#aborted, slot, 1);
  }

  /** A query has ended after `ms` milliseconds, whether or not its client was still connected. */
  asked(slot: number, ms: number): void {
    const found = askBuckets.findIndex((bound) => ms <= bound);
    const bucket = found < 0 ? askBuckets.length : found;
    bump(this.#asks, slot * (askBuckets.length + 1) + bucket, 1);
    bump(this.#askTime, slot, ms);
  }

  /** The used slots as plain objects. */
  snapshot(): SlotCount[] {
    const width = askBuckets.length + 1;
    return this.#labels
      .map(({ method, path }, slot) => ({
        method,
        path,
        statuses: [...this.#statuses.subarray(slot * classes, (slot + 1) * classes)],
        bytes: this.#bytes[slot] ?? 0,
        exceptions: this.#exceptions[slot] ?? 0,
        aborted: this.#aborted[slot] ?? 0,
        asks: [...this.#asks.subarray(slot * width, (slot + 1) * width)],
        askTime: this.#askTime[slot] ?? 0,
      }))
      .filter(({ statuses, aborted }) => aborted > 0 || statuses.some((count) => count > 0));
  }
}

function bump(counts: Float64Array, index: number, by: number): void {
  counts[index] = (counts[index] ?? 0) + by;
}
