import {
  type DerivativeRow,
  type Instrument,
  type MarketRows,
  type OpenInterestRow,
  type PriceRow,
  type Reading,
  type Topics,
  topics,
} from '../../actors/topics/index.ts';
import type { Funding } from '../../indicators/derivatives/funding-rates.ts';
import {
  joinPerpetuals,
  type Perpetual,
  type Perpetuals,
} from '../../indicators/derivatives/perpetuals.ts';
import type { Rates } from '../../indicators/market/fold.ts';
import { Source } from '../answers/source.ts';
import { type ApiError, apiError } from '../wire/errors.ts';
import { type ListedRow, NewestRows } from './newest-rows.ts';

const ages = {
  derivatives: topics.derivatives.maxAge,
  openInterest: topics.openInterest.maxAge,
  prices: topics.prices.maxAge,
} as const;

/** The newest readings of one exchange by topic and part, and their join, made when it is asked for. */
class Exchange {
  readonly derivatives = new Map<string, NewestRows<DerivativeRow>>();
  readonly openInterest = new Map<string, NewestRows<OpenInterestRow>>();
  readonly prices = new Map<string, NewestRows<PriceRow>>();
  readonly instruments = new Map<string, NewestRows<Instrument>>();
  joined: Perpetuals | null = null;
  #bySymbol: { of: Perpetuals; rows: Map<string, Perpetual[]> } | null = null;

  /** Its perpetuals of one symbol. The index is made once for each join. */
  ofSymbol(symbol: string, now: number): readonly Perpetual[] {
    const of = this.join(now);
    if (this.#bySymbol?.of !== of) {
      this.#bySymbol = { of, rows: Map.groupBy(of.rows, (row) => row.symbol) };
    }
    return this.#bySymbol.rows.get(symbol) ?? [];
  }

  join(now: number): Perpetuals {
    this.joined ??= joinPerpetuals(
      {
        derivatives: this.derivatives.values(),
        openInterest: this.openInterest.values(),
        prices: this.prices.values(),
        instruments: this.instruments.values(),
      },
      { now, ages },
    );
    return this.joined;
  }
}

/** The topics that the view is made of. */
type Joined = 'derivatives' | 'openInterest' | 'prices' | 'instruments';

/** Those whose rows a stream changes. */
type Streamed = Exclude<Joined, 'instruments' | 'prices'>;

/**
 * Every perpetual of every exchange: mark, index and funding with open interest, price and instrument of the same
 * market. A reading joins the rows of its own exchange only.
 */
