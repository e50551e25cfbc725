/** Where positions would be liquidated, by price, and by time and price: estimates of the service. */
import { heatPart, plotPart } from '../charts.ts';
import { compact, fixed, price, time } from '../format.ts';
import { cellsOf } from '../heat-drawing.ts';
import type { Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import type { PlotData, PlotForm } from '../plot.ts';
import {
  at,
  type HyperliquidLiquidationMap,
  type LiquidationsHeatmap,
  type MapLevel,
} from '../request.ts';
import { fileOf } from '../table-part.ts';

const ranges = [
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;

/** The service makes them again after so long, ms. */
const every = 30_000;
/** They are made of intervals of five minutes at least, ms. */
const cadence = 300_000;

const rangeOf = (name: string, changed: () => void) =>
  keptChoice('Range', ranges, { name, changed });

type Level = Pick<MapLevel, 'price' | 'side' | 'value_usd' | 'cumulative_usd'>;

/** The values of longs, of shorts, and from the price to there, by price. */
function linesOf(levels: readonly Level[]): PlotData {
  const x = [...new Set(levels.map((one) => one.price))].sort((a, b) => a - b);
  const of = (side: 'long' | 'short') =>
    new Map(levels.filter((one) => one.side === side).map((one) => [one.price, one.value_usd]));
  const sums = new Map(levels.map((one) => [one.price, one.cumulative_usd]));
  const values = [of('long'), of('short'), sums].map((known) =>
    x.map((at) => known.get(at) ?? null),
  );
  return { x, values };
}

const byPrice: Pick<PlotForm, 'lines' | 'form' | 'place'> = {
  lines: [
    { name: 'Longs', colour: 'down', as: 'bars' },
    { name: 'Shorts', colour: 'up', as: 'bars' },
    { name: 'Cumulative from price', colour: 'soft', isOnLeft: true },
  ],
  form: compact,
  place: { name: 'price', form: price },
};

/** The liquidation prices that Hyperliquid states of the positions of tracked wallets. */
export function walletsMapPart(symbol: string): Part {
  let levels: HyperliquidLiquidationMap['levels'] = [];
  return plotPart({
    title: 'Stated by wallets of Hyperliquid',
    name: `${symbol}-wallet-liquidations`,
    about({ coverage: { open_interest_share: share, tracked_wallets: wallets } }) {
      const part = share === null ? 'an unknown part' : `${fixed(share * 100, 1)} %`;
      return `US dollars, no estimate: positions of ${wallets} tracked wallets, ${part} of the open interest there`;
    },
    label: `Liquidation prices of tracked wallets in ${symbol}`,
    path: at('/v1/hyperliquid/liquidation-map', { symbol }),
    every,
    isWide: true,
    ...byPrice,
    data(found) {
      levels = found.levels;
      return linesOf(levels);
    },
    rows: () => fileOf(levels),
    none: `No tracked wallet would be liquidated near the price of ${symbol}.`,
  });
}

/** The levels of one exchange: what would be liquidated at each price, and from the current price to there. */
export function mapPart(symbol: string, exchange: string): Part {
  let levels: readonly MapLevel[] = [];
  const range = rangeOf('map', () => part.again());
  const part = plotPart({
    title: 'Liquidation map',
    name: `${symbol}-liquidation-map`,
    about: `${exchange}, US dollars, an estimate from the growth of open interest and assumed leverages`,
    label: `Estimated liquidations of ${symbol} on ${exchange} by price`,
    path: () => at('/v1/liquidations/map', { symbol, exchange, range: range.get() }),
    every,
    cadence,
    controls: [range.node],
    ...byPrice,
    data(found) {
      levels = found.levels;
      return linesOf(levels);
    },
    rows: () => [
      ['price', 'side', 'value_usd', 'cumulative_usd'],
      ...levels.map((one) => [one.price, one.side, one.value_usd, one.cumulative_usd]),
    ],
    none: 'No level is known yet.',
  });
  return part;
}

/** The map of several exchanges as a heatmap, with the closes of the first over it. */
export function heatmapPart(symbol: string): Part {
  let map: LiquidationsHeatmap | null = null;
  const range = rangeOf('heatmap', () => part.again());
  const part = heatPart({
    title: 'Liquidation heatmap',
    name: `${symbol}-liquidation-heatmap`,
    about: ({ exchanges }) => `${exchanges.join(', ')} together, US dollars; the line is the close`,
    label: `Estimated liquidations of ${symbol} by time and price`,
    path: () => at('/v1/liquidations/heatmap', { symbol, range: range.get() }),
    every,
    cadence,
    controls: [range.node],
    palette: 'amounts',
    words: (value) => `${compact(value)} USD`,
    data(found) {
      map = found;
      const { timestamps, prices, cells, close, bucket_size: size } = found;
      const [first = 0] = prices;
      return {
        columns: timestamps.map((one) => time(one, 'minute')),
        rows: prices.map(price),
        cells: cellsOf(cells),
        line: close.map((one) => {
          const place = one === null ? -1 : (one - first) / size;
          return place < 0 || place > prices.length ? null : place;
        }),
      };
    },
    rows() {
      const { timestamps = [], prices = [], cells = [] } = map ?? {};
      return [
        ['time', 'price', 'value_usd'],
        ...cellsOf(cells)
          .sort((a, b) => b[2] - a[2])
          .map(([x, y, value]) => [timestamps[x], prices[y], value]),
      ];
    },
    none: 'No level is known yet.',
  });
  return part;
}
