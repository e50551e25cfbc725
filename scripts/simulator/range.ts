/** What happened on a path between any two times, put together from the largest grid nodes that fit. */
import type { Edge, Knots, Node, Path, Range } from './path.ts';
import { cachedMinutes, dayLength, fans, minuteLength, remembered, spans } from './path.ts';

const cachedSums = 1_024;

/** Price at position `u` of a minute. */
function along(knots: Knots, u: number): number {
  for (let i = 1; i < knots.length; i++) {
    const [from, a] = knots[i - 1] ?? [0, 0];
    const [to, b] = knots[i] ?? [1, a];
    if (u <= to) return u === to ? b : a + ((b - a) * (u - from)) / (to - from);
  }
  return knots.at(-1)?.[1] ?? 0;
}

/** Price in USD at time `t`. */
export function priceAt(path: Path, t: number): number {
  if (t % minuteLength === 0) return path.edge(t).price;
  const minute = Math.floor(t / minuteLength);
  return along(path.knots(minute), t / minuteLength - minute);
}

/** Share of its day's volume that was traded before `t`, and that day's number. */
export function tradedAt(path: Path, t: number): { day: number; share: number } {
  const day = Math.floor(t / dayLength);
  if (t % minuteLength === 0) return { day, share: path.edge(t).share };
  const minute = Math.floor(t / minuteLength);
  const node = path.node(3, minute);
  return { day, share: node.from + (node.to - node.from) * (t / minuteLength - minute) };
}

/** The part of a minute between two positions. */
function slice(knots: Knots, whole: Node, u0: number, u1: number): Node {
  const open = along(knots, u0);
  const close = along(knots, u1);
  const inside = knots.filter(([u]) => u > u0 && u < u1).map(([, price]) => price);
  const traded = (u: number, price: number) => (u * (whole.open + price)) / 2;
  const width = whole.to - whole.from;
  return {
    open,
    high: Math.max(open, close, ...inside),
    low: Math.min(open, close, ...inside),
    close,
    mean: (traded(u1, close) - traded(u0, open)) / (u1 - u0),
    from: whole.from + width * u0,
    to: whole.from + width * u1,
  };
}

const nodeAt = (path: Path, t: number, to: number): [node: Node, end: number] => {
  for (let level = 0; level < spans.length; level++) {
    const span = spans[level] ?? minuteLength;
    if (t % span === 0 && t + span <= to) return [path.node(level, t / span), t + span];
  }
  const minute = Math.floor(t / minuteLength);
  const start = minute * minuteLength;
  const end = Math.min(to, start + minuteLength);
  const [u0, u1] = [(t - start) / minuteLength, (end - start) / minuteLength];
  return [slice(path.knots(minute), path.node(3, minute), u0, u1), end];
};

/** The stretch from `from` to `to`, ms; empty stretches have one price. */
export function rangeOf(path: Path, from: number, to: number): Range {
  if (to <= from) {
    const price = priceAt(path, from);
    return { open: price, high: price, low: price, close: price, mean: price };
  }
  const all = {
    ...{ open: Number.NaN, close: Number.NaN, mean: Number.NaN },
    ...{ high: Number.NEGATIVE_INFINITY, low: Number.POSITIVE_INFINITY },
  };
  let volume = 0;
  let turnover = 0;
  for (let t = from; t < to; ) {
    const [node, end] = nodeAt(path, t, to);
    if (t === from) all.open = all.mean = node.open;
    all.high = Math.max(all.high, node.high);
    all.low = Math.min(all.low, node.low);
    all.close = node.close;
    const traded = path.volume(Math.floor(t / dayLength)) * (node.to - node.from);
    volume += traded;
    turnover += traded * node.mean;
    t = end;
  }
  if (volume > 0) all.mean = turnover / volume;
  return all;
}

/** One symbol priced in another: the quotient of two paths, with the volume of the first. */
export class CrossPath implements Path {
  readonly #base: Path;
  readonly #quote: Path;
  /** Days, hours and quarters; minutes are cheap. */
  readonly #sums = [0, 1, 2].map((level) =>
    remembered(cachedSums, (index: number) => this.#sum(level, index)),
  );
  readonly #knots = remembered(cachedMinutes, (minute: number) => this.#knotsOf(minute));

  constructor(base: Path, quote: Path) {
    this.#base = base;
    this.#quote = quote;
  }

  volume(day: number): number {
    return this.#base.volume(day);
  }

  edge(t: number): Edge {
    const { price, share } = this.#base.edge(t);
    return { price: price / this.#quote.edge(t).price, share };
  }

  /** Between two knots of either path the quotient is monotonic, so that straight lines may stand in for it. */
  knots(index: number): Knots {
    return this.#knots(index);
  }

  #knotsOf(index: number): Knots {
    const base = this.#base.knots(index);
    const quote = this.#quote.knots(index);
    const positions = [...new Set([...base, ...quote].map(([u]) => u))].sort((a, b) => a - b);
    return positions.map((u) => [u, along(base, u) / along(quote, u)]);
  }

  node(level: number, index: number): Node {
    return this.#sums[level]?.(index) ?? this.#minute(index);
  }

  #minute(index: number): Node {
    const { from, to } = this.#base.node(3, index);
    const knots = this.knots(index);
    const prices = knots.map(([, price]) => price);
    const open = prices[0] ?? 0;
    const close = prices.at(-1) ?? 0;
    const [high, low] = [Math.max(...prices), Math.min(...prices)];
    return { open, high, low, close, mean: (open + close) / 2, from, to };
  }

  #sum(level: number, index: number): Node {
    const fan = fans[level + 1] ?? 1;
    const all = { ...this.node(level + 1, index * fan) };
    let turnover = all.mean * (all.to - all.from);
    for (let k = 1; k < fan; k++) {
      const node = this.node(level + 1, index * fan + k);
      all.high = Math.max(all.high, node.high);
      all.low = Math.min(all.low, node.low);
      all.close = node.close;
      all.to = node.to;
      turnover += node.mean * (node.to - node.from);
    }
    all.mean = turnover / (all.to - all.from);
    return all;
  }
}
