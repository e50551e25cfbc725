/**
 * The price path of one asset and the candles that follow from it.
 *
 * Day boundaries lie on a sum of value-noise octaves of the logarithm of the price. A day is divided into 24 hours, an
 * hour into 4 quarters, a quarter into 15 minutes, each time by a seeded walk from the open to the close that stays
 * inside the parent's high and low, with one child reaching each of them. So every candle costs O(1), a longer one is
 * the exact aggregate of the shorter ones, and nothing depends on what was asked before. Inside a minute the path is
 * three straight lines of 20 seconds, by the high and the low.
 */
import { mix, sequence, unit, valueNoise } from './noise.ts';

/** Prices of a stretch of the path, USD. */
export interface Range {
  open: number;
  high: number;
  low: number;
  close: number;
  /** Mean over time and days' volumes: the middle of open and close for each stretch of the grid. */
  mean: number;
}

/** A price path with the volume that trades along it. */
export interface Path {
  /** The stretch `index` of a level: 0 days, 1 hours, 2 quarters, 3 minutes since the epoch. */
  node(level: number, index: number): Range;
  /** USD at a time, Unix ms. */
  price(t: number): number;
  /** Base units traded on day `day` over all markets. */
  volume(day: number): number;
}

/** Length of a stretch of each level, ms, and how many of them one of the level above has. */
const spans = [86_400_000, 3_600_000, 900_000, 60_000] as const;
const fans = [1, 24, 4, 15] as const;
const [day, , , minute] = spans;
/** A straight line of the path, ms. */
const third = 20_000;
/** Divided stretches that are kept of each level: those at the ends of a day that ends now. */
const cached = [48, 96, 64] as const;
/** Days whose prices and volumes are kept: those of a list of 500 daily candles. */
const cachedDays = 512;

/** Period in days and amplitude of each octave of log price at volatility 1 (about that of BTC). */
const octaves = [
  [1024, 0.16],
  [256, 0.1],
  [64, 0.07],
  [16, 0.045],
  [8, 0.03],
  [4, 0.022],
  [2, 0.018],
  [1, 0.014],
] as const;
/** Standard deviation of the change in a stretch of each level, relative, at volatility 1. */
const sigmas = [0.022, 0.0054, 0.0027, 0.0007] as const;

const at = (values: readonly number[], i: number): number => values[i] ?? 0;

/**
 * Prices at the ends of `n` children: a walk from open to close, inside the parent's high and low, as much above the
 * straight line as below it, so that mean prices add up.
 */
function edgesOf({ open, high, low, close }: Range, n: number, step: () => number): number[] {
  const walk = [0];
  for (let k = 1; k <= n; k++) walk.push(at(walk, k - 1) + step());
  const line = (k: number) => open + ((close - open) * k) / n;
  const apart = walk.map((value, k) => value - (at(walk, n) * k) / n);
  // The sum of k (n - k).
  const area = apart.reduce((sum, value) => sum + value, 0) / ((n * (n * n - 1)) / 6);
  const bends = apart.map((value, k) => value - area * k * (n - k));
  let scale = 1;
  for (let k = 1; k < n; k++) {
    const bend = at(bends, k);
    const room = 0.98 * ((bend > 0 ? high : low) - line(k));
    if (bend !== 0) scale = Math.min(scale, room / bend);
  }
  return bends.map((bend, k) => (k === n ? close : line(k) + scale * bend));
}

function divide(parent: Range, n: number, sigma: number, draw: () => number): Range[] {
  const edges = edgesOf(parent, n, () => (draw() + draw() - 1) * 3.9 * sigma);
  const wick = () => sigma * (0.1 + 0.6 * draw() ** 2);
  const children = Array.from({ length: n }, (_, k): Range => {
    const [open, close] = [at(edges, k), at(edges, k + 1)];
    const high = Math.min(parent.high, Math.max(open, close) + wick());
    const low = Math.max(parent.low, Math.min(open, close) - wick());
    return { open, high, low, close, mean: (open + close) / 2 };
  });
  const [top, bottom] = [
    children.reduce((a, b) => (b.high > a.high ? b : a)),
    children.reduce((a, b) => (b.low < a.low ? b : a)),
  ];
  top.high = parent.high;
  bottom.low = parent.low;
  return children;
}

/** Path of one symbol in USD: a pure function of its seed. */
export class SymbolPath implements Path {
  readonly #seed: number;
  readonly #base: number;
  readonly #volatility: number;
  readonly #turnover: number;
  readonly #children = cached.map((most, level) =>
    remembered(most, (index: number) => this.#divide(level, index)),
  );
  readonly #boundary = remembered(cachedDays, (index: number) => this.#boundaryOf(index));
  readonly #volume = remembered(cachedDays, (index: number) => this.#volumeOf(index));

  /** `base` price in USD, `turnover` in USD a day; `volatility` 1 moves like BTC. */
  constructor(seed: number, base: number, volatility: number, turnover: number) {
    this.#seed = seed;
    this.#base = base;
    this.#volatility = volatility;
    this.#turnover = turnover;
  }

  node(level: number, index: number): Range {
    if (level === 0) return this.#day(index);
    const fan = at(fans, level);
    const parent = Math.floor(index / fan);
    const found = this.#children[level - 1]?.(parent)[index - parent * fan];
    if (!found) throw new RangeError(`no level ${level}`);
    return found;
  }

