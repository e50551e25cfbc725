/** The newest rows of one topic, exchange by exchange: what each states of its markets. */
import type { ChangingReading, ListedRow } from '../../actors/topics/changing-reading.ts';
import {
  type DerivativeRow,
  type OpenInterestRow,
  type PriceRow,
  topics,
} from '../../actors/topics/index.ts';
import { datedRows } from '../../indicators/market/fold.ts';
import { Source } from '../answers/source.ts';
import type { OpenInterestView } from './open-interest.ts';
import type { PerpetualsView } from './perpetuals.ts';
import type { PricesView } from './prices.ts';
import { wholeKey } from './view.ts';

/** A row with the time at which it was received, Unix ms. */
export type Dated<Row> = Row & { received: number };

/** Markets of an exchange: those that are wanted, with the number of those that are too old. */
interface Found<Row> {
  rows: readonly Dated<Row>[];
  stale: number;
  /** When the newest of them was received, Unix ms; 0 without any. */
  newest: number;
}

/** A view with the readings of a topic. The keys of its source are symbols, exchanges and their `wholeKey`. */
interface Holder<Row extends ListedRow> {
  source: Source;
  readings(exchange: string): Iterable<ChangingReading<Row>>;
}

export class MarketRows<Row extends ListedRow> {
  readonly #readings: Holder<Row>['readings'];
  readonly #maxAge: number;
  /** Of answers that are made of the rows. */
  readonly source: Source;

  /** `maxAge` is the oldest age of a row that is shown, ms, where its reading states no other. */
  constructor({ source, readings }: Holder<Row>, maxAge: number) {
    this.source = Source.of([source]);
    this.#readings = readings;
    this.#maxAge = maxAge;
  }

  /** The keys of an answer about these symbols on an exchange, or about all that it has. */
  keysOf(exchange: string, symbols: readonly string[]): string[] {
    return symbols.length > 0 ? [wholeKey(exchange), ...symbols] : [exchange];
  }

  /**
   * The rows of an exchange: of a base asset (in upper case), else of a market, or all where neither is given. Null while there
   * is no reading.
   */
  of(exchange: string, symbol?: string, market?: string): Found<Row> | null {
    const readings = [...this.#readings(exchange)];
    if (readings.length === 0) return null;
    const ofAsset = [
      ...datedRows(symbol === undefined ? readings : readings.map((one) => one.with(symbol))),
    ];
    const wanted =
      ofAsset.length > 0
        ? ofAsset
        : [...datedRows(readings)].filter(({ row }) => row.market === market);
    const rows = wanted.flatMap(({ row, received, maxAge }) =>
      this.#isYoung(received, maxAge) ? [{ ...row, received }] : [],
    );
    const newest = rows.reduce((at, { received }) => Math.max(at, received), 0);
    return { rows, stale: wanted.length - rows.length, newest };
  }

  /** The row of one market in a part of an exchange; null where there is none, or it is too old. */
  one(exchange: string, part: string, market: string): Dated<Row> | null {
    for (const reading of this.#readings(exchange)) {
      const row = reading.part === part ? reading.at(market) : undefined;
      if (row === undefined) continue;
      const received = reading.frozen ? 0 : (row.received ?? reading.received);
      return this.#isYoung(received, reading.maxAge) ? { ...row, received } : null;
    }
    return null;
  }

  #isYoung(received: number, maxAge = this.#maxAge): boolean {
    if (this.source.now - received > maxAge) return false;
    this.source.holdsUntil(received + maxAge);
    return true;
  }
}

export const fundingRows = (perpetuals: PerpetualsView): MarketRows<DerivativeRow> =>
  new MarketRows(
    { source: perpetuals.source, readings: (id) => perpetuals.derivatives(id) },
    topics.derivatives.maxAge,
  );

export const priceRows = (prices: PricesView): MarketRows<PriceRow> =>
  new MarketRows(
    { source: prices.source, readings: (id) => prices.readings(id) },
    topics.prices.maxAge,
  );

export const interestRows = (interest: OpenInterestView): MarketRows<OpenInterestRow> =>
  new MarketRows(
    { source: interest.source, readings: (id) => interest.readings(id) },
    topics.openInterest.maxAge,
  );
