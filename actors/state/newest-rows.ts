/** The newest reading of every part, as a process follows it. Whatever needs last prices, lists or sums reads it here and keeps no copy. */

import { ChangingReading } from '../topics/changing-reading.ts';
import {
  type BookSample,
  type LiveTopic,
  type MarketRows,
  type PriceRow,
  type Reading,
  topics,
} from '../topics/index.ts';

/** The rows of the topics that are kept. */
interface Rows extends MarketRows {
  orderBooks: BookSample;
}
type KeptTopic = keyof Rows;

/** The readings of a topic by source and part. */
type Readings<Row> = Map<string, Map<string, Reading<Row>>>;

/** A reading replaces the one before it of its topic, source and part, so that no more is kept than is published. */
export class NewestRows {
  readonly #readings: { [T in KeptTopic]: Readings<Rows[T]> } = {
    instruments: new Map(),
    prices: new Map(),
    derivatives: new Map(),
    openInterest: new Map(),
    futures: new Map(),
    options: new Map(),
    orderBooks: new Map(),
  };
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #listeners: { [T in LiveTopic]: Set<(reading: Reading<Rows[T]>) => void> } = {
    prices: new Set(),
    derivatives: new Set(),
    openInterest: new Set(),
  };

  /** Takes a reading that was published, and wakes the callers that wait for its part. Readings are not changed afterwards. */
  accept<T extends KeptTopic>(topic: T, reading: Reading<Rows[T]>): void {
    const { source, part } = reading;
    const readings: Readings<Rows[T]> = this.#readings[topic];
    const parts = readings.get(source) ?? new Map();
    readings.set(source, parts.set(part, reading));
    for (const wake of this.#waiting.get(`${topic}/${source}/${part}`) ?? []) wake();
  }

  /**
   * Takes a whole reading of a topic that streams change: of a market whose row has changed since, the newer one stays. Rows that came
   * as changes and are in no whole reading are not kept.
   */
  acceptWhole<T extends LiveTopic>(topic: T, reading: Reading<Rows[T]>): void {
    const before = this.part(topic, reading.source, reading.part);
    this.accept(topic, new ChangingReading<Rows[T]>(reading, before));
    for (const take of this.#listeners[topic]) take(reading);
  }

  /** Takes the rows that a stream has changed since the whole reading of their part. */
  change<T extends LiveTopic>(topic: T, changes: Reading<Rows[T]>): void {
    const known = this.part(topic, changes.source, changes.part);
    if (known instanceof ChangingReading) known.change(changes);
    for (const take of this.#listeners[topic]) take(changes);
  }

  /** The handlers of the bus by which it keeps all that there is, row by row where streams change it. */
  get handlers() {
    const kept =
      <T extends KeptTopic>(topic: T) =>
      (_key: string, reading: Reading<Rows[T]>) =>
        this.accept(topic, reading);
    const whole =
      <T extends LiveTopic>(topic: T) =>
      (_key: string, reading: Reading<Rows[T]>) =>
        this.acceptWhole(topic, reading);
    const changed =
      <T extends LiveTopic>(topic: T) =>
      (_key: string, changes: Reading<Rows[T]>) =>
        this.change(topic, changes);
    return {
      instruments: kept('instruments'),
      prices: whole('prices'),
      priceChanges: changed('prices'),
      derivatives: whole('derivatives'),
      derivativeChanges: changed('derivatives'),
      openInterest: whole('openInterest'),
      openInterestChanges: changed('openInterest'),
      futures: kept('futures'),
      options: kept('options'),
      orderBooks: kept('orderBooks'),
    };
  }

  /** Calls `take` with the whole readings and the changes of a topic as they come. */
  listen<T extends LiveTopic>(topic: T, take: (reading: Reading<Rows[T]>) => void): void {
    this.#listeners[topic].add(take);
  }

  /** Calls `wake` on every new reading of a part, until the returned function is called. */
  onChange(topic: KeptTopic, { source, part }: PartName, wake: () => void): () => void {
    const key = `${topic}/${source}/${part}`;
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting.add(wake));
    return () => void waiting.delete(wake);
  }

  part<T extends KeptTopic>(topic: T, source: string, part: string): Reading<Rows[T]> | undefined {
    return this.#readings[topic].get(source)?.get(part);
  }

  /** The readings of a source, one a part, in the order in which the parts came first. */
  of<T extends KeptTopic>(topic: T, source: string): readonly Reading<Rows[T]>[] {
    return [...(this.#readings[topic].get(source)?.values() ?? [])];
  }

  /** The readings of each source. */
  bySource<T extends KeptTopic>(topic: T): ReadonlyMap<string, readonly Reading<Rows[T]>[]> {
    const sources = [...this.#readings[topic].keys()];
    return new Map(sources.map((source) => [source, this.of(topic, source)]));
  }

  /** The readings of all sources. */
  all<T extends KeptTopic>(topic: T): readonly Reading<Rows[T]>[] {
    return [...this.bySource(topic).values()].flat();
  }
}

interface PartName {
  source: string;
  part: string;
}

/** `make` as a function that computes its value once for each reading; the value is forgotten with the reading. */
export function oncePerReading<Row, Value extends object>(make: (rows: readonly Row[]) => Value) {
  const made = new WeakMap<Reading<Row>, Value>();
  return (reading: Reading<Row>): Value => {
    const known = made.get(reading);
    if (known !== undefined) return known;
    const value = make(reading.rows);
    made.set(reading, value);
    return value;
  };
}

/** Who asks, and when: Unix ms. */
interface Asker {
  source: string;
  now: number;
}

/** The rows of a reading by the market that they are about. */
export const pricesByMarket = oncePerReading(
  (rows: readonly PriceRow[]) => new Map(rows.map((row) => [row.market, row])),
);
const bySymbol = oncePerReading((rows: readonly PriceRow[]) =>
  Map.groupBy(rows, (row) => row.symbol),
);

/** Whether a row is young enough for the topic. */
const isYoung = (row: PriceRow, { received }: Reading<PriceRow>, now: number): boolean =>
  now - (row.received ?? received) <= topics.prices.maxAge;

/** A source's own last price of a market, young enough for the topic; null without one, and where its part is frozen. */
export function ownPrice(
  newest: NewestRows,
  market: string,
  { source, now }: Asker,
): number | null {
  for (const reading of newest.of('prices', source)) {
    if (reading.frozen) continue;
    const row = pricesByMarket(reading).get(market);
    if (row && isYoung(row, reading, now)) return row.price;
  }
  return null;
}

/** Prices of each of the assets in readings, in one pass; those of frozen ones and rows older than the topic allows are left out. */
export function pricesIn(
  readings: readonly Reading<PriceRow>[],
  symbols: ReadonlySet<string>,
  now: number,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const reading of readings.filter(({ frozen }) => !frozen)) {
    for (const row of reading.rows) {
      if (!symbols.has(row.symbol) || !isYoung(row, reading, now)) continue;
      const known = found.get(row.symbol);
      if (known) known.push(row.price);
      else found.set(row.symbol, [row.price]);
    }
  }
  return found;
}

/** The prices of an asset at all sources but the one that asks, in US dollars to within the rate of the quote; as of `pricesIn`. */
export const otherPrices = (
  newest: NewestRows,
  symbol: string,
  { source, now }: Asker,
): readonly number[] =>
  newest
    .all('prices')
    .filter((reading) => reading.source !== source && !reading.frozen)
    .flatMap((reading) =>
      (bySymbol(reading).get(symbol) ?? []).flatMap((row) =>
        isYoung(row, reading, now) ? row.price : [],
      ),
    );
