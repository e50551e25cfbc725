import type { Clock } from '../kernel/clock.ts';
import { readNumber } from './codec.ts';
import type { Commands } from './script.ts';

/** How long Redis takes to answer, milliseconds: the median and the 99th percentile of the last minute. */
export interface RedisLatency {
  p50_ms: number;
  p99_ms: number;
}

/** An answer that takes longer is a slow one, and does not say the time well enough, ms. */
const slowAfter = 500;
/** Answers that count: those of a minute. */
const maxTimes = 60;

/**
 * The time of a server of Redis, which is one for all processes, and how long it takes to say it. The question each second also
 * shows that the peer of the connection lives (https://redis.io/docs/latest/commands/time/).
 */
export class RedisTime {
  readonly #clock: Clock;
  readonly #onTime: (time: number, at: number) => void;
  /** How long the latest answers took, the latest last. */
  readonly #times: number[] = [];
  /** When the questions that are open were asked, the oldest first. */
  readonly #open: number[] = [];
  #base: number | null = null;

  /** `onTime` is called with each answer: Unix ms, and the monotonic time of this process at which it was so. */
  constructor(clock: Clock, onTime: (time: number, at: number) => void = () => {}) {
    this.#clock = clock;
    this.#onTime = onTime;
  }

  /** Asks for it. Rejects when Redis is away: that is not counted, since it is not slow then. */
  async ask(commands: Pick<Commands, 'send'>): Promise<void> {
    const asked = this.#clock.monotonic();
    this.#open.push(asked);
    const reply = await commands
      .send('TIME')
      .finally(() => this.#open.splice(this.#open.indexOf(asked), 1));
    const took = Math.max(0, this.#clock.monotonic() - asked);
    this.#times.push(took);
    if (this.#times.length > maxTimes) this.#times.shift();
    const [seconds, micros] = Array.isArray(reply) ? reply.map(readNumber) : [];
    const time = (seconds ?? Number.NaN) * 1_000 + (micros ?? Number.NaN) / 1_000;
    if (!Number.isFinite(time) || took > slowAfter) return;
    const at = asked + took / 2;
    this.#base = time - at;
    this.#onTime(time, at);
  }

  /** How long ago an entry of a stream was added, by its id, ms; 0 before the first answer. */
  since(id: string): number {
    const added = Number.parseInt(id, 10);
    return this.#base === null ? 0 : Math.max(0, this.#base + this.#clock.monotonic() - added);
  }

  /** Whether two of the latest three answers were slow; a question that has been open for so long is one. */
  isSlow(): boolean {
    const now = this.#clock.monotonic();
    const open = this.#open.map((asked) => now - asked).filter((age) => age > slowAfter);
    const latest = [...this.#times, ...open].slice(-3);
    return latest.filter((time) => time > slowAfter).length >= 2;
  }

  /** Null before the first answer. */
  latency(): RedisLatency | null {
    const sorted = this.#times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
    return sorted.length === 0 ? null : { p50_ms: at(0.5), p99_ms: at(0.99) };
  }
}
