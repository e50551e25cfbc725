/** One row on the screen. It is used for one asset after another while the reader scrolls. */
import { oldAfter } from '../age.ts';
import { h, setAttribute, setText } from '../dom.ts';
import { exchangeName } from '../exchange-names.ts';
import { duration, signOf } from '../format.ts';
import { watched } from '../settings.ts';
import type { Column } from './columns.ts';
import type { Asset, Kind } from './data.ts';
import { type Line, lineCell, lineOf } from './lines.ts';

/** What is to be said of a number: what is shown, and in words. */
interface Mark {
  shown: string[];
  words: string[];
  /** It is of little worth, and not only without some exchanges. */
  isWarning: boolean;
}

/** The mark on a number by its name in the answer; null where there is nothing to be said of it. */
function markOf({ disputed, outliers, old_since }: Asset, field: string): Mark | null {
  const isDisputed = disputed === true && field === 'price';
  const without = outliers?.[field];
  const since = old_since?.[field];
  if (!isDisputed && without === undefined && since === undefined) return null;
  const mark: Mark = { shown: [], words: [], isWarning: isDisputed || since !== undefined };
  if (isDisputed || without !== undefined) mark.shown.push('≠');
  if (isDisputed) mark.words.push('the exchanges differ by more than 10 %');
  if (without !== undefined) mark.words.push(`without ${without.join(', ')}, far from the others`);
  if (since !== undefined) {
    const age = duration(Date.now() - since);
    // There is little room in a cell: `3m`.
    mark.shown.push(age.replace(/ (.).*/, '$1'));
    mark.words.push(`${age} old`);
  }
  return mark;
}

/** Shows the mark on a number in its cell, before what is there. */
function markView(cell: HTMLElement, field = ''): (asset: Asset) => void {
  // Most cells never have one.
  let node: HTMLElement | null = null;
  return (asset) => {
    const mark = markOf(asset, field);
    cell.classList.toggle('marked', mark !== null);
    if (node !== null) node.hidden = mark === null;
    if (mark === null) return;
    if (node === null) {
      node = h('span', { role: 'img' });
      cell.prepend(node);
    }
    const words = mark.words.join('; ');
    setText(node, mark.shown.join(' '));
    node.className = mark.isWarning ? 'mark warn' : 'mark soft';
    node.title = words;
    node.setAttribute('aria-label', words);
  };
}

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
      setAttribute(button, 'aria-pressed', String(isWatched));
      setAttribute(button, 'aria-label', `Watch ${symbol}`);
      setText(link, symbol);
      setAttribute(link, 'href', `#/symbol/${encodeURIComponent(symbol)}`);
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
      node.title = exchange === null ? '' : `Hourly closes on ${exchangeName(exchange)}`;
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
