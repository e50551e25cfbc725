/** What the exchanges' own readings say together: dollar prices, turnovers and open interest by asset. */
import { dollarQuotes } from '../../config/quotes.ts';
import { median } from '../median.ts';
import { type OpenInterestRow, type PriceRow, type Reading, topics } from '../topics.ts';
import type { Turnover } from './formulas/ratios.ts';

/** What was made out of the readings stands for so long, ms: they bring thousands of rows every few seconds. */
const lasting = 60_000;

/** An exchange's most traded dollar market of an asset. */
interface Quoted {
  /** US dollars. */
  price: number;
  /** 24 h turnover, US dollars. */
  volume: number;
  /** When it was received, Unix ms. */
  at: number;
}

/** By asset, then by exchange. */
type ByAsset<Entry> = ReadonlyMap<string, ReadonlyMap<string, Entry>>;

interface Markets {
  quotes: ByAsset<Quoted>;
  turnovers: readonly Dated[];
}

/** The last readings of a topic by source and part, and what was made of them last. */
class Shelf<Row extends PriceRow | OpenInterestRow, Made> {
  readonly #readings = new Map<string, Reading<Row>>();
  readonly #make: (readings: readonly Reading<Row>[], now: number) => Made;
  #made: { value: Made; at: number } | null = null;

  constructor(make: (readings: readonly Reading<Row>[], now: number) => Made) {
    this.#make = make;
  }

  /** One older than what is here is ignored; a part heard of for the first time is taken in at once. */
  accept(reading: Reading<Row>): void {
    const key = `${reading.source}/${reading.part}`;
    const known = this.#readings.get(key);
    if (known && known.received > reading.received) return;
    if (!known) this.#made = null;
    this.#readings.set(key, reading);
  }

  /** Sources and parts that were heard of. */
  get size(): number {
    return this.#readings.size;
  }

  get(now: number): Made {
    if (!this.#made || Math.abs(now - this.#made.at) >= lasting) {
      this.#made = { value: this.#make([...this.#readings.values()], now), at: now };
    }
    return this.#made.value;
  }
}

/** Calls `take` with each row that is young enough, of exchanges that are not frozen, and when it was received. */
function eachFresh<Row extends { received?: number }>(
  readings: readonly Reading<Row>[],
  since: number,
  take: (row: Row, at: number, exchange: string) => void,
): void {
  for (const { source, frozen, received, rows } of readings) {
    if (frozen) continue;
    for (const row of rows) {
      const at = row.received ?? received;
      if (at >= since) take(row, at, source);
    }
  }
}

/** US dollars a unit of each dollar quote: the median of the spot markets against the dollar itself, else 1. */
function ratesOf(readings: readonly Reading<PriceRow>[], now: number): ReadonlyMap<string, number> {
  const stated = new Map<string, number[]>([...dollarQuotes].map((quote) => [quote, []]));
  eachFresh(readings, now - topics.prices.maxAge, (row) => {
    if (row.quote === 'USD' && row.kind === 'spot') stated.get(row.symbol)?.push(row.price);
  });
  stated.set('USD', []);
  return new Map(
    [...stated].map(([quote, prices]) => [quote, prices.length === 0 ? 1 : median(prices)]),
  );
}

/** The map at a key, a new one where there is none. */
function inner<Entry>(outer: Map<string, Map<string, Entry>>, key: string): Map<string, Entry> {
  let found = outer.get(key);
  if (!found) {
    found = new Map();
    outer.set(key, found);
  }
  return found;
}

/** `at` is when the newest of its markets was received, Unix ms. */
type Dated = Turnover & { at: number };

/** Adds a market's turnover to that of its exchange, asset and kind. */
function addTurnover(sums: Map<string, Dated>, market: Dated): void {
  const sum = sums.get(market.symbol);
  if (!sum) {
    sums.set(market.symbol, market);
    return;
  }
  sum.volume_24h_usd += market.volume_24h_usd;
  sum.at = Math.max(sum.at, market.at);
}

