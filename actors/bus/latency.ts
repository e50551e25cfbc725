import type { Clock } from '../kernel/clock.ts';

/** How long Redis takes to answer, milliseconds: the median and the 99th percentile of the last minute. */
export interface RedisLatency {
  p50_ms: number;
  p99_ms: number;
}

/** An answer that takes longer is a slow one, milliseconds. */
const slowAfter = 500;
/** Pings that count: those of a minute. */
const maxTimes = 60;

/** The times that pings take. */
export class Latency {
  readonly #clock: Clock;
  /** The latest last. */
  readonly #times: number[] = [];
  /** When the pings that are open were sent, the oldest first. */
  readonly #open: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Times a ping; never rejects. One that fails is not counted: Redis is away then, not slow. */
  async of(ping: Promise<unknown>): Promise<void> {
    const sent = this.#clock.monotonic();
    this.#open.push(sent);
    const answered = await ping.then(
      () => true,
      () => false,
    );
    this.#open.splice(this.#open.indexOf(sent), 1);
    if (!answered) return;
    this.#times.push(Math.max(0, this.#clock.monotonic() - sent));
    if (this.#times.length > maxTimes) this.#times.shift();
  }

  /** Whether two of the latest three answers were slow; a ping that has been open for so long is one. */
  slow(): boolean {
    const now = this.#clock.monotonic();
    const open = this.#open.map((sent) => now - sent).filter((age) => age > slowAfter);
    const latest = [...this.#times, ...open].slice(-3);
    return latest.filter((time) => time > slowAfter).length >= 2;
  }

  /** Null before the first answer. */
  read(): RedisLatency | null {
    const sorted = this.#times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
    return sorted.length === 0 ? null : { p50_ms: at(0.5), p99_ms: at(0.99) };
  }
}
