import { median } from '../../actors/median.ts';
import { type PriceRow, type Reading, topics } from '../../actors/topics.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import type { Snapshot } from '../snapshots.ts';
import { foldVenue, type Rates, statedRates } from './fold.ts';
import { SymbolView } from './symbols.ts';

/** One exchange's price of one symbol, as `/v1/prices?symbol=` shows it (specification 2.16). */
export interface PriceEntry {
  /** Last trade of the exchange's most traded dollar market of the symbol, USD. */
  price: number;
  /** Rolling 24 h turnover over all its dollar markets of the symbol, USD. */
  volume_24h: number;
  /** When we received the reading. */
  updated_at: number;
  /** When the exchange says that the price was true; null where it does not say. */
  venue_time: number | null;
  /** The native instrument that the price is of. */
  market: string;
  quote: string;
  /** The price is too far from the median and left out of the mean. */
  excluded?: true;
}

/** Share of the median beyond which a price is excluded, and how many exchanges it takes to judge. */
const outlier = { share: 0.1, quorum: 3 };

/** Turnover of the leading market of each entry. */
const leading = new WeakMap<PriceEntry, number>();

/**
 * Adds one market: its turnover to the sum, and its price when its turnover leads the symbol's so far. A market
 * without a stated turnover adds nothing to the sum.
 */
function addMarket(
  entries: Map<string, PriceEntry>,
  row: PriceRow,
  { rate, received }: { rate: number; received: number },
): void {
  const volume = (row.volume ?? 0) * rate;
  const before = entries.get(row.symbol);
  const total = (before?.volume_24h ?? 0) + volume;
  if (before && volume <= (leading.get(before) ?? 0)) {
    before.volume_24h = total;
    return;
  }
  const entry: PriceEntry = {
    price: row.price * rate,
    volume_24h: total,
    updated_at: received,
    venue_time: row.stated,
    market: row.market,
    quote: row.quote,
  };
  leading.set(entry, volume);
  entries.set(row.symbol, entry);
}

/** What the entries of one symbol average to, and which are too far off to count. There is at least one entry. */
function average(entries: readonly PriceEntry[]) {
  const middle = median(entries.map(({ price }) => price));
  const judge = entries.length >= outlier.quorum;
  const isFar = ({ price }: PriceEntry) => judge && Math.abs(price / middle - 1) > outlier.share;
  const counted = entries.filter((entry) => !isFar(entry));
  return {
    mean: counted.reduce((sum, { price }) => sum + price, 0) / counted.length,
    median: middle,
    count: counted.length,
    updated_at: counted.reduce((newest, entry) => Math.max(newest, entry.updated_at), 0),
    isFar,
  };
}

/**
 * The answers of `/v1/prices`: per exchange the last trade of its most traded dollar market, over the exchanges
 * the plain mean, outliers marked, readings older than five minutes left out and named.
 */
export class PricesView {
  readonly #rates = new RateBook();
  readonly #symbols = new SymbolView<PriceRow, PriceEntry>({
    maxAge: topics.prices.maxAge,
    fold: (readings, now) =>
      foldVenue(readings, {
        rates: this.#rates.current(),
        now,
        maxAge: topics.prices.maxAge,
        add: addMarket,
      }),
    one(symbol, entries, stale) {
      const found = average(entries.map(([, entry]) => entry));
      const marked = entries.map(([exchange, entry]): [string, PriceEntry] => [
        exchange,
        found.isFar(entry) ? { ...entry, excluded: true } : entry,
      ]);
      return {
        symbol,
        average_price: found.mean,
        median_price: found.median,
        exchange_count: found.count,
        exchanges: Object.fromEntries(marked),
        stale_exchanges: stale,
      };
    },
    summary(entries) {
      const found = average(entries);
      return {
        average_price: found.mean,
        exchange_count: found.count,
        updated_at: found.updated_at,
      };
    },
  });

  /** Takes a reading; one older than what is here is ignored. `now` is Unix ms. */
  accept(reading: Reading<PriceRow>, now: number): void {
    this.#rates.accept(reading);
    this.#symbols.accept(reading, now);
  }

  /** Lets rows that have become too old leave the answers. To be called about every second. */
  expire(now: number): void {
    this.#rates.expire(now);
    this.#symbols.expire(now);
  }

  /** The map of all symbols, or null when there is no price at all. */
  all(): Snapshot | null {
    return this.#symbols.all();
  }

  /** The answer for one symbol; `stale` when every exchange's reading of it is too old. */
  one(symbol: string): Snapshot | 'unknown' | 'stale' {
    return this.#symbols.one(symbol);
  }

  /** Receive time of the newest reading, or null. */
  newest(): number | null {
    return this.#symbols.newest();
  }

  /** USD per unit of each dollar quote. */
  rates(): Rates {
    return this.#rates.current();
  }

  /**
   * The most traded market of a base asset on one exchange, spot before perpetual unless `kind` says; null when
   * there is none.
   */
  marketFor(exchange: string, symbol: string, kind?: PriceRow['kind']): PriceRow | null {
    const rows = [...this.#symbols.readings(exchange)]
      .flatMap((reading) => reading.rows)
      .filter((row) => row.symbol === symbol && (kind === undefined || row.kind === kind))
      .sort((a, b) => (b.volume ?? 0) - (a.volume ?? 0));
    return rows.find((row) => row.kind === 'spot') ?? rows[0] ?? null;
  }
}

/** USD per unit of each dollar quote: the median of the exchanges that trade it against USD, else 1. */
class RateBook {
  readonly #stated = new Map<string, { rates: Rates; received: number }>();
  #current: Rates = new Map([...dollarQuotes].map((quote) => [quote, 1]));

  accept({ source, part, rows, received, frozen }: Reading<PriceRow>): void {
    const rates = statedRates(frozen ? [] : rows);
    const key = `${source}/${part}`;
    if (rates.size > 0) this.#stated.set(key, { rates, received });
    else if (!this.#stated.delete(key)) return;
    this.#derive();
  }

  expire(now: number): void {
    for (const [key, { received }] of this.#stated) {
      if (now - received > topics.prices.maxAge && this.#stated.delete(key)) this.#derive();
    }
  }

  current(): Rates {
    return this.#current;
  }

  #derive(): void {
    const derived = new Map<string, number>();
    for (const quote of dollarQuotes) {
      const found = [...this.#stated.values()].flatMap(({ rates }) => rates.get(quote) ?? []);
      derived.set(quote, found.length === 0 || quote === 'USD' ? 1 : median(found));
    }
    this.#current = derived;
  }
}
