/** Candles with panes under them, by Lightweight Charts. */
import {
  CandlestickSeries,
  ColorType,
  createChart,
  HistogramSeries,
  type IChartApi,
  LineSeries,
  type Time,
} from 'lightweight-charts';
import { type Colours, faint, palette } from '../colours.ts';
import { compact, percent, placesOf, price, time } from '../format.ts';
import { type Candle, type Interval, withGaps } from './candles.ts';

export const panes = ['volume', 'interest', 'funding', 'cvd', 'liquidations'] as const;
export type Pane = (typeof panes)[number];

export const paneNames: Readonly<Record<Pane, string>> = {
  volume: 'Volume',
  interest: 'Open interest',
  funding: 'Funding',
  cvd: 'CVD',
  liquidations: 'Liquidations',
};

/** What a pane is drawn of. */
const drawnOf: Readonly<Record<Pane, keyof Candle>> = {
  volume: 'volume_usd',
  interest: 'open_interest_usd',
  funding: 'funding_rate',
  cvd: 'taker_buy_usd',
  liquidations: 'long_liquidations_usd',
};

/** The panes of which there is no value, by name. */
export const emptyPanes = (shown: readonly Pane[], candles: readonly Candle[]): string[] =>
  shown
    .filter((pane) => candles.every((candle) => candle[drawnOf[pane]] === null))
    .map((pane) => paneNames[pane]);

interface Drawn {
  set(candles: readonly (Candle | number)[]): void;
}

const seconds = (ms: number) => (ms / 1000) as Time;
const unseen = 'rgba(0, 0, 0, 0)';

type Value = (candle: Candle) => number | null;

/** The points of a line. Beside a gap the line is not drawn: it would join what it must not. */
function linePoints(candles: readonly (Candle | number)[], value: Value) {
  const values = candles.map((one) => (typeof one === 'number' ? null : value(one)));
  return candles.map((one, at) => {
    const at0 = seconds(typeof one === 'number' ? one : one.time);
    const here = values[at] ?? null;
    if (here === null) return { time: at0 };
    const isBeside = values[at - 1] === null || values[at + 1] === null;
    return isBeside ? { time: at0, value: here, color: unseen } : { time: at0, value: here };
  });
}

function bars(
  candles: readonly (Candle | number)[],
  value: Value,
  colour: (candle: Candle) => string,
) {
  return candles.map((one) => {
    if (typeof one === 'number') return { time: seconds(one) };
    const here = value(one);
    return here === null
      ? { time: seconds(one.time) }
      : { time: seconds(one.time), value: here, color: colour(one) };
  });
}

const format = (formatter: (value: number) => string, minMove: number) => ({
  priceFormat: { type: 'custom' as const, formatter, minMove },
  priceLineVisible: false,
});
const amounts = format(compact, 0.01);

/** What takers bought less what they sold, added up from the left; null from where neither is known. */
function cvdOf(candles: readonly (Candle | number)[]): Map<Candle, number | null> {
  const sums = new Map<Candle, number | null>();
  let sum = 0;
  for (const one of candles) {
    if (typeof one === 'number') continue;
    const { taker_buy_usd: bought, taker_sell_usd: sold } = one;
    if (bought === null || sold === null) sums.set(one, null);
    else {
      sum += bought - sold;
      sums.set(one, sum);
    }
  }
  return sums;
}

const makers: Readonly<Record<Pane, (chart: IChartApi, at: number, colours: Colours) => Drawn>> = {
  volume(chart, at, { up, down }) {
    const series = chart.addSeries(HistogramSeries, { ...amounts, title: 'Volume' }, at);
    const colour = ({ open, close }: Candle) => faint(Number(close) < Number(open) ? down : up);
    return { set: (all) => series.setData(bars(all, (one) => one.volume_usd, colour)) };
  },
  interest(chart, at, { accent }) {
    const series = chart.addSeries(
      LineSeries,
      { ...amounts, title: 'OI', color: accent, lineWidth: 2 },
      at,
    );
    return { set: (all) => series.setData(linePoints(all, (one) => one.open_interest_usd)) };
  },
  funding(chart, at, { up, down }) {
    const form = format((value) => percent(value * 100, 4), 0.000_001);
    const series = chart.addSeries(HistogramSeries, { ...form, title: 'Funding' }, at);
    const colour = ({ funding_rate: rate }: Candle) => faint(Number(rate) < 0 ? down : up);
    return { set: (all) => series.setData(bars(all, (one) => one.funding_rate, colour)) };
  },
  cvd(chart, at, { accent }) {
    const series = chart.addSeries(
      LineSeries,
      { ...amounts, title: 'CVD', color: accent, lineWidth: 2 },
      at,
    );
    return {
      set(all) {
        const sums = cvdOf(all);
        series.setData(linePoints(all, (one) => sums.get(one) ?? null));
      },
    };
  },
  liquidations(chart, at, { up, down }) {
    const longs = chart.addSeries(HistogramSeries, { ...amounts, title: 'Longs' }, at);
    const shorts = chart.addSeries(HistogramSeries, { ...amounts, title: 'Shorts' }, at);
    const below = (value: number | null) => (value === null ? null : -value);
    return {
      set(all) {
        longs.setData(
          bars(
            all,
            (one) => below(one.long_liquidations_usd),
            () => down,
          ),
        );
        shorts.setData(
          bars(
            all,
            (one) => one.short_liquidations_usd,
            () => up,
          ),
        );
      },
    };
  },
};

/** A chart of one market in an element. */
export class Chart {
  readonly #chart: IChartApi;
  readonly #drawn: Drawn[];
  readonly #interval: Interval;
  #candles: Candle[] = [];

  constructor(
    into: HTMLElement,
    { shown, interval }: { shown: readonly Pane[]; interval: Interval },
  ) {
    const colours = palette();
    this.#interval = interval;
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
        tickMarkFormatter: (at: Time) => this.#tick(Number(at) * 1000),
      },
      localization: { timeFormatter: (at: Time) => time(Number(at) * 1000, 'minute') },
      crosshair: { mode: 0 },
    });
    this.#drawn = [
      this.#candlesOf(colours),
      ...shown.map((pane, at) => makers[pane](this.#chart, at + 1, colours)),
    ];
    this.#chart.panes()[0]?.setStretchFactor(3);
    for (const pane of this.#chart.panes().slice(1)) pane.setStretchFactor(1);
  }

  end(): void {
    this.#chart.remove();
  }

  whole(candles: readonly Candle[]): void {
    this.#candles = [...candles];
    this.#draw();
    this.#chart
      .timeScale()
      .setVisibleLogicalRange({ from: candles.length - 120, to: candles.length + 4 });
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
    const all = withGaps(this.#candles, this.#interval);
    for (const drawn of this.#drawn) drawn.set(all);
  }

  #tick(ms: number): string {
    const isMidnight = ms % 86_400_000 === 0;
    return this.#interval === '1d' || isMidnight ? time(ms, 'date') : time(ms, 'time').slice(0, 5);
  }

  #candlesOf({ up, down }: Colours): Drawn {
    const series = this.#chart.addSeries(CandlestickSeries, {
      upColor: up,
      downColor: down,
      wickUpColor: up,
      wickDownColor: down,
      borderVisible: false,
    });
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
