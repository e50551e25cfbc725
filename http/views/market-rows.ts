/** The newest rows of one topic, exchange by exchange: what each states of its markets. */

import { ChangingReading } from '../../actors/topics/changing-reading.ts';
import {
  type DerivativeRow,
  type OpenInterestRow,
  type PriceRow,
  type Reading,
  topics,
} from '../../actors/topics/index.ts';
import { datedRows } from '../../indicators/market/fold.ts';
import { View } from './view.ts';

export interface TopicRow {
  market: string;
  symbol: string;
  received?: number;
}

/** A row with the time at which it was received, Unix ms. */
export type Dated<Row> = Row & { received: number };

/** Markets of an exchange: those that are wanted, with the number of those that are too old. */
interface Found<Row> {
  rows: readonly Dated<Row>[];
  stale: number;
  /** When the newest of them was received, Unix ms; 0 without any. */
  newest: number;
}

/** The newest readings of one exchange. */
class ExchangeRows<Row extends TopicRow> {
  readonly readings = new Map<string, ChangingReading<Row>>();
  /** When the first of the rows in use becomes too old, Unix ms. */
  until = Infinity;
  /** The keys of its symbols and markets: texts that are made once are found faster. */
  readonly #keys = new Map<string, string>();

  keyOf(exchange: string, name: string): string {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = keys.one(exchange, name);
    this.#keys.set(name, key);
    return key;
  }
}

/** The key of all changes of one exchange, of a change of one of its rows, and of those of a symbol or a market. */
const keys = {
  all: (exchange: string) => exchange,
  any: (exchange: string) => `${exchange}/`,
  one: (exchange: string, name: string) => `${exchange}/${name}`,
};

/** The newest rows of every exchange: what each states of its markets. */
export class MarketRows<Row extends TopicRow> extends View {
  readonly #maxAge: number;
  readonly #exchanges = new Map<string, ExchangeRows<Row>>();

  /** `maxAge` is the oldest age of a row that is shown, ms, where its reading states no other. */
  constructor(maxAge: number) {
    super();
    this.#maxAge = maxAge;
  }

  /** Takes a reading; one older than the current one is ignored. `now` is Unix ms. */
  accept(reading: Reading<Row>, now: number): void {
    const exchange = this.#exchanges.get(reading.source) ?? new ExchangeRows<Row>();
    this.#exchanges.set(reading.source, exchange);
    const before = exchange.readings.get(reading.part);
    if ((before?.received ?? 0) > reading.received) return;
    exchange.readings.set(reading.part, new ChangingReading(reading, before));
    this.source.expire(now);
    this.#change(reading.source, exchange);
  }

  /** Takes rows that a stream has changed. `now` is Unix ms. */
  change(changes: Reading<Row>, now: number): void {
    const { source, part, rows } = changes;
    const exchange = this.#exchanges.get(source);
    const reading = exchange?.readings.get(part);
    if (exchange === undefined || reading === undefined) return;
    reading.change(changes);
    this.source.expire(now);
    const changed = new Set([exchange.keyOf(source, '')]);
    for (const { symbol, market } of rows)
      changed.add(exchange.keyOf(source, symbol)).add(exchange.keyOf(source, market));
    this.source.change(changed);
  }

  /** Removes rows that have become too old from the answers. Call it about every second. */
  override expire(now: number): void {
    super.expire(now);
    for (const [id, exchange] of this.#exchanges) {
      if (now > exchange.until) this.#change(id, exchange);
    }
  }

  /** The keys of an answer about these names on an exchange, or about all that it has. */
  keysOf(exchange: string, names: readonly string[]): string[] {
    const own = names.map((name) => keys.one(exchange, name));
    return [keys.all(exchange), ...(own.length > 0 ? own : [keys.any(exchange)])];
  }

  /**
   * The rows of an exchange: of a base asset (in upper case), else of a market, or all where neither is given. Null while there
   * is no reading.
   */
  of(id: string, symbol?: string, market?: string): Found<Row> | null {
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return null;
    const all = [...datedRows(exchange.readings.values())];
    const ofAsset = all.filter(({ row }) => symbol === undefined || row.symbol === symbol);
    const wanted = ofAsset.length > 0 ? ofAsset : all.filter(({ row }) => row.market === market);
    const fresh = wanted.filter(
      ({ received, maxAge = this.#maxAge }) => this.source.now - received <= maxAge,
    );
    const times = fresh.map(({ received }) => received);
    for (const { received, maxAge = this.#maxAge } of fresh)
      exchange.until = Math.min(exchange.until, received + maxAge);
    return {
      rows: fresh.map(({ row, received }) => ({ ...row, received })),
      stale: wanted.length - fresh.length,
      newest: times.reduce((newest, at) => Math.max(newest, at), 0),
    };
  }

  /** The row of one market in a part of an exchange; null where there is none, or it is too old. */
  one(id: string, part: string, market: string): Dated<Row> | null {
    const exchange = this.#exchanges.get(id);
    const reading = exchange?.readings.get(part);
    const row = reading?.at(market);
    if (exchange === undefined || reading === undefined || row === undefined) return null;
    const received = row.received ?? reading.received;
    const { maxAge = this.#maxAge } = reading;
    if (reading.frozen || this.source.now - received > maxAge) return null;
    exchange.until = Math.min(exchange.until, received + maxAge);
    return { ...row, received };
  }

  #change(id: string, exchange: ExchangeRows<Row>): void {
    exchange.until = Infinity;
    this.source.change([keys.all(id)]);
  }
}

export const fundingRows = (): MarketRows<DerivativeRow> =>
  new MarketRows(topics.derivatives.maxAge);

export const priceRows = (): MarketRows<PriceRow> => new MarketRows(topics.prices.maxAge);

export const interestRows = (): MarketRows<OpenInterestRow> =>
  new MarketRows(topics.openInterest.maxAge);
