/** The tables of markets and assets over all exchanges. */
import { type Clock, systemClock } from '../../actors/kernel/clock.ts';
import type { PriceRow } from '../../actors/topics/index.ts';
import { classOfSymbol, type MarketClass } from '../../config/assets/symbols.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import * as perpetualMarkets from '../../indicators/derivatives/markets.ts';
import * as assets from '../../indicators/market/assets.ts';
import { type DayChange, dayChange } from '../../indicators/market/day-change.ts';
import { Source } from '../answers/source.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import type { InstrumentsView } from './instruments.ts';
import type { LiquidationsView } from './liquidations.ts';
import { Made, type Steps } from './made.ts';
import { assetAmong } from './markets.ts';
import type { PerpetualsView } from './perpetuals.ts';
import type { PricesView } from './prices.ts';
import type { RecordedView } from './recorded-values.ts';

/** One spot market with a known turnover. */
export interface SpotMarket extends assets.AssetMarket {
  row: PriceRow;
  /** USD a unit of the quote. */
  rate: number;
  turnover: number;
}

/** The parameters of a table. */
export interface Filter {
  /** Base asset, as a client names it. */
  symbol?: string | undefined;
  exchange?: string | undefined;
  /** All classes when absent. */
  class?: MarketClass | undefined;
}

/** Without a new reading the tables are rebuilt after this time, ms: rows become too old. */
const longest = 10_000;

/** After this time the making of tables rests until the next turn of the event loop, ms: requests are served in between. */
const perTurn = 2;

/** The inputs of the tables. */
interface Sources {
  prices: Pick<PricesView, 'fresh' | 'rates'>;
  perpetuals: Pick<PerpetualsView, 'all'>;
  instruments: Pick<InstrumentsView, 'all'>;
  recorded: Pick<RecordedView, 'priceChange' | 'interestChanges' | 'takers' | 'accountRatio'>;
  liquidations: Pick<LiquidationsView, 'recent'>;
}

/** Largest turnover first. */
const byTurnover = <T extends { turnover: number | null }>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => (b.turnover ?? 0) - (a.turnover ?? 0));

/** A list of markets, by turnover, with its assets. */
class Table<M extends assets.AssetMarket> {
  readonly all: readonly M[];
  readonly #bySymbol: ReadonlyMap<string, readonly M[]>;
  readonly #assets = new Map<string, readonly assets.AssetSummary<M>[]>();

  constructor(markets: readonly M[]) {
    this.all = byTurnover(markets);
    this.#bySymbol = assets.bySymbol(this.all);
  }

  /** The markets that a client asks for, or why there is none. */
  markets({ symbol, exchange, class: of }: Filter): readonly M[] | ApiError {
    if (this.all.length === 0) return apiError('warming_up');
    const own = this.#of(exchange, symbol === undefined ? this.all : this.#named(symbol));
    if (of !== undefined && own.length > 0)
      return own.filter(({ asset_class }) => asset_class === of);
    if (own.length > 0) return own;
    if (symbol === undefined)
      return apiError('warming_up', `there is no fresh reading of ${exchange} yet`);
    const where = exchange === undefined ? '' : ` for ${exchange}`;
    return apiError('unknown_symbol', `unknown symbol '${symbol}'${where}`);
  }

  /** The markets of an asset. */
  ofAsset(symbol: string): readonly M[] {
    return this.#bySymbol.get(symbol) ?? [];
  }

  /** The assets that a client asks for, or why there is none. */
  assets(filter: Filter): readonly assets.AssetSummary<M>[] | ApiError {
    const found = this.markets(filter);
    if (isApiError(found)) return found;
    if (filter.symbol !== undefined) return assets.assetsOf(found);
    const key = `${filter.exchange ?? ''} ${filter.class ?? ''}`;
    const known = this.#assets.get(key) ?? byTurnover(assets.assetsOf(found));
    this.#assets.set(key, known);
    return known;
  }

  #of(exchange: string | undefined, markets: readonly M[]): readonly M[] {
    return exchange === undefined ? markets : markets.filter((one) => one.exchange === exchange);
  }

  /** The markets of the asset that a client names, by itself or by one of its pairs. */
  #named(symbol: string): readonly M[] {
    return this.ofAsset(assetAmong((one) => this.#bySymbol.has(one), symbol));
  }
}

/** The tables as they are at one moment; each is made when it is first asked for. */
export class Tables {
  readonly #sources: Sources;
  /** Of which moment they are, Unix ms. */
  readonly now: number;
  readonly #spot = new Made(() => this.#makeSpot());
  readonly #futures = new Made(() => this.#makeFutures());
  readonly #ranks = new Map<MarketClass, perpetualMarkets.ExchangeRank[]>();
  readonly #changes = new Map<string, DayChange | null>();

  /** `now` is Unix ms. */
  constructor(sources: Sources, now: number) {
    this.#sources = sources;
    this.now = now;
  }

  /** The recorded values of the assets. */
  get recorded(): Sources['recorded'] {
    return this.#sources.recorded;
  }

  /** The liquidations. */
  get liquidations(): Sources['liquidations'] {
    return this.#sources.liquidations;
  }

  /** Spot markets against dollars with a known turnover. */
  get spot(): Table<SpotMarket> {
    return this.#spot.get();
  }

  /** Perpetuals against dollars with a price. */
  get futures(): Table<perpetualMarkets.PerpetualMarket> {
    return this.#futures.get();
  }

