/** Charts of lines and bars, by uPlot: with names, the values under the cursor, keys, and a picture of it. */
import uPlot from 'uplot';
import { type Colour, type Colours, dark, mixed, palette } from './colours.ts';
import { h, setText } from './dom.ts';
import { compact, dash, time } from './format.ts';
import { zone } from './settings.ts';

/** One line of a chart. */
export interface Line {
  name: string;
  /** A colour of the palette, or a place between accent (0) and warn (1). */
  colour: Colour | number;
  form(value: number): string;
  as?: 'line' | 'bars' | 'dashes' | 'points';
}

export interface PlotForm {
  /** What it shows, for those who do not see it. */
  label: string;
  lines: readonly Line[];
  /** Of the values; that of the first line, or of amounts for logarithms, when absent. */
  axis?(value: number): string;
  /** Values by their logarithm; those that are not above 0 are left out. */
  isLog?: boolean;
}

export interface PlotData {
  /** Places from left to right: times, Unix ms, or names in their order. */
  x: readonly number[] | readonly string[];
  /** The values of each line. */
  lines: readonly (readonly (number | null)[])[];
}

const isNames = (x: PlotData['x']): x is readonly string[] => typeof x[0] === 'string';

const axisFont = '11px system-ui, sans-serif';
const day = 86_400;

const colourOf = (colours: Colours, colour: Colour | number): string =>
  typeof colour === 'number' ? mixed(colours.accent, colours.warn, colour) : colours[colour];

const timeTick = (second: number, step: number): string =>
  time(second * 1000, step < day ? 'hour' : step < 28 * day ? 'day' : 'month');

export class Plot {
  readonly node: HTMLElement;
  readonly #frame: HTMLElement;
  readonly #legend = h('ul', { class: 'legend' });
  readonly #watch: ResizeObserver;
  #form: PlotForm;
  #data: PlotData = { x: [], lines: [] };
  #plot: uPlot | null = null;
  /** The place under the cursor; null for none. */
  #at: number | null = null;

  constructor(form: PlotForm) {
    this.#form = form;
    this.#frame = h('div', { class: 'canvas', role: 'img', tabindex: '0', keydown: this.#key });
    this.node = h('div', { class: 'plot' }, this.#legend, this.#frame);
    this.#watch = new ResizeObserver(() => {
      if (this.#plot === null) this.#draw();
      else this.#plot.setSize(this.#size());
    });
    this.#watch.observe(this.#frame);
    dark.addEventListener('change', this.#draw);
  }

  end(): void {
    this.#watch.disconnect();
    dark.removeEventListener('change', this.#draw);
    this.#plot?.destroy();
    this.#plot = null;
  }

  /** Shows data; with another form, of other lines too. */
  show(data: PlotData, form: PlotForm = this.#form): void {
    const isSame = form === this.#form && isNames(data.x) === isNames(this.#data.x);
    this.#data = data;
    this.#form = form;
    if (isSame && this.#plot !== null) this.#plot.setData(this.#aligned());
    else this.#draw();
    this.#words();
  }

  /** As rows, the first with the names. */
  csv(): unknown[][] {
    const { x, lines } = this.#data;
    const head = [isNames(x) ? 'name' : 'timestamp', ...this.#form.lines.map(({ name }) => name)];
    return [head, ...x.map((at, place) => [at, ...lines.map((line) => line[place] ?? null)])];
  }

  /** As a picture with its names. */
  picture(): HTMLCanvasElement | null {
    const drawn = this.#plot?.ctx.canvas;
    if (drawn === undefined) return null;
    return titled(drawn, this.#form.label, this.#names());
  }

  #size(): { width: number; height: number } {
    return {
      width: Math.max(80, this.#frame.clientWidth),
      height: Math.max(80, this.#frame.clientHeight),
    };
  }

  #aligned(): uPlot.AlignedData {
    const { x, lines } = this.#data;
    const places = isNames(x) ? x.map((_, at) => at) : x.map((ms) => ms / 1000);
    const shown = this.#form.isLog
      ? lines.map((line) => line.map((value) => (value !== null && value > 0 ? value : null)))
      : lines;
    return [places, ...shown.map((line) => [...line])];
  }

  #names(): { name: string; colour: string }[] {
    const colours = palette();
    return this.#form.lines.map(({ name, colour }) => ({
      name,
      colour: colourOf(colours, colour),
    }));
  }

  readonly #draw = (): void => {
    this.#plot?.destroy();
    this.#plot = null;
    if (this.#data.x.length === 0 || this.#frame.clientWidth === 0) return;
    this.#plot = new uPlot(this.#options(palette()), this.#aligned(), this.#frame);
    this.#legend.replaceChildren(
      ...this.#names().map(({ name, colour }) => {
        const mark = h('i', {});
        mark.style.background = colour;
        return h('li', {}, mark, `${name} `, h('b', {}));
      }),
    );
    this.#words();
  };

  #options(colours: Colours): uPlot.Options {
    const { lines, isLog = false } = this.#form;
    const axis = this.#form.axis ?? (isLog ? compact : (lines[0]?.form ?? String));
    const { x } = this.#data;
    const grid = { stroke: colours.line, width: 1 };
    const style = { stroke: colours.soft, font: axisFont, grid, ticks: { show: false } };
    const names = isNames(x) ? x : null;
    return {
      ...this.#size(),
      legend: { show: false },
      tzDate: (second) =>
        zone.get() === 'UTC'
          ? uPlot.tzDate(new Date(second * 1000), 'Etc/UTC')
          : new Date(second * 1000),
      cursor: { points: { size: 6 }, y: false },
      scales: {
        x:
          names === null
            ? { time: true, range: rangeOf(lines) }
            : { time: false, range: [-0.5, names.length - 0.5] },
        y: isLog ? { distr: 3, range: (...[, low, high]) => [low * 0.9, high * 1.1] } : {},
      },
      axes: [
        {
          ...style,
          // Names stand at whole places.
          ...(names === null ? { space: 72 } : { incrs: [1, 2, 5, 10, 20, 50], space: 72 }),
          values: (...[, splits, , , step]) =>
            splits.map((at) => (names === null ? timeTick(at, step) : (names[at] ?? ''))),
        },
        {
          ...style,
          size: 62,
          values: (_, splits) => splits.map((at) => (at === null ? '' : axis(at))),
        },
      ],
      series: [{}, ...lines.map((line) => seriesOf(line, colours))],
      hooks: {
        setCursor: [
          ({ cursor }) => {
            this.#at = cursor.idx ?? null;
            this.#words();
          },
        ],
      },
    };
  }

  /** The values at the cursor, or the last ones. */
  #words(): void {
    const { x, lines } = this.#data;
    const at = this.#at ?? x.length - 1;
    const texts = this.#form.lines.map(({ form }, place) => {
      const value = lines[place]?.[at] ?? null;
      return value === null ? dash : form(value);
    });
    const place = x[at];
    const where = typeof place === 'number' ? time(place, 'minute') : (place ?? '');
    texts.forEach((text, line) => {
      const shown = this.#legend.children[line]?.querySelector('b');
      if (shown) setText(shown, text);
    });
    const values = this.#form.lines.map(({ name }, line) => `${name} ${texts[line]}`).join(', ');
    this.#frame.setAttribute('aria-label', `${this.#form.label}. ${where}: ${values}`);
    this.#frame.title = where;
  }

  /** Arrows move the cursor, Home and End go to the ends, Escape takes it away. */
  readonly #key = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || this.#plot === null) return;
    const last = this.#data.x.length - 1;
    const at = this.#at ?? last;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last, Escape: -1 }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    const place = this.#plot.data[0][Math.max(0, Math.min(last, next))] ?? 0;
    const left = event.key === 'Escape' ? -10 : this.#plot.valToPos(place, 'x');
    this.#plot.setCursor({ left, top: 10 });
  };
}

