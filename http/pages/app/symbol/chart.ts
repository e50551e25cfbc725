/** Candles with marks and indicators over them and panes under them, by Lightweight Charts. */
import {
  type CandlestickData,
  CandlestickSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineStyle,
  type LogicalRange,
  PriceScaleMode,
  type SeriesMarker,
  TickMarkType,
  type Time,
  type WhitespaceData,
} from 'lightweight-charts';
import { type Colours, hueOf, palette, titled } from '../colours.ts';
import { exchangeName } from '../exchange-names.ts';
import { compact, placesOf, price, time } from '../format.ts';
import { type Candle, type Market, withGaps } from './candles.ts';
import { type Closes, type Other, seriesOf } from './compare.ts';
import { huesOf, IndicatorSeries } from './indicator-series.ts';
import type { Computed, Shown } from './indicators.ts';
import type { Marked } from './levels.ts';
import { type Drawn, type Pane, paneMakers, put, seconds } from './panes.ts';

export interface ChartForm extends Market {
  panes: readonly Pane[];
  /** Whether the largest liquidations are marked. */
  isMarked: boolean;
  /** Called with the candle under the cursor; undefined while there is none. */
  pointed(candle: Candle | undefined): void;
  indicators: readonly Shown[];
  /** What was in sight before; the newest where it is null. */
  range: LogicalRange | null;
  /** Markets that are compared with this one. */
  others: readonly Other[];
  closesOf(name: string): Closes;
  isPercent: boolean;
  /** The reader comes near the oldest candle. */
  reached(): void;
  /** The reader presses at a price. */
  pressed(price: number, point: { x: number; y: number }): void;
}

/** A moment at the axis, which names years and months, days, or times. */
function tick(ms: number, kind: TickMarkType): string {
  if (kind <= TickMarkType.Month) return time(ms, 'month');
  return time(ms, kind === TickMarkType.DayOfMonth ? 'day' : 'hour');
}

/** Of a candle at the first look, px. */
const firstWidth = 7;
/** Behind the newest candle, in candles. */
const room = 4;
/** Candles that are still on the left where older ones are asked for. */
const near = 60;

/** A candle as it is drawn. */
function barOf(one: Candle | number): CandlestickData | WhitespaceData {
  if (typeof one === 'number') return { time: seconds(one) };
  const { open, high, low, close } = one;
  if (open === null || high === null || low === null || close === null)
    return { time: seconds(one.time) };
  return { time: seconds(one.time), open, high, low, close };
}

/** Marks at most. */
const mostMarks = 12;

/** A mark under a candle for its longs, over it for its shorts: of the candles with the largest sums, in order of time. */
function marksOf(candles: readonly Candle[], { up, down }: Colours): SeriesMarker<Time>[] {
  return candles
    .flatMap(({ time, long_liquidations_usd: long, short_liquidations_usd: short }) => [
      { time, value: long ?? 0, isLong: true },
      { time, value: short ?? 0, isLong: false },
    ])
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, mostMarks)
    .sort((a, b) => a.time - b.time)
    .map(({ time, value, isLong }) => ({
      time: seconds(time),
      position: isLong ? 'belowBar' : 'aboveBar',
      shape: isLong ? 'arrowDown' : 'arrowUp',
      color: isLong ? down : up,
      text: compact(value),
    }));
}