  /** Makes what of the tables before somebody has read. */
  *makeAs(before: Tables | null): Steps<void> {
    if (before === null) return;
    if (before.#spot.isRead) yield* this.#spot.make();
    if (before.#futures.isRead) yield* this.#futures.make();
  }

  /** The change of an asset in 24 hours, over all exchanges or on one: that of every table. */
  change(symbol: string, exchange?: string): DayChange | null {
    const key = `${exchange ?? ''} ${symbol}`;
    const known = this.#changes.get(key);
    if (known !== undefined) return known;
    const { recorded } = this;
    const found = dayChange({
      markets: [...this.spot.ofAsset(symbol), ...this.futures.ofAsset(symbol)],
      exchange,
      recorded: () =>
        recorded.priceChange('spot', symbol, 'day') ??
        recorded.priceChange('perpetual', symbol, 'day'),
    });
    this.#changes.set(key, found);
    return found;
  }

  /** The exchanges by the open interest of their perpetuals of a class. */
  ranks(of: MarketClass): readonly perpetualMarkets.ExchangeRank[] {
    const known =
      this.#ranks.get(of) ??
      perpetualMarkets.exchangeRanks(
        this.futures.all.filter(({ asset_class }) => asset_class === of),
      );
    this.#ranks.set(of, known);
    return known;
  }

  /** The assets with a listed spot market against dollars, by name, each with its exchanges. */
  get spotListed(): ReadonlyMap<string, ReadonlySet<string>> {
    const found = new Map<string, Set<string>>();
    for (const [exchange, rows] of this.#sources.instruments.all()) {
      for (const { kind, symbol, quote } of rows) {
        if (kind !== 'spot' || !dollarQuotes.has(quote)) continue;
        const known = found.get(symbol) ?? new Set();
        found.set(symbol, known.add(exchange));
      }
    }
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  *#makeSpot(): Steps<Table<SpotMarket>> {
    const found: SpotMarket[] = [];
    for (const one of this.#spotMarkets()) {
      found.push(one);
      yield;
    }
    return new Table(found);
  }

  *#makeFutures(): Steps<Table<perpetualMarkets.PerpetualMarket>> {
    const found: perpetualMarkets.PerpetualMarket[] = [];
    for (const one of this.#perpetuals()) {
      found.push(one);
      yield;
    }
    const plausible = perpetualMarkets.withPlausibleInterest(found);
    yield;
    return new Table(plausible);
  }

  *#spotMarkets(): Iterable<SpotMarket> {
    const { prices } = this.#sources;
    const rates = prices.rates();
    for (const { exchange, row, received } of prices.fresh(this.now)) {
      const rate = rates.get(row.quote);
      if (row.kind !== 'spot' || row.volume === null || rate === undefined) continue;
      const { market, symbol, quote, price: last, volume, change } = row;
      const [price, turnover] = [last * rate, volume * rate];
      const asset_class = classOfSymbol(symbol);
      const names = { exchange, market, symbol, asset_class, quote };
      yield { ...names, last, price, change, turnover, received, row, rate };
    }
  }

  *#perpetuals(): Iterable<perpetualMarkets.PerpetualMarket> {
    const { prices, perpetuals } = this.#sources;
    const rates = prices.rates();
    for (const [exchange, { rows }] of perpetuals.all()) {
      for (const row of rows) {
        const rate = rates.get(row.quote);
        const found =
          rate === undefined ? null : perpetualMarkets.perpetualMarket(exchange, row, rate);
        if (found !== null) yield found;
      }
    }
  }
}

/**
 * The tables of spot markets, perpetuals and assets. They follow the readings within a second, however many of those come. Those that
 * are read are made before their change is announced; answers are made at the first request after it.
 */
export class TablesView {
  readonly #sources: Sources;
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly source = new Source(() => (this.#asOf > 0 ? this.#asOf : null));
  #tables: Tables | null = null;
  /** When the newest reading of the tables was received, and the newest of all, Unix ms. */
  #asOf = 0;
  #received = 0;
  #touched = true;
  #made = -Infinity;
  #isMaking = false;

  constructor(sources: Sources, clock: Pick<Clock, 'monotonic' | 'after'> = systemClock) {
    this.#sources = sources;
    this.#clock = clock;
  }

  /** Something that they are made of has changed; `received` is the time of the reading that has come. */
  touch(received = 0): void {
    this.#touched = true;
    this.#received = Math.max(this.#received, received);
  }

  /** Rebuilds the tables where something has changed or may have become too old. Call it about every second. */
  expire(now: number): void {
    if (this.#isMaking || (!this.#touched && now - this.#made < longest)) return;
    this.#touched = false;
    this.#made = now;
    this.#isMaking = true;
    const next = new Tables(this.#sources, now);
    this.#make(next, { steps: next.makeAs(this.#tables), asOf: this.#received });
  }

  /** Reads from the tables of now; null while there are none. */
  read<T>(from: (tables: Tables) => T): T | null {
    return this.#tables && from(this.#tables);
  }

  #make(next: Tables, rest: { steps: Steps<void>; asOf: number }): void {
    const until = this.#clock.monotonic() + perTurn;
    try {
      while (!rest.steps.next().done) {
        if (this.#clock.monotonic() < until) continue;
        this.#clock.after(0, () => this.#make(next, rest));
        return;
      }
    } catch {
      // Who reads them makes them, and has the error.
    }
    this.#isMaking = false;
    this.#asOf = rest.asOf;
    this.#tables = next;
    this.source.change();
  }
}
