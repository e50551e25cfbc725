/** A part of a page whose answer is shown as a table. */
import { h, setAttribute, setText } from './dom.ts';
import { dash, time } from './format.ts';
import type { Rows } from './panel.ts';
import { type Frame, type LivePart, livePart } from './part.ts';
import { choose, placeOf } from './place.ts';
import { headRow, keyedRows, rowHead, scroller, type View } from './rows.ts';

export interface Column<R> {
  head: string;
  /** What it sorts by. */
  of(row: R): number | string | null;
  /** A number in words; a column without it has words. */
  as?(value: number): string;
  /** Class of its cell. */
  tone?(row: R): string;
  /** Where its words lead. */
  link?(row: R): string;
  /** Share of its width that a bar under the number takes, 0 to 1. */
  bar?(row: R): number;
  /** What is said of its cell while the pointer is on it. */
  hint?(row: R): string;
  /** What is to be said of a number beside it: a short word, and why. */
  mark?(row: R): { shown: string; why: string } | null;
}

/** When an event was, to the second. */
export const timeColumn: Column<{ timestamp: number }> = {
  head: 'Time',
  of: ({ timestamp }) => timestamp,
  as: (ms) => time(ms, 'time'),
  tone: () => 'soft',
};

/** The bar of an amount in dollars: from ten thousand on, over so many powers of ten. */
export const sizeShare = (usd: number | null, powers: number): number =>
  Math.max(0, Math.log10((usd ?? 0) / 10_000) / powers);

/** What can be done with a row. */
export interface Act<R> {
  /** The words on its button; null where the row has none. */
  label(row: R): string | null;
  /** It acts at the second press; these words ask first. */
  sure?: string;
  act(row: R): void;
}

interface TableForm<D, R> extends Frame<D> {
  /** The first column has the names of the rows. */
  columns: readonly Column<R>[] | ((data: D) => readonly Column<R>[]);
  rows(data: D): readonly R[];
  /** Names a row, where the first column does not. */
  key?(row: R): string;
  /** Buttons at the end of each row. */
  acts?: readonly Act<R>[];
  /** What it means when there are none. */
  none: string;
  /** What a search looks at; without it there is no search. */
  search?(row: R): string;
  /** What the table as a whole says, under it. */
  note?(data: D): string;
}

/** Sets a property of the style of an element to a share of its width. */
const showShare = (element: HTMLElement, share: number): void =>
  element.style.setProperty('--share', `${Math.min(1, share) * 100}%`);

/** A word before a number, while there is something to be said of it. */
function markOf(): View<{ shown: string; why: string } | null> & { node: HTMLElement } {
  const node = h('span', { class: 'word', role: 'img', hidden: true });
  return {
    node,
    show(mark) {
      node.hidden = mark === null;
      if (mark === null) return;
      setText(node, mark.shown);
      setAttribute(node, 'title', mark.why);
      setAttribute(node, 'aria-label', `${mark.shown}: ${mark.why}`);
    },
  };
}

/** The cell of a column. */
function cellOf<R>(column: Column<R>, isFirst: boolean): View<R> {
  const { of, as, tone, link, hint, bar, mark } = column;
  const text = h(link === undefined ? 'span' : 'a', {});
  const word = markOf();
  const node = isFirst && as === undefined ? rowHead('') : h('td', {});
  node.append(...(mark === undefined ? [text] : [word.node, text]));
  const look = `${as === undefined ? '' : 'number'} ${bar === undefined ? '' : 'barred'}`;
  const shown = (value: number | string | null) =>
    value === null ? dash : (as?.(Number(value)) ?? String(value));
  return {
    node,
    show(row) {
      setText(text, shown(of(row)));
      setAttribute(node, 'class', `${look} ${tone?.(row) ?? ''}`);
      if (link !== undefined) setAttribute(text, 'href', link(row));
      if (hint !== undefined) setAttribute(node, 'title', hint(row));
      if (bar !== undefined) showShare(node, bar(row));
      word.show(mark?.(row) ?? null);
    },
  };
}

/** The button of something that can be done with rows of these names. */
function buttonOf<R>({ label, sure, act }: Act<R>, name: (row: R) => string): View<R> {
  let shown: R;
  let isSure = false;
  const showCount = () => {
    const words = label(shown);
    node.hidden = words === null;
    setText(node, isSure ? (sure ?? '') : (words ?? ''));
    setAttribute(node, 'aria-label', `${words} ${name(shown)}${isSure ? `: ${sure}` : ''}`);
  };
  const press = () => {
    isSure = sure !== undefined && !isSure;
    showCount();
    if (!isSure) act(shown);
  };
  const node = h('button', { click: press });
  return {
    node,
    show(row) {
      shown = row;
      showCount();
    },
  };
}

function rowOf<R>(columns: readonly Column<R>[], acts: readonly Act<R>[]): View<R> {
  const cells = columns.map((column, at) => cellOf(column, at === 0));
  const buttons = acts.map((one) => buttonOf(one, (row) => String(columns[0]?.of(row))));
  if (acts.length > 0) {
    const node = h('td', { class: 'acts' }, ...buttons.map(({ node }) => node));
    const show = (row: R) => {
      for (const one of buttons) one.show(row);
    };
    cells.push({ node, show });
  }
  return {
    node: h('tr', {}, ...cells.map(({ node }) => node)),
    show(row) {
      for (const one of cells) one.show(row);
    },
  };
}

