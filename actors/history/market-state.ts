/** The newest readings of all exchanges, as the history process follows them: series are sampled from them. */
import { dollarQuotes } from '../../config/quotes.ts';
import type { ReadingOf } from '../../indicators/market/fold.ts';
import { dollarRates, statedRates } from '../../indicators/market/prices.ts';
import {
  type BookSample,
  type DerivativeRow,
  type Instrument,
  type Margin,
  type OpenInterestRow,
  type OptionRow,
  type PriceRow,
  type Reading,
  topics,
  tracking,
} from '../topics/index.ts';

type Followed =
  | 'instruments'
  | 'prices'
  | 'derivatives'
  | 'openInterest'
  | 'options'
  | 'orderBooks';
interface Rows {
  instruments: Instrument;
  prices: PriceRow;
  derivatives: DerivativeRow;
  openInterest: OpenInterestRow;
  options: OptionRow;
  orderBooks: BookSample;
}

/** Queries of exchanges that series are back-filled with. */
export type Backfilled =
  | 'openInterestHistory'
  | 'fundingHistory'
  | 'takerCandles'
  | 'candles'
  | 'longShort';

/** A perpetual of an asset, with its turnover in its quote. */
export interface TrackedMarket {
  market: string;
  turnover: number;
}

export class MarketState {
  readonly #readings: { [T in Followed]: Map<string, Reading<Rows[T]>> } = {
    instruments: new Map(),
    prices: new Map(),
    derivatives: new Map(),
    openInterest: new Map(),
    options: new Map(),
    orderBooks: new Map(),
  };
  /** Instruments by exchange, part, and market with kind: those of the newest list of each part. */
  readonly #instruments = new Map<string, Map<string, ReadonlyMap<string, Instrument>>>();
  readonly #able: (query: Backfilled) => readonly string[];
  #tracked: { bases: readonly string[]; until: number } = { bases: tracking.always, until: 0 };

  /** `able` gives the exchanges that answer a query. */
  constructor(able: (query: Backfilled) => readonly string[] = () => []) {
    this.#able = able;
  }

  /** Takes a reading of a topic; it replaces that of the same part. */
  accept<T extends Followed>(topic: T, reading: Reading<Rows[T]>): void {
    this.#readings[topic].set(`${reading.source}/${reading.part}`, reading);
    if (topic === 'instruments') this.#list(reading as Reading<Instrument>);
  }

  #list({ source, part, rows }: Reading<Instrument>): void {
    const parts = this.#instruments.get(source) ?? new Map();
    parts.set(part, new Map(rows.map((row) => [`${row.market}/${row.kind}`, row])));
    this.#instruments.set(source, parts);
  }

  /** Instruments in memory. */
  get listed(): number {
    const parts = [...this.#instruments.values()].flatMap((one) => [...one.values()]);
    return parts.reduce((sum, { size }) => sum + size, 0);
  }

  /** The newest readings of a topic by exchange. */
  bySource<T extends Followed>(topic: T): Map<string, Reading<Rows[T]>[]> {
    return Map.groupBy(this.#readings[topic].values(), ({ source }) => source);
  }

  /** US dollars a unit of each dollar quote. `now` is Unix ms. */
  rates(now: number): ReadonlyMap<string, number> {
    const since = now - topics.prices.maxAge;
    const options = { quotes: dollarQuotes, since };
    const stated = [...this.#readings.prices.values()].map((one) => statedRates(one, options));
    return dollarRates(stated, dollarQuotes);
  }

  /** The settlement of a perpetual; `stable` unless its list states another. */
  marginOf(source: string, market: string): Margin {
    const parts = [...(this.#instruments.get(source)?.values() ?? [])];
    const found = parts.findLast((listed) => listed.has(`${market}/perpetual`));
    return found?.get(`${market}/perpetual`)?.inverse ? 'coin' : 'stable';
  }

  /** Exchanges that answer a query. */
  able(query: Backfilled): readonly string[] {
    return this.#able(query);
  }

  /** The dollar markets of an asset at an exchange, the most traded first. */
  markets(
    source: string,
    kind: 'spot' | 'perpetual',
    symbol: string,
    margin: Margin = 'stable',
  ): TrackedMarket[] {
    const fits = (row: PriceRow) =>
      row.symbol === symbol &&
      row.kind === kind &&
      dollarQuotes.has(row.quote) &&
      (kind === 'spot' || this.marginOf(source, row.market) === margin);
    return [...this.#readings.prices.values()]
      .filter((reading) => reading.source === source)
      .flatMap(({ rows }) => rows.filter(fits))
      .map(({ market, volume }) => ({ market, turnover: volume ?? 0 }))
      .sort((a, b) => b.turnover - a.turnover);
  }

  /** Turnover in its quote of each perpetual of an exchange. */
  turnovers(source: string): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const reading of this.#readings.prices.values()) {
      if (reading.source !== source) continue;
      for (const { market, kind, volume } of reading.rows) {
        if (kind === 'perpetual') found.set(market, volume ?? 0);
      }
    }
    return found;
  }

  /** The bases with the largest turnover of perpetuals, chosen again each hour, and those that are always tracked. */
  tracked(now: number): readonly string[] {
    if (now < this.#tracked.until) return this.#tracked.bases;
    const turnovers = this.#turnovers(now);
    const first = [...turnovers].sort(([, a], [, b]) => b - a).map(([symbol]) => symbol);
    const bases = [...new Set([...tracking.always, ...first])].slice(0, tracking.count);
    // While there are no prices yet, the next call chooses again.
    const isFull = turnovers.size >= tracking.count;
    this.#tracked = { bases, until: isFull ? now + tracking.every : now };
    return bases;
  }

  #turnovers(now: number): Map<string, number> {
    const rates = this.rates(now);
    const turnovers = new Map<string, number>();
    for (const { rows } of this.#readings.prices.values()) {
      for (const { kind, symbol, quote, volume } of rows) {
        const rate = rates.get(quote);
        if (kind !== 'perpetual' || rate === undefined || volume === null) continue;
        turnovers.set(symbol, (turnovers.get(symbol) ?? 0) + volume * rate);
      }
    }
    return turnovers;
  }
}

/** The readings with only the rows that fit. */
export const having = <Row>(
  readings: readonly Reading<Row>[],
  fits: (row: Row) => boolean,
): ReadingOf<Row>[] => readings.map((one) => ({ ...one, rows: one.rows.filter(fits) }));
