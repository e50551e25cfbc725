/** Values by column and row as colours on a canvas, which a reader can go through by pointer or by arrow keys. */
import { dark, titled } from './colours.ts';
import { h, setText } from './dom.ts';
import { dash } from './format.ts';
import { drawHeat, type HeatData, type HeatForm, type Sizes, widestOf } from './heat-drawing.ts';

/** Room for names, px; on the left of a table it is that of its longest name, up to this. */
const edges = {
  prices: { left: 0, top: 0, right: 68, bottom: 20 },
  table: { left: 84, top: 20, right: 0, bottom: 0 },
} as const;
/** Least size of a cell of a table, px. Where the page is too small it scrolls, and its columns have room for their names. */
const least = { width: 44, scrolled: 60, height: 13.5 };
const usual = 'Point at a cell, or go through the cells with the arrow keys.';

interface Seen {
  width: number;
  height: number;
  x: number;
  y: number;
}

export class Heat {
  readonly node: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  /** As large as all cells: what is scrolled. The canvas is as large as what is seen, and its names stay in sight. */
  readonly #extent: HTMLElement;
  readonly #frame: HTMLElement;
  readonly #readout = h('p', { class: 'legend readout', role: 'status' }, usual);
  readonly #form: HeatForm;
  readonly #watch: ResizeObserver;
  #data: HeatData = { columns: [], rows: [], cells: [] };
  #values = new Map<number, number>();
  #at: { column: number; row: number } | null = null;
  #names = 0;
  #turn = 0;
  /** What was seen when it was drawn. */
  #shown: Seen = { width: 0, height: 0, x: 0, y: 0 };

