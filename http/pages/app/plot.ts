/** A chart of lines over names, times or plain numbers, by uPlot: with the values under the cursor, keys, and a picture of it. */
import uPlot from 'uplot';
import {
  axisFont,
  type Colour,
  type Colours,
  dark,
  hueOf,
  mixed,
  palette,
  titled,
} from './colours.ts';
import { h, setText } from './dom.ts';
import { compact, dash, time, trimDecimals } from './format.ts';
import { day, roundsBetween, timeTick, valueScale } from './plot-scales.ts';
import { zone } from './settings.ts';

/** One line of a chart. */
export interface Line {
  name: string;
  /** Of the palette; without it a line has one of its own. */
  colour?: Colour;
  as?: 'line' | 'steps' | 'area' | 'bars' | 'dashes' | 'points';
  /** By a scale of its own, on the left. */
  isOnLeft?: boolean;
}

export interface PlotForm {
  /** What it shows, for those who do not see it. */
  label: string;
  lines: readonly Line[];
  /** A value in words. */
  form(value: number): string;
  /** The least range of the scale: smaller changes are not drawn as large ones. */
  least?: number;
  /** Values by their logarithm; those that are not above 0 are left out. */
  isLog?: boolean;
  /** The name of numbers as places, and one in words; without it they are times. */
  place?: { name: string; form(value: number): string };
}

export interface PlotData {
  /** Places from left to right: times, Unix ms, plain numbers, or names in their order. */
  x: readonly number[] | readonly string[];
  /** The values of each line. */
  values: readonly (readonly (number | null)[])[];
  /** The lines, where they are not those of the form. */
  lines?: readonly Line[];
}

const isNames = (x: PlotData['x']): x is readonly string[] => typeof x[0] === 'string';

const usual = 'The arrow keys go through its values.';

export class Plot {
  readonly node: HTMLElement;
  readonly #frame: HTMLElement;
  readonly #legend = h('p', { class: 'legend', role: 'status' });
  readonly #watch: ResizeObserver;
  readonly #form: PlotForm;
  #data: PlotData = { x: [], values: [] };
  #lines: readonly Line[];
  #plot: uPlot | null = null;
  /** The place under the cursor; null for none. */
  #at: number | null = null;

