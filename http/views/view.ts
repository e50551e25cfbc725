/** What views have in common: the source of their answers, the time, and the newest readings of a topic. */
import type { Reading } from '../../actors/topics/index.ts';
import { Source } from '../answers/source.ts';

/** The key of a whole reading of an exchange, beside its id, which is that of every change of it. */
export const wholeKey = (exchange: string): string => `${exchange}/`;

/** A view whose source knows the time, and how long its answers hold. */
export class View {
  readonly source: Source;

  /** `received` gives when the newest of its data were received, Unix ms; null where that is not known. */
  constructor(received?: () => number | null) {
    this.source = new Source(received);
  }

  /** Tells it the time, Unix ms: about every second. Answers that do not hold any more are announced. */
  expire(now: number): void {
    this.source.expire(now);
  }
}

/** The newest reading of each part of a topic. The keys of its source are the symbols. */
export class Readings<Row extends { symbol: string }> extends View {
  readonly #readings = new Map<string, Reading<Row>>();

  /** Takes a reading; one older than the current one of its key is ignored. */
  accept(reading: Reading<Row>, key = `${reading.source}/${reading.part}`): void {
    const before = this.#readings.get(key);
    if ((before?.received ?? 0) > reading.received) return;
    this.#readings.set(key, reading);
    const rows = [...(before?.rows ?? []), ...reading.rows];
    this.source.change(new Set(rows.map(({ symbol }) => symbol)));
  }

  /** Whether there is no reading. */
  isEmpty(): boolean {
    return this.#readings.size === 0;
  }

  /** The rows of a symbol, each with its reading. */
  *of(symbol: string): Iterable<readonly [Row, Reading<Row>]> {
    for (const reading of this.#readings.values())
      for (const row of reading.rows) if (row.symbol === symbol) yield [row, reading];
  }
}

type Views = Readonly<Record<string, { readonly source: Source }>>;

/**
 * An answer that is made of several views, with what announces its changes: those of any of them, and the end of the time for which
 * the fold says that it holds (`source.holdsUntil`). For a row:
 *
 *     document({ ...row, keysOf: () => ['BTC'], ...combine({ prices, fearGreed }, ({ prices, fearGreed }) => ...) })
 */
export const combine = <V extends Views, Q, T>(
  views: V,
  fold: (views: V, query: Q, source: Source) => T,
) => {
  const source = Source.of(Object.values(views).map((view) => view.source));
  return { source, build: (query: Q) => fold(views, query, source) };
};
