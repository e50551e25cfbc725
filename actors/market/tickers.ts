/** Dollar prices, turnovers and open interest by asset, out of the readings of all exchanges. */
import { isCoin } from '../../config/assets/symbols.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import { minute } from '../../config/time.ts';
import type { Fold, Rates } from '../../indicators/market/fold.ts';
import {
  foldOpenInterest,
  marketsOf,
  type OpenInterestEntry,
  totalInterest,
} from '../../indicators/market/open-interest.ts';
import {
  consensus,
  dollarRates,
  foldPrices,
  foldTurnovers,
  type KindTurnover,
  lacksPart,
  type PriceEntry,
  statedRates,
} from '../../indicators/market/prices.ts';
import type { Turnover } from '../../indicators/market/ratios.ts';
import { having } from '../state/market-state.ts';
import type { NewestRows } from '../state/newest-rows.ts';
import {
  type OpenInterestRow,
  type OptionRow,
  type PriceRow,
  type Reading,
  topics,
} from '../topics/index.ts';

/** Time for which a fold is reused, ms: the readings contain thousands of rows every few seconds. */
const lasting = minute;

/** Folds by exchange. */
type Folds<Entry> = ReadonlyMap<string, Fold<Entry>>;

/** Derives a value from the readings by exchange; it may be used up to `until` (Unix ms). */
type Derive<Row, Value> = (
  readings: ReadonlyMap<string, readonly Reading<Row>[]>,
  now: number,
) => { value: Value; until: number };

/** What was derived last from the newest readings of a topic. The first reading of a part is used at once. */
class Derived<Row, Value> {
  readonly #readings: () => ReadonlyMap<string, readonly Reading<Row>[]>;
  readonly #derive: Derive<Row, Value>;
  #last: { value: Value; at: number; until: number; parts: number } | null = null;

  constructor(
    readings: () => ReadonlyMap<string, readonly Reading<Row>[]>,
    derive: Derive<Row, Value>,
  ) {
    this.#readings = readings;
    this.#derive = derive;
  }

  get(now: number): Value {
    const bySource = this.#readings();
    const parts = partsIn(bySource);
    const last = this.#last;
    const isRecent = last !== null && Math.abs(now - last.at) < lasting && now <= last.until;
    if (isRecent && parts === last.parts) return last.value;
    this.#last = { ...this.#derive(bySource, now), at: now, parts };
    return this.#last.value;
  }
}

/** Number of sources and parts with a reading. */
const partsIn = (bySource: ReadonlyMap<string, readonly unknown[]>): number =>
  [...bySource.values()].reduce((sum, { length }) => sum + length, 0);

/** The folds of all exchanges by `fold`, usable until their oldest row is too old. */
function foldAll<Row, Entry>(
  readings: ReadonlyMap<string, readonly Reading<Row>[]>,
  fold: (readings: readonly Reading<Row>[]) => Fold<Entry>,
): { value: Folds<Entry>; until: number } {
  const value = new Map([...readings].map(([exchange, own]) => [exchange, fold(own)]));
  return { value, until: Math.min(...[...value.values()].map((one) => one.until)) };
}

interface Markets {
  prices: Folds<PriceEntry>;
  turnovers: Folds<KindTurnover[]>;
  /** Exchanges of which no coin of a part is heard. */
  partial: ReadonlySet<string>;
}

/** The entries of one asset by exchange. */
const entriesOf = <Entry>(folds: Folds<Entry>, symbol: string): [string, Entry][] =>
  [...folds].flatMap(([exchange, { entries }]): [string, Entry][] => {
    const entry = entries.get(symbol);
    return entry === undefined ? [] : [[exchange, entry]];
  });

/** Open interest of an asset at one exchange, one side. */
export interface Interest {
  /** US dollars. */
  value: number;
  /** Number of markets in the sum. */
  markets: number;
}

/** The median of the last prices of an asset at the exchanges. */
export interface LivePrice {
  /** US dollars. */
  price: number;
  /** When the newest of them was received, Unix ms. */
  at: number;
  exchanges: number;
}

/**
 * Folds the newest reading of every source and part, once a minute at most, on demand. Frozen readings and rows older than
 * their topic allows do not count. Times are Unix ms.
 */
export class Tickers {
  readonly #newest: NewestRows;
  readonly #rates: Derived<PriceRow, Rates>;
  readonly #markets: Derived<PriceRow, Markets>;
  readonly #interest: Derived<OpenInterestRow, Folds<OpenInterestEntry>>;