export class PerpetualsView {
  readonly #exchanges = new Map<string, Exchange>();
  /** Its keys are symbols. */
  readonly source = new Source(() => (this.#newest > 0 ? this.#newest : null));
  readonly #rates: () => Rates;
  /** The perpetuals by symbol, and the symbols that have changed since they were found. */
  readonly #fundings = new Map<string, Funding[]>();
  readonly #unfolded = new Set<string>();
  /** The rates that answers may be made with until one of them has moved. */
  #applied: Rates = new Map();
  #now = 0;
  #newest = 0;

  /** `rates` gives USD per unit of each dollar quote. */
  constructor(prices: { rates(): Rates }) {
    this.#rates = () => prices.rates();
  }

  /** Takes a reading of a topic; a reading older than the current one is ignored. `now` is Unix ms. */
  accept<T extends Joined>(topic: T, reading: Topics[T], now: number): void {
    this.#now = now;
    const exchange = this.#exchanges.get(reading.source) ?? new Exchange();
    const readings: Map<string, NewestRows<ListedRow>> = exchange[topic];
    const before = readings.get(reading.part);
    if ((before?.received ?? 0) > reading.received) return;
    readings.set(reading.part, new NewestRows<ListedRow>(reading));
    if (topic !== 'instruments') this.#newest = Math.max(this.#newest, reading.received);
    exchange.joined = null;
    const isFirst = this.#exchanges.size === 0;
    if (isFirst) this.#applied = new Map(this.#rates());
    this.#exchanges.set(reading.source, exchange);
    this.#changed([...(before?.rows ?? []), ...reading.rows]);
    // Whoever follows a symbol that there is not learns it now.
    if (isFirst) this.source.change();
  }

  /** Takes rows that a stream has changed. `now` is Unix ms. */
  change<T extends Streamed>(topic: T, changes: Reading<MarketRows[T]>, now: number): void {
    const exchange = this.#exchanges.get(changes.source);
    if (exchange === undefined) return;
    const readings: { readonly [S in Streamed]: Map<string, NewestRows<MarketRows[S]>> } = exchange;
    const reading = readings[topic].get(changes.part);
    if (reading === undefined) return;
    reading.change(changes);
    this.#now = now;
    this.#newest = Math.max(this.#newest, changes.received);
    exchange.joined = null;
    this.#changed(changes.rows);
  }

  /** Removes rows that have become too old from the answers. Call it about every second. */
  expire(now: number): void {
    this.#now = now;
    const old = [...this.#exchanges.values()].filter(({ joined }) => joined && joined.until < now);
    const rows = old.flatMap(({ joined }) => joined?.rows ?? []);
    for (const exchange of old) exchange.joined = null;
    if (old.length > 0) this.#changed(rows);
    const rates = this.#rates();
    if (hasMoved(this.#applied, rates)) this.#revalue(rates);
  }

  /** Whether there is no reading. */
  isEmpty(): boolean {
    return this.#exchanges.size === 0;
  }

  /** The perpetuals of one exchange; undefined when it has none. */
  of(exchange: string): Perpetuals | undefined {
    const joined = this.#exchanges.get(exchange)?.join(this.#now);
    return joined && (joined.rows.length > 0 || joined.stale.size > 0) ? joined : undefined;
  }

  /** The perpetuals of one symbol (in upper case) on each exchange. It costs the rows of that symbol. */
  *ofSymbol(symbol: string): Iterable<readonly [exchange: string, Perpetual]> {
    for (const [id, exchange] of this.#exchanges)
      for (const row of exchange.ofSymbol(symbol, this.#now)) yield [id, row];
  }

  /** The perpetuals of all exchanges. */
  *all(): Iterable<readonly [exchange: string, Perpetuals]> {
    for (const [id, exchange] of this.#exchanges) yield [id, exchange.join(this.#now)];
  }

  /**
   * The perpetual of an asset on one exchange, or why there is none: of several a linear one, the one with the largest
   * turnover.
   */
  find(exchange: string, symbol: string): Perpetual | ApiError {
    const found = this.of(exchange);
    if (found === undefined) {
      return apiError('warming_up', `the perpetuals of ${exchange} are not known yet`);
    }
    const [first] = found.rows
      .filter((row) => row.symbol === symbol)
      .sort(
        (a, b) =>
          (a.inverse === true ? 1 : 0) - (b.inverse === true ? 1 : 0) ||
          (b.volume ?? 0) - (a.volume ?? 0),
      );
    return first ?? apiError('unknown_symbol', `unknown symbol '${symbol}' for ${exchange}`);
  }

  /** All perpetuals with a fresh rate and a known interval, by symbol. A list stays the same until its symbol changes. */
  fundings(): ReadonlyMap<string, Funding[]> {
    for (const symbol of this.#unfolded) {
      const found = this.fundingsOf(symbol);
      if (found.length > 0) this.#fundings.set(symbol, found);
      else this.#fundings.delete(symbol);
    }
    this.#unfolded.clear();
    return this.#fundings;
  }

  /** The perpetuals of one symbol with a fresh rate and a known interval. It costs the rows of that symbol. */
  fundingsOf(symbol: string): Funding[] {
    const rates = this.#rates();
    return [...this.#exchanges].flatMap(([id, exchange]) =>
      exchange.ofSymbol(symbol, this.#now).flatMap((row) => fundingOf(id, row, rates) ?? []),
    );
  }

  /** Whether an exchange has a rate of the symbol, fresh or too old. */
  hasFunding(symbol: string): boolean {
    return [...this.#exchanges.values()].some(
      (exchange) =>
        exchange
          .ofSymbol(symbol, this.#now)
          .some(({ rate, hours }) => rate !== null && hours !== null) ||
        exchange.join(this.#now).stale.has(symbol),
    );
  }

  /** Exchanges whose every row of the symbol is too old. */
  staleOn(symbol: string): string[] {
    const isStale = (exchange: Exchange) => exchange.join(this.#now).stale.has(symbol);
    return [...this.#exchanges].flatMap(([id, exchange]) => (isStale(exchange) ? [id] : []));
  }

  #changed(rows: readonly Pick<ListedRow, 'symbol'>[]): void {
    const symbols = new Set(rows.map((row) => row.symbol));
    for (const symbol of symbols) this.#unfolded.add(symbol);
    this.source.change(symbols);
  }

  /** A rate has moved: all dollars are stated anew. */
  #revalue(rates: Rates): void {
    this.#applied = new Map(rates);
    for (const symbol of this.#fundings.keys()) this.#unfolded.add(symbol);
    this.source.change();
  }
}

/** Least move of the rate of a quote after which dollars are stated anew, a fraction. */
const leastMove = 1e-4;

const hasMoved = (before: Rates, now: Rates): boolean =>
  before.size !== now.size ||
  [...now].some(([quote, rate]) => Math.abs((before.get(quote) ?? 0) / rate - 1) > leastMove);

/** The funding of a perpetual, with dollars at the rate of its quote; null without a rate or an interval. */
function fundingOf(exchange: string, row: Perpetual, rates: Rates): Funding | null {
  const { rate, hours, contract, quote, predicted, next, mark, index, received } = row;
  if (rate === null || hours === null) return null;
  const dollars = rates.get(quote) ?? null;
  const worth = (value: number | null) =>
    value === null || dollars === null ? null : value * dollars;
  return {
    exchange,
    contract,
    quote,
    rate,
    predicted,
    hours,
    next,
    mark,
    index,
    received,
    open_interest_usd: worth(row.value),
    volume_24h_usd: worth(row.volume),
  };
}