  price(t: number): number {
    if (t % minute > 0) {
      const { open, high, low, close } = this.node(3, Math.floor(t / minute));
      const points = close > open ? [open, low, high, close] : [open, high, low, close];
      const place = (t % minute) / third;
      const from = at(points, Math.floor(place));
      return from + (at(points, Math.floor(place) + 1) - from) * (place % 1);
    }
    // The longest stretch that begins there has the open of its first minute.
    const level = spans.findIndex((span) => t % span === 0);
    return this.node(level, t / at(spans, level)).open;
  }

  volume(index: number): number {
    return this.#volume(index);
  }

  #volumeOf(index: number): number {
    const mood =
      valueNoise(this.#seed ^ 0x51, index / 9) + 0.5 * valueNoise(this.#seed ^ 0x52, index);
    return (this.#turnover * Math.exp(0.5 * mood)) / this.#boundary(index);
  }

  #boundaryOf(index: number): number {
    const log = octaves.reduce(
      (sum, [period, amplitude], i) => sum + amplitude * valueNoise(this.#seed + i, index / period),
      0,
    );
    return this.#base * Math.exp(log * this.#volatility);
  }

  #day(index: number): Range {
    const [open, close] = [this.#boundary(index), this.#boundary(index + 1)];
    const wick = (salt: number) =>
      open * sigmas[0] * this.#volatility * (0.2 + 0.6 * unit(this.#seed ^ salt, index));
    const high = Math.max(open, close) + wick(0x91);
    const low = Math.min(open, close) - wick(0x92);
    return { open, high, low, close, mean: (open + close) / 2 };
  }

  #divide(level: number, index: number): Range[] {
    const parent = this.node(level, index);
    const sigma = parent.open * at(sigmas, level + 1) * this.#volatility;
    const draw = sequence(mix(this.#seed + 0x100 * (level + 1), index));
    return divide(parent, at(fans, level + 1), sigma, draw);
  }
}

/** One symbol priced in another: the quotient of two paths, with the volume of the first. */
export class CrossPath implements Path {
  readonly #base: Path;
  readonly #quote: Path;
  readonly #sums = [0, 1, 2].map((level) =>
    remembered(1_024, (index: number) => this.#sum(level, index)),
  );

  constructor(base: Path, quote: Path) {
    this.#base = base;
    this.#quote = quote;
  }

  volume(index: number): number {
    return this.#base.volume(index);
  }

  price(t: number): number {
    return this.#base.price(t) / this.#quote.price(t);
  }

  node(level: number, index: number): Range {
    return this.#sums[level]?.(index) ?? lines(this, index * minute, (index + 1) * minute);
  }

  #sum(level: number, index: number): Range {
    const fan = fans[level + 1] ?? 1;
    return joined(Array.from({ length: fan }, (_, k) => this.node(level + 1, index * fan + k)));
  }
}

/** A stretch within a minute. The quotient of two straight lines is monotonic: the ends of a line are its extremes. */
function lines(path: Path, from: number, to: number): Range {
  const times = [from];
  for (let t = (Math.floor(from / third) + 1) * third; t < to; t += third) times.push(t);
  const prices = [...times, to].map((t) => path.price(t));
  const [open = 0, close = open] = [prices[0], prices.at(-1)];
  const [high, low] = [Math.max(...prices), Math.min(...prices)];
  return { open, high, low, close, mean: (open + close) / 2 };
}

/** Stretches that follow each other as one; what was traded in each, where that is not the same. */
function joined(parts: readonly Range[], weights: readonly number[] = parts.map(() => 1)): Range {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) throw new RangeError('no stretch');
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    open: first.open,
    high: parts.reduce((most, { high }) => Math.max(most, high), first.high),
    low: parts.reduce((least, { low }) => Math.min(least, low), first.low),
    close: last.close,
    mean: parts.reduce((sum, { mean }, k) => sum + mean * at(weights, k), 0) / whole,
  };
}

/** The stretch from `from` to `to`, ms, put together from the longest ones that fit; an empty one has one price. */
export function rangeOf(path: Path, from: number, to: number): Range {
  if (to <= from) return lines(path, from, from);
  const parts: Range[] = [];
  const weights: number[] = [];
  for (let t = from; t < to; ) {
    const level = spans.findIndex((span) => t % span === 0 && t + span <= to);
    const span = spans[level];
    const end = span ? t + span : Math.min(to, (Math.floor(t / minute) + 1) * minute);
    parts.push(span ? path.node(level, t / span) : lines(path, t, end));
    weights.push((end - t) * path.volume(Math.floor(t / day)));
    t = end;
  }
  return joined(parts, weights);
}

/** Adds an entry to a cache and drops its oldest one when it holds more than `most`. */
export function keep<K, V>(cache: Map<K, V>, key: K, value: V, most: number): void {
  cache.set(key, value);
  if (cache.size <= most) return;
  const oldest = cache.keys().next();
  if (!oldest.done) cache.delete(oldest.value);
}

/** The same function, of which the last `most` values are kept. */
export function remembered<K, V extends {}>(most: number, of: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const hit = known.get(key);
    if (hit !== undefined) return hit;
    const made = of(key);
    keep(known, key, made, most);
    return made;
  };
}

/** A day of UTC, ms. */
export const dayLength = day;
