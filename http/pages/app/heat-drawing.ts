/** How a heatmap is drawn: its cells, what stands in and over them, and their names. */
import { axisFont, type Colours, faint, mixed, palette, readable } from './colours.ts';

export interface HeatForm {
  /** What it shows, for those who do not see it. */
  label: string;
  /**
   * Amounts from zero on, or values by their sign: above zero as rising, below as falling prices. Small amounts are told apart better
   * than large ones.
   */
  palette: 'amounts' | 'signed';
  /** A cell in words. */
  words(value: number, column: number, row: number): string;
  /** Drawn into a cell that has room for it. */
  text?(value: number, column: number, row: number): string;
}

export interface HeatData {
  /** Names of the columns from the left, and of the rows: prices, which rise. */
  columns: readonly string[];
  rows: readonly string[];
  /** Where nothing is known there is no cell. */
  cells: readonly (readonly [column: number, row: number, value: number])[];
  /** A line over the cells: the place of each column in rows, with fractions; null breaks it. */
  line?: readonly (number | null)[];
  /** The row of a column that has a frame. */
  framed?: ReadonlyMap<number, number>;
}

/** Cells as answers have them. */
export const cellsOf = (rows: readonly (readonly number[])[]): [number, number, number][] =>
  rows.map(([column = 0, row = 0, value = 0]) => [column, row, value]);

/** Places on the canvas, px. */
export interface Sizes {
  /** Of all cells together. */
  width: number;
  height: number;
  cell: { width: number; height: number };
  /** The edge at which a column or a row begins; with a fraction, a place within it. */
  xOf(column: number): number;
  yOf(row: number): number;
}

/** Least distance of two labels, px. */
const apart = { columns: 110, rows: 26 };
const shades = 48;

interface Shade {
  ground: string;
  /** Colour of a text on it. */
  ink: string;
}

/** Grounds from the weakest to the strongest. */
const shadesOf = (stops: readonly string[], { text, page }: Colours): Shade[] =>
  Array.from({ length: shades + 1 }, (_, at) => {
    const place = (at / shades) * (stops.length - 1);
    const first = Math.min(stops.length - 2, Math.floor(place));
    const ground = mixed(stops[first] ?? page, stops[first + 1] ?? page, place - first);
    return { ground, ink: readable(ground, text, page) };
  });

/** The shade of each value. */
function shader(
  { palette: kind }: HeatForm,
  cells: HeatData['cells'],
  colours: Colours,
): (value: number) => Shade | undefined {
  const { page, accent, text, up, down } = colours;
  const most = Math.max(...cells.map(([, , value]) => Math.abs(value)), Number.MIN_VALUE);
  const strong = (colour: string) => shadesOf([page, mixed(page, colour, 0.75)], colours);
  const [rising, falling] = [strong(up), strong(down)];
  const amounts = shadesOf([page, accent, text], colours);
  return (value) => {
    const part = Math.sqrt(Math.abs(value) / most);
    const of = kind !== 'signed' ? amounts : value < 0 ? falling : rising;
    return of[Math.round(part * shades)];
  };
}

interface Drawing {
  context: CanvasRenderingContext2D;
  form: HeatForm;
  data: HeatData;
  sizes: Sizes;
  colours: Colours;
}

/** `at`: the cell that has the cursor. The context's units are px of the page. */
export function drawHeat(
  context: CanvasRenderingContext2D,
  form: HeatForm,
  data: HeatData,
  { sizes, at }: { sizes: Sizes; at: { column: number; row: number } | null },
): void {
  const drawing: Drawing = { context, form, data, sizes, colours: palette() };
  context.font = axisFont;
  context.textBaseline = 'middle';
  drawCells(drawing);
  drawLine(drawing);
  const { text, warn } = drawing.colours;
  for (const [column, row] of data.framed ?? []) drawFrame(drawing, column, row, [1, warn]);
  if (at !== null) drawFrame(drawing, at.column, at.row, [2, text]);
  context.fillStyle = drawing.colours.soft;
  context.textAlign = 'left';
  drawRowNames(drawing);
  drawColumnNames(drawing);
}

function drawCells({ context, form, data, sizes, colours }: Drawing): void {
  const { cell, xOf, yOf } = sizes;
  const shadeOf = shader(form, data.cells, colours);
  const hasText = cell.height >= 11 && cell.width >= 30;
  // Without texts cells touch each other: no ground is seen between them.
  const gap = form.text === undefined ? 0 : 1;
  context.textAlign = 'center';
  for (const [x, y, value] of data.cells) {
    const [from, to] = [x, x + 1].map((at) => Math.round(xOf(at))) as [number, number];
    const [one, other] = [y, y + 1].map((at) => Math.round(yOf(at))) as [number, number];
    const { ground = '', ink = '' } = shadeOf(value) ?? {};
    context.fillStyle = ground;
    context.fillRect(from, Math.min(one, other), to - from - gap, Math.abs(other - one) - gap);
    const words = hasText ? form.text?.(value, x, y) : undefined;
    if (words === undefined || context.measureText(words).width > cell.width - 4) continue;
    context.fillStyle = ink;
    context.fillText(words, xOf(x + 0.5), yOf(y + 0.5));
  }
}

function drawLine({ context, data: { line = [] }, sizes, colours }: Drawing): void {
  const { xOf, yOf } = sizes;
  context.beginPath();
  let isOpen = false;
  for (const [x, place] of line.entries()) {
    if (place !== null) {
      const at = [xOf(x + 0.5), yOf(place)] as const;
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

function drawFrame(
  { context, sizes: { cell, xOf, yOf } }: Drawing,
  column: number,
  row: number,
  [width, colour]: readonly [width: number, colour: string],
): void {
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.strokeRect(
    xOf(column) + 0.5,
    Math.min(yOf(row), yOf(row + 1)) + 0.5,
    Math.max(2, cell.width - 1),
    Math.max(2, cell.height - 1),
  );
}

/** On the right of the cells. */
function drawRowNames({ context, data: { rows }, sizes }: Drawing): void {
  const { width, cell, yOf } = sizes;
  const every = Math.max(1, Math.ceil(apart.rows / cell.height));
  const first = Math.floor(every / 2);
  for (let row = first; row < rows.length - first; row += every)
    context.fillText(rows[row] ?? '', width + 6, yOf(row + 0.5), 70);
}

/** Under the cells. */
function drawColumnNames({ context, data: { columns }, sizes }: Drawing): void {
  const { height, cell, xOf } = sizes;
  const end = context.canvas.width / devicePixelRatio;
  const step = Math.max(1, Math.ceil(apart.columns / cell.width));
  for (let column = 0; column < columns.length; column += step) {
    const name = columns[column] ?? '';
    const at = xOf(column) + 2;
    // There is no room beyond the end.
    if (at + context.measureText(name).width > end) continue;
    context.fillText(name, at, height + 10, step * cell.width - 4);
  }
}
