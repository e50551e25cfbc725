/** Values by column and row as colours on a canvas, which a reader can go through by pointer or by arrow keys. */
import { dark, titled } from './colours.ts';
import { h, setText } from './dom.ts';
import { dash } from './format.ts';
import { drawHeat, type HeatData, type HeatForm, type Sizes } from './heat-drawing.ts';

/** Room for names, px. */
const edges = { right: 68, bottom: 20 };
const usual = 'Point at a cell, or go through the cells with the arrow keys.';

export class Heat {
  readonly node: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #frame: HTMLElement;
  readonly #readout = h('p', { class: 'legend readout', role: 'status' }, usual);
  readonly #form: HeatForm;
  readonly #watch: ResizeObserver;
  #data: HeatData = { columns: [], rows: [], cells: [] };
  #values = new Map<number, number>();
  #at: { column: number; row: number } | null = null;
  #turn = 0;

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
    this.#frame = h('div', { class: 'canvas' }, this.#canvas);
    this.node = h('div', { class: 'plot' }, this.#readout, this.#frame);
    this.#watch = new ResizeObserver(this.#later);
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
    if (this.#frame.clientWidth === 0) return null;
    const drawn = h('canvas', {});
    this.#draw(drawn, null);
    return titled(drawn, this.#form.label);
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
    const next = {
      ArrowLeft: { column: column - 1, row },
      ArrowRight: { column: column + 1, row },
      ArrowUp: { column, row: row + 1 },
      ArrowDown: { column, row: row - 1 },
      PageUp: { column, row: row + 10 },
      PageDown: { column, row: row - 10 },
      Home: { column: 0, row },
      End: { column: last, row },
    }[event.key];
    if (event.key === 'Escape') this.#go(null);
    if (next === undefined || last < 0) return;
    event.preventDefault();
    const within = (value: number, most: number) => Math.max(0, Math.min(most, value));
    this.#go({ column: within(next.column, last), row: within(next.row, end) });
  }

  #point({ offsetX: x, offsetY: y }: PointerEvent): void {
    const { width, height, cell } = this.#sizes();
    const isInside = x >= 0 && y >= 0 && x < width && y < height;
    const row = Math.floor((height - y) / cell.height);
    this.#go(isInside ? { column: Math.floor(x / cell.width), row } : null);
  }

  #sizes(): Sizes {
    const { clientWidth, clientHeight } = this.#frame;
    const [width, height] = [clientWidth - edges.right, clientHeight - edges.bottom];
    const { columns, rows } = this.#data;
    const cell = { width: width / columns.length, height: height / rows.length };
    const xOf = (column: number) => column * cell.width;
    const yOf = (row: number) => height - row * cell.height;
    return { width, height, cell, xOf, yOf };
  }

  readonly #later = (): void => {
    if (this.#turn !== 0) return;
    this.#turn = requestAnimationFrame(() => {
      this.#turn = 0;
      this.#draw(this.#canvas, this.#at);
    });
  };

  #draw(canvas: HTMLCanvasElement, at: { column: number; row: number } | null): void {
    const { columns, rows } = this.#data;
    const { clientWidth, clientHeight } = this.#frame;
    const ratio = devicePixelRatio;
    canvas.width = Math.round(clientWidth * ratio);
    canvas.height = Math.round(clientHeight * ratio);
    const context = canvas.getContext('2d');
    if (context === null || columns.length === 0 || rows.length === 0 || canvas.width === 0) return;
    context.scale(ratio, ratio);
    drawHeat(context, this.#form, this.#data, { sizes: this.#sizes(), at });
  }
}
