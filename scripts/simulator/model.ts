/** The simulated world: assets, the markets of every venue, and the truth about them. */
import type { Clock } from '../../actors/kernel/clock.ts';
import type { Kind } from '../../actors/topics/index.ts';
import type { MarketSpec, Stretch } from './market.ts';
import { Market } from './market.ts';
import { CrossPath, type Path, type Range, rangeOf } from './path.ts';
import type { Asset } from './symbols.ts';
import { assets, dollarsPer } from './symbols.ts';

const day = 86_400_000;

/** What a consumer should have made of a market. */
export interface Truth {
  venue: string;
  market: string;
  symbol: string;
  kind: Kind;
  quote: string;
  /** Last price of one canonical unit in `quote`; 0 where nothing trades. */
  price: number;
  priceUsd: number;
  /** Rolling 24 h turnover in USD. */
  volumeUsd: number;
  contract: number;
  inverse: boolean;
  scale: number;
  state: MarketSpec['state'];
  listed: number;
}

/** A market of a builder is its own, and a share is no coin. */
function trueSymbol({ venue, id, symbol, asset }: Market): string {
  if (venue === 'hyperliquid' && id.includes(':')) return id.toUpperCase();
  return asset === 'equity' ? `${symbol}.STOCK` : symbol;
}

/** How a venue describes its markets to the model. */
export interface VenueMarkets {
  id: string;
  markets(assets: readonly Asset[]): MarketSpec[];
}

export interface ModelOptions {
  seed: number;
  symbols: number;
  clock: Pick<Clock, 'now'>;
  venues: readonly VenueMarkets[];
}

/** Everything is a function of the seed and of the clock, which is read in whole seconds. */
export class Model {
  readonly seed: number;
  readonly assets: readonly Asset[];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #markets = new Map<string, Market[]>();
  /** The last answers of `markets`. */
  readonly #listed = new Map<string, { t: number; markets: readonly Market[] }>();
  readonly #byId = new Map<string, Market[]>();
  readonly #crosses = new Map<string, Path>();
  readonly #windows = new Map<Path, Range>();
  #windowsAt = Number.NaN;

  constructor({ seed, symbols, clock, venues }: ModelOptions) {
    this.seed = seed;
    this.assets = assets(seed, symbols);
    this.#clock = clock;
    for (const venue of venues) this.#add(venue);
  }

  /** The current second, Unix ms: every answer given within it is the same. */
  now(): number {
    return Math.floor(this.#clock.now() / 1000) * 1000;
  }

  /** Markets that a venue lists at `t`, in a fixed order. */
  markets(venue: string, t: number, group?: string): readonly Market[] {
    const key = `${venue} ${group ?? ''}`;
    const known = this.#listed.get(key);
    if (known?.t === t) return known.markets;
    const all = this.#markets.get(venue) ?? [];
    const markets = all.filter((m) => m.lists(t) && (group === undefined || m.group === group));
    // A client may ask for any name, so lists of unknown groups are not kept.
    if (markets.length > 0) this.#listed.set(key, { t, markets });
    return markets;
  }

  /** One market that the venue lists at `t`, by its id within its group. */
  market(venue: string, group: string, id: string, t: number): Market | undefined {
    return this.#byId.get(`${venue} ${id}`)?.find((m) => m.group === group && m.lists(t));
  }

  /** The last 24 hours of a market, or the time since its listing when that is shorter. */
  last24h(market: Market, now: number): Stretch {
    const from = now - day;
    if (market.listed > from) return market.stretch(market.listed, now);
    if (this.#windowsAt !== now) this.#windows.clear();
    this.#windowsAt = now;
    let range = this.#windows.get(market.path);
    if (!range) {
      range = rangeOf(market.path, from, now);
      this.#windows.set(market.path, range);
    }
    return market.valued(range, from, now);
  }

  /** The truth about every market a venue lists now. */
  truths(venue: string): Truth[] {
    const now = this.now();
    return this.markets(venue, now).map((market) => this.#truthOf(market, now));
  }

  #truthOf(market: Market, now: number): Truth {
    const { venue, kind, quote, contract, inverse, scale, state, listed } = market;
    const dollars = market.dollars ?? this.dollarsOf(quote, now);
    const live = state === 'live';
    const price = market.price(now) / scale;
    return {
      venue,
      market: market.id,
      symbol: trueSymbol(market),
      kind,
      quote,
      price,
      priceUsd: price * dollars,
      volumeUsd: live ? this.last24h(market, now).turnover * dollars : 0,
      contract,
      inverse,
      scale,
      state,
      listed,
    };
  }

  /** USD for one of an asset that prices are quoted in. */
  dollarsOf(symbol: string, t: number): number {
    const asset = this.assets.find((a) => a.symbol === symbol);
    return asset ? asset.path.price(t) : 1;
  }

  #add(venue: VenueMarkets): void {
    const bySymbol = new Map(this.assets.map((asset) => [asset.symbol, asset]));
    const list: Market[] = [];
    for (const spec of venue.markets(this.assets)) {
      const base = bySymbol.get(spec.symbol);
      if (!base) throw new Error(`${venue.id} ${spec.id}: no asset ${spec.symbol}`);
      const quote = bySymbol.get(spec.quote);
      const crossed = quote !== undefined && quote.kind !== 'stable';
      const path = crossed ? this.#cross(base, quote) : base.path;
      const dollars = crossed ? null : dollarsPer(this.seed, spec.quote);
      const market = new Market(spec, path, this.seed, dollars);
      list.push(market);
      const key = `${venue.id} ${spec.id}`;
      this.#byId.set(key, [...(this.#byId.get(key) ?? []), market]);
    }
    this.#markets.set(venue.id, list);
  }

  #cross(base: Asset, quote: Asset): Path {
    const key = `${base.symbol} ${quote.symbol}`;
    const path = this.#crosses.get(key) ?? new CrossPath(base.path, quote.path);
    this.#crosses.set(key, path);
    return path;
  }
}
