/** Where positions would be liquidated, by price, and by time and price: estimates of the service. */
import { heatPart, plotPart } from '../charts.ts';
import { exchangeName, exchangeNames } from '../exchange-names.ts';
import { compact, moment, price, share } from '../format.ts';
import { cellsOf } from '../heat-drawing.ts';
import { fileOf } from '../panel.ts';
import { minute, type Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import type { PlotData, PlotForm } from '../plot.ts';
import { joined } from '../plot-scales.ts';
import { at, type MapLevel } from '../request.ts';

const ranges = [
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;

/** The service makes them again after so long, of intervals of five minutes at least, ms. */
const every = 30_000;
const cadence = 5 * minute;

type Level = Pick<MapLevel, 'price' | 'side' | 'value_usd' | 'cumulative_usd'>;

/** The values of longs, of shorts, and from the price to there, by price. */
function linesOf(levels: readonly Level[]): PlotData {
  const of = (side: Level['side']) =>
    levels.flatMap((one) => (one.side === side ? [[one.price, one.value_usd] as const] : []));
  const sums = levels.map((one) => [one.price, one.cumulative_usd] as const);
  return joined([of('long'), of('short'), sums]);
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
export const walletsMapPart = (symbol: string): Part =>
  plotPart({
    title: 'Stated by wallets of Hyperliquid',
    name: `${symbol}-wallet-liquidations`,
    about({ coverage: { open_interest_share: part, tracked_wallets: wallets } }) {
      const held = part === null ? 'an unknown part' : share(part);
      return `US dollars, no estimate: positions of ${wallets} tracked wallets, ${held} of the open interest there`;
    },
    label: `Liquidation prices of tracked wallets in ${symbol}`,
    path: at('/v1/hyperliquid/liquidation-map', { symbol }),
    every,
    isWide: true,
    ...byPrice,
    data: ({ levels }) => linesOf(levels),
    rows: ({ levels }) => fileOf(levels),
    none: `No tracked wallet would be liquidated near the price of ${symbol}.`,
  });

/** The levels of one exchange: what would be liquidated at each price, and from the current price to there. */
export function mapPart(symbol: string, exchange: string): Part {
  const range = keptChoice('Range', ranges, { name: 'map' });
  return plotPart({
    title: 'Liquidation map',
    name: `${symbol}-liquidation-map`,
    about: `${exchangeName(exchange)}, US dollars, an estimate from the growth of open interest and assumed leverages`,
    label: `Estimated liquidations of ${symbol} on ${exchangeName(exchange)} by price`,
    path: () => at('/v1/liquidations/map', { symbol, exchange, range: range.get() }),
    every,
    cadence,
    choices: [range],
    ...byPrice,
    data: ({ levels }) => linesOf(levels),
    rows: ({ levels }) => [
      ['price', 'side', 'value_usd', 'cumulative_usd'],
      ...levels.map((one) => [one.price, one.side, one.value_usd, one.cumulative_usd]),
    ],
    none: 'No level is known yet.',
  });
}

/** The map of several exchanges as a heatmap, with the closes of the first over it. */
export function heatmapPart(symbol: string): Part {
  const range = keptChoice('Range', ranges, { name: 'heatmap' });
  return heatPart({
    title: 'Liquidation heatmap',
    name: `${symbol}-liquidation-heatmap`,
    about: ({ exchanges }) =>
      `${exchangeNames(exchanges)} together, US dollars; the line is the close`,
    label: `Estimated liquidations of ${symbol} by time and price`,
    path: () => at('/v1/liquidations/heatmap', { symbol, range: range.get() }),
    every,
    cadence,
    choices: [range],
    palette: 'amounts',
    words: (value) => `${compact(value)} USD`,
    data({ timestamps, prices, cells, close, bucket_size: size }) {
      const [first = 0] = prices;
      return {
        columns: timestamps.map(moment),
        rows: prices.map(price),
        cells: cellsOf(cells),
        line: close.map((one) => {
          const place = one === null ? -1 : (one - first) / size;
          return place < 0 || place > prices.length ? null : place;
        }),
      };
    },
    rows: ({ timestamps, prices, cells }) => [
      ['time', 'price', 'value_usd'],
      ...cellsOf(cells)
        .sort((a, b) => b[2] - a[2])
        .map(([x, y, value]) => [timestamps[x], prices[y], value]),
    ],
    none: 'No level is known yet.',
  });
}
