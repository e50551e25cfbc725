/** The columns of tables: what they show of a row, and its cells. */
import { h, setAttribute, setText } from './dom.ts';
import { dash, signOf, time } from './format.ts';
import type { View } from './rows.ts';

/** A value of rows: one of their fields, or what is made of a row. */
export type Of<R, V = number | string | null> =
  | (string & { [K in keyof R]: R[K] extends V | undefined ? K : never }[keyof R])
  | ((row: R) => V);

export interface Column<R> {
  head: string;
  /** What it shows and sorts by. */
  of: Of<R>;
  /** A number in words; a column without it has words. */
  as?(value: number): string;
  /** Its words as they are shown; they sort as they are. */
  words?(value: string): string;
  /** Class of its cell. */
  tone?: string | ((row: R) => string);
  /** A number of this size or more has the colour of its sign. */
  sign?: number;
  /** Where its words lead. */
  link?(row: R): string;
  /** The ground of its cell, as CSS. */
  ground?(row: R): string;
  /** Share of its width that a bar under the number takes, 0 to 1. */
  bar?(row: R): number;
  /** What is said of its cell while the pointer is on it. */
  hint?(row: R): string;
  /** What is to be said of a number beside it: a short word, and why. */
  mark?(row: R): { shown: string; why: string } | null;
}

/** When an event was, to the second. */
export const timeColumn = {
  head: 'Time',
  of: 'timestamp',
  as: (ms: number) => time(ms, 'time'),
  tone: 'soft',
} as const;

/** A number of a row; null where it is none. */
export function numberIn(row: object, field: string): number | null {
  const value: unknown = Reflect.get(row, field);
  return typeof value === 'number' ? value : null;
}

/** How the value of a column is read from a row. */
export function reader<R extends object>({ of }: Column<R>): (row: R) => number | string | null {
  if (typeof of === 'function') return of;
  return (row) => {
    const value: unknown = Reflect.get(row, of);
    return typeof value === 'string' ? value : numberIn(row, of);
  };
}

/** The bar of an amount in dollars: from ten thousand on, over so many powers of ten. */
export const sizeShare = (usd: number | null, powers: number): number =>
  Math.max(0, Math.log10((usd ?? 0) / 10_000) / powers);

/** Sets a property of the style of an element to a share of its width. */
const showShare = (element: HTMLElement, share: number): void =>
  element.style.setProperty('--share', `${Math.min(1, share) * 100}%`);

/** A word before a number, while there is something to be said of it. */
function markOf<R>(mark: NonNullable<Column<R>['mark']>): View<R> {
  const node = h('span', { class: 'word', role: 'img', hidden: true });
  return {
    node,
    show(row) {
      const said = mark(row);
      node.hidden = said === null;
      if (said === null) return;
      setText(node, said.shown);
      setAttribute(node, 'title', said.why);
      setAttribute(node, 'aria-label', `${said.shown}: ${said.why}`);
    },
  };
}

/** The class of a cell with a value. */
function toneOf<R>({ tone = '', sign }: Column<R>, row: R, value: number | string | null): string {
  if (sign !== undefined && typeof value === 'number') return signOf(value, sign);
  return typeof tone === 'string' ? tone : tone(row);
}

/** The cell of a column; the first of a row without numbers names it. */
export function cellOf<R extends object>(column: Column<R>, isFirst: boolean): View<R> {
  const { as, words = String, link, hint, ground, bar } = column;
  const of = reader(column);
  const node = isFirst && as === undefined ? h('th', { scope: 'row' }) : h('td', {});
  const mark = column.mark && markOf(column.mark);
  // Most cells have nothing but their text.
  const hasText = link === undefined && mark === undefined;
  const text = hasText ? node : h(link === undefined ? 'span' : 'a', {});
  if (!hasText) node.append(...(mark === undefined ? [] : [mark.node]), text);
  const look = `${as === undefined ? '' : 'number'} ${bar === undefined ? '' : 'barred'}`;
  const shown = (value: number | string | null) =>
    value === null ? dash : (as?.(Number(value)) ?? words(String(value)));
  return {
    node,
    show(row) {
      const value = of(row);
      setText(text, shown(value));
      setAttribute(node, 'class', `${look} ${toneOf(column, row, value)}`);
      if (link !== undefined) setAttribute(text, 'href', link(row));
      if (hint !== undefined) setAttribute(node, 'title', hint(row));
      if (ground !== undefined) node.style.background = ground(row);
      if (bar !== undefined) showShare(node, bar(row));
      mark?.show(row);
    },
  };
}

/** Views of a row in one element. */
export const together = <R>(tag: 'tr' | 'td', views: readonly View<R>[], name = ''): View<R> => ({
  node: h(tag, { class: name }, ...views.map(({ node }) => node)),
  show(row) {
    for (const one of views) one.show(row);
  },
});
