/** Lines, steps and bars over a common axis, by uPlot; a reader goes through the values by pointer or by arrow keys. */
import uPlot from 'uplot';
import { type Colours, dark, mixed, palette } from './colours.ts';
import { h, setText } from './dom.ts';
import { hueOf } from './hue.ts';

export interface Line {
  name: string;
  /** A colour of the page; one of its own where it is absent. */
  colour?: keyof Colours;
  kind?: 'step' | 'bars' | 'area';
  /** A scale of its own, on the left. */
  isOnLeft?: boolean;
}

export interface LineForm {
  /** What it shows, for those who do not see it. */
  label: string;
  lines: readonly Line[];
  /** A place on the axis, and a value, in words. `time`: places are Unix ms. */
  at: { text(value: number): string; time?: boolean };
  value(value: number): string;
  /** The same of the lines with a scale of their own. */
  valueOnLeft?(value: number): string;
}

/** The places on the axis, ascending, and the values of each line there. */
export type LineData = readonly [number[], ...(number | null)[][]];

const usual = 'Point at the chart, or go through its values with the arrow keys.';

function pathsOf(kind: Line['kind']): uPlot.Series.PathBuilder | undefined {
  if (kind === 'bars') return uPlot.paths.bars?.({ size: [0.9, 40] });
  if (kind === 'step' || kind === 'area') return uPlot.paths.stepped?.({ align: 1 });
  return uPlot.paths.linear?.();
}

export class LineChart {
  readonly node: HTMLElement;
  readonly #place: HTMLElement;
  readonly #key = h('p', { class: 'names-of' });
  readonly #readout = h('p', { class: 'soft readout', role: 'status' }, usual);
  readonly #form: LineForm;
  readonly #watch: ResizeObserver;
  #plot: uPlot | null = null;
  #data: LineData = [[]];
  #at: number | null = null;

  constructor(form: LineForm) {
    this.#form = form;
    this.#place = h('div', {
      class: 'lines-of',
      role: 'img',
      tabindex: '0',
      'aria-label': form.label,
      keydown: (event) => event instanceof KeyboardEvent && this.#press(event),
    });
    this.node = h('div', { class: 'line-chart' }, this.#place, this.#key, this.#readout);
    this.#watch = new ResizeObserver(() => this.#size());
    this.#watch.observe(this.#place);
    dark.addEventListener('change', this.#build);
  }

  end(): void {
    this.#watch.disconnect();
    dark.removeEventListener('change', this.#build);
    this.#plot?.destroy();
  }

  show(data: LineData): void {
    this.#data = data;
    if (this.#plot === null) this.#build();
    else this.#plot.setData([...data]);
  }

  /** A copy on the ground of the page. */
  picture(): HTMLCanvasElement | null {
    const canvas = this.#plot?.ctx.canvas;
    if (canvas === undefined) return null;
    const copy = h('canvas', { width: String(canvas.width), height: String(canvas.height) });
    const context = copy.getContext('2d');
    if (context === null) return null;
    context.fillStyle = palette().page;
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(canvas, 0, 0);
    return copy;
  }

  readonly #build = (): void => {
    this.#plot?.destroy();
    const colours = palette();
    const { lines } = this.#form;
    const strokes = lines.map(({ colour }, at) => (colour ? colours[colour] : hueOf(at)));
    this.#key.replaceChildren(
      ...lines.map(({ name }, at) => {
        const mark = h('span', { class: 'mark-of', 'aria-hidden': 'true' });
        mark.style.backgroundColor = strokes[at] ?? '';
        return h('span', {}, mark, name);
      }),
    );
    const options = this.#options(colours, strokes);
    this.#plot = new uPlot(options, [...this.#data], this.#place);
  };

  #options(colours: Colours, strokes: readonly string[]): uPlot.Options {
    const { lines, at, value, valueOnLeft = value } = this.#form;
    const font = `11px ${getComputedStyle(document.body).fontFamily}`;
    const axis = { stroke: colours.soft, font, ticks: { show: false } };
    const grid = { stroke: colours.line, width: 1 };
    const texts = (of: (one: number) => string) => (_: uPlot, all: number[]) => all.map(of);
    const left = lines.some(({ isOnLeft }) => isOnLeft === true);
    const series = lines.map(({ name, kind, isOnLeft }, place): uPlot.Series => {
      const stroke = strokes[place] ?? colours.accent;
      const paths = pathsOf(kind);
      const isFilled = kind === 'bars' || kind === 'area';
      return {
        label: name,
        scale: isOnLeft ? 'left' : 'y',
        stroke,
        width: kind === 'bars' ? 0 : 1.5,
        points: { show: false },
        ...(isFilled && { fill: mixed(colours.page, stroke, kind === 'bars' ? 0.75 : 0.15) }),
        ...(paths && { paths }),
      };
    });
    return {
      width: this.#place.clientWidth,
      height: this.#place.clientHeight,
      ms: 1,
      tzDate: (ms) => uPlot.tzDate(new Date(ms), 'Etc/UTC'),
      legend: { show: false },
      cursor: { y: false, drag: { setScale: false, x: false, y: false } },
      scales: { x: { time: at.time === true } },
      axes: [
        { ...axis, grid, values: texts(at.text), space: 90, size: 26 },
        { ...axis, grid, scale: 'y', side: 1, size: 68, values: texts(value) },
        ...(left
          ? [
              {
                ...axis,
                grid: { show: false },
                scale: 'left',
                size: 68,
                values: texts(valueOnLeft),
              },
            ]
          : []),
      ],
      series: [{}, ...series],
      hooks: { setCursor: [({ cursor }) => this.#tell(cursor.idx ?? null)] },
    };
  }

  /** The values at a place, in words. */
  #tell(index: number | null): void {
    this.#at = index;
    const { lines, at, value, valueOnLeft = value } = this.#form;
    const [places, ...all] = this.#data;
    const place = index === null ? undefined : places[index];
    if (index === null || place === undefined) {
      setText(this.#readout, usual);
      return;
    }
    const words = lines.flatMap(({ name, isOnLeft }, line) => {
      const one = all[line]?.[index] ?? null;
      return one === null ? [] : [`${name} ${isOnLeft ? valueOnLeft(one) : value(one)}`];
    });
    setText(this.#readout, `${at.text(place)}: ${words.join(' · ') || '–'}`);
  }

  #press(event: KeyboardEvent): void {
    const [places] = this.#data;
    const last = places.length - 1;
    const now = this.#at ?? last;
    const next = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      PageUp: now - 10,
      PageDown: now + 10,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined || this.#plot === null || last < 0) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(last, next));
    this.#plot.setCursor({ left: this.#plot.valToPos(places[index] ?? 0, 'x'), top: 0 }, false);
    this.#tell(index);
  }

  #size(): void {
    const { clientWidth: width, clientHeight: height } = this.#place;
    if (width > 0) this.#plot?.setSize({ width, height });
  }
}
