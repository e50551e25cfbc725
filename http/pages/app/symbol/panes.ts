/** The panes under the candles, out of the same rows. */
import { HistogramSeries, type IChartApi, LineSeries, type Time } from 'lightweight-charts';
import { type Colours, faint } from '../colours.ts';
import { compact, percent } from '../format.ts';
import type { Candle } from './candles.ts';

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

export interface Drawn {
  set(candles: readonly (Candle | number)[]): void;
}

export const seconds = (ms: number) => (ms / 1000) as Time;
const unseen = 'rgba(0, 0, 0, 0)';

type Value = (candle: Candle) => number | null;

/** The points of a line, by time in Unix ms. Beside a gap the line is not drawn: it would join what it must not. */
export function lineOf(points: readonly (readonly [at: number, value: number | null])[]) {
  // Behind the last value there is nothing to join, and its colour is that of its name.
  const last = points.findLastIndex(([, value]) => value !== null);
  return points.map(([at, here], place) => {
    const time = seconds(at);
    if (here === null) return { time };
    const isBefore = place < last && points[place + 1]?.[1] === null;
    const isBeside = points[place - 1]?.[1] === null || isBefore;
    return isBeside ? { time, value: here, color: unseen } : { time, value: here };
  });
}

const linePoints = (candles: readonly (Candle | number)[], value: Value) =>
  lineOf(candles.map((one) => (typeof one === 'number' ? [one, null] : [one.time, value(one)])));

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

export const paneMakers: Readonly<
  Record<Pane, (chart: IChartApi, at: number, colours: Colours) => Drawn>
> = {
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