  constructor(newest: NewestRows) {
    this.#newest = newest;
    const { prices, openInterest } = topics;
    const context = (now: number, { maxAge }: { maxAge: number }) => ({
      rates: this.#rates.get(now),
      now,
      maxAge,
    });
    const priceReadings = () => newest.bySource('prices');
    this.#rates = new Derived(priceReadings, (bySource, now) => {
      const options = { quotes: dollarQuotes, since: now - prices.maxAge };
      const stated = [...bySource.values()].flat().map((reading) => statedRates(reading, options));
      return { value: dollarRates(stated, dollarQuotes), until: Infinity };
    });
    this.#markets = new Derived(priceReadings, (bySource, now) => {
      const at = context(now, prices);
      const folded = foldAll(bySource, (own) => foldPrices(own, at));
      const turnovers = foldAll(bySource, (own) => foldTurnovers(own, at));
      const isPartial = (own: readonly Reading<PriceRow>[]) =>
        lacksPart(
          having(own, ({ symbol }) => isCoin(symbol)),
          at,
        );
      const partial = new Set(
        [...bySource].flatMap(([exchange, own]) => (isPartial(own) ? [exchange] : [])),
      );
      const value = { prices: folded.value, turnovers: turnovers.value, partial };
      return { value, until: folded.until };
    });
    this.#interest = new Derived(
      () => newest.bySource('openInterest'),
      (bySource, now) =>
        foldAll(bySource, (own) => foldOpenInterest(own, context(now, openInterest))),
    );
  }

  /** Number of sources and parts with a reading. */
  known(): number {
    const followed = ['prices', 'openInterest', 'options'] as const;
    return followed.reduce((sum, topic) => sum + partsIn(this.#newest.bySource(topic)), 0);
  }

  /** The newest chain of each of these lists of an exchange; null while one is missing or too old. */
  chains(exchange: string, lists: readonly string[], now: number): Reading<OptionRow>[] | null {
    const young = lists.flatMap((list) => {
      const chain = this.#newest.part('options', exchange, list);
      return chain && now - chain.received <= topics.options.maxAge ? [chain] : [];
    });
    return young.length === lists.length ? young : null;
  }

  /**
   * The median over the exchanges, of each the last price of its most traded dollar market of the base asset; null
   * when none is young enough, or when the exchanges dispute it.
   */
  price(symbol: string, now: number): LivePrice | null {
    const entries = entriesOf(this.#markets.get(now).prices, symbol).map(([, entry]) => entry);
    if (entries.length === 0) return null;
    const { median, disputed } = consensus(entries.map(({ price }) => price));
    if (disputed) return null;
    return {
      price: median,
      at: Math.max(...entries.map((entry) => entry.updated_at)),
      exchanges: entries.length,
    };
  }

  /** Exchanges whose turnovers are left out: one of their parts is not heard, or frozen. */
  partial(now: number): ReadonlySet<string> {
    return this.#markets.get(now).partial;
  }

  /** 24 h turnovers of coins by exchange, asset and kind, of dollar markets; a market that states none adds nothing. */
  turnovers(now: number): (Turnover & { at: number })[] {
    const { turnovers, partial } = this.#markets.get(now);
    const whole = [...turnovers].filter(([exchange]) => !partial.has(exchange));
    return whole.flatMap(([exchange, { entries }]) =>
      [...entries].flatMap(([symbol, kinds]) =>
        (isCoin(symbol) ? kinds : []).map(({ kind, value, at }) => ({
          exchange,
          symbol,
          kind,
          volume_24h_usd: value,
          at,
        })),
      ),
    );
  }

  /** Open interest of the dollar perpetuals of an asset by exchange, without implausible values. */
  openInterest(symbol: string, now: number): ReadonlyMap<string, Interest> {
    const entries = entriesOf(this.#interest.get(now), symbol);
    const prices = this.#markets.get(now).prices;
    const { excluded } = totalInterest(
      entries,
      (exchange) => prices.get(exchange)?.entries.get(symbol)?.volume_24h ?? null,
    );
    return new Map(
      entries
        .filter(([exchange]) => !excluded.has(exchange))
        .map(([exchange, entry]) => [exchange, { value: entry.oi_usd, markets: marketsOf(entry) }]),
    );
  }
}
