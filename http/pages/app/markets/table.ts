/** A table of any number of rows, of which those in sight are on the page. */
import { h, refill } from '../dom.ts';
import type { Sorting } from './choices.ts';
import type { Column } from './columns.ts';
import type { Asset } from './data.ts';
import { type RowEvents, RowView } from './row.ts';

/** Height of a row, px. */
const height = 32;
/** Rows beyond the edges that are ready before they are seen. */
const spare = 6;

/** Kind of what is dragged. */
const dragged = 'text/x-tidemark-column';

interface Events extends RowEvents {
  sort(by: string): void;
  /** A column is moved to the place of another. */
  move(id: string, to: string | undefined): void;
  /** What a head says behind its name, and in its title. */
  noteOf(id: string): { mark: string; about: string };
  /** What is on the page now. */
  seen(rows: readonly Asset[]): void;
}

const shapeOf = (columns: readonly Column[]): string =>
  columns.map(({ id, width }) => `${id} ${width}`).join();

export class Table {
  readonly node: HTMLElement;
  readonly #head = h('div', { class: 'row head', role: 'row', 'aria-rowindex': '1' });
  readonly #body = h('div', { class: 'body', role: 'rowgroup' });
  readonly #events: Events;
  readonly #watch: ResizeObserver;
  #columns: readonly Column[] = [];
  #rows: readonly Asset[] = [];
  #views: RowView[] = [];
  #frame = 0;
  /** Not only the place is another one since the last frame. */
  #isChanged = false;

  constructor(events: Events) {
    this.#events = events;
    const head = h('div', { class: 'heads', role: 'rowgroup' }, this.#head);
    this.node = h(
      'div',
      { class: 'table', role: 'table', 'aria-label': 'Markets' },
      head,
      this.#body,
    );
    this.node.addEventListener('scroll', () => this.#later(false), { passive: true });
    this.node.addEventListener('keydown', (event) => this.#move(event));
    this.#watch = new ResizeObserver(() => this.#later());
    this.#watch.observe(this.node);
  }

  /** Ends what it watches. */
  end(): void {
    this.#watch.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  columns(columns: readonly Column[], { by, falling }: Sorting): void {
    const isSame = shapeOf(columns) === shapeOf(this.#columns);
    this.#columns = columns;
    refill(this.#head, () =>
      this.#head.replaceChildren(...columns.map((column) => this.#headOf(column, by, falling))),
    );
    if (isSame) return;
    const widths = columns.map(({ width, id }) =>
      id === 'symbol' ? `${width}px` : `minmax(${width}px, 1fr)`,
    );
    this.node.style.setProperty('--columns', widths.join(' '));
    this.node.style.setProperty(
      '--width',
      `${columns.reduce((sum, { width }) => sum + width, 0)}px`,
    );
    this.#views = [];
    this.#body.replaceChildren();
    this.#later();
  }

  rows(rows: readonly Asset[]): void {
    if (rows.length !== this.#rows.length) {
      this.#body.style.height = `${rows.length * height}px`;
      this.node.setAttribute('aria-rowcount', String(rows.length + 1));
    }
    this.#rows = rows;
    this.#later();
  }

  /** Shows what is in sight, at the next frame. */
  #later(isChanged = true): void {
    this.#isChanged ||= isChanged;
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#show();
    });
  }

  #show(): void {
    const { scrollTop, clientHeight } = this.node;
    // Rows are made while their data are on their way, and it is hidden.
    const seen = Math.ceil((clientHeight || innerHeight) / height) + 2 * spare;
    while (this.#views.length < seen) {
      const view = new RowView(this.#columns, this.#events);
      this.#views.push(view);
      this.#body.append(view.node);
    }
    const count = this.#views.length;
    const first = Math.max(0, Math.floor(scrollTop / height) - spare);
    for (let index = first; index < first + count; index++) {
      const place = { index, height, isChanged: this.#isChanged };
      this.#views[index % count]?.show(this.#rows[index], place);
    }
    this.#isChanged = false;
    this.#events.seen(this.#rows.slice(first, first + count));
  }

  #headOf({ id, shown, about }: Column, by: string, falling: boolean): HTMLElement {
    const order = falling ? 'descending' : 'ascending';
    const sorted = id === by;
    const note = this.#events.noteOf(id);
    const arrow = h('span', { 'aria-hidden': 'true' }, sorted ? (falling ? ' ↓' : ' ↑') : '');
    const isFixed = id === 'symbol';
    const move = isFixed ? '' : '. Drag it, or press Alt and an arrow, to move it';
    const attributes = {
      name: id,
      title: `${about}${note.about}${move}`,
      draggable: isFixed ? 'false' : 'true',
      click: () => this.#events.sort(id),
    };
    const button = h('button', attributes, `${shown}${note.mark}`, arrow);
    if (!isFixed) this.#moves(button, id);
    const cell = { class: `cell ${isFixed ? 'symbol' : 'number'}`, role: 'columnheader' };
    return h('div', { ...cell, 'aria-sort': sorted ? order : 'none' }, button);
  }

  /** A head that is dragged, or goes by Alt and an arrow, moves its column. */
  #moves(head: HTMLElement, id: string): void {
    head.addEventListener('dragstart', ({ dataTransfer }) => dataTransfer?.setData(dragged, id));
    head.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes(dragged)) event.preventDefault();
    });
    head.addEventListener('drop', (event) => {
      event.preventDefault();
      const from = event.dataTransfer?.getData(dragged);
      if (from) this.#events.move(from, id);
    });
    head.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined || !event.altKey) return;
      // Elsewhere it goes back in the history.
      event.preventDefault();
      const place = this.#columns.findIndex((one) => one.id === id);
      this.#events.move(id, this.#columns[place + step]?.id);
    });
  }

  /** Arrow keys go from the name of a row to that of another. */
  #move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    const row = event.target instanceof HTMLElement ? event.target.closest('.row') : null;
    const at = row instanceof HTMLElement ? row.dataset.index : undefined;
    if (step === undefined || at === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(this.#rows.length - 1, Number(at) + step));
    const top = next * height;
    const { scrollTop, clientHeight } = this.node;
    const room = clientHeight - 2 * height;
    if (top < scrollTop) this.node.scrollTop = top;
    else if (top > scrollTop + room) this.node.scrollTop = top - room;
    this.#show();
    this.#body.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus();
  }
}
