/** Where positions would be liquidated, by price, and by time and price: estimates of the service. */
import { askAgain } from '../ask.ts';
import { choice, h } from '../dom.ts';
import { type Figure, type FigureForm, figure, type Rows } from '../figure.ts';
import { compact, price, time } from '../format.ts';
import { type HeatData, Heatmap } from '../heatmap.ts';
import { LineChart, type LineData } from '../line-chart.ts';
import { wordsFor } from '../panel.ts';
import type { Part } from '../part.ts';

const ranges = [
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;
type Range = (typeof ranges)[number][0];

/** The service makes them again after so long, ms. */
const every = 30_000;

interface Levels {
  exchange: string;
  current_price: number;
  bucket_size: number;
  levels: readonly {
    price: number;
    side: 'long' | 'short';
    value_usd: number;
    cumulative_usd: number;
  }[];
}

/** Asks for a path of the range that is chosen, in a figure, until the end. */
function ranged(
  of: Figure,
  pathOf: (range: Range) => string,
  { data, range }: { data(data: unknown): void; range: () => Range },
): { again(): void; end(): void } {
  let end = () => {};
  const again = () => {
    end();
    end = askAgain(pathOf(range()), every, {
      data(found) {
        of.say(null);
        data(found);
        of.news();
      },
      missing: (message, code) => of.say(wordsFor(code, message)),
    });
  };
  again();
  return { again, end: () => end() };
}

/** A figure about one symbol with a choice of the range. */
function rangedPart(
  form: Omit<FigureForm, 'path' | 'tools'> & {
    pathOf(range: Range): string;
    chart: { node: HTMLElement; end(): void };
    data(data: unknown, of: Figure): void;
  },
): Part {
  const { pathOf, chart, data, ...rest } = form;
  let range: Range = '1d';
  const tool = choice('Range', ranges, {
    chosen: range,
    choose(next) {
      range = next;
      asked.again();
    },
  });
  const made = figure({ ...rest, path: () => pathOf(range), tools: [tool] });
  made.body.append(chart.node);
  const asked = ranged(made, pathOf, { data: (found) => data(found, made), range: () => range });
  return {
    node: made.node,
    end() {
      asked.end();
      chart.end();
    },
  };
}

/** The values of longs, of shorts, and from the price to there, by price. */
function linesOf(levels: Levels['levels']): LineData {
  const prices = [...new Set(levels.map((one) => one.price))].sort((a, b) => a - b);
  const at = new Map(prices.map((one, place) => [one, place]));
  const [longs, shorts, sums] = [0, 1, 2].map(() => prices.map((): number | null => null));
  for (const { price: level, side, value_usd, cumulative_usd } of levels) {
    const place = at.get(level) ?? 0;
    const values = side === 'long' ? longs : shorts;
    values?.splice(place, 1, value_usd);
    sums?.splice(place, 1, cumulative_usd);
  }
  return [prices, longs ?? [], shorts ?? [], sums ?? []];
}

/** The levels of one exchange: what would be liquidated at each price, and from the current price to there. */
export function mapPart(symbol: string, exchange: string): Part {
  const of = `symbol=${encodeURIComponent(symbol)}&exchange=${exchange}`;
  let rows: Rows = [];
  const chart = new LineChart({
    label: `Estimated liquidations of ${symbol} on ${exchange} by price`,
    lines: [
      { name: 'Longs', colour: 'down', kind: 'bars' },
      { name: 'Shorts', colour: 'up', kind: 'bars' },
      { name: 'From the price to there', colour: 'soft', isOnLeft: true },
    ],
    at: { text: price },
    value: compact,
  });
  return rangedPart({
    heading: 'Liquidation map',
    name: `${symbol}-liquidation-map`,
    about: `${exchange}, an estimate from the growth of open interest and assumed leverages`,
    pathOf: (range) => `/v1/liquidations/map?${of}&range=${range}`,
    rows: () => rows,
    picture: () => chart.picture(),
    chart,
    data(found) {
      const { levels } = found as Levels;
      rows = [
        ['price', 'side', 'value_usd', 'cumulative_usd'],
        ...levels.map((one) => [one.price, one.side, one.value_usd, one.cumulative_usd]),
      ];
      chart.show(linesOf(levels));
    },
  });
}

interface Cells {
  exchanges: readonly string[];
  failed_exchanges: readonly string[];
  bucket_size: number;
  timestamps: readonly number[];
  prices: readonly number[];
  cells: readonly (readonly [number, number, number])[];
  close: readonly (number | null)[];
}

/** The map of several exchanges as a heatmap, with the closes of the first over it. */
export function heatPart(symbol: string): Part {
  let map: Cells | null = null;
  const chart = new Heatmap({
    label: `Estimated liquidations of ${symbol} by time and price`,
    palette: 'heat',
    words: (value) => `${compact(value)} USD`,
  });
  return rangedPart({
    heading: 'Liquidation heatmap',
    name: `${symbol}-liquidation-heatmap`,
    pathOf: (range) =>
      `/v1/liquidations/heatmap?symbol=${encodeURIComponent(symbol)}&range=${range}`,
    rows() {
      const { timestamps = [], prices = [], cells = [] } = map ?? {};
      return [
        ['time', 'price', 'value_usd'],
        ...cells
          .toSorted((a, b) => b[2] - a[2])
          .map(([x, y, value]) => [timestamps[x], prices[y], value]),
      ];
    },
    picture: () => chart.picture(),
    chart,
    data(found, of) {
      map = found as Cells;
      const { exchanges, failed_exchanges: failed } = map;
      const without = failed.length === 0 ? '' : `; without ${failed.join(', ')}`;
      of.setAbout(`${exchanges.join(', ')} together${without}; the line is the close`);
      chart.show(heatOf(map));
    },
  });
}

function heatOf({ timestamps, prices, cells, close, bucket_size: size }: Cells): HeatData {
  const [first = 0] = prices;
  return {
    columns: timestamps.map((one) => time(one, 'minute')),
    rows: prices.map(price),
    cells,
    line: close.map((one) => {
      const place = one === null ? -1 : (one - first) / size;
      return place < 0 || place > prices.length ? null : place;
    }),
  };
}

/** A symbol to look at, by its name. */
export function symbolField(symbol: string, choose: (symbol: string) => void): HTMLElement {
  const input = h('input', { value: symbol, size: '8', spellcheck: 'false', autocomplete: 'off' });
  input.addEventListener('change', () => {
    const next = input.value.trim().toUpperCase();
    if (next !== '') choose(next);
  });
  return h('label', { class: 'field' }, h('span', {}, 'Symbol'), input);
}
