/** A table of numbers as colours, on a canvas. */
import { dark, mixed, palette } from './colours.ts';
import { h, setText } from './dom.ts';
import { dash } from './format.ts';
import { titled } from './plot.ts';

export interface HeatData {
  columns: readonly string[];
  /** From the top. */
  rows: readonly { name: string; values: readonly (number | null)[] }[];
}

interface HeatForm {
  /** What it shows, for those who do not see it. */
  label: string;
  /** A value in words. */
  form(value: number): string;
  /** A value as it stands in its cell. */
  short(value: number): string;
}

const left = 76;
const bottom = 22;
/** Least size of a cell whose number is written, px. */
const least = { width: 30, height: 15 };

export class Heat {
  readonly node: HTMLElement;
  readonly #form: HeatForm;
  readonly #canvas = h('canvas', {});
  readonly #frame: HTMLElement;
  readonly #words = h('p', { class: 'legend' });
  readonly #watch: ResizeObserver;
  #data: HeatData = { columns: [], rows: [] };
  #at = { column: 0, row: 0 };

  constructor(form: HeatForm) {
    this.#form = form;
    this.#frame = h(
      'div',
      { class: 'canvas', role: 'img', tabindex: '0', keydown: this.#key, pointermove: this.#point },
      this.#canvas,
    );
    this.node = h('div', { class: 'plot' }, this.#words, this.#frame);
    this.#watch = new ResizeObserver(() => this.#draw());
    this.#watch.observe(this.#frame);
    dark.addEventListener('change', this.#draw);
  }

  end(): void {
    this.#watch.disconnect();
    dark.removeEventListener('change', this.#draw);
  }

  show(data: HeatData): void {
    this.#data = data;
    this.#draw();
  }

  csv(): unknown[][] {
    const { columns, rows } = this.#data;
    return [['', ...columns], ...rows.map(({ name, values }) => [name, ...values])];
  }

  picture(): HTMLCanvasElement | null {
    return titled(this.#canvas, this.#form.label, []);
  }

  #cell(): { width: number; height: number } {
    const { columns, rows } = this.#data;
    const { clientWidth, clientHeight } = this.#frame;
    return {
      width: (clientWidth - left) / Math.max(1, columns.length),
      height: (clientHeight - bottom) / Math.max(1, rows.length),
    };
  }

  readonly #draw = (): void => {
    const { clientWidth, clientHeight } = this.#frame;
    const context = this.#canvas.getContext('2d');
    if (context === null || clientWidth === 0) return;
    const ratio = devicePixelRatio;
    this.#canvas.width = clientWidth * ratio;
    this.#canvas.height = clientHeight * ratio;
    this.#canvas.style.width = `${clientWidth}px`;
    this.#canvas.style.height = `${clientHeight}px`;
    context.scale(ratio, ratio);
    this.#cells(context);
    this.#say();
  };

  #cells(context: CanvasRenderingContext2D): void {
    const { columns, rows } = this.#data;
    const { width, height } = this.#cell();
    const colours = palette();
    const known = rows.flatMap(({ values }) => values.filter((value) => value !== null));
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const ground = (value: number) => {
      const part = high > low ? (value - low) / (high - low) : 0;
      return part < 0.5
        ? mixed(colours.page, colours.accent, 0.1 + part * 1.3)
        : mixed(colours.accent, colours.warn, (part - 0.5) * 2);
    };
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    rows.forEach(({ name, values }, row) => {
      const middle = (row + 0.5) * height;
      context.textAlign = 'right';
      context.fillStyle = colours.soft;
      context.fillText(name, left - 8, middle);
      context.textAlign = 'center';
      values.forEach((value, column) => {
        if (value === null) return;
        const at = left + column * width;
        context.fillStyle = ground(value);
        context.fillRect(at, row * height, width - 1, height - 1);
        if (width < least.width || height < least.height) return;
        context.fillStyle = (value - low) / (high - low || 1) < 0.3 ? colours.text : colours.page;
        context.fillText(this.#form.short(value), at + width / 2, middle);
      });
    });
    const every = Math.max(1, Math.ceil(48 / width));
    context.fillStyle = colours.soft;
    columns.forEach((name, column) => {
      if (column % every > 0) return;
      context.fillText(name, left + (column + 0.5) * width, rows.length * height + bottom / 2);
    });
  }

  /** The number at the pointer, or where the arrows have led. */
  #say(): void {
    const { column, row } = this.#at;
    const { columns, rows } = this.#data;
    const of = rows[row];
    const value = of?.values[column] ?? null;
    const words = `${of?.name ?? ''}, ${columns[column] ?? ''}: ${value === null ? dash : this.#form.form(value)}`;
    setText(this.#words, words);
    this.#frame.setAttribute('aria-label', `${this.#form.label}. ${words}`);
  }

  #move(column: number, row: number): void {
    const { columns, rows } = this.#data;
    this.#at = {
      column: Math.max(0, Math.min(columns.length - 1, column)),
      row: Math.max(0, Math.min(rows.length - 1, row)),
    };
    this.#say();
  }

  readonly #point = (event: Event): void => {
    if (!(event instanceof PointerEvent)) return;
    const { width, height } = this.#cell();
    this.#move(Math.floor((event.offsetX - left) / width), Math.floor(event.offsetY / height));
  };

  /** Arrows go from one number to the next. */
  readonly #key = (event: Event): void => {
    if (!(event instanceof KeyboardEvent)) return;
    const { column, row } = this.#at;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
      event.key
    ];
    if (step === undefined) return;
    event.preventDefault();
    this.#move(column + (step[0] ?? 0), row + (step[1] ?? 0));
  };
}