  constructor(form: PlotForm) {
    this.#form = form;
    this.#lines = form.lines;
    this.#frame = h('div', {
      class: 'canvas',
      role: 'img',
      tabindex: '0',
      'aria-label': `${form.label}. ${usual}`,
      keydown: this.#key,
    });
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
  }

  show(data: PlotData): void {
    const { lines = this.#form.lines } = data;
    const names = (of: readonly Line[]) => of.map(({ name }) => name).join();
    const isSame = names(lines) === names(this.#lines) && isNames(data.x) === isNames(this.#data.x);
    this.#data = data;
    this.#lines = lines;
    if (isSame && this.#plot !== null) this.#plot.setData(this.#aligned());
    else this.#draw();
    this.#showValues();
  }

  /** For a file: the first row has the names. */
  rows(): unknown[][] {
    const { x, values } = this.#data;
    const first = this.#form.place?.name ?? (isNames(x) ? 'name' : 'timestamp');
    const head = [first, ...this.#lines.map(({ name }) => name)];
    return [head, ...x.map((at, place) => [at, ...values.map((line) => line[place] ?? null)])];
  }

  /** With its title and the names of its lines. */
  picture(): HTMLCanvasElement | null {
    const drawn = this.#plot?.ctx.canvas;
    if (drawn === undefined) return null;
    const colours = this.#colours(palette());
    const names = this.#lines.map(({ name }, at) => ({ name, colour: colours[at] ?? '' }));
    return titled(drawn, this.#form.label, names);
  }

  #isOverTime(): boolean {
    return this.#form.place === undefined && !isNames(this.#data.x);
  }

  #size(): { width: number; height: number } {
    return {
      width: Math.max(80, this.#frame.clientWidth),
      height: Math.max(80, this.#frame.clientHeight),
    };
  }

  #aligned(): uPlot.AlignedData {
    const { x, values } = this.#data;
    const isShown = (value: number | null) => !this.#form.isLog || (value !== null && value > 0);
    return [
      isNames(x) ? x.map((_, at) => at) : [...x],
      ...values.map((line) => line.map((value) => (isShown(value) ? value : null))),
    ];
  }

  #colours(colours: Colours): string[] {
    return this.#lines.map(({ colour }, at) => (colour ? colours[colour] : hueOf(at)));
  }

  readonly #draw = (): void => {
    this.#plot?.destroy();
    this.#plot = null;
    if (this.#data.x.length === 0 || this.#frame.clientWidth === 0) return;
    const colours = palette();
    const strokes = this.#colours(colours);
    this.#plot = new uPlot(this.#options(colours, strokes), this.#aligned(), this.#frame);
    this.#legend.replaceChildren(
      ...this.#lines.map(({ name, as, isOnLeft }, at) => {
        const mark = h('i', { class: 'mark-of' });
        const stroke = strokes[at] ?? '';
        const dashes = `repeating-linear-gradient(90deg, ${stroke} 0 3px, transparent 3px 5px)`;
        mark.style.background = as === 'dashes' ? dashes : stroke;
        return h('span', {}, mark, `${name}${isOnLeft ? ' (left scale)' : ''} `, h('b', {}));
      }),
      h('span', {}),
    );
    this.#showValues();
  };

  #options(colours: Colours, strokes: readonly string[]): uPlot.Options {
    const { isLog = false, form, least = 0 } = this.#form;
    const value = isLog ? compact : form;
    const isOverTime = this.#isOverTime();
    const axis = { stroke: colours.soft, font: axisFont, ticks: { show: false } };
    const grid = { stroke: colours.line, width: 1 };
    const values: uPlot.Axis.DynamicValues = (_, splits) =>
      trimDecimals(splits.map((at) => (at === null ? '' : value(at))));
    const rounds: Partial<uPlot.Axis> = isLog
      ? { splits: (...[, , low, high]) => roundsBetween(low, high), filter: (_, splits) => splits }
      : {};
    const left = { ...axis, values, scale: 'left', size: 62, grid: { show: false } };
    return {
      ...this.#size(),
      ms: 1,
      tzDate: (ms) => (zone.get() === 'UTC' ? uPlot.tzDate(new Date(ms), 'Etc/UTC') : new Date(ms)),
      legend: { show: false },
      cursor: { points: { size: 6 }, y: false, drag: { x: isOverTime, setScale: isOverTime } },
      scales: {
        x: this.#scale(),
        y: valueScale({ isLog, least, hasBars: this.#lines.some(({ as }) => as === 'bars') }),
      },
      axes: [
        { ...axis, grid, space: 72, size: 28, ...this.#places() },
        { ...axis, ...rounds, grid, values, side: 1, size: 68 },
        ...(this.#lines.some(({ isOnLeft }) => isOnLeft) ? [left] : []),
      ],
      series: [
        {},
        ...this.#lines.map((line, at) => seriesOf(line, strokes[at] ?? colours.accent, colours)),
      ],
      hooks: {
        setCursor: [
          ({ cursor }) => {
            this.#at = cursor.idx ?? null;
            this.#showValues();
          },
        ],
      },
    };
  }

  #scale(): uPlot.Scale {
    const { x } = this.#data;
    if (isNames(x)) return { time: false, range: () => [-0.5, this.#data.x.length - 0.5] };
    const has = (kind: Line['as']) => this.#lines.some(({ as }) => as === kind);
    return {
      time: this.#isOverTime(),
      range: (...[, low, high]) => {
        if (x.length === 1) return [low - day / 2, high + day / 2];
        // Single points and bars at the ends need room.
        const bar = has('bars') ? (high - low) / (x.length - 1) / 2 : 0;
        const room = has('points') ? Math.max(day, (high - low) * 0.04) : bar;
        return [low - room, high + room];
      },
    };
  }

  /** The words under the places. */
  #places(): Pick<uPlot.Axis, 'incrs' | 'values'> {
    const { x } = this.#data;
    const { place } = this.#form;
    if (isNames(x))
      return {
        // Names stand at whole places.
        incrs: [1, 2, 5, 10, 20, 50],
        values: (_, splits) => splits.map((at) => String(this.#data.x[at] ?? '')),
      };
    return {
      values: (...[, splits, , , step]) =>
        trimDecimals(splits.map((at) => place?.form(at) ?? timeTick(at, step))),
    };
  }

  /** Says the values at the cursor; without one the newest, where places are times. */
  #showValues(): void {
    const { x, values } = this.#data;
    const { form, place } = this.#form;
    const at = this.#at ?? (this.#isOverTime() ? x.length - 1 : -1);
    const here = x[at] ?? '';
    const where = typeof here === 'string' ? here : (place?.form(here) ?? time(here, 'minute'));
    this.#legend.setAttribute('aria-live', this.#at === null ? 'off' : 'polite');
    const said = this.#lines.map((_, line) => {
      const value = values[line]?.[at] ?? null;
      return here === '' ? '' : `${value === null ? dash : form(value)} `;
    });
    for (const [line, text] of [...said, where].entries()) {
      const shown = this.#legend.children[line];
      if (shown) setText(shown.lastElementChild ?? shown, text);
    }
  }

  /** Arrows and Page Up and Down move the cursor, Home and End go to the ends, Escape takes it away. */
  readonly #key = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || this.#plot === null) return;
    const last = this.#data.x.length - 1;
    const at = this.#at ?? last;
    const next = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageUp: at - 10,
      PageDown: at + 10,
      Home: 0,
      End: last,
      Escape: -1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const place = this.#plot.data[0][Math.max(0, Math.min(last, next))] ?? 0;
    const left = event.key === 'Escape' ? -10 : this.#plot.valToPos(place, 'x');
    this.#plot.setCursor({ left, top: 10 });
  };
}

function seriesOf({ as = 'line', isOnLeft }: Line, stroke: string, colours: Colours): uPlot.Series {
  const made: uPlot.Series = {
    scale: isOnLeft ? 'left' : 'y',
    stroke,
    width: 1.6,
    // A line needs two points to be seen.
    points: { show: (of) => of.data[0].length < 3 },
  };
  const { bars, stepped } = uPlot.paths;
  if (as === 'dashes') made.dash = [5, 4];
  if ((as === 'steps' || as === 'area') && stepped) made.paths = stepped({ align: 1 });
  if (as === 'area') made.fill = mixed(colours.page, stroke, 0.15);
  if (as === 'bars') {
    made.width = 0;
    made.fill = mixed(colours.page, stroke, 0.7);
    if (bars) made.paths = bars({ size: [0.8, 40] });
  }
  if (as === 'points') {
    made.width = 0;
    made.points = { show: true, size: 7, fill: stroke };
  }
  return made;
}
