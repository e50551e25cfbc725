/** Values by column and row as colours on a canvas, which a reader can go through by pointer or by arrow keys. */
import { type Colours, dark, faint, palette } from './colours.ts';
import { h, setText } from './dom.ts';

export interface HeatForm {
  /** What it shows, for those who do not see it. */
  label: string;
  /** Values from zero on, or by their sign: above zero as rising, below as falling prices. */
  palette: 'heat' | 'signed';
  /** A cell in words. */
  words(value: number, column: number, row: number): string;
  /** Drawn into a cell that has room for it. */
  text?(column: number, row: number): string;
}

export interface HeatData {
  /** Names of the columns from the left, and of the rows from below. */
  columns: readonly string[];
  rows: readonly string[];
  /** Where nothing is known there is no cell. */
  cells: readonly (readonly [column: number, row: number, value: number])[];
  /** A line over the cells: the place of each column in rows, with fractions; null breaks it. */
  line?: readonly (number | null)[];
  /** The row of a column that has a frame. */
  framed?: ReadonlyMap<number, number>;
}

const edge = { right: 68, bottom: 20 };
/** Least distance of two labels, px. */
const apart = { columns: 110, rows: 26 };
const usual = 'Point at a cell, or go through the cells with the arrow keys.';

type Rgb = readonly [number, number, number];

const rgbOf = (colour: string): Rgb => {
  const [red = 0, green = 0, blue = 0] = colour.match(/[\d.]+/g)?.map(Number) ?? [];
  return [red, green, blue];
};

const mixed = (from: Rgb, to: Rgb, part: number): Rgb => [
  from[0] + (to[0] - from[0]) * part,
  from[1] + (to[1] - from[1]) * part,
  from[2] + (to[2] - from[2]) * part,
];

/** The colour of a value; small ones are told apart better than large ones. */
function colourer({ palette: kind, text: words }: HeatForm, colours: Colours, most: number) {
  const [page, accent, text] = [colours.page, colours.accent, colours.text].map(rgbOf);
  const [up, down] = [colours.up, colours.down].map(rgbOf);
  return (value: number): Rgb => {
    const part = Math.sqrt(Math.min(1, Math.abs(value) / most));
    if (!page || !accent || !text || !up || !down) return [0, 0, 0];
    // Numbers stay readable on the strongest.
    const strength = words === undefined ? 0.85 : 0.5;
    if (kind === 'signed') return mixed(page, value < 0 ? down : up, part * strength);
    return part < 0.6 ? mixed(page, accent, part / 0.6) : mixed(accent, text, (part - 0.6) / 0.4);
  };
}

interface Sizes {
  width: number;
  height: number;
  cell: { width: number; height: number };
}

export class Heatmap {
  readonly node: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #readout = h('p', { class: 'soft readout', role: 'status' }, usual);
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
    this.node = h('div', { class: 'heatmap' }, this.#canvas, this.#readout);
    this.#watch = new ResizeObserver(this.#later);
    this.#watch.observe(this.#canvas);
    dark.addEventListener('change', this.#later);
  }

  end(): void {
    this.#watch.disconnect();
    dark.removeEventListener('change', this.#later);
    cancelAnimationFrame(this.#frame);
  }

  show(data: HeatData): void {
    this.#data = data;
    this.#values = new Map(data.cells.map(([x, y, value]) => [x * data.rows.length + y, value]));
    const largest = data.cells.reduce<HeatData['cells'][number] | null>(
      (most, cell) => (most === null || Math.abs(cell[2]) > Math.abs(most[2]) ? cell : most),
      null,
    );
    const words = largest === null ? 'nothing' : this.#wordsOf(largest[0], largest[1]);
    this.#canvas.setAttribute('aria-label', `${this.#form.label}; the largest: ${words}`);
    if (this.#at !== null) this.#go(this.#at);
    this.#later();
  }

  picture(): HTMLCanvasElement {
    return this.#canvas;
  }

  #wordsOf(column: number, row: number): string {
    const { columns, rows } = this.#data;
    const value = this.#values.get(column * rows.length + row);
    const words = value === undefined ? '–' : this.#form.words(value, column, row);
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
    const [last, top] = [columns.length - 1, rows.length - 1];
    const { column, row } = this.#at ?? { column: last, row: Math.round(top / 2) };
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
    this.#go({ column: within(next.column, last), row: within(next.row, top) });
  }

  #point({ offsetX, offsetY }: PointerEvent): void {
    const { height, width, cell } = this.#sizes();
    if (offsetX >= width || offsetY >= height) this.#go(null);
    else
      this.#go({
        column: Math.floor(offsetX / cell.width),
        row: Math.floor((height - offsetY) / cell.height),
      });
  }

