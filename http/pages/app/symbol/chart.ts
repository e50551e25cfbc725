/** Candles with marks and indicators over them and panes under them, by Lightweight Charts. */
import {
  CandlestickSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesMarkersPluginApi,
  type LogicalRange,
  TickMarkType,
  type Time,
} from 'lightweight-charts';
import { type Colours, palette } from '../colours.ts';
import { placesOf, price, time } from '../format.ts';
import { type Candle, type Interval, withGaps } from './candles.ts';
import type { Computed, Shown } from './indicator-form.ts';
import { huesOf, IndicatorSeries } from './indicator-series.ts';
import { marksOf } from './marks.ts';
import { type Drawn, type Pane, paneMakers, seconds } from './panes.ts';

export interface ChartForm {
  panes: readonly Pane[];
  /** Whether the largest liquidations are marked. */
  isMarked: boolean;
  /** Called with the candle under the cursor; undefined while there is none. */
  pointed(candle: Candle | undefined): void;
  indicators: readonly Shown[];
  interval: Interval;
  /** What was in sight before; the newest where it is null. */
  range: LogicalRange | null;
}

/** A moment at the axis, which names years and months, days, or times. */
function tick(ms: number, kind: TickMarkType): string {
  if (kind <= TickMarkType.Month) return time(ms, 'month');
  return time(ms, kind === TickMarkType.DayOfMonth ? 'day' : 'hour');
}

/** Of a candle at the first look, px. */
const firstWidth = 7;

/** A chart of one market in an element. */
export class Chart {
  readonly #chart: IChartApi;
  readonly #drawn: Drawn[];
  readonly #form: ChartForm;
  readonly #indicators = new Map<string, IndicatorSeries>();
  #marks: ISeriesMarkersPluginApi<Time> | null = null;
  readonly #colours: Colours;
  #candles: Candle[] = [];

  constructor(into: HTMLElement, form: ChartForm) {
    const colours = palette();
    const { panes, indicators } = form;
    this.#form = form;
    this.#colours = colours;
    this.#chart = createChart(into, {
      autoSize: true,
      layout: {
        attributionLogo: false,
        background: { type: ColorType.Solid, color: colours.page },
        textColor: colours.soft,
        fontSize: 11,
        fontFamily: getComputedStyle(document.body).fontFamily,
        panes: { separatorColor: colours.line },
      },
      grid: { vertLines: { color: colours.line }, horzLines: { color: colours.line } },
      rightPriceScale: { borderColor: colours.line },
      timeScale: {
        borderColor: colours.line,
        timeVisible: true,
        tickMarkFormatter: (at: Time, kind: TickMarkType) => tick(Number(at) * 1000, kind),
      },
      localization: { timeFormatter: (at: Time) => time(Number(at) * 1000, 'minute') },
      crosshair: { mode: 0 },
    });
    this.#drawn = [
      this.#candlesOf(colours),
      ...panes.map((pane, at) => paneMakers[pane](this.#chart, at + 1, colours)),
    ];
    this.#chart.subscribeCrosshairMove(({ time: at }) =>
      form.pointed(this.#candles.find((one) => one.time === Number(at) * 1000)),
    );
    const hues = huesOf(indicators);
    let next = panes.length + 1;
    for (const one of indicators) {
      const made = new IndicatorSeries(this.#chart, one, {
        pane: next,
        colours,
        hue: hues.get(one.text) ?? 0,
      });
      if (made.hasPane) next += 1;
      this.#indicators.set(one.text, made);
    }
    this.#chart.panes()[0]?.setStretchFactor(3);
    for (const pane of this.#chart.panes().slice(1)) pane.setStretchFactor(1);
  }

  get paneCount(): number {
    return this.#chart.panes().length;
  }

  end(): void {
    this.#chart.remove();
  }

  whole(candles: readonly Candle[]): void {
    this.#candles = [...candles];
    this.#draw();
    const shown = Math.min(120, Math.round(this.#chart.timeScale().width() / firstWidth));
    const newest = { from: candles.length - shown, to: candles.length + 4 };
    this.#chart.timeScale().setVisibleLogicalRange(this.#form.range ?? newest);
  }

  /** What is in sight, for a chart in the place of this one. */
  range(): LogicalRange | null {
    return this.#chart.timeScale().getVisibleLogicalRange();
  }

  /** The values of an indicator, as the service computed them. */
  computed(all: ReadonlyMap<string, Computed>): void {
    for (const [text, values] of all) this.#indicators.get(text)?.set(values);
  }

  /** The newest candles: those that are there are replaced. */
  news(candles: readonly Candle[]): void {
    const [first] = candles;
    if (first === undefined) return;
    this.#candles = [...this.#candles.filter(({ time: at }) => at < first.time), ...candles];
    this.#draw();
  }

  /** As a picture. */
  picture(): HTMLCanvasElement {
    return this.#chart.takeScreenshot();
  }

  #draw(): void {
    const all = withGaps(this.#candles, this.#form.interval);
    for (const drawn of this.#drawn) drawn.set(all);
    this.#marks?.setMarkers(this.#form.isMarked ? marksOf(this.#candles, this.#colours) : []);
  }

  #candlesOf({ up, down }: Colours): Drawn {
    const series = this.#chart.addSeries(CandlestickSeries, {
      upColor: up,
      downColor: down,
      wickUpColor: up,
      wickDownColor: down,
      borderVisible: false,
    });
    this.#marks = createSeriesMarkers(series);
    return {
      set(all) {
        const close = all.findLast((one): one is Candle => typeof one !== 'number')?.close ?? 1;
        const minMove = 10 ** -placesOf(close);
        series.applyOptions({ priceFormat: { type: 'custom', formatter: price, minMove } });
        series.setData(
          all.map((one) => {
            if (typeof one === 'number') return { time: seconds(one) };
            const { open, high, low } = one;
            if (open === null || high === null || low === null || one.close === null)
              return { time: seconds(one.time) };
            return { time: seconds(one.time), open, high, low, close: one.close };
          }),
        );
      },
    };
  }
}
