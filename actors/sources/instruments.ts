import type { Clock } from '../kernel/clock.ts';
import type { Instrument, Kind, Reading } from '../topics.ts';
import type { InstrumentMap, MarketAsk, Venue } from '../venues/venue.ts';

const none: InstrumentMap = new Map();

/** The instruments of every source, as the stream last told them: what parsers and questions look markets up in. */
export class InstrumentBook {
  readonly #parts = new Map<string, InstrumentMap>();
  /** Ids by the names that venues with numbers for ids give their markets. */
  readonly #names = new Map<string, ReadonlyMap<string, string>>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Takes a reading of the topic `instruments` and wakes whoever waits for it. */
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

  /** Resolves when the part has a list, or after `patience` ms without one. */
  async loaded(
    source: string,
    part: string,
    { clock, patience }: { clock: Clock; patience: number },
  ): Promise<void> {
    if (this.part(source, part).size > 0) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        cancel();
        forget();
        resolve();
      };
      const cancel = clock.after(patience, end);
      const forget = this.onChange(source, part, end);
    });
  }

  part(source: string, part: string): InstrumentMap {
    return this.#parts.get(`${source}/${part}`) ?? none;
  }

  /**
   * The market a client means by a native symbol: the venue's parts in their order, exactly as sent and then in
   * upper and lower case, as an id or as a name; what no list holds goes by its form, to be judged by the exchange itself.
   */
  find(venue: Venue, symbol: string, kind: Kind | undefined): MarketAsk {
    for (const market of new Set([symbol, symbol.toUpperCase(), symbol.toLowerCase()])) {
      for (const part of venue.parts) {
        const id = this.#names.get(`${venue.id}/${part}`)?.get(market) ?? market;
        const instrument = this.part(venue.id, part).get(id);
        const fits = kind === undefined || instrument?.kind === kind;
        if (instrument && fits) return { market: id, part, instrument };
      }
    }
    return { market: symbol, part: venue.partOf(symbol), instrument: null };
  }
}
