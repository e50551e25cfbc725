/** One market of one venue, seen through the model: prices in its quote, quantities in its own unit. */
import type { Kind } from '../../actors/topics/index.ts';
import { mix, seedOf, unit, valueNoise } from './noise.ts';
import { dayLength, type Path, type Range, rangeOf, remembered } from './path.ts';
import type { Asset } from './symbols.ts';

/** The facts of a market. */
export interface MarketSpec {
  venue: string;
  /** The venue's own id. */
  id: string;
  /** The venue's own list that holds it, such as `fapi` or `SWAP`. */
  group: string;
  kind: Kind;
  /** What its base asset is. */
  asset: Asset['kind'];
  /** Base asset in the field's usual ticker. */
  symbol: string;
  quote: string;
  /** Canonical units in one native base unit: 1000 for 1000PEPE. */
  scale: number;
  /** Native base units per contract (1 where quantities are in base), or USD per contract when inverse. */
  contract: number;
  inverse: boolean;
  /** Decimals of prices and of quantities on the wire. */
  decimals: number;
  lot: number;
  /** Share of the asset's turnover that trades here. */
  share: number;
  /** First trade and, for dated contracts, expiry; Unix ms. */
  listed: number;
  expires?: number;
  /** Price relative to spot that a dated contract has. */
  basis?: number;
  /** `halted`: listed without trading. `preopen`: announced only. */
  state: 'live' | 'halted' | 'preopen';
}

/** What happened between two times; quantities in the market's own unit. */
export interface Stretch {
  open: number;
  high: number;
  low: number;
  close: number;
  /** Mean price. */
  mean: number;
  quantity: number;
  /** Part of `quantity` that takers bought. */
  bought: number;
  /** In native base units, and in the quote. */
  base: number;
  turnover: number;
  trades: number;
}

/** A candle; its last trade is at `end` or now, whichever comes first. */
export interface MarketCandle extends Stretch {
  time: number;
  /** Open time of the next candle. */
  end: number;
  closed: boolean;
}

const hour = 3_600_000;
/** Days of a market whose volume is kept. */
const cachedDays = 64;

/** A market that answers for any time; every method is a pure function of the seed and its arguments. */
export class Market implements MarketSpec {
  declare venue: string;
  declare id: string;
  declare group: string;
  declare kind: Kind;
  declare asset: Asset['kind'];
  declare symbol: string;
  declare quote: string;
  declare scale: number;
  declare contract: number;
  declare inverse: boolean;
  declare decimals: number;
  declare lot: number;
  declare share: number;
  declare listed: number;
  declare expires?: number;
  declare basis?: number;
  declare state: 'live' | 'halted' | 'preopen';
  readonly seed: number;
  /** USD for one unit of the quote; null when the quote is an asset with a path of its own. */
  readonly dollars: number | null;
  /** Hours between two fundings: mostly 8. */
  readonly fundingHours: 1 | 4 | 8;
  readonly #path: Path;
  readonly #factor: number;
  /** Lots of a whole day; the parts of a day are differences of rounded sums, so that they add up exactly. */
  readonly #dayLots = remembered(cachedDays, (day: number) => this.#dayLotsOf(day));

  constructor(spec: MarketSpec, path: Path, seed: number, dollars: number | null) {
    Object.assign(this, spec);
    this.seed = seedOf(seed, `${spec.venue} ${spec.group} ${spec.id}`);
    this.dollars = dollars;
    const u = unit(seedOf(0, spec.symbol), 11);
    this.fundingHours = u < 0.7 ? 8 : u < 0.95 ? 4 : 1;
    this.#path = path;
    const still = Math.abs(path.price(spec.listed) - 1) < 0.01;
    const offset = (2 * unit(this.seed, 1) - 1) * (still ? 0.00005 : 0.0003);
    this.#factor = ((1 + offset) * (1 + (spec.basis ?? 0)) * spec.scale) / (dollars ?? 1);
  }

  /** True while the venue lists the market. */
  lists(t: number): boolean {
    return this.listed <= t && t < (this.expires ?? Number.POSITIVE_INFINITY);
  }

  /** Last traded price of one native unit in the quote, on the market's tick. */
  price(t: number): number {
    return this.state === 'live' ? this.round(this.exact(t)) : 0;
  }

  /** The same before rounding to the tick. */
  exact(t: number): number {
    return this.#path.price(t) * this.#factor;
  }

