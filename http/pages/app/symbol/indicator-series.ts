/** What an indicator is drawn of: lines over the candles where its values are prices, else in a pane of its own. */
import {
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type SeriesType,
} from 'lightweight-charts';
import { type Colours, hueOf } from '../colours.ts';
import { compact, price } from '../format.ts';
import type { Computed, Shown } from './indicators.ts';
import { lineOf, seconds } from './panes.ts';

/** Of these, and of those whose values stand alone, points are drawn. */
const dotted: readonly string[] = ['psar', 'fractal'];

/** The outputs of an indicator that are prices; none where it is computed from volumes. */
const pricesOf = ({ indicator, values }: Shown): readonly string[] =>
  values.source === 'volume' ? [] : indicator.on_price;

/**
 * The outputs that are drawn over the candles, and in a pane of its own. Where the first output is a price the others that are
 * none are left to the table of values.
 */
export function placesOf(shown: Shown): { over: string[]; own: string[] } {
  const { outputs } = shown.indicator;
  const prices = pricesOf(shown);
  const isOver = prices.includes(outputs[0] ?? '');
  return {
    over: outputs.filter((one) => prices.includes(one)),
    own: isOver ? [] : outputs.filter((one) => !prices.includes(one)),
  };
}

const format = (formatter: (value: number) => string) => ({
  priceLineVisible: false,
  priceFormat: { type: 'custom' as const, formatter, minMove: 1e-9 },
});
/** Over the candles there is no room for names: they stand above the chart. */
const onPrice = { ...format(price), lastValueVisible: false };
const onOwn = format(compact);
const lineForm = { lineWidth: 2 as const, crosshairMarkerVisible: false };

export class IndicatorSeries {
  readonly hasPane: boolean;
  readonly #series: ReadonlyMap<string, ISeriesApi<SeriesType>>;
  readonly #colours: Colours;
  readonly #isDotted: boolean;

  constructor(
    chart: IChartApi,
    shown: Shown,
    { pane, colours, hue }: { pane: number; colours: Colours; hue: number },
  ) {
    const { over, own } = placesOf(shown);
    const { indicator } = shown;
    this.hasPane = own.length > 0;
    this.#colours = colours;
    this.#isDotted = dotted.includes(indicator.name);
    const add = (output: string, at: number): [string, ISeriesApi<SeriesType>] => {
      const title = output === 'value' ? indicator.name : `${indicator.name} ${output}`;
      const isOver = over.includes(output);
      const options = { ...(isOver ? onPrice : { ...onOwn, title }), color: hueOf(hue + at) };
      const place = isOver ? 0 : pane;
      if (output === 'histogram') return [output, chart.addSeries(HistogramSeries, options, place)];
      const line = {
        ...lineForm,
        lineVisible: !this.#isDotted,
        pointMarkersVisible: this.#isDotted,
      };
      return [output, chart.addSeries(LineSeries, { ...options, ...line }, place)];
    };
    this.#series = new Map([...over, ...own].map(add));
  }

  set({ times, columns }: Computed): void {
    for (const [output, series] of this.#series) {
      const points = times.map((at, place) => [at, columns[output]?.[place] ?? null] as const);
      if (output === 'histogram' || this.#isDotted) series.setData(this.#single(points, output));
      else series.setData(lineOf(points));
    }
  }

  /** Points that no line joins. */
  #single(points: readonly (readonly [at: number, value: number | null])[], output: string) {
    const { up, down } = this.#colours;
    return points.map(([at, value]) => {
      if (value === null) return { time: seconds(at) };
      const point = { time: seconds(at), value };
      return output === 'histogram' ? { ...point, color: value < 0 ? down : up } : point;
    });
  }
}

/** The first colour of each indicator: each output has one of its own. */
export function huesOf(all: readonly Shown[]): Map<string, number> {
  const hues = new Map<string, number>();
  let next = 0;
  for (const { text, indicator } of all) {
    hues.set(text, next);
    next += indicator.outputs.length;
  }
  return hues;
}
