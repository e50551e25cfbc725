/** Values by column and row as colours on a canvas, which a reader can go through by pointer or by arrow keys. */
import { dark } from './colours.ts';
import { h, setText } from './dom.ts';
import { dash } from './format.ts';
import { drawHeat, type HeatData, type HeatForm, type Sizes } from './heat-drawing.ts';
import { titled } from './picture.ts';

const edges = {
  prices: { left: 0, top: 0, right: 68, bottom: 20 },
  table: { left: 84, top: 20, right: 0, bottom: 0 },
} as const;
/** Least size of a cell of a table, px: it scrolls where the page is too small. */
const least = { width: 44, height: 16 };
const usual = 'Point at a cell, or go through the cells with the arrow keys.';

export class Heat {
  readonly node: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #readout = h('p', { class: 'legend', role: 'status' }, usual);
  readonly #form: HeatForm;
  readonly #watch: ResizeObserver;
  #data: HeatData = { columns: [], rows: [], cells: [] };
  #values = new Map<number, number>();
  #at: { column: number; row: number } | null = null;
  #frame = 0;

  constructor(form: HeatForm) {
    this.#form = form;
    this.#canvas = h('canvas', {
      role: 'img',
      tabindex: '0',
      'aria-label': form.label,
      keydown: (event) => event instanceof KeyboardEvent && this.#key(event),
      pointermove: (event) => event instanceof PointerEvent && this.#point(event),
      pointerleave: () => this.#go(null),
    });
    this.node = h(
      'div',
      { class: 'plot' },
      this.#readout,
      h('div', { class: 'canvas' }, this.#canvas),
    );
    this.#watch = new ResizeObserver(this.#later);
    this.#watch.observe(this.#canvas);
    dark.addEventListener('change', this.#later);
  }

  end(): void {
    this.#watch.disconnect();
    dark.removeEventListener('change', this.#later);
    cancelAnimationFrame(this.#frame);
  }

  /** Shows data; false where there is nothing to draw. */
  show(data: HeatData): boolean {
    const { columns, rows, cells } = data;
    this.#data = data;
    this.#values = new Map(cells.map(([x, y, value]) => [x * rows.length + y, value]));
    const [first] = cells;
    const largest = cells.reduce(
      (most, cell) => (Math.abs(cell[2]) > Math.abs(most?.[2] ?? 0) ? cell : most),
      first,
    );
    const words = largest === undefined ? 'nothing' : this.#wordsOf(largest[0], largest[1]);
    this.#canvas.setAttribute('aria-label', `${this.#form.label}; the largest: ${words}`);
    if (this.#form.isTable) {
      const { left, top } = edges.table;
      this.#canvas.style.minWidth = `${left + columns.length * least.width}px`;
      this.#canvas.style.minHeight = `${top + rows.length * least.height}px`;
    }
    if (this.#at !== null) this.#go(this.#at);
    this.#later();
    return cells.length > 0;
  }

  /** A table for a file: a line a row. */
  rows(): unknown[][] {
    const { columns, rows } = this.#data;
    const valuesOf = (row: number) =>
      columns.map((_, column) => this.#values.get(column * rows.length + row) ?? null);
    return [['name', ...columns], ...rows.map((name, row) => [name, ...valuesOf(row)])];
  }

  picture(): HTMLCanvasElement | null {
    return this.#canvas.width === 0 ? null : titled(this.#canvas, this.#form.label);
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
  }

  #point({ offsetX, offsetY }: PointerEvent): void {
    const { left, top, width, height, cell } = this.#sizes();
    const [x, y] = [offsetX - left, offsetY - top];
    if (x < 0 || y < 0 || x >= width || y >= height) this.#go(null);
    else {
      const down = Math.floor(y / cell.height);
      const row = this.#form.isTable ? down : this.#data.rows.length - 1 - down;
      this.#go({ column: Math.floor(x / cell.width), row });
    }
  }

  #sizes(): Sizes {
    const { clientWidth, clientHeight } = this.#canvas;
    const { isTable = false } = this.#form;
    const { left, top, right, bottom } = edges[isTable ? 'table' : 'prices'];
    const [width, height] = [clientWidth - left - right, clientHeight - top - bottom];
    const { columns, rows } = this.#data;
    const cell = { width: width / columns.length, height: height / rows.length };
    const yOf = (row: number) => top + (isTable ? row * cell.height : height - row * cell.height);
    return { left, top, width, height, cell, yOf };
  }

  readonly #later = (): void => {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  };

  #draw(): void {
    const canvas = this.#canvas;
    const { columns, rows } = this.#data;
    const ratio = devicePixelRatio;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    const context = canvas.getContext('2d');
    if (context === null || columns.length === 0 || rows.length === 0 || canvas.width === 0) return;
    context.scale(ratio, ratio);
    drawHeat(context, this.#form, this.#data, { sizes: this.#sizes(), at: this.#at });
  }
}
