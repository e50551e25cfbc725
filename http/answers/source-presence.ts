import type { Bus } from '../../actors/bus/bus.ts';
import { failed } from '../../actors/failure.ts';
import { type Cancel, type Clock, every } from '../../actors/kernel/clock.ts';

/** Interval of the checks for a process that serves the source of an unanswered query, ms. */
const interval = 400;
/** Successive checks without a process before a query fails: a process may lose its connection and reconnect. */
const needed = 2;

interface AbsenceOptions {
  bus: Pick<Bus, 'query' | 'served'>;
  clock: Clock;
  /** The source that is watched. */
  source: string;
  /** Whether it is known already that no process serves it. */
  isAbsent(): boolean;
}

/**
 * The queries of a bus, of which those to one source fail within a second after no process serves it: otherwise they would
 * wait for their deadline.
 */
export function withoutAbsent(options: AbsenceOptions): Pick<Bus, 'query'> {
  const { bus, source, isAbsent } = options;
  const absent = failed('unavailable', `no process answers for ${source}`);
  let gone = false;
  const look = async (): Promise<boolean> => {
    // While Redis is away the query itself says so.
    gone = !(await bus.served(source).catch(() => true));
    return gone;
  };
  return {
    async query(query, how) {
      if (query.source !== source) return bus.query(query, how);
      if (isAbsent() || (gone && (await look()))) return absent;
      const watching = new Watch(options.clock, look);
      const reply = bus.query(query, how).finally(() => watching.end());
      return Promise.race([reply, watching.gone.then(() => absent)]);
    },
  };
}

/** Repeats the check until it ends. */
class Watch {
  readonly #look: () => Promise<boolean>;
  readonly #gone = Promise.withResolvers<void>();
  readonly #cancel: Cancel;
  /** Checks since the last one that found a process. */
  #missed = 0;

  constructor(clock: Clock, look: () => Promise<boolean>) {
    this.#look = look;
    this.#cancel = every(clock, interval, () => this.#again());
  }

  /** Resolves when no process serves the source, and never when this has ended before. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  end(): void {
    this.#cancel();
  }

  async #again(): Promise<void> {
    this.#missed = (await this.#look()) ? this.#missed + 1 : 0;
    if (this.#missed < needed) return;
    this.#cancel();
    this.#gone.resolve();
  }
}
