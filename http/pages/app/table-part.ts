/** A part of a page whose answer is shown as a table. */
import { type Column, cellOf, reader, together } from './columns.ts';
import { h, setAttribute, setText } from './dom.ts';
import { fileOf } from './panel.ts';
import { type Frame, type LivePart, livePart } from './part.ts';
import { choose, placeOf } from './place.ts';
import { keyedRows, scroller, type View } from './rows.ts';

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
  /** It has many columns of numbers. */
  isDense?: true;
  /** What it means when there are none. */
  none: string;
  /** What a search looks at; without it there is no search. */
  search?(row: R): string;
  /** What the table as a whole says, under it. */
  note?(data: D): string;
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

function rowOf<R extends object>(columns: readonly Column<R>[], acts: readonly Act<R>[]): View<R> {
  const cells = columns.map((column, at) => cellOf(column, at === 0));
  const buttons = acts.map((one) => buttonOf(one, nameIn(columns)));
  if (acts.length > 0) cells.push(together('td', buttons, 'acts'));
  return together('tr', cells);
}

/** Rows have their names in the first column. */
const nameIn =
  <R extends object>([first]: readonly Column<R>[]) =>
  (row: R): string =>
    String(first && reader(first)(row));

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
function ordered<R extends object>(
  rows: readonly R[],
  column: Column<R>,
  falling: boolean,
): readonly R[] {
  const of = reader(column);
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

/** The heads of columns, which sort: by numbers the greatest first, and the other way at the second press. */
function headsOf<R>(
  columns: readonly Column<R>[],
  now: Order | null,
  chosen: (order: Order) => void,
): HTMLElement[] {
  const heads = columns.map(({ head, as }, column) => {
    const press = () => {
      const { ariaSort } = made;
      const falling = ariaSort === null ? as !== undefined : ariaSort === 'ascending';
      for (const one of heads) one.removeAttribute('aria-sort');
      made.ariaSort = falling ? 'descending' : 'ascending';
      chosen({ column, falling });
    };
    const button = h('button', { click: press }, head);
    const made = h('th', { scope: 'col', class: as === undefined ? false : 'number' }, button);
    if (now?.column === column) made.ariaSort = now.falling ? 'descending' : 'ascending';
    return made;
  });
  return heads;
}

/** Most rows on the page; a search finds the others. */
const most = 200;

const searchField = (title: string, value: string) =>
  h('input', { type: 'search', value, placeholder: 'Search', 'aria-label': `Search ${title}` });

export function tablePart<D, R extends object>(form: TableForm<D, R>): LivePart {
  const { columns, rows, none, note, search, isDense, acts = [], ...rest } = form;
  const body = h('tbody', {});
  const head = h('tr', {});
  const said = h('p', { class: 'soft note' });
  const region = scroller(form.title, h('thead', {}, head), body);
  if (isDense) region.classList.add('dense');
  const kept = placeOf(location.hash).chosen;
  const field = searchField(form.title, kept.get(`${form.name}.find`) ?? '');
  let shown: readonly Column<R>[] = [];
  let showRows: (rows: readonly R[]) => void = () => {};
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
    body: [region, said],
    show(data, whenNear) {
      const next = typeof columns === 'function' ? columns(data) : columns;
      if (headsIn(next) !== headsIn(shown)) {
        shown = next;
        const name = form.key ?? nameIn(shown);
        showRows = keyedRows(body, { name, make: () => rowOf(shown, acts) });
        const heads = headsOf(shown, order, (next) => {
          order = next;
          choose({ [`${form.name}.sort`]: `${next.falling ? '-' : ''}${next.column}` });
          draw();
        });
        head.replaceChildren(...heads, ...(acts.length > 0 ? [h('td', {})] : []));
      }
      all = rows(data);
      words = note?.(data) ?? '';
      whenNear(draw);
      return all.length === 0 ? none : undefined;
    },
    rows: () => fileOf(found),
  });
}
