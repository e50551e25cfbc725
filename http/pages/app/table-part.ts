/** A part of a page whose answer is shown as a table. */
import { h, setText } from './dom.ts';
import { dash } from './format.ts';
import type { Rows } from './panel.ts';
import { type LivePart, livePart, type PartForm } from './part.ts';
import { choose, placeOf } from './place.ts';
import { cell, headRow, rowHead, scroller } from './rows.ts';

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

interface TableForm<D, R> extends Omit<PartForm<D>, 'body' | 'show' | 'rows'> {
  /** The first column has the names of the rows. */
  columns: readonly Column<R>[] | ((data: D) => readonly Column<R>[]);
  rows(data: D): readonly R[];
  /** What it means when there are none. */
  none: string;
  /** What a search looks at; without it there is no search. */
  search?(row: R): string;
  /** What the table as a whole says, under it. */
  note?(data: D): string;
}

/** A cell with a bar under its text. */
function barred(made: HTMLElement, share: number | undefined): HTMLElement {
  if (share === undefined) return made;
  made.classList.add('barred');
  made.style.setProperty('--share', `${Math.min(1, share) * 100}%`);
  return made;
}

/** A number with what is to be said of it. */
function marked(made: HTMLElement, mark: { shown: string; why: string } | null): HTMLElement {
  if (mark === null) return made;
  const { shown, why } = mark;
  const words = `${shown}: ${why}`;
  made.prepend(h('span', { class: 'word', role: 'img', title: why, 'aria-label': words }, shown));
  return made;
}

function cellOf<R>(column: Column<R>, row: R, isFirst: boolean): HTMLElement {
  const { of, as, tone, link, hint, bar, mark } = column;
  const value = of(row);
  const text = value === null ? dash : as === undefined ? String(value) : as(Number(value));
  if (as !== undefined)
    return marked(barred(cell(text, tone?.(row)), bar?.(row)), mark?.(row) ?? null);
  const made = isFirst ? rowHead('') : h('td', { class: tone?.(row) ?? '' });
  made.append(link === undefined ? text : h('a', { href: link(row) }, text));
  if (hint) made.title = hint(row);
  return made;
}

function rowOf<R>(columns: readonly Column<R>[], row: R): HTMLElement {
  return h('tr', {}, ...columns.map((column, at) => cellOf(column, row, at === 0)));
}

/** The heads of columns, those of numbers at the right edge as these are. */
function headsOf<R>(columns: readonly Column<R>[]): HTMLElement {
  const names = columns.map(({ head }) => head);
  const heads = headRow(names, names.length);
  for (const [at, one] of [...heads.querySelectorAll('th')].entries())
    one.classList.toggle('number', columns[at]?.as !== undefined);
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
    head.replaceChildren(h('button', { type: 'button', click: press }, head.textContent));
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
  const { columns, rows, none, note, search, ...rest } = form;
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
  let head = headsOf(shown);
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
    body.replaceChildren(...found.slice(0, most).map((row) => rowOf(shown, row)));
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
      if (next !== shown) {
        shown = next;
        const heads = headsOf(shown);
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
