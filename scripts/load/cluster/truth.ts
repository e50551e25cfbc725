/** What is true in the simulated world, and whether what the service says of it is. */
import type { Kind } from '../../../actors/topics/index.ts';
import { venues } from '../../simulator/main.ts';
import type { Market } from '../../simulator/market.ts';
import { Model } from '../../simulator/model.ts';

const second = 1_000;
/** Time between a reading and its receipt in which the price may have been another one, ms. */
const readingLasts = 15_000;
/** The service measures the rates of stablecoins, which a price in dollars is multiplied with, itself. */
const rateError = 0.001;

/** An exchange's part of `/v1/prices`. */
export interface PriceEntry {
  price: number;
  market: string;
  kind: Kind;
  updated_at: number;
  /** As the exchange states it. */
  venue_time?: number | null;
}

/** A row of `/v1/liquidations/orders`. */
export interface EventRow {
  exchange: string;
  symbol: string;
  contract: string;
  side: string;
  price: number;
  price_kind: string;
  quantity_base: number;
  timestamp: number;
}

/** Counts of what was compared; the first few wrong ones as text. */
export interface Compared {
  checked: number;
  /** Of markets that the model does not name. */
  unknown: number;
  wrong: number;
  examples: string[];
}

export class Truth {
  readonly compared: Compared = { checked: 0, unknown: 0, wrong: 0, examples: [] };
  readonly #model: Model;
  readonly #markets = new Map<string, Market[]>();
  readonly #prices = new Map<string, number>();

  constructor({ seed, assets }: { seed: number; assets: number }) {
    this.#model = new Model({ seed, symbols: assets, clock: Date, venues });
  }

  /** The first symbols of which Binance has a spot market and a perpetual against USDT, which every group can be asked for. */
  symbols(count: number): string[] {
    const own = this.#model.markets('binance', Date.now());
    const has = (symbol: string, wanted: Kind) =>
      own.some(({ id, kind, state }) => {
        return id === `${symbol}USDT` && kind === wanted && state === 'live';
      });
    const all = this.#model.assets.map(({ symbol }) => symbol);
    const found = all.filter((symbol) => has(symbol, 'spot') && has(symbol, 'perpetual'));
    return found.slice(0, count);
  }

  /** A last price in dollars must be one that the market had when it was read. */
  price(exchange: string, symbol: string, entry: PriceEntry): void {
    const { market: id, kind, price } = entry;
    const market = this.#market(exchange, id, kind);
    const dollars = market?.dollars ?? null;
    if (!market || dollars === null) {
      this.compared.unknown++;
      return;
    }
    const end = Math.floor((entry.venue_time ?? entry.updated_at) / second) * second + second;
    const own = [];
    for (let at = end - readingLasts; at <= end; at += second) own.push(this.#at(market, at));
    const [least, most] = [Math.min(...own) * dollars, Math.max(...own) * dollars];
    const isRight = price >= least * (1 - rateError) && price <= most * (1 + rateError);
    const isOwn = market.symbol === symbol;
    this.#note(isRight && isOwn, `${exchange} ${id}: ${price}, not ${least} to ${most}`);
  }

  /** A liquidation has the price of its market in the second whose end is the first after it. */
  event({ exchange, contract, price, timestamp }: EventRow): void {
    const known = this.#named(exchange, contract).filter(({ kind }) => kind !== 'spot');
    if (known.length === 0) {
      this.compared.unknown++;
      return;
    }
    const at = Math.ceil(timestamp / second) * second;
    const isRight = known.some((market) =>
      [at - second, at, at + second].some((near) => isNear(price, this.#at(market, near))),
    );
    const own = known[0] === undefined ? 0 : this.#at(known[0], at);
    this.#note(isRight, `liquidation ${exchange} ${contract} ${timestamp}: ${price}, not ${own}`);
  }

  #note(isRight: boolean, example: string): void {
    this.compared.checked++;
    if (isRight) return;
    this.compared.wrong++;
    if (this.compared.examples.length < 10) this.compared.examples.push(example);
  }

  #market(exchange: string, id: string, kind: Kind): Market | undefined {
    return this.#named(exchange, id).find((market) => market.kind === kind);
  }

  #named(exchange: string, id: string): Market[] {
    const key = `${exchange} ${id}`;
    const known = this.#markets.get(key);
    if (known) return known;
    const found = this.#model.markets(exchange, Date.now()).filter((market) => market.id === id);
    this.#markets.set(key, found);
    return found;
  }

  /** Last price of one canonical unit in quote; the newest thousands are remembered. */
  #at(market: Market, time: number): number {
    const key = `${market.seed} ${time}`;
    const known = this.#prices.get(key);
    if (known !== undefined) return known;
    const price = market.price(time) / market.scale;
    if (this.#prices.size > 200_000) this.#prices.clear();
    this.#prices.set(key, price);
    return price;
  }
}

/** The same but for what a unit of a thousand coins and back costs. */
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= Math.abs(b) * 1e-9;
