/** The order books of an asset over time by price, as recorded each minute. */
import { choice } from '../dom.ts';
import { figure } from '../figure.ts';
import { compact, price, time } from '../format.ts';
import { type HeatData, Heatmap } from '../heatmap.ts';
import { wordsFor } from '../panel.ts';
import type { Part } from '../part.ts';
import { follow } from '../stream.ts';
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
type Cell = readonly [column: number, row: number, usd: number];

/** Bids above zero, asks below: the sign is the colour. */
function heatOf({
  timestamps,
  prices,
  bids,
  asks,
  mid_prices,
  bucket_size: size,
}: Books): HeatData {
  const [first = 0] = prices;
  return {
    columns: timestamps.map((one) => time(one, 'minute')),
    rows: prices.map(price),
    cells: [...bids, ...asks.map(([x, y, usd]) => [x, y, -usd] as const)],
    line: mid_prices.map((one) => (one === null ? null : (one - first) / size + 0.5)),
  };
}

/** Follows the books of an asset: of one exchange, or of all together. */
export function bookHeatPart({ symbol, exchange, kind }: Market): Part {
  let among = 'aggregated';
  let books: Books | null = null;
  let end = () => {};
  const path = () =>
    `/v1/${kind === 'spot' ? 'spot' : 'futures'}/orderbook-heatmap?symbol=${encodeURIComponent(symbol)}&exchange=${among}&limit=180`;
  const chart = new Heatmap({
    label: `Order books of ${symbol} over time`,
    palette: 'signed',
    words: (value) => `${value < 0 ? 'asks' : 'bids'} ${compact(Math.abs(value))} USD`,
  });
  const exchanges = [
    ['aggregated', 'all'],
    [exchange, exchange],
  ] as const;
  const tool = choice('Exchanges', exchanges, {
    chosen: among,
    choose(next) {
      among = next;
      begin();
    },
  });
  const of = figure({
    heading: 'Book over time',
    name: `${symbol}-book-heatmap`,
    path,
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
    picture: () => chart.picture(),
    tools: [tool],
  });
  of.body.append(chart.node);
  const begin = () => {
    end();
    end = follow(
      path(),
      {
        data(data) {
          books = data as Books;
          const { timestamps, note } = books;
          const minutes = timestamps.length === 1 ? '1 minute' : `${timestamps.length} minutes`;
          of.setAbout(
            note === 'not tracked'
              ? `The books of ${symbol} are not recorded: this is what they are now.`
              : `${minutes} of US dollars that rest at each price: bids green, asks red; the line is the middle.`,
          );
          of.say(null);
          chart.show(heatOf(books));
          of.news();
        },
        missing: (message, code) => of.say(wordsFor(code, message)),
      },
      { every: 10_000 },
    );
  };
  begin();
  return {
    node: of.node,
    end() {
      end();
      chart.end();
    },
  };
}
