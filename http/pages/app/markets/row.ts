/** One row on the screen. It is used for one asset after another while the reader scrolls. */
import { h, setText } from '../dom.ts';
import { duration, signOf } from '../format.ts';
import { watched } from '../settings.ts';
import type { Column } from './columns.ts';
import type { Asset, Kind } from './data.ts';
import { lineCell } from './line.ts';
import { type Line, lineOf } from './lines.ts';
import { markView } from './marks.ts';

/** A value of this age is old: its age is shown, ms. */
export const oldAfter = 90_000;

const calm = matchMedia('(prefers-reduced-motion: reduce)');

interface Cell {
  node: HTMLElement;
  show(asset: Asset): void;
}

/** Shows that a number has changed, and which way. */
function blink(cell: HTMLElement, rises: boolean): void {
  if (calm.matches) return;
  const color = `color-mix(in srgb, var(--${rises ? 'up' : 'down'}) 22%, transparent)`;
  cell.animate([{ backgroundColor: color }, { backgroundColor: 'transparent' }], 700);
}

function symbolCell(star: (symbol: string) => void): Cell {
  let symbol = '';
  const button = h('button', { class: 'star', click: () => star(symbol) });
  const link = h('a', {});
  const age = h('span', { class: 'age warn', hidden: true });
  const node = h('div', { class: 'cell symbol', role: 'rowheader' }, button, link, age);
  return {
    node,
    show(asset) {
      symbol = asset.symbol;
      const isWatched = watched.get().includes(symbol);
      setText(button, isWatched ? '★' : '☆');
      button.setAttribute('aria-pressed', String(isWatched));
      button.setAttribute('aria-label', `Watch ${symbol}`);
      setText(link, symbol);
      link.setAttribute('href', `#/symbol/${encodeURIComponent(symbol)}`);
      const ms = Date.now() - asset.updated_at;
      age.hidden = ms < oldAfter;
      if (ms < oldAfter) return;
      setText(age, duration(ms));
      age.title = `Its newest number is ${duration(ms)} old`;
    },
  };
}

function numberCell({ id, field, value, text, tone }: Column): Cell {
  const words = document.createTextNode('');
  const node = h('div', { class: 'cell number', role: 'cell' }, words);
  const showMark = markView(node, field);
  let shown: { symbol: string; value: unknown } = { symbol: '', value: null };
  return {
    node,
    show(asset) {
      const now = value(asset);
      const { symbol } = asset;
      const next = text(asset);
      if (words.data !== next) words.data = next;
      const look = `cell number ${tone?.(asset) ?? ''}`;
      if (node.className !== look) node.className = look;
      showMark(asset);
      const was = shown.value;
      if (id === 'price' && shown.symbol === symbol && was !== now)
        blink(node, Number(now) > Number(was));
      shown = { symbol, value: now };
    },
  };
}

function drawnCell(kind: () => Kind): Cell {
  const { node, draw } = lineCell();
  node.className = 'cell line';
  node.setAttribute('role', 'cell');
  let drawn: Line | undefined | null = null;
  return {
    node,
    show({ symbol }) {
      const line = lineOf(kind(), symbol);
      if (line === drawn) return;
      drawn = line;
      const { points = [], exchange = null } = line ?? {};
      const [first, last] = [points.at(0)?.[1] ?? null, points.at(-1)?.[1] ?? null];
      draw(points, signOf(first === null || last === null ? null : last / first - 1, 0.000_05));
      node.title = exchange === null ? '' : `Hourly closes on ${exchange}`;
    },
  };
}

export interface RowEvents {
  star(symbol: string): void;
  /** The kind of market that is shown. */
  kind(): Kind;
}

export class RowView {
  readonly node = h('div', { class: 'row', role: 'row' });
  #cells: Cell[] = [];
  #index = -1;

  constructor(columns: readonly Column[], { star, kind }: RowEvents) {
    this.#cells = columns.map((column) => {
      if (column.id === 'symbol') return symbolCell(star);
      return column.id === 'line' ? drawnCell(kind) : numberCell(column);
    });
    this.node.append(...this.#cells.map(({ node }) => node));
  }

  /** Shows an asset at its place in the table, whose rows have this height, px; undefined hides it. */
  show(
    asset: Asset | undefined,
    { index, height, isChanged }: { index: number; height: number; isChanged: boolean },
  ): void {
    if (!isChanged && index === this.#index) return;
    this.node.hidden = asset === undefined;
    if (asset === undefined) return;
    if (index !== this.#index) {
      this.#index = index;
      this.node.style.transform = `translateY(${index * height}px)`;
      // The heads are the first row.
      this.node.setAttribute('aria-rowindex', String(index + 2));
      this.node.dataset.index = String(index);
    }
    for (const cell of this.#cells) cell.show(asset);
  }
}
