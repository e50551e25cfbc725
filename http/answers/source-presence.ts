import type { Bus } from '../../actors/bus/bus.ts';
import { failed } from '../../actors/failure.ts';
import { type Cancel, type Clock, every } from '../../actors/kernel/clock.ts';

/** Between two looks for a process that serves the source of an unanswered query, ms. */
const interval = 1_000;
/** Looks in a row without a process before a query to the store fails: a process may lose its connection and reconnect. */
const storeLooks = 2;

interface PresenceOptions {
  bus: Pick<Bus, 'query' | 'served'>;
  clock: Clock;
  /** The source that no other process takes over. */
  store: string;
  /** Whether it is known already that no process serves the store. */
  isAbsent(): boolean;
}

/**
 * The queries of a bus, where one that nobody can answer does not wait for its deadline. One to the store fails as `unavailable`
 * within some two seconds after no process serves it, which of one that was killed is seen after three. One to another source fails as `not_ready` after a second while this
 * process has never seen that source served, nor had an answer of it; later it waits, since another process takes the source over.
 */
export function withPresence({ bus, clock, store, isAbsent }: PresenceOptions): Pick<Bus, 'query'> {
  const served = new Set<string>();
  const gone = new Set<string>();
  const isGone = async (source: string): Promise<boolean> => {
    // While Redis is away the query itself says so.
    const found = await bus.served(source).catch(() => null);
    if (found) served.add(source);
    if (found === false) gone.add(source);
    else gone.delete(source);
    return found === false;
  };
  const waits = (source: string) => source !== store && served.has(source);
  return {
    async query(query, how) {
      const { source } = query;
      if (waits(source)) return bus.query(query, how);
      const absent =
        source === store
          ? failed('unavailable', `no process answers for ${source}`)
          : failed('not_ready', `no process answers for ${source} yet`);
      const isKnown = source === store && isAbsent();
      if (isKnown || (gone.has(source) && (await isGone(source)))) return absent;
      const look = async () => !waits(source) && (await isGone(source));
      const watching = new Watch(clock, look, source === store ? storeLooks : 1);
      const reply = bus.query(query, how).finally(() => watching.end());
      const answered = reply.then((result) => {
        if (result.ok) served.add(source);
        return result;
      });
      return Promise.race([answered, watching.gone.then(() => absent)]);
    },
  };
}

/** Repeats the look until it ends, or has found no process so many times in a row. */
class Watch {
  readonly #look: () => Promise<boolean>;
  readonly #needed: number;
  readonly #gone = Promise.withResolvers<void>();
  readonly #cancel: Cancel;
  /** Looks since the last one that found a process. */
  #missed = 0;

  constructor(clock: Clock, look: () => Promise<boolean>, needed: number) {
    this.#look = look;
    this.#needed = needed;
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
    if (this.#missed < this.#needed) return;
    this.#cancel();
    this.#gone.resolve();
  }
}