  #sizes(): Sizes {
    const { clientWidth, clientHeight } = this.#canvas;
    const [width, height] = [clientWidth - edge.right, clientHeight - edge.bottom];
    const { columns, rows } = this.#data;
    return { width, height, cell: { width: width / columns.length, height: height / rows.length } };
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
    const colours = palette();
    context.scale(ratio, ratio);
    context.fillStyle = colours.page;
    context.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    const sizes = this.#sizes();
    this.#drawCells(context, colours, sizes);
    this.#drawTexts(context, colours, sizes);
    this.#drawLine(context, colours, sizes);
    this.#drawFrames(context, colours, sizes);
    this.#drawLabels(context, colours, sizes);
  }

  /** One pixel a cell, drawn larger. */
  #drawCells(context: CanvasRenderingContext2D, colours: Colours, { width, height }: Sizes): void {
    const { columns, rows, cells } = this.#data;
    const most = Math.max(...cells.map(([, , value]) => Math.abs(value)), Number.MIN_VALUE);
    const colour = colourer(this.#form, colours, most);
    const image = new ImageData(columns.length, rows.length);
    for (const [x, y, value] of cells) {
      const at = ((rows.length - 1 - y) * columns.length + x) * 4;
      image.data.set([...colour(value), 255], at);
    }
    const small = new OffscreenCanvas(columns.length, rows.length);
    small.getContext('2d')?.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, width, height);
  }

  #drawTexts(context: CanvasRenderingContext2D, colours: Colours, { height, cell }: Sizes): void {
    const { text } = this.#form;
    if (text === undefined || cell.height < 11 || cell.width < 40) return;
    context.fillStyle = colours.text;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const [x, y] of this.#data.cells) {
      const words = text(x, y);
      if (context.measureText(words).width > cell.width - 4) continue;
      context.fillText(words, (x + 0.5) * cell.width, height - (y + 0.5) * cell.height);
    }
  }

  #drawLine(context: CanvasRenderingContext2D, colours: Colours, { height, cell }: Sizes): void {
    const { line = [] } = this.#data;
    context.beginPath();
    let isOpen = false;
    for (const [x, place] of line.entries()) {
      if (place !== null) {
        const at = [(x + 0.5) * cell.width, height - place * cell.height] as const;
        if (isOpen) context.lineTo(...at);
        else context.moveTo(...at);
      }
      isOpen = place !== null;
    }
    context.lineWidth = 3;
    context.strokeStyle = faint(colours.page);
    context.stroke();
    context.lineWidth = 1.25;
    context.strokeStyle = colours.warn;
    context.stroke();
  }

  #drawFrames(context: CanvasRenderingContext2D, colours: Colours, { height, cell }: Sizes): void {
    const frame = (column: number, row: number) =>
      context.strokeRect(
        column * cell.width + 0.5,
        height - (row + 1) * cell.height + 0.5,
        Math.max(2, cell.width - 1),
        Math.max(2, cell.height - 1),
      );
    context.lineWidth = 1;
    context.strokeStyle = colours.warn;
    for (const [column, row] of this.#data.framed ?? []) frame(column, row);
    context.lineWidth = 2;
    context.strokeStyle = colours.text;
    if (this.#at !== null) frame(this.#at.column, this.#at.row);
  }

  #drawLabels(context: CanvasRenderingContext2D, colours: Colours, { width, height, cell }: Sizes) {
    const { columns, rows } = this.#data;
    context.fillStyle = colours.soft;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    const every = Math.max(1, Math.ceil(apart.rows / cell.height));
    for (let row = Math.floor(every / 2); row < rows.length; row += every)
      context.fillText(rows[row] ?? '', width + 6, height - (row + 0.5) * cell.height);
    const step = Math.max(1, Math.ceil(apart.columns / cell.width));
    for (let column = 0; column < columns.length; column += step)
      context.fillText(columns[column] ?? '', column * cell.width + 2, height + edge.bottom / 2);
  }
}