/** A chart of one market in an element. */
export class Chart {
  readonly #chart: IChartApi;
  readonly #drawn: Drawn[];
  readonly #others: ReadonlyMap<string, Drawn>;
  readonly #form: ChartForm;
  readonly #indicators = new Map<string, IndicatorSeries>();
  #marks: ISeriesMarkersPluginApi<Time> | null = null;
  #series: ISeriesApi<'Candlestick'> | null = null;
  #lines: readonly IPriceLine[] = [];
  readonly #colours: Colours;
  #candles: readonly Candle[] = [];
  #isShown = false;

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
    this.#others = seriesOf(this.#chart, form.others, form);
    this.#chart.subscribeCrosshairMove(({ time: at }) =>
      form.pointed(this.#candles.find((one) => one.time === Number(at) * 1000)),
    );
    this.#chart.subscribeClick(({ point, paneIndex, sourceEvent: event }) => {
      const at = point === undefined ? null : this.#series?.coordinateToPrice(point.y);
      if (paneIndex !== 0 || typeof at !== 'number' || event === undefined) return;
      const value = Number(at.toFixed(placesOf(at)));
      // What opens while the press is under way is closed at its end.
      setTimeout(() => form.pressed(value, { x: event.clientX, y: event.clientY }));
    });
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (this.#isShown && range !== null && range.from < near) form.reached();
    });
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
    if (form.isPercent)
      this.#chart.priceScale('right', 0).applyOptions({ mode: PriceScaleMode.Percentage });
    this.#chart.panes()[0]?.setStretchFactor(3);
    for (const pane of this.#chart.panes().slice(1)) pane.setStretchFactor(1);
  }

  get paneCount(): number {
    return this.#chart.panes().length;
  }

  end(): void {
    this.#chart.remove();
  }

  /** Shows candles, the oldest first. `since`: start of the first that has changed; null for all. What is in sight stays. */
  show(candles: readonly Candle[], since: number | null): void {
    this.#candles = candles;
    this.#draw(since);
    if (this.#isShown) return;
    this.#isShown = true;
    const shown = Math.min(120, Math.round(this.#chart.timeScale().width() / firstWidth));
    const newest = { from: candles.length - shown, to: candles.length + room };
    this.#chart.timeScale().setVisibleLogicalRange(this.#form.range ?? newest);
  }

  /** What is in sight, for a chart in the place of this one. */
  range(): LogicalRange | null {
    return this.#chart.timeScale().getVisibleLogicalRange();
  }

  /** A compared market has other closes; `since`: as in `show`. */
  compared(name: string, since: number | null): void {
    const { all, isTail } = this.#changed(since);
    this.#others.get(name)?.set(all, isTail);
  }

  /** Marks prices by lines. */
  mark(marked: readonly Marked[]): void {
    const { accent, warn } = this.#colours;
    for (const line of this.#lines) this.#series?.removePriceLine(line);
    this.#lines = marked.flatMap(({ price: at, kind }) => {
      const color = kind === 'alert' ? warn : accent;
      const title = kind === 'alert' ? 'Alert' : '';
      const form = { price: at, color, title, lineWidth: 1 as const, lineStyle: LineStyle.Dashed };
      return this.#series?.createPriceLine(form) ?? [];
    });
  }

  /** Goes by so many candles, to the left where it is negative; to the newest where it is infinite. */
  scroll(candles: number): void {
    const scale = this.#chart.timeScale();
    const next = scale.scrollPosition() + candles;
    scale.scrollToPosition(next === Infinity ? room : next, false);
  }

  /** The values of an indicator, as the service computed them. */
  computed(all: ReadonlyMap<string, Computed>): void {
    for (const [text, values] of all) this.#indicators.get(text)?.set(values);
  }

  /** With its title, and the names of what has none in the chart. */
  picture(): HTMLCanvasElement | null {
    const { symbol, exchange, kind, interval, indicators } = this.#form;
    const hues = huesOf(indicators);
    const names = indicators.map(({ text: name }) => ({
      name,
      colour: hueOf(hues.get(name) ?? 0),
    }));
    const title = `${symbol} ${kind} on ${exchangeName(exchange)}, ${interval}`;
    return titled(this.#chart.takeScreenshot(), title, names);
  }

  #draw(since: number | null): void {
    const { all, isTail } = this.#changed(since);
    for (const drawn of [...this.#drawn, ...this.#others.values()]) drawn.set(all, isTail);
    this.#marks?.setMarkers(this.#form.isMarked ? marksOf(this.#candles, this.#colours) : []);
  }

  /** The candles since a time, and one more before them, which says whether a line goes on. */
  #changed(since: number | null) {
    const place = since === null ? -1 : this.#candles.findLastIndex(({ time: at }) => at < since);
    const isTail = place >= 0;
    const changed = isTail ? this.#candles.slice(place) : this.#candles;
    return { all: withGaps(changed, this.#form.interval), isTail };
  }

  #candlesOf({ up, down }: Colours): Drawn {
    const series = this.#chart.addSeries(CandlestickSeries, {
      upColor: up,
      downColor: down,
      wickUpColor: up,
      wickDownColor: down,
      borderVisible: false,
    });
    this.#series = series;
    this.#marks = createSeriesMarkers(series);
    return {
      set(all, isTail) {
        if (!isTail) {
          const close = all.findLast((one): one is Candle => typeof one !== 'number')?.close ?? 1;
          const minMove = 10 ** -placesOf(close);
          series.applyOptions({ priceFormat: { type: 'custom', formatter: price, minMove } });
        }
        put(series, all.map(barOf), isTail);
      },
    };
  }
}
