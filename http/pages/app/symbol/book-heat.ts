/** The order books of an asset over time by price, as recorded each minute. */
import { heatPart } from '../charts.ts';
import { compact, price, time } from '../format.ts';
import { cellsOf } from '../heat-drawing.ts';
import type { Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import { at, type OrderbookHeatmap } from '../request.ts';
import { type Market, ofKind } from './candles.ts';

/** All exchanges together, as the API names them. */
const all = 'aggregated';
/** Follows the books of an asset: of one exchange, or of all together. */
export function bookHeatPart({ symbol, exchange, kind }: Market): Part {
  let books: OrderbookHeatmap | null = null;
  const exchanges = [
    ['', 'all'],
    ['own', exchange],
  ] as const;
  const among = keptChoice('Exchanges', exchanges, { name: 'books', changed: () => part.again() });
  const part = heatPart({
    title: 'Book over time',
    name: `${symbol}-book-heatmap`,
    about({ timestamps, note }) {
      if (note === 'not tracked')
        return `The books of ${symbol} are not recorded: this is what they are now.`;
      const minutes = timestamps.length === 1 ? '1 minute' : `${timestamps.length} minutes`;
      return `${minutes} of US dollars that rest at each price: bids green, asks red; the line is the mid price.`;
    },
    label: `Order books of ${symbol} over time`,
    path: () =>
      at(`/v1/${ofKind[kind]}/orderbook-heatmap`, {
        symbol,
        exchange: among.get() === 'own' ? exchange : all,
        limit: 180,
      }),
    every: 10_000,
    cadence: 60_000,
    controls: [among.node],
    palette: 'signed',
    words: (value) => `${value < 0 ? 'asks' : 'bids'} ${compact(Math.abs(value))} USD`,
    // Bids above zero, asks below: the sign is the colour.
    data(found) {
      books = found;
      const { timestamps, prices, bids, asks, mid_prices, bucket_size: size } = found;
      const [first = 0] = prices;
      return {
        columns: timestamps.map((one) => time(one, 'minute')),
        rows: prices.map(price),
        cells: [...cellsOf(bids), ...cellsOf(asks).map(([x, y, usd]) => [x, y, -usd] as const)],
        line: mid_prices.map((one) => (one === null ? null : (one - first) / size + 0.5)),
      };
    },
    rows() {
      const { timestamps = [], prices = [], bids = [], asks = [] } = books ?? {};
      const named =
        (side: string) =>
        ([x, y, usd]: readonly [number, number, number]) => [timestamps[x], side, prices[y], usd];
      return [
        ['time', 'side', 'price', 'value_usd'],
        ...cellsOf(bids).reverse().map(named('bid')),
        ...cellsOf(asks).reverse().map(named('ask')),
      ];
    },
    none: 'No book is recorded yet.',
  });
  return part;
}
