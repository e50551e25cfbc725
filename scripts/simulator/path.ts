/**
 * The price path of one symbol and the candles that follow from it.
 *
 * Day boundaries lie on a sum of value-noise octaves of the logarithm of the price. A day is divided into 24
 * hours, an hour into 4 quarters, a quarter into 15 minutes, each time by a seeded bridge between the open and
 * the close that stays inside the parent's high and low, with one child reaching each of them. So every node
 * costs O(1), a longer candle is the exact aggregate of the shorter ones, and nothing depends on what was asked
 * before. Inside a minute the path is linear between four knots.
 *
 * Volume is divided the same way. The bridge is shifted so that the volume-weighted mean of a node is the
 * middle of its open and close: turnover adds up across levels too.
 */
import { mix, sequence, unit, valueNoise } from './noise.ts';

/** A stretch of the path on the grid; prices in USD. */
export interface Node {
  open: number;
  high: number;
  low: number;
  close: number;
  /** Volume-weighted mean price. */
  mean: number;
  /** Share of the day's volume traded before the stretch, and until its end. */
  from: number;
  to: number;
}

/** A stretch between any two times. */
export type Range = Omit<Node, 'from' | 'to'>;

/** Four points of a minute: position in [0, 1] and price. */
export type Knots = readonly (readonly [u: number, price: number])[];

/** A price path with the volume that trades along it. */
export interface Path {
  /** The node `index` of a level: 0 days, 1 hours, 2 quarters, 3 minutes since the epoch. */
  node(level: number, index: number): Node;
  /** Points of minute `index`, ascending, the first at 0 and the last at 1. */
  knots(index: number): Knots;
  /** Where the path is at time `t`, the begin of a minute. */
  edge(t: number): Edge;
  /** Base units traded on day `day` over all markets. */
  volume(day: number): number;
}

/** A point between two minutes. */
export interface Edge {
  /** USD. */
  price: number;
  /** Share of the day's volume traded before it. */
  share: number;
}

/** Length of a node of each level, ms. */
export const spans = [86_400_000, 3_600_000, 900_000, 60_000] as const;
const [DAY, , , MINUTE] = spans;
/** How many nodes of a level one node of the level above has. */
export const fans = [1, 24, 4, 15] as const;
const cached = [48, 96, 64] as const;
/** Minutes whose points are kept: those at the ends of a day that ends now. */
export const cachedMinutes = 8;
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
/** Standard deviation of a node's change, relative, at volatility 1. */
const sigmas = [0.022, 0.0054, 0.0027, 0.0007] as const;

interface Division {
  edge: Float64Array;
  high: Float64Array;
  low: Float64Array;
  share: Float64Array;
}

const at = (values: Float64Array | readonly number[], i: number): number => values[i] ?? 0;

/** Random shares of `n` children with their mean position at exactly one half; they add up to 1. */
function shares(n: number, draw: () => number): Float64Array {
  const parts = new Float64Array(n).map(() => {
    const u = draw();
    return u > 0.95 ? u + 2.4 : u + 0.35;
  });
  const sum = parts.reduce((a, b) => a + b, 0);
  const mean = parts.reduce((a, part, k) => a + (part * (k + 0.5)) / n, 0) / sum;
  const up = mean < 0.5;
  const ramp = 2 / 3 - 1 / (6 * n * n);
  const blend = (0.5 - mean) / ((up ? ramp : 1 - ramp) - mean);
  return parts.map((part, k) => {
    const slope = (up ? k + 0.5 : n - k - 0.5) / ((n * n) / 2);
    return (1 - blend) * (part / sum) + blend * slope;
  });
}

/** Deviations of a random bridge from the straight line, without effect on the volume-weighted mean. */
function deviations(share: Float64Array, draw: () => number): Float64Array {
  const n = share.length;
  const walk = new Float64Array(n + 1);
  for (let k = 1; k <= n; k++) walk[k] = at(walk, k - 1) + (draw() + draw() - 1) * 2.45;
  const end = at(walk, n);
  for (let k = 0; k <= n; k++) walk[k] = at(walk, k) - (end * k) / n;
  let drift = 0;
  let lift = 0;
  for (let k = 0; k < n; k++) {
    drift += (at(share, k) * (at(walk, k) + at(walk, k + 1))) / 2;
    lift += (at(share, k) * (k * (n - k) + (k + 1) * (n - k - 1))) / 2;
  }
  return walk.map((value, k) => value - (drift / lift) * k * (n - k));
}

/** Edges of the children: from open to close, inside the parent's high and low. */
function bridge(parent: Node, bend: Float64Array, sigma: number): Float64Array {
  const n = bend.length - 1;
  const line = (k: number) => parent.open + ((parent.close - parent.open) * k) / n;
  let scale = 1.6 * sigma;
  for (let k = 1; k < n; k++) {
    const b = at(bend, k);
    if (b !== 0)
      scale = Math.min(scale, (0.98 * ((b > 0 ? parent.high : parent.low) - line(k))) / b);
  }
  const edge = bend.map((b, k) => line(k) + scale * b);
  edge[0] = parent.open;
  edge[n] = parent.close;
  return edge;
}

