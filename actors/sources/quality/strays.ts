/** Markets that are about another asset than their ticker says: their price stays away from that of all other exchanges. */
import { hour, minute } from '../../../config/time.ts';
import { isNear } from '../../../indicators/market/checks.ts';
import { median } from '../../../indicators/market/statistics.ts';
import type { NewestRows } from '../../state/newest-rows.ts';
import { pricesIn } from '../../state/other-prices.ts';
import type { Instrument, PriceRow, Reading } from '../../topics/index.ts';

/** How long a price must be away, or back, without a break, ms; and the longest pause between two looks at it. */
const lasting = hour;
const longestPause = 5 * minute;
/** Exchanges that must agree on the price of an asset: with fewer nobody knows which of them is wrong. */
const quorum = 2;

/** A state that has to last: since when it does, and when it was seen last, Unix ms. */
interface Lasting {
  since: number;
  seen: number;
}

/**
 * A market of one source whose price is more than 30 % off the median of the other exchanges for an hour leaves its asset: its symbol
 * gets the id of the source behind it, as that of a coin that the table of assets keeps apart, and every row of it goes by that name.
 * It comes back after an hour within 30 %. The published lists hold who has left, so that another process goes on from them.
 */
export class Strays {
  readonly #source: string;
  readonly #newest: NewestRows;
  /** Markets that are about to leave, or to come back. */
  readonly #changing = new Map<string, Lasting>();
  /** The assets that markets have left; null until it was read in the lists. */
  #left: Map<string, string> | null = null;

  constructor(source: string, { newest }: { newest: NewestRows }) {
    this.#source = source;
    this.#newest = newest;
  }

  /** The markets that have left their assets. */
  markets(): string[] {
    return [...this.#known().keys()];
  }

  /** The list with a name of its own for each market that has left its asset. */
  apart(reading: Reading<Instrument>): Reading<Instrument> {
    const left = this.#known();
    if (left.size === 0) return reading;
    const rows = reading.rows.map((row) =>
      left.has(row.market)
        ? { ...row, symbol: `${row.symbol}${this.#source.toUpperCase()}`, left: row.symbol }
        : row,
    );
    return { ...reading, rows };
  }

  /** Looks at the prices of a poll, at a time in Unix ms; true when a market has left its asset or come back. */
  observe(rows: readonly PriceRow[], now: number): boolean {
    const left = this.#known();
    const assetOf = ({ market, symbol }: PriceRow) => left.get(market) ?? symbol;
    const elsewhere = this.#elsewhere(new Set(rows.map(assetOf)), now);
    let hasChanged = false;
    for (const row of rows) {
      const asset = assetOf(row);
      const price = elsewhere.get(asset);
      if (!this.#lasts(row, price, now)) continue;
      if (!left.delete(row.market)) left.set(row.market, asset);
      hasChanged = true;
    }
    return hasChanged;
  }

  /** Whether a market has been on the other side than its name says for long enough: away, or back of one that has left. */
  #lasts({ market, price }: PriceRow, elsewhere: number | undefined, now: number): boolean {
    const hasLeft = this.#known().has(market);
    if (elsewhere === undefined || isNear(price, elsewhere) !== hasLeft) {
      this.#changing.delete(market);
      return false;
    }
    const known = this.#changing.get(market);
    const since = known && now - known.seen <= longestPause ? known.since : now;
    this.#changing.set(market, { since, seen: now });
    if (now - since < lasting) return false;
    return this.#changing.delete(market);
  }

  /** The price of assets that most other exchanges agree on. */
  #elsewhere(symbols: ReadonlySet<string>, now: number): ReadonlyMap<string, number> {
    const found = new Map<string, number[]>();
    for (const [source, readings] of this.#newest.bySource('prices')) {
      if (source === this.#source) continue;
      for (const [symbol, prices] of pricesIn(readings, symbols, now)) {
        const known = found.get(symbol);
        if (known) known.push(median(prices));
        else found.set(symbol, [median(prices)]);
      }
    }
    return new Map(
      [...found].flatMap(([symbol, prices]) => {
        const middle = median(prices);
        const near = prices.filter((price) => isNear(price, middle)).length;
        return near >= quorum && near * 2 > prices.length ? [[symbol, middle] as const] : [];
      }),
    );
  }

  #known(): Map<string, string> {
    this.#left ??= new Map(
      this.#newest
        .of('instruments', this.#source)
        .flatMap(({ rows }) => rows)
        .flatMap(({ market, left }) => (left === undefined ? [] : [[market, left] as const])),
    );
    return this.#left;
  }
}
