/** The panes under the candles, out of the same rows. */
import {
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type SeriesDataItemTypeMap,
  type SeriesType,
  type Time,
} from 'lightweight-charts';
import { type Colours, faint } from '../colours.ts';
import { h } from '../dom.ts';
import { compact, rate } from '../format.ts';
import type { Candle } from './candles.ts';

const panes = ['volume', 'interest', 'funding', 'cvd', 'liquidations'] as const;
export type Pane = (typeof panes)[number];

const paneNames: Readonly<Record<Pane, string>> = {
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
  /** Draws all anew; or, where `isTail`, what has changed: behind the first one, which stands there already. */
  set(candles: readonly (Candle | number)[], isTail: boolean): void;
}

/** Hands points to a series: all of them, or those behind the first. */
export function put<T extends SeriesType>(
  series: ISeriesApi<T>,
  points: SeriesDataItemTypeMap<Time>[T][],
  isTail: boolean,
): void {
  if (!isTail) series.setData(points);
  else for (const point of points.slice(1)) series.update(point);
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

/** The start of an interval with a candle or without one. */
export const startOf = (one: Candle | number): number => (typeof one === 'number' ? one : one.time);

const unknown = { taker_buy_usd: null, taker_sell_usd: null };

/** What takers bought less what they sold, added up from the left into `sums`, by start; those of a tail go on from its first one. */
export function addUp(
  sums: Map<number, number>,
  candles: readonly (Candle | number)[],
  isTail: boolean,
): void {
  if (!isTail) sums.clear();
  const [first] = candles;
  let sum = isTail && first !== undefined ? (sums.get(startOf(first)) ?? 0) : 0;
  for (const one of isTail ? candles.slice(1) : candles) {
    const { taker_buy_usd: bought, taker_sell_usd: sold } = typeof one === 'number' ? unknown : one;
    if (bought !== null && sold !== null) sum += bought - sold;
    sums.set(startOf(one), sum);
  }
}

type Maker = (chart: IChartApi, at: number, colours: Colours) => Drawn;
type Colour = (colours: Colours) => (candle: Candle) => string;

const barsOf =
  (title: string, value: Value, colour: Colour, form = amounts): Maker =>
  (chart, at, colours) => {
    const series = chart.addSeries(HistogramSeries, { ...form, title }, at);
    return { set: (all, isTail) => put(series, bars(all, value, colour(colours)), isTail) };
  };

const lineIn =
  (title: string, value: Value): Maker =>
  (chart, at, { accent: color }) => {
    const series = chart.addSeries(LineSeries, { ...amounts, title, color, lineWidth: 2 }, at);
    return { set: (all, isTail) => put(series, linePoints(all, value), isTail) };
  };

const rates = format(rate, 0.000_001);

export const paneMakers: Readonly<Record<Pane, Maker>> = {
  volume: barsOf(
    'Volume',
    (one) => one.volume_usd,
    ({ up, down }) =>
      ({ open, close }) =>
        faint(Number(close) < Number(open) ? down : up),
  ),
  interest: lineIn('OI', (one) => one.open_interest_usd),
  funding: barsOf(
    'Funding',
    (one) => one.funding_rate,
    ({ up, down }) =>
      ({ funding_rate: rate }) =>
        faint(Number(rate) < 0 ? down : up),
    rates,
  ),
  cvd(...place) {
    const sums = new Map<number, number>();
    const line = lineIn('CVD', ({ time, taker_buy_usd: bought, taker_sell_usd: sold }) =>
      bought === null || sold === null ? null : (sums.get(time) ?? null),
    )(...place);
    return {
      set(all, isTail) {
        addUp(sums, all, isTail);
        line.set(all, isTail);
      },
    };
  },
  liquidations(...place) {
    const longs: Value = ({ long_liquidations_usd: value }) => (value === null ? null : -value);
    const shorts: Value = (one) => one.short_liquidations_usd;
    const both = [
      barsOf(
        'Longs',
        longs,
        ({ down }) =>
          () =>
            down,
      )(...place),
      barsOf(
        'Shorts',
        shorts,
        ({ up }) =>
          () =>
            up,
      )(...place),
    ];
    return {
      set(...news) {
        for (const one of both) one.set(...news);
      },
    };
  },
};

/** What the chart shows besides candles. */
export interface Toggled {
  panes: readonly Pane[];
  /** Whether the largest liquidations are marked on their candles. */
  isMarked: boolean;
  /** Prices are changes since the left edge, in percent. */
  isPercent: boolean;
}

/** The word of each in a link, that of its button, and what that says. */
const toggles = [
  ...panes.map((pane) => [pane, paneNames[pane], ''] as const),
  [
    'marks',
    'Marks',
    'The twelve largest liquidations on their candles: longs under, shorts over them',
  ],
  ['percent', '% change', 'Changes in percent since the left edge, for all that is compared'],
] as const;

/** What a link names. */
export function toggledIn(link: string): Toggled {
  const wanted = link.split(',');
  return {
    panes: panes.filter((pane) => wanted.includes(pane)),
    isMarked: wanted.includes('marks'),
    isPercent: wanted.includes('percent'),
  };
}

/** A button for each; `change` gets the link of what is shown then. */
export function toggleButtons(link: string, change: (link: string) => void): HTMLElement {
  const shown = new Set(link.split(','));
  const buttons = toggles.map(([word, name, title]) => {
    const press = () => {
      if (!shown.delete(word)) shown.add(word);
      button.setAttribute('aria-pressed', String(shown.has(word)));
      const words = toggles.flatMap(([one]) => (shown.has(one) ? [one] : []));
      change(words.join() || 'none');
    };
    const pressed = String(shown.has(word));
    const button = h('button', { title, 'aria-pressed': pressed, click: press }, name);
    return button;
  });
  const group = { class: 'toggles', role: 'group', 'aria-label': 'What the chart shows' };
  return h('div', group, ...buttons);
}
