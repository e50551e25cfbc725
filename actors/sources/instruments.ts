import type { Clock } from '../kernel/clock.ts';
import type { Instrument, Kind, Reading } from '../topics/index.ts';
import type { InstrumentMap } from './define.ts';
import type { MarketAsk, Venue } from './venue.ts';

const none: InstrumentMap = new Map();

/** A market that a list holds. */
export type ListedMarket = MarketAsk & { instrument: Instrument };

/** The last instruments of every source on the stream, in which parsers and queries look markets up. */
export class InstrumentBook {
  readonly #parts = new Map<string, InstrumentMap>();
  /** Ids by the names that venues with numbers for ids give their markets. */
  readonly #names = new Map<string, ReadonlyMap<string, string>>();
  readonly #waiting = new Map<string, Set<() => void>>();
  /** By source: the wait for its first lists. */
  readonly #loading = new Map<string, Promise<void>>();

  /** Takes a reading of the topic `instruments` and wakes the callers that wait for it. */
  accept(reading: Reading<Instrument>): void {
    const key = `${reading.source}/${reading.part}`;
    this.#parts.set(key, new Map(reading.rows.map((row) => [row.market, row])));
    const named = reading.rows.flatMap(({ name, market }) =>
      name ? [[name, market] as const] : [],
    );
    this.#names.set(key, new Map(named));
    for (const wake of this.#waiting.get(key) ?? []) wake();
  }

  /** Calls `wake` on every new list of the part, until the returned function is called. */
  onChange(source: string, part: string, wake: () => void): () => void {
    const key = `${source}/${part}`;
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting.add(wake));
    return () => void waiting.delete(wake);
  }

  /** Whether every part of the source that comes before `part` in the order of lookup has a list; all of them when absent. */
  isComplete({ id, parts }: Pick<Venue, 'id' | 'parts'>, part?: string): boolean {
    const end = part === undefined ? parts.length : parts.indexOf(part);
    return parts.slice(0, end).every((name) => this.#parts.has(`${id}/${name}`));
  }

  /**
   * Resolves when all parts of the source have lists, `patience` ms after the first call at the latest: a caller that comes
   * after that does not wait again.
   */
  async loaded(
    venue: Pick<Venue, 'id' | 'parts'>,
    { clock, patience }: { clock: Clock; patience: number },
  ): Promise<void> {
    if (this.isComplete(venue)) return;
    const loading = this.#loading.get(venue.id) ?? this.#load(venue, { clock, patience });
    this.#loading.set(venue.id, loading);
    await loading;
  }

  #load(
    venue: Pick<Venue, 'id' | 'parts'>,
    { clock, patience }: { clock: Clock; patience: number },
  ): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => {
      if (this.isComplete(venue)) end();
    };
    const forget = venue.parts.map((part) => this.onChange(venue.id, part, wake));
    const end = () => {
      cancel();
      for (const stop of forget) stop();
      resolve();
    };
    const cancel = clock.after(patience, end);
    return promise;
  }

  part(source: string, part: string): InstrumentMap {
    return this.#parts.get(`${source}/${part}`) ?? none;
  }

  /**
   * The market that a client's native symbol names: the venue's parts in their order, exactly as sent and then in
   * upper and lower case, as an id or as a name. Null when no list holds it, or not in this kind.
   */
  find(
    venue: Pick<Venue, 'id' | 'parts'>,
    symbol: string,
    kind: Kind | undefined,
  ): ListedMarket | null {
    for (const market of new Set([symbol, symbol.toUpperCase(), symbol.toLowerCase()])) {
      for (const part of venue.parts) {
        const id = this.#names.get(`${venue.id}/${part}`)?.get(market) ?? market;
        const instrument = this.part(venue.id, part).get(id);
        const fits = kind === undefined || instrument?.kind === kind;
        if (instrument && fits) return { market: id, part, instrument };
      }
    }
    return null;
  }
}
