/** The order books of an asset over time by price, as recorded each minute. */
import { heatPart } from '../charts.ts';
import { choice } from '../dom.ts';
import { compact, price, time } from '../format.ts';
import type { Part } from '../part.ts';
import { choose, placeOf } from '../place.ts';
import type { Market } from './candles.ts';

interface Books {
  bucket_size: number;
  timestamps: readonly number[];
  prices: readonly number[];
  bids: readonly Cell[];
  asks: readonly Cell[];
  mid_prices: readonly (number | null)[];
  note?: string;
}
/** All exchanges together, as the API names them. */
const all = 'aggregated';
type Cell = readonly [column: number, row: number, usd: number];

/** Follows the books of an asset: of one exchange, or of all together. */
export function bookHeatPart({ symbol, exchange, kind }: Market): Part {
  let among = placeOf(location.hash).chosen.get('books') === 'own' ? exchange : all;
  let books: Books | null = null;
  const exchanges = [
    [all, 'all'],
    [exchange, exchange],
  ] as const;
  const tool = choice('Exchanges', exchanges, {
    chosen: among,
    choose(next) {
      among = next;
      choose({ books: next === all ? '' : 'own' });
      part.again();
    },
  });
  const part = heatPart<Books>({
    title: 'Book over time',
    name: `${symbol}-book-heatmap`,
    about({ timestamps, note }) {
      if (note === 'not tracked')
        return `The books of ${symbol} are not recorded: this is what they are now.`;
      const minutes = timestamps.length === 1 ? '1 minute' : `${timestamps.length} minutes`;
      return `${minutes} of US dollars that rest at each price: bids green, asks red; the line is the middle.`;
    },
    label: `Order books of ${symbol} over time`,
    path: () =>
      `/v1/${kind === 'spot' ? 'spot' : 'futures'}/orderbook-heatmap?symbol=${encodeURIComponent(symbol)}&exchange=${encodeURIComponent(among)}&limit=180`,
    every: 10_000,
    controls: [tool],
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
        cells: [...bids, ...asks.map(([x, y, usd]) => [x, y, -usd] as const)],
        line: mid_prices.map((one) => (one === null ? null : (one - first) / size + 0.5)),
      };
    },
    rows() {
      const { timestamps = [], prices = [], bids = [], asks = [] } = books ?? {};
      const named =
        (side: string) =>
        ([x, y, usd]: Cell) => [timestamps[x], side, prices[y], usd];
      return [
        ['time', 'side', 'price', 'value_usd'],
        ...bids.toReversed().map(named('bid')),
        ...asks.toReversed().map(named('ask')),
      ];
    },
    none: 'No book is recorded yet.',
  });
  return part;
}
