/** Hourly closes of the last day of the symbols in sight, asked for once and kept while they are of use, and the line of them in a cell. */

import { h } from '../dom.ts';
import { at, type Rows } from '../request.ts';
import { once } from '../stream.ts';
import type { Kind } from './data.ts';

/** The exchanges that are asked, each for what the one before does not list. */
const exchanges = ['binance', 'bybit', 'gate'] as const;
/** Most symbols of one request. */
const most = 20;
const hour = 3_600_000;
/** Closes of one line. */
const limit = 25;
/** How long a line is shown before it is asked for again, ms. */
const life = 600_000;
/** How long the reader must look at a symbol before its line is asked for, ms. */
const pause = 250;
/** After a refusal, ms. */
const afterRefusal = 5_000;

/** `[minutes before it was read, price]`, oldest first; a null is a gap. */
export type Points = readonly (readonly [ago: number, price: number | null])[];

export interface Line {
  points: Points;
  /** Null where no exchange lists the symbol. */
  exchange: string | null;
  /** When it was read, Unix ms. */
  read: number;
}

/** The closes of one market; a missing hour is a gap. */
export function pointsOf(
  closes: readonly (readonly [start: number, close: number | null])[],
  now: number,
): Points {
  const points: [number, number | null][] = [];
  let before = closes[0]?.[0] ?? 0;
  for (const [start, close] of closes) {
    if (start - before > hour) points.push([(now - before - hour) / 60_000, null]);
    points.push([Math.max(0, now - start - hour) / 60_000, close]);
    before = start;
  }
  return points;
}

const lines = new Map<string, Line>();
/** The place in `exchanges` that is to be asked for a symbol that is not known yet. */
const next = new Map<string, number>();

export const lineOf = (kind: Kind, symbol: string): Line | undefined =>
  lines.get(`${kind} ${symbol}`);

/** The symbols of one request: in sight, without a line, and for the same exchange. */
function due(
  kind: Kind,
  symbols: readonly string[],
  now: number,
): { symbols: string[]; exchange: number } {
  const old = symbols.filter((symbol) => now - (lineOf(kind, symbol)?.read ?? 0) > life);
  const [first = ''] = old;
  const exchange = next.get(`${kind} ${first}`) ?? 0;
  const same = old.filter((symbol) => (next.get(`${kind} ${symbol}`) ?? 0) === exchange);
  return { symbols: same.slice(0, most), exchange };
}

function keep(
  kind: Kind,
  symbols: readonly string[],
  asked: { exchange: number; rows: Rows['rows'] },
): void {
  const now = Date.now();
  const bySymbol = Map.groupBy(asked.rows, ([, , symbol]) => symbol);
  for (const symbol of symbols) {
    const name = `${kind} ${symbol}`;
    const rows = bySymbol.get(symbol);
    const isLast = asked.exchange === exchanges.length - 1;
    next.delete(name);
    if (rows === undefined && !isLast) next.set(name, asked.exchange + 1);
    else {
      const closes = (rows ?? []).map(
        ([start, , , close = null]) =>
          [Number(start), close === null ? null : Number(close)] as const,
      );
      const exchange = rows === undefined ? null : (exchanges[asked.exchange] ?? null);
      lines.set(name, { points: pointsOf(closes, now), exchange, read: now });
    }
  }
}

/** Asks for the lines of what is in sight, one request at a time, and calls back after each. */
export class LineReader {
  readonly #changed: () => void;
  #seen: { kind: Kind; symbols: readonly string[] } = { kind: 'perpetual', symbols: [] };
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the question that is under way. */
  #stop: (() => void) | null = null;
  #notBefore = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** What is in sight now. */
  see(kind: Kind, symbols: readonly string[]): void {
    this.#seen = { kind, symbols };
    if (this.#stop !== null) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), pause);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#stop?.();
  }

  #ask(): void {
    const { kind } = this.#seen;
    const { symbols, exchange } = due(kind, this.#seen.symbols, Date.now());
    if (symbols.length === 0 || document.hidden || performance.now() < this.#notBefore) return;
    const path = at('/v1/rows', {
      columns: 'close',
      interval: '1h',
      limit: limit * symbols.length,
      exchanges: exchanges[exchange] ?? '',
      kind,
      symbols: symbols.join(','),
    });
    this.#stop = once(path, {
      data: ({ rows }) => {
        this.#stop = null;
        keep(kind, symbols, { exchange, rows });
        this.#changed();
        this.see(this.#seen.kind, this.#seen.symbols);
      },
      missing: () => {
        this.#stop?.();
        this.#stop = null;
        this.#notBefore = performance.now() + afterRefusal;
      },
    });
  }
}

const namespace = 'http://www.w3.org/2000/svg';
const minutes = 1440;
const height = 20;

/**
 * The path of points `[minutes before now, value]` in a box of `minutes` by 20; a null breaks it. Empty where no two neighbours
 * are known.
 */
function pathOf(points: Points): string {
  const values = points.flatMap(([, value]) => (value === null ? [] : [value]));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 1;
  let path = '';
  let before: string | null = null;
  let isOpen = false;
  for (const [ago, value] of points) {
    const at: string | null =
      value === null
        ? null
        : `${minutes - ago} ${(1 + ((high - value) / span) * (height - 2)).toFixed(1)}`;
    if (at !== null && before !== null) path += `${isOpen ? '' : `M${before}`}L${at}`;
    isOpen = at !== null && before !== null;
    before = at;
  }
  return path;
}

/** An empty line for a cell, and what draws another one into it. */
export function lineCell(): { node: HTMLElement; draw(points: Points, tone: string): void } {
  const svg = document.createElementNS(namespace, 'svg');
  const path = document.createElementNS(namespace, 'path');
  svg.setAttribute('viewBox', `0 0 ${minutes} ${height}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(path);
  const node = h('span', { class: 'line' });
  node.append(svg);
  return {
    node,
    draw(points, tone) {
      path.setAttribute('d', pathOf(points));
      svg.setAttribute('class', tone);
    },
  };
}