  /** Price without this market's own offset and basis: what an index of all venues shows. */
  index(t: number): number {
    return (this.#path.price(t) * this.scale) / (this.dollars ?? 1);
  }

  round(price: number): number {
    const unitsPerTick = 10 ** this.decimals;
    return Math.round(price * unitsPerTick) / unitsPerTick;
  }

  /** What happened in [from, to); times before the listing do not count. */
  stretch(from: number, to: number): Stretch {
    const start = Math.max(from, this.listed);
    return this.valued(rangeOf(this.#path, start, to), start, to);
  }

  /** Like `stretch`, from a range of the path that is already known. */
  valued(range: Range, from: number, to: number): Stretch {
    const price = (value: number) => this.round(value * this.#factor);
    const { open, high, low, close } = range;
    const mean = range.mean * this.#factor;
    const [quantity, bought, trades] = this.#traded(from, to);
    const base = this.inverse ? (quantity * this.contract) / mean : quantity * this.contract;
    return {
      open: price(open),
      high: price(high),
      low: price(low),
      close: price(close),
      mean,
      quantity,
      bought,
      base,
      turnover: base * mean,
      trades,
    };
  }

  /** The candle that opens at `time`, as it is at `now`. */
  candle(time: number, end: number, now: number): MarketCandle {
    return { time, end, closed: end <= now, ...this.stretch(time, Math.min(end, now)) };
  }

  /** Path for ranges that several markets share. */
  get path(): Path {
    return this.#path;
  }

  /** Open interest in native base units, one side. */
  openInterest(t: number): number {
    const mood =
      valueNoise(this.seed ^ 0x0f, t / (3 * dayLength)) +
      0.2 * valueNoise(this.seed ^ 0x10, t / hour);
    const perDay =
      (this.#path.volume(Math.floor(this.listed / dayLength)) * this.share) / this.scale;
    return perDay * (0.4 + 0.4 * unit(this.seed, 9)) * Math.exp(0.3 * mood);
  }

  /** Share of long positions among all accounts (`of` 0) or those of the largest (others), 0 to 1. */
  longShare(t: number, of: number): number {
    return 0.5 + 0.2 * valueNoise(this.seed ^ (0x31 + of), t / (6 * hour));
  }

  /** Rate settled at `time` (a multiple of the funding interval), as a fraction of the position. */
  fundingRate(time: number): number {
    const trend = valueNoise(this.seed ^ 0x21, time / (6 * dayLength));
    const noise = 2 * unit(this.seed ^ 0x22, Math.floor(time / hour)) - 1;
    const rate = 0.0001 + 0.0003 * trend ** 3 + 0.00006 * noise;
    return Math.round(rate * (this.fundingHours / 8) * 1e8) / 1e8;
  }

  /** Funding times: the one that ended before or at `t`, and the next. */
  fundingTimes(t: number): { last: number; next: number } {
    const every = this.fundingHours * hour;
    const last = Math.floor(t / every) * every;
    return { last, next: last + every };
  }

  /** Typical size of an order book level: a small part of a day's volume. */
  get typicalSize(): number {
    return this.#dayLots(Math.floor(this.listed / dayLength)) / 10 ** this.lot / 40_000;
  }

  /** Id of the last trade before `t`, counted from the listing. */
  tradeId(t: number): number {
    const day = this.#dayLots(Math.floor(t / dayLength)) / this.#tradeSize();
    return (
      Math.floor(((t - this.listed) / dayLength) * Math.max(1, day)) + (mix(this.seed, 2) % 1000)
    );
  }

  #dayLotsOf(day: number): number {
    const base = (this.#path.volume(day) * this.share) / this.scale;
    const native = this.inverse
      ? (base * this.exact(day * dayLength)) / this.contract
      : base / this.contract;
    return Math.round(native * 10 ** this.lot);
  }

  #tradeSize(): number {
    return Math.max(1, Math.round(this.#dayLots(Math.floor(this.listed / dayLength)) / 200_000));
  }

  #traded(from: number, to: number): [quantity: number, bought: number, trades: number] {
    if (to <= from || this.state !== 'live') return [0, 0, 0];
    let [lots, bought, trades] = [0, 0, 0];
    for (let day = Math.floor(from / dayLength); day * dayLength < to; day++) {
      const before = this.#tradedUntil(day, Math.max(0, from / dayLength - day));
      const after = this.#tradedUntil(day, Math.min(1, to / dayLength - day));
      lots += after.lots - before.lots;
      bought += after.bought - before.bought;
      trades += after.trades - before.trades;
    }
    return [lots / 10 ** this.lot, bought / 10 ** this.lot, trades];
  }

  /** What has traded in the first `part` of a day: in waves, of which takers buy 35 to 65 %. */
  #tradedUntil(day: number, part: number) {
    const wave = (times: number) => {
      const phase = 6.283 * unit(this.seed + times, day);
      const turns = 2 * Math.PI * times;
      return (Math.sin(turns * part + phase) - Math.sin(phase)) / turns;
    };
    const all = this.#dayLots(day);
    const share = part + 0.2 * (wave(11) + wave(97));
    const lots = Math.round(all * share);
    const bought = Math.round(all * (0.5 * share + 0.04 * (wave(3) + wave(23))));
    return { lots, bought, trades: Math.ceil(lots / this.#tradeSize()) };
  }
}
