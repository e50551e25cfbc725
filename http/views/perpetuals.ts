import { ChangingReading, type ListedRow } from '../../actors/topics/changing-reading.ts';
import {
  type DerivativeRow,
  type Instrument,
  type Margin,
  type MarketRows,
  type OpenInterestRow,
  type PriceRow,
  type Reading,
  type Topics,
  topics,
} from '../../actors/topics/index.ts';
import type { Funding } from '../../indicators/derivatives/funding-rates.ts';
import * as joins from '../../indicators/derivatives/perpetuals.ts';
import type { Rates, ReadingOf } from '../../indicators/market/fold.ts';
import { View, wholeKey } from './view.ts';

const ages = {
  derivatives: topics.derivatives.maxAge,
  openInterest: topics.openInterest.maxAge,
  prices: topics.prices.maxAge,
} as const;

const none: joins.Perpetuals = {
  rows: [],
  stale: new Set(),
  newest: 0,
  until: Infinity,
};

/** The newest readings of one exchange by topic and part, and their join, made when it is asked for. */
class Exchange {
  readonly derivatives = new Map<string, ChangingReading<DerivativeRow>>();
  readonly openInterest = new Map<string, ChangingReading<OpenInterestRow>>();
  readonly prices = new Map<string, ChangingReading<PriceRow>>();
  readonly instruments = new Map<string, ChangingReading<Instrument>>();
  #joined: joins.Perpetuals | null = null;
  /** Those of one symbol alone, of the symbols that were asked for and are there. */
  readonly #bySymbol = new Map<string, joins.Perpetuals>();

  /** Its perpetuals of one symbol. It costs the rows of that symbol. */
  ofSymbol(symbol: string, now: number): joins.Perpetuals {
    const known = this.#bySymbol.get(symbol);
    if (known !== undefined) return known;
    // Most exchanges lack most symbols.
    if (![...this.derivatives.values()].some((reading) => reading.has(symbol))) return none;
    const made = this.#join(now, (readings) => rowsOf(readings, symbol));
    this.#bySymbol.set(symbol, made);
    return made;
  }

  join(now: number): joins.Perpetuals {
    this.#joined ??= this.#join(now, (readings) => readings.values());
    return this.#joined;
  }

  /** Rows of these symbols have changed; any when absent. */
  changed(symbols?: Iterable<string>): void {
    this.#joined = null;
    if (symbols === undefined) this.#bySymbol.clear();
    else for (const symbol of symbols) this.#bySymbol.delete(symbol);
  }

  /** Gives up what has rows that are too old at `now`, and returns its symbols. */
  expire(now: number): string[] {
    const old: string[] = [];
    if (this.#joined !== null && this.#joined.until < now) {
      old.push(...this.#joined.rows.map(({ symbol }) => symbol));
    }
    for (const [symbol, { until }] of this.#bySymbol) if (until < now) old.push(symbol);
    if (old.length > 0) this.changed(old);
    return old;
  }

  #join(
    now: number,
    from: <Row extends ListedRow>(readings: Readings<Row>) => Iterable<ReadingOf<Row>>,
  ): joins.Perpetuals {
    return joins.joinPerpetuals(
      {
        derivatives: from(this.derivatives),
        openInterest: from(this.openInterest),
        prices: from(this.prices),
        instruments: from(this.instruments),
      },
      { now, ages },
    );
  }
}

type Readings<Row extends ListedRow> = ReadonlyMap<string, ChangingReading<Row>>;

/** Readings with the rows of one symbol alone. */
const rowsOf = <Row extends ListedRow>(readings: Readings<Row>, symbol: string): ReadingOf<Row>[] =>
  [...readings.values()].map((reading) => reading.with(symbol));

/** The topics that the view is made of. */
type Joined = 'derivatives' | 'openInterest' | 'prices' | 'instruments';

/** Those whose rows a stream changes. */
type Streamed = Exclude<Joined, 'instruments' | 'prices'>;

/**
 * Every perpetual of every exchange: mark, index and funding with open interest, price and instrument of the same
 * market. A reading joins the rows of its own exchange only. The keys of its source are the symbols, and the exchanges.
 */
export class PerpetualsView extends View {
  readonly #exchanges = new Map<string, Exchange>();
  readonly #rates: () => Rates;
  /** The perpetuals by symbol, and the symbols that have changed since they were found. */
  readonly #fundings = new Map<string, Funding[]>();
  readonly #unfolded = new Set<string>();
  /** The rates that answers may be made with until one of them has moved. */
  #applied: Rates = new Map();
  #newest = 0;