/** Single points at the ends need room. */
const rangeOf =
  (lines: readonly Line[]): uPlot.Range.Function =>
  (...[, low, high]) => {
    const room = lines.some(({ as }) => as === 'points') ? Math.max(day, (high - low) * 0.04) : 0;
    return [low - room, high + room];
  };

function seriesOf({ name, colour, as = 'line' }: Line, colours: Colours): uPlot.Series {
  const stroke = colourOf(colours, colour);
  const made: uPlot.Series = { label: name, stroke, width: 1.6, points: { show: false } };
  if (as === 'dashes') made.dash = [5, 4];
  if (as === 'bars') {
    made.fill = mixed(stroke, colours.page, 0.4);
    const { bars } = uPlot.paths;
    if (bars) made.paths = bars({ size: [0.7, 36] });
  }
  if (as === 'points') {
    made.width = 0;
    made.points = { show: true, size: 7, fill: stroke };
  }
  return made;
}

const margin = 12;
const lineHeight = 18;

/** A drawing on the ground of the page, under its title and the names of its lines. */
export function titled(
  drawn: HTMLCanvasElement,
  title: string,
  names: readonly { name: string; colour: string }[],
): HTMLCanvasElement | null {
  const ratio = devicePixelRatio;
  const top = margin + lineHeight * 2 + 6;
  const made = h('canvas', {});
  made.width = drawn.width + 2 * margin * ratio;
  made.height = drawn.height + (top + margin) * ratio;
  const context = made.getContext('2d');
  if (context === null) return null;
  const { page, text, soft } = palette();
  context.fillStyle = page;
  context.fillRect(0, 0, made.width, made.height);
  context.drawImage(drawn, margin * ratio, top * ratio);
  context.scale(ratio, ratio);
  context.font = '600 13px system-ui, sans-serif';
  context.fillStyle = text;
  context.fillText(title, margin, margin + 12);
  context.font = axisFont;
  let left = margin;
  for (const { name, colour } of names) {
    context.fillStyle = colour;
    context.fillRect(left, margin + lineHeight + 3, 10, 10);
    context.fillStyle = soft;
    context.fillText(name, left + 14, margin + lineHeight + 12);
    left += 30 + context.measureText(name).width;
  }
  return made;
}