/** The leading quotes, and turnovers added up by exchange, asset and kind. */
function marketsOf(
  readings: readonly Reading<PriceRow>[],
  rates: ReadonlyMap<string, number>,
  now: number,
): Markets {
  const quotes = new Map<string, Map<string, Quoted>>();
  const sums = {
    spot: new Map<string, Map<string, Dated>>(),
    futures: new Map<string, Map<string, Dated>>(),
  };
  eachFresh(readings, now - topics.prices.maxAge, (row, at, exchange) => {
    const rate = rates.get(row.quote);
    if (rate === undefined) return;
    const { symbol } = row;
    const volume = (row.volume ?? 0) * rate;
    const ofAsset = inner(quotes, symbol);
    const known = ofAsset.get(exchange);
    if (!known || volume > known.volume)
      ofAsset.set(exchange, { price: row.price * rate, volume, at });
    const kind = row.kind === 'spot' ? 'spot' : 'futures';
    addTurnover(inner(sums[kind], exchange), {
      exchange,
      symbol,
      kind,
      volume_24h_usd: volume,
      at,
    });
  });
  const all = [...sums.spot.values(), ...sums.futures.values()];
  return { quotes, turnovers: all.flatMap((ofExchange) => [...ofExchange.values()]) };
}

/** Open interest of an asset at one exchange, one side. */
export interface Interest {
  /** US dollars. */
  value: number;
  /** Markets that the sum is of. */
  markets: number;
}

/** Open interest in dollar quotes by asset and exchange. */
function interestOf(
  readings: readonly Reading<OpenInterestRow>[],
  rates: ReadonlyMap<string, number>,
  now: number,
): ByAsset<Interest & { at: number }> {
  const sums = new Map<string, Map<string, Interest & { at: number }>>();
  eachFresh(readings, now - topics.openInterest.maxAge, (row, at, exchange) => {
    const rate = rates.get(row.quote);
    if (rate === undefined) return;
    const ofAsset = inner(sums, row.symbol);
    const sum = ofAsset.get(exchange) ?? { value: 0, markets: 0, at };
    ofAsset.set(exchange, {
      value: sum.value + row.value * rate,
      markets: sum.markets + 1,
      at: Math.max(sum.at, at),
    });
  });
  return sums;
}

/** The middle of what the exchanges last traded an asset at. */
export interface LivePrice {
  /** US dollars. */
  price: number;
  /** When the newest of them was received, Unix ms. */
  at: number;
  exchanges: number;
}

/**
 * Keeps the last reading of every source and part, and makes sums of them once a minute at most, when somebody wants
 * one. Frozen readings and rows older than their topic allows do not count. Times are Unix ms.
 */
export class Tickers {
  readonly #rates: Shelf<PriceRow, ReadonlyMap<string, number>>;
  readonly #markets: Shelf<PriceRow, Markets>;
  readonly #interest: Shelf<OpenInterestRow, ByAsset<Interest & { at: number }>>;

  constructor() {
    this.#rates = new Shelf(ratesOf);
    this.#markets = new Shelf((readings, now) => marketsOf(readings, this.#rates.get(now), now));
    this.#interest = new Shelf((readings, now) => interestOf(readings, this.#rates.get(now), now));
  }

  /** How many sources and parts have told anything so far. */
  heard(): number {
    return this.#markets.size + this.#interest.size;
  }

  /** Takes a reading of the topic `prices`. */
  acceptPrices(reading: Reading<PriceRow>): void {
    this.#rates.accept(reading);
    this.#markets.accept(reading);
  }

  /** Takes a reading of the topic `openInterest`. */
  acceptOpenInterest(reading: Reading<OpenInterestRow>): void {
    this.#interest.accept(reading);
  }

  /**
   * The median over the exchanges, of each the last price of its most traded dollar market of the base asset; null
   * when none is young enough.
   */
  price(symbol: string, now: number): LivePrice | null {
    const { maxAge } = topics.prices;
    const all = this.#markets.get(now).quotes.get(symbol)?.values() ?? [];
    const fresh = [...all].filter(({ at }) => now - at <= maxAge);
    if (fresh.length === 0) return null;
    return {
      price: median(fresh.map(({ price }) => price)),
      at: Math.max(...fresh.map(({ at }) => at)),
      exchanges: fresh.length,
    };
  }

  /** 24 h turnovers by exchange, asset and kind, of dollar markets; a market that states none adds nothing. */
  turnovers(now: number): Dated[] {
    const { maxAge } = topics.prices;
    return this.#markets.get(now).turnovers.filter(({ at }) => now - at <= maxAge);
  }

  /** Open interest of the dollar perpetuals of an asset by exchange. */
  openInterest(symbol: string, now: number): ReadonlyMap<string, Interest> {
    const { maxAge } = topics.openInterest;
    const found = [...(this.#interest.get(now).get(symbol) ?? [])];
    const fresh = found.filter(([, { at }]) => now - at <= maxAge);
    return new Map(fresh.map(([exchange, { value, markets }]) => [exchange, { value, markets }]));
  }
}