function divide(parent: Node, n: number, sigma: number, draw: () => number): Division {
  const parts = shares(n, draw);
  const edge = bridge(parent, deviations(parts, draw), sigma);
  const high = new Float64Array(n);
  const low = new Float64Array(n);
  const share = new Float64Array(n + 1);
  let top = 0;
  let bottom = 0;
  share[0] = parent.from;
  for (let k = 0; k < n; k++) {
    const upper = Math.max(at(edge, k), at(edge, k + 1));
    const lower = Math.min(at(edge, k), at(edge, k + 1));
    high[k] = Math.min(parent.high, upper + sigma * (0.1 + 0.6 * draw() ** 2));
    low[k] = Math.max(parent.low, lower - sigma * (0.1 + 0.6 * draw() ** 2));
    if (at(high, k) > at(high, top)) top = k;
    if (at(low, k) < at(low, bottom)) bottom = k;
    share[k + 1] = at(share, k) + (parent.to - parent.from) * at(parts, k);
  }
  high[top] = parent.high;
  low[bottom] = parent.low;
  share[n] = parent.to;
  return { edge, high, low, share };
}

/** Path of one symbol in USD: a pure function of its seed. */
export class SymbolPath implements Path {
  readonly #seed: number;
  readonly #base: number;
  readonly #volatility: number;
  readonly #turnover: number;
  readonly #divisions = cached.map((most, level) =>
    remembered(most, (index: number) => this.#divide(level, index)),
  );
  readonly #knots = remembered(cachedMinutes, (minute: number) => this.#knotsOf(minute));
  readonly #boundary = remembered(cachedDays, (day: number) => this.#boundaryOf(day));
  readonly #volume = remembered(cachedDays, (day: number) => this.#volumeOf(day));

  /** `base` price in USD, `turnover` in USD a day; `volatility` 1 moves like BTC. */
  constructor(seed: number, base: number, volatility: number, turnover: number) {
    this.#seed = seed;
    this.#base = base;
    this.#volatility = volatility;
    this.#turnover = turnover;
  }

  node(level: number, index: number): Node {
    if (level === 0) return this.#day(index);
    const fan = at(fans, level);
    const parent = Math.floor(index / fan);
    const division = this.#divisions[level - 1]?.(parent);
    if (!division) throw new RangeError(`no level ${level}`);
    const { edge, high, low, share } = division;
    const k = index - parent * fan;
    const open = at(edge, k);
    const close = at(edge, k + 1);
    const mean = (open + close) / 2;
    return {
      open,
      high: at(high, k),
      low: at(low, k),
      close,
      mean,
      from: at(share, k),
      to: at(share, k + 1),
    };
  }

  knots(index: number): Knots {
    return this.#knots(index);
  }

  #knotsOf(index: number): Knots {
    const { open, high, low, close } = this.node(3, index);
    const h = mix(this.#seed ^ 0x6b, index);
    const first = 0.15 + (0.3 * (h & 0xff)) / 256;
    const second = 0.55 + (0.3 * ((h >>> 8) & 0xff)) / 256;
    const rises = (h >>> 16) % 2 === 0;
    return [
      [0, open],
      [first, rises ? high : low],
      [second, rises ? low : high],
      [1, close],
    ];
  }

  /** The longest node that begins there has the open of its first minute. */
  edge(t: number): Edge {
    const level = spans.findIndex((span) => t % span === 0);
    const { open, from } = this.node(level, t / at(spans, level));
    return { price: open, share: from };
  }

  volume(day: number): number {
    return this.#volume(day);
  }

  #volumeOf(day: number): number {
    const mood = valueNoise(this.#seed ^ 0x51, day / 9) + 0.5 * valueNoise(this.#seed ^ 0x52, day);
    return (this.#turnover * Math.exp(0.5 * mood)) / this.#boundary(day);
  }

  #boundaryOf(day: number): number {
    let log = 0;
    for (let i = 0; i < octaves.length; i++) {
      const [period, amplitude] = octaves[i] ?? [1, 0];
      log += amplitude * valueNoise(this.#seed + i, day / period);
    }
    return this.#base * Math.exp(log * this.#volatility);
  }

  #day(day: number): Node {
    const open = this.#boundary(day);
    const close = this.#boundary(day + 1);
    const sigma = open * at(sigmas, 0) * this.#volatility;
    const high = Math.max(open, close) + sigma * (0.2 + 0.6 * unit(this.#seed ^ 0x91, day));
    const low = Math.min(open, close) - sigma * (0.2 + 0.6 * unit(this.#seed ^ 0x92, day));
    return { open, high, low, close, mean: (open + close) / 2, from: 0, to: 1 };
  }

  #divide(level: number, index: number): Division {
    const parent = this.node(level, index);
    const sigma = parent.open * at(sigmas, level + 1) * this.#volatility;
    const draw = sequence(mix(this.#seed + 0x100 * (level + 1), index));
    return divide(parent, at(fans, level + 1), sigma, draw);
  }
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

/** Start and end of day `day`, in ms since the epoch, is `day * dayLength`. */
export const dayLength = DAY;
export const minuteLength = MINUTE;
