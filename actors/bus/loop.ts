/** A loop of blocking reads on a connection of its own: restarted after every loss, until stopped. */
import { setImmediate as immediate } from 'node:timers/promises';
import { type Clock, sleep } from '../kernel/clock.ts';
import { type BusLog, reason } from './log.ts';
import { closeAtOnce, connect, pause, type Redis, whenReady } from './redis.ts';

/** The context shared by the parts of a bus. */
export interface BusContext {
  url: string;
  /** Unique among all processes. */
  process: string;
  clock: Clock;
  log: BusLog;
  random: () => number;
}

export interface Rounds {
  /** Name of the connection. */
  name: string;
  /** Longest BLOCK, ms. */
  blocking: number;
  /** Runs after every connect and after every failure. */
  begin(redis: Redis): Promise<void>;
  /** One blocking read and what follows from it. */
  round(redis: Redis): Promise<void>;
  /** A read failed or the connection was lost. */
  down?(): void;
}

export class Loop {
  readonly #context: BusContext;
  readonly #rounds: Rounds;
  readonly #redis: Redis;
  readonly #ended: Promise<void>;
  readonly #stop = new AbortController();
  #lastRound = false;
  #state: 'up' | 'down' = 'down';

  constructor(context: BusContext, rounds: Rounds) {
    this.#context = context;
    this.#rounds = rounds;
    const { url, process, log, random } = context;
    const name = `${process}/${rounds.name}`;
    this.#redis = connect(url, { name, blocking: rounds.blocking, log, random });
    this.#redis.on('close', () => this.#down());
    this.#ended = this.#run();
  }

  /** `up` from the end of `begin` until something fails. */
  get state(): 'up' | 'down' {
    return this.#state;
  }

  /** Ends without waiting for the read that is under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    closeAtOnce(this.#redis);
    await this.#ended;
    this.#down();
  }

  /** Ends after the round that is under way; one that waits for Redis ends at once. */
  async finish(): Promise<void> {
    this.#lastRound = true;
    if (this.#state === 'up') await this.#ended;
    await this.stop();
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#lastRound && (await whenReady(this.#redis, this.#stop.signal))) {
      try {
        await this.#session(() => {
          failures = 0;
        });
      } catch (error) {
        if (this.#stop.signal.aborted || this.#lastRound) return;
        const { name } = this.#rounds;
        if (failures === 0)
          this.#context.log.warn({ loop: name, error: reason(error) }, 'bus read failed');
        this.#down();
        await this.#rest(++failures);
      }
    }
  }

  /** Round after round until the connection is lost or this shall end; rejects when one fails. */
  async #session(onRound: () => void): Promise<void> {
    await this.#rounds.begin(this.#redis);
    if (this.#redis.status === 'ready') this.#state = 'up';
    while (this.#state === 'up' && !this.#lastRound) {
      await this.#rounds.round(this.#redis);
      onRound();
      // What the entries have begun goes first: the next read is a write to a socket.
      await immediate();
    }
  }

  #down(): void {
    if (this.#state === 'down') return;
    this.#state = 'down';
    this.#rounds.down?.();
  }

  /** Waits before the next attempt, or until stopped. */
  #rest(failures: number): Promise<void> {
    const { clock, random } = this.#context;
    return sleep(clock, pause(failures, random), this.#stop.signal);
  }
}
