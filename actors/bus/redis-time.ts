/** The time of a server of Redis, which is one for all processes. */
import type { Clock } from '../kernel/clock.ts';
import { readNumber } from './codec.ts';
import type { Commands } from './script.ts';

/** An answer that took longer does not say the time well enough, ms. */
const slowest = 500;

export class RedisTime {
  readonly #clock: Clock;
  readonly #onTime: (time: number, at: number) => void;
  #base: number | null = null;

  /** `onTime` is called with each answer: Unix ms, and the monotonic time of this process at which it was so. */
  constructor(clock: Clock, onTime: (time: number, at: number) => void = () => {}) {
    this.#clock = clock;
    this.#onTime = onTime;
  }

  /** Asks for it (https://redis.io/docs/latest/commands/time/). Rejects when Redis is away. */
  async ask(commands: Commands): Promise<void> {
    const sent = this.#clock.monotonic();
    const reply = await commands.send('TIME');
    const answered = this.#clock.monotonic();
    const [seconds, micros] = Array.isArray(reply) ? reply.map(readNumber) : [];
    const time = (seconds ?? Number.NaN) * 1_000 + (micros ?? Number.NaN) / 1_000;
    if (!Number.isFinite(time) || answered - sent > slowest) return;
    const at = (sent + answered) / 2;
    this.#base = time - at;
    this.#onTime(time, at);
  }

  /** How long ago an entry of a stream was added, by its id, ms; 0 before the first answer. */
  since(id: string): number {
    const added = Number.parseInt(id, 10);
    return this.#base === null ? 0 : Math.max(0, this.#base + this.#clock.monotonic() - added);
  }
}