/** The heads of columns, those of numbers at the right edge as these are. */
function headsOf<R>(columns: readonly Column<R>[], hasActs: boolean): HTMLElement {
  const names = columns.map(({ head }) => head);
  const heads = headRow(names, names.length);
  for (const [at, one] of [...heads.querySelectorAll('th')].entries())
    one.classList.toggle('number', columns[at]?.as !== undefined);
  if (hasActs) heads.firstElementChild?.append(h('td', {}));
  return heads;
}

interface Order {
  column: number;
  falling: boolean;
}

/** The order that an address keeps: the place of a column, with `-` the greatest first. */
function orderOf(text: string | null): Order | null {
  const [, sign, column] = /^(-?)(\d+)$/.exec(text ?? '') ?? [];
  return column === undefined ? null : { column: Number(column), falling: sign === '-' };
}

/** By the values of a column, in which those that are missing come last. */
function ordered<R>(rows: readonly R[], { of }: Column<R>, falling: boolean): readonly R[] {
  return rows.toSorted((first, second) => {
    const [a, b] = [of(first), of(second)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order =
      typeof a === 'number'
        ? a - Number(b)
        : a.localeCompare(String(b), undefined, { numeric: true });
    return falling ? -order : order;
  });
}

const headsIn = <R>(columns: readonly Column<R>[]): string =>
  columns.map(({ head }) => head).join();

/** Makes the heads of columns buttons that sort: numbers the greatest first, and the other way at the second press. */
function sortBy<R>(
  heads: HTMLElement,
  columns: readonly Column<R>[],
  now: Order | null,
  chosen: (order: Order) => void,
): void {
  const all = [...heads.querySelectorAll('th')];
  for (const [column, head] of all.entries()) {
    if (now?.column === column) head.ariaSort = now.falling ? 'descending' : 'ascending';
    const press = () => {
      const { ariaSort } = head;
      const isNumber = columns[column]?.as !== undefined;
      const falling = ariaSort === null ? isNumber : ariaSort === 'ascending';
      for (const one of all) one.removeAttribute('aria-sort');
      head.ariaSort = falling ? 'descending' : 'ascending';
      chosen({ column, falling });
    };
    head.replaceChildren(h('button', { click: press }, head.textContent));
  }
}

/** The values of a row by their names, those of objects in it with dots. */
const cellsOf = (row: object, before = ''): [string, unknown][] =>
  Object.entries(row).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? cellsOf(value, `${before}${name}.`)
      : [[before + name, value]],
  );

/** Rows as a file has them: the fields of the answer in its units, not the words of the page. */
export function fileOf(rows: readonly object[]): Rows {
  const all = rows.map((row) => new Map(cellsOf(row)));
  const names = [...new Set(all.flatMap((row) => [...row.keys()]))];
  return [names, ...all.map((row) => names.map((name) => row.get(name)))];
}

/** Most rows on the page; a search finds the others. */
const most = 200;

export function tablePart<D, R extends object>(form: TableForm<D, R>): LivePart {
  const { columns, rows, none, note, search, acts = [], ...rest } = form;
  const body = h('tbody', {});
  const said = h('p', { class: 'soft note' });
  const kept = placeOf(location.hash).chosen;
  const field = h('input', {
    type: 'search',
    value: kept.get(`${form.name}.find`) ?? '',
    placeholder: 'Search',
    'aria-label': `Search ${form.title}`,
  });
  let shown: readonly Column<R>[] = [];
  let showRows: (rows: readonly R[]) => void = () => {};
  let head = headsOf(shown, acts.length > 0);
  let all: readonly R[] = [];
  let found: readonly R[] = [];
  let words = '';
  let order = orderOf(kept.get(`${form.name}.sort`));
  const draw = () => {
    const wanted = field.value.trim().toLowerCase();
    found =
      search === undefined || wanted === ''
        ? all
        : all.filter((row) => search(row).toLowerCase().includes(wanted));
    const by = order && shown[order.column];
    if (order && by) found = ordered(found, by, order.falling);
    showRows(found.slice(0, most));
    const cut = found.length > most ? `The first ${most} of ${found.length}. ` : '';
    setText(said, `${cut}${found.length === 0 ? 'Nothing matches. ' : ''}${words}`);
  };
  field.addEventListener('input', () => {
    choose({ [`${form.name}.find`]: field.value.trim() });
    draw();
  });
  return livePart<D>({
    ...rest,
    controls: [...(search === undefined ? [] : [field]), ...(form.controls ?? [])],
    body: [scroller(form.title, head, body), said],
    show(data) {
      const next = typeof columns === 'function' ? columns(data) : columns;
      if (headsIn(next) !== headsIn(shown)) {
        shown = next;
        const [first] = shown;
        const name = form.key ?? ((row: R) => String(first?.of(row)));
        showRows = keyedRows(body, { name, make: () => rowOf(shown, acts) });
        const heads = headsOf(shown, acts.length > 0);
        sortBy(heads, shown, order, (next) => {
          order = next;
          choose({ [`${form.name}.sort`]: `${next.falling ? '-' : ''}${next.column}` });
          draw();
        });
        head.replaceWith(heads);
        head = heads;
      }
      all = rows(data);
      words = note?.(data) ?? '';
      draw();
      return all.length === 0 ? none : undefined;
    },
    rows: () => fileOf(found),
  });
}
