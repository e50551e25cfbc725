/** One row on the screen. It is used for one asset after another while the reader scrolls. */
import { h, setText } from '../dom.ts';
import { duration, signOf } from '../format.ts';
import { watched } from '../settings.ts';
import type { Column } from './columns.ts';
import type { Kind, Row } from './data.ts';
import { lineCell } from './line.ts';
import { type Line, lineOf } from './lines.ts';

/** A value of this age is old: its age is shown, ms. */
export const oldAfter = 90_000;

const calm = matchMedia('(prefers-reduced-motion: reduce)');

interface Cell {
  node: HTMLElement;
  show(row: Row): void;
}

/** Shows that a number has changed, and which way. */
function blink(cell: HTMLElement, rises: boolean): void {
  if (calm.matches) return;
  const color = `color-mix(in srgb, var(--${rises ? 'up' : 'down'}) 22%, transparent)`;
  cell.animate([{ backgroundColor: color }, { backgroundColor: 'transparent' }], 700);
}

function symbolCell(star: (symbol: string) => void): Cell {
  let symbol = '';
  const button = h('button', { type: 'button', class: 'star', click: () => star(symbol) });
  const link = h('a', {});
  const mark = h(
    'span',
    {
      class: 'mark warn',
      title: 'The exchanges disagree on this price by more than 10 %',
      role: 'img',
      'aria-label': 'disputed',
      hidden: true,
    },
    '≠',
  );
  const age = h('span', { class: 'age warn', hidden: true });
  const node = h('div', { class: 'cell symbol', role: 'rowheader' }, button, link, mark, age);
  return {
    node,
    show({ asset, disputed }) {
      symbol = asset.symbol;
      const isWatched = watched.get().includes(symbol);
      setText(button, isWatched ? '★' : '☆');
      button.setAttribute('aria-pressed', String(isWatched));
      button.setAttribute('aria-label', `Watch ${symbol}`);
      setText(link, symbol);
      link.setAttribute('href', `#/symbol/${encodeURIComponent(symbol)}`);
      mark.hidden = !disputed;
      const ms = Date.now() - asset.updated_at;
      age.hidden = ms < oldAfter;
      if (ms < oldAfter) return;
      setText(age, duration(ms));
      age.title = `Its newest number is ${duration(ms)} old`;
    },
  };
}

function numberCell(column: Column): Cell {
  const node = h('div', { class: 'cell', role: 'cell' });
  let shown: { symbol: string; value: unknown } = { symbol: '', value: null };
  return {
    node,
    show(row) {
      const value = column.value(row);
      const { symbol } = row.asset;
      setText(node, column.text(row));
      node.className = `cell number ${column.tone?.(row) ?? ''}`;
      const was = shown.value;
      const moved = column.id === 'price' && shown.symbol === symbol && was !== value;
      if (moved) blink(node, Number(value) > Number(was));
      shown = { symbol, value };
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
    show({ asset }) {
      const line = lineOf(kind(), asset.symbol);
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

  /** Shows a row of the table at its place; null hides it. */
  show(row: Row | undefined, index: number, height: number): void {
    this.node.hidden = row === undefined;
    if (row === undefined) return;
    if (index !== this.#index) {
      this.#index = index;
      this.node.style.transform = `translateY(${index * height}px)`;
      // The heads are the first row.
      this.node.setAttribute('aria-rowindex', String(index + 2));
      this.node.dataset.index = String(index);
    }
    for (const cell of this.#cells) cell.show(row);
  }
}