  constructor(form: HeatForm) {
    this.#form = form;
    this.#canvas = h('canvas', {
      role: 'img',
      tabindex: '0',
      'aria-label': form.label,
      keydown: (event) => event instanceof KeyboardEvent && this.#key(event),
      pointerdown: (event) => event instanceof PointerEvent && this.#point(event),
      pointermove: (event) => event instanceof PointerEvent && this.#point(event),
      // What a finger has touched stays.
      pointerleave: (event) =>
        event instanceof PointerEvent && event.pointerType === 'mouse' && this.#go(null),
    });
    this.#extent = h('div', { class: 'extent' }, this.#canvas);
    this.#frame = h('div', { class: 'canvas', scroll: this.#later }, this.#extent);
    this.node = h('div', { class: 'plot' }, this.#readout, this.#frame);
    this.#watch = new ResizeObserver(() => {
      const { width, height } = this.#seen();
      if (width !== this.#shown.width || height !== this.#shown.height) this.#later();
    });
    this.#watch.observe(this.#frame);
    dark.addEventListener('change', this.#later);
  }

  end(): void {
    this.#watch.disconnect();
    dark.removeEventListener('change', this.#later);
    cancelAnimationFrame(this.#turn);
  }

  show(data: HeatData): void {
    const { rows, cells } = data;
    this.#data = data;
    this.#values = new Map(cells.map(([x, y, value]) => [x * rows.length + y, value]));
    const [first] = cells;
    const largest = cells.reduce(
      (most, cell) => (Math.abs(cell[2]) > Math.abs(most?.[2] ?? 0) ? cell : most),
      first,
    );
    const words = largest === undefined ? 'nothing' : this.#wordsOf(largest[0], largest[1]);
    this.#canvas.setAttribute('aria-label', `${this.#form.label}; the largest: ${words}`);
    if (this.#form.isTable) this.#names = Math.min(edges.table.left, widestOf(rows) + 12);
    if (this.#at !== null) this.#go(this.#at);
    this.#later();
  }

  /** A table for a file: a line a row. */
  rows(): unknown[][] {
    const { columns, rows } = this.#data;
    const valuesOf = (row: number) =>
      columns.map((_, column) => this.#values.get(column * rows.length + row) ?? null);
    return [['name', ...columns], ...rows.map((name, row) => [name, ...valuesOf(row)])];
  }

  picture(): HTMLCanvasElement | null {
    const { clientWidth: width, clientHeight: height } = this.#extent;
    if (width === 0) return null;
    const whole = h('canvas', {});
    this.#draw(whole, { width, height, x: 0, y: 0 }, null);
    return titled(whole, this.#form.label);
  }

  /** All cells have room for their names. */
  #fit(): void {
    if (!this.#form.isTable) return;
    const { columns, rows } = this.#data;
    const wide = (cell: number) => this.#names + columns.length * cell;
    const isNarrow = wide(least.width) > this.#frame.clientWidth;
    this.#extent.style.minWidth = isNarrow ? `${wide(least.scrolled)}px` : '';
    this.#extent.style.minHeight = `${edges.table.top + rows.length * least.height}px`;
  }

  #wordsOf(column: number, row: number): string {
    const { columns, rows } = this.#data;
    const value = this.#values.get(column * rows.length + row);
    const words = value === undefined ? dash : this.#form.words(value, column, row);
    return `${columns[column]}, ${rows[row]}: ${words}`;
  }

  /** Shows a cell in words, with a frame around it. */
  #go(at: { column: number; row: number } | null): void {
    const { columns, rows } = this.#data;
    const isThere = at !== null && at.column < columns.length && at.row < rows.length;
    this.#at = isThere ? at : null;
    setText(this.#readout, isThere ? this.#wordsOf(at.column, at.row) : usual);
    this.#later();
  }

  #key(event: KeyboardEvent): void {
    const { columns, rows } = this.#data;
    const [last, end] = [columns.length - 1, rows.length - 1];
    const { column, row } = this.#at ?? { column: last, row: Math.round(end / 2) };
    const up = this.#form.isTable ? -1 : 1;
    const next = {
      ArrowLeft: { column: column - 1, row },
      ArrowRight: { column: column + 1, row },
      ArrowUp: { column, row: row + up },
      ArrowDown: { column, row: row - up },
      PageUp: { column, row: row + 10 * up },
      PageDown: { column, row: row - 10 * up },
      Home: { column: 0, row },
      End: { column: last, row },
    }[event.key];
    if (event.key === 'Escape') this.#go(null);
    if (next === undefined || last < 0) return;
    event.preventDefault();
    const within = (value: number, most: number) => Math.max(0, Math.min(most, value));
    this.#go({ column: within(next.column, last), row: within(next.row, end) });
    this.#reveal();
  }

  /** Scrolls the cell that has the cursor into sight. */
  #reveal(): void {
    if (this.#at === null || !this.#form.isTable) return;
    const { column, row } = this.#at;
    const { left, top, cell } = this.#sizes(this.#seen());
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#frame;
    const within = (now: number, from: number, size: number, room: number) =>
      Math.min(from, Math.max(now, from + size - room));
    this.#frame.scrollTo(
      within(scrollLeft, column * cell.width, cell.width, clientWidth - left),
      within(scrollTop, row * cell.height, cell.height, clientHeight - top),
    );
  }

  #point({ offsetX, offsetY }: PointerEvent): void {
    const { left, top, width, height, cell, xOf, yOf } = this.#sizes(this.#seen());
    const [x, y] = [offsetX - left, offsetY - top];
    if (x < 0 || y < 0 || x >= width || y >= height) this.#go(null);
    else {
      const row = Math.floor(Math.abs(offsetY - yOf(0)) / cell.height);
      this.#go({ column: Math.floor((offsetX - xOf(0)) / cell.width), row });
    }
  }

  /** What is seen of the cells: its size, and how far it is scrolled. */
  #seen(): Seen {
    const { clientWidth: width, clientHeight: height, scrollLeft: x, scrollTop: y } = this.#frame;
    return { width, height, x, y };
  }

  #sizes(seen: Seen): Sizes {
    const { isTable = false } = this.#form;
    const { left: most, top, right, bottom } = edges[isTable ? 'table' : 'prices'];
    const left = Math.min(most, this.#names);
    const { clientWidth, clientHeight } = this.#extent;
    const [width, height] = [clientWidth - left - right, clientHeight - top - bottom];
    const { columns, rows } = this.#data;
    const cell = { width: width / columns.length, height: height / rows.length };
    const xOf = (column: number) => left + column * cell.width - seen.x;
    const yOf = (row: number) =>
      top + (isTable ? row * cell.height : height - row * cell.height) - seen.y;
    return { left, top, width, height, cell, xOf, yOf };
  }

  readonly #later = (): void => {
    if (this.#turn !== 0) return;
    this.#turn = requestAnimationFrame(() => {
      this.#turn = 0;
      this.#fit();
      this.#shown = this.#seen();
      this.#draw(this.#canvas, this.#shown, this.#at);
    });
  };

  #draw(canvas: HTMLCanvasElement, seen: Seen, at: { column: number; row: number } | null): void {
    const { columns, rows } = this.#data;
    const ratio = devicePixelRatio;
    canvas.width = Math.round(seen.width * ratio);
    canvas.height = Math.round(seen.height * ratio);
    const context = canvas.getContext('2d');
    if (context === null || columns.length === 0 || rows.length === 0 || canvas.width === 0) return;
    context.scale(ratio, ratio);
    drawHeat(context, this.#form, this.#data, { sizes: this.#sizes(seen), at });
  }
}