  /** `rates` gives USD per unit of each dollar quote. */
  constructor(prices: { rates(): Rates }) {
    super(() => (this.#newest > 0 ? this.#newest : null));
    this.#rates = () => prices.rates();
  }

  /** Takes a reading of a topic; a reading older than the current one is ignored. `now` is Unix ms. */
  accept<T extends Joined>(topic: T, reading: Topics[T], now: number): void {
    this.source.expire(now);
    const exchange = this.#exchanges.get(reading.source) ?? new Exchange();
    const readings: Map<string, ChangingReading<ListedRow>> = exchange[topic];
    const before = readings.get(reading.part);
    if ((before?.received ?? 0) > reading.received) return;
    // Rows of a stream may have come after this poll.
    readings.set(reading.part, new ChangingReading<ListedRow>(reading, before));
    if (topic !== 'instruments') this.#newest = Math.max(this.#newest, reading.received);
    exchange.changed();
    const isFirst = this.#exchanges.size === 0;
    if (isFirst) this.#applied = new Map(this.#rates());
    this.#exchanges.set(reading.source, exchange);
    const rows: readonly ListedRow[] = reading.rows;
    const symbols = [...(before?.rows ?? []), ...rows].map(({ symbol }) => symbol);
    this.#changed(new Set(symbols), [reading.source, wholeKey(reading.source)]);
    // Whoever follows a symbol that there is not learns it now.
    if (isFirst) this.source.change();
  }

  /** Takes rows that a stream has changed. `now` is Unix ms. */
  change<T extends Streamed>(topic: T, changes: Reading<MarketRows[T]>, now: number): void {
    const exchange = this.#exchanges.get(changes.source);
    if (exchange === undefined) return;
    const readings: { readonly [S in Streamed]: Map<string, ChangingReading<MarketRows[S]>> } =
      exchange;
    const reading = readings[topic].get(changes.part);
    if (reading === undefined) return;
    reading.change(changes);
    this.source.expire(now);
    this.#newest = Math.max(this.#newest, changes.received);
    const symbols = new Set(changes.rows.map(({ symbol }) => symbol));
    exchange.changed(symbols);
    this.#changed(symbols, [changes.source]);
  }

  /** Removes rows that have become too old from the answers. Call it about every second. */
  override expire(now: number): void {
    super.expire(now);
    const old = [...this.#exchanges.values()].flatMap((exchange) => exchange.expire(now));
    if (old.length > 0) this.#changed(new Set(old));
    const rates = this.#rates();
    if (hasMoved(this.#applied, rates)) this.#revalue(rates);
  }

  /** Whether there is no reading. */
  isEmpty(): boolean {
    return this.#exchanges.size === 0;
  }

  /** What an exchange states of its perpetuals beside prices and open interest. */
  derivatives(exchange: string): Iterable<ChangingReading<DerivativeRow>> {
    return this.#exchanges.get(exchange)?.derivatives.values() ?? [];
  }

  /** The perpetuals of one exchange; undefined when it has none. */
  of(exchange: string): joins.Perpetuals | undefined {
    const joined = this.#exchanges.get(exchange)?.join(this.source.now);
    return joined && (joined.rows.length > 0 || joined.stale.size > 0) ? joined : undefined;
  }

  /** The perpetuals of one symbol (in upper case) on each exchange. It costs the rows of that symbol. */
  *ofSymbol(symbol: string): Iterable<readonly [exchange: string, joins.Perpetual]> {
    for (const [id, exchange] of this.#exchanges)
      for (const row of exchange.ofSymbol(symbol, this.source.now).rows) yield [id, row];
  }

  /** The perpetuals of all exchanges. */
  *all(): Iterable<readonly [exchange: string, joins.Perpetuals]> {
    for (const [id, exchange] of this.#exchanges) yield [id, exchange.join(this.source.now)];
  }

  /** The most traded perpetual of an asset of one margin on one exchange; undefined without one. It costs the rows of that symbol. */
  leading(exchange: string, symbol: string, margin: Margin): joins.Perpetual | undefined {
    const { rows = [] } = this.#exchanges.get(exchange)?.ofSymbol(symbol, this.source.now) ?? {};
    const own = rows.filter(({ inverse }) => (inverse === true) === (margin === 'coin'));
    return own.sort((a, b) => (b.volume ?? 0) - (a.volume ?? 0))[0];
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
      exchange
        .ofSymbol(symbol, this.source.now)
        .rows.flatMap((row) => fundingOf(id, row, rates) ?? []),
    );
  }

  /** Whether an exchange has a rate of the symbol, fresh or too old. */
  hasFunding(symbol: string): boolean {
    return [...this.#exchanges.values()].some((exchange) => {
      const { rows, stale } = exchange.ofSymbol(symbol, this.source.now);
      return stale.has(symbol) || rows.some(({ rate, hours }) => rate !== null && hours !== null);
    });
  }

  /** Exchanges whose every row of the symbol is too old. */
  staleOn(symbol: string): string[] {
    const isStale = (exchange: Exchange) =>
      exchange.ofSymbol(symbol, this.source.now).stale.has(symbol);
    return [...this.#exchanges].flatMap(([id, exchange]) => (isStale(exchange) ? [id] : []));
  }

  #changed(symbols: ReadonlySet<string>, exchange: readonly string[] = []): void {
    for (const symbol of symbols) this.#unfolded.add(symbol);
    this.source.change(new Set([...symbols, ...exchange]));
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
function fundingOf(exchange: string, row: joins.Perpetual, rates: Rates): Funding | null {
  const { rate, hours, contract, quote, asset_class, predicted, next, mark, index, received } = row;
  if (rate === null || hours === null) return null;
  const dollars = rates.get(quote) ?? null;
  const worth = (value: number | null) =>
    value === null || dollars === null ? null : value * dollars;
  return {
    exchange,
    contract,
    quote,
    asset_class,
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
