/** The depth of one book: what could be bought and sold from the middle to each price. */

import { figure, type Rows } from '../figure.ts';
import { compact, price } from '../format.ts';
import { LineChart } from '../line-chart.ts';
import { wordsFor } from '../panel.ts';
import type { Part } from '../part.ts';
import { follow } from '../stream.ts';
import type { Book } from './book.ts';

/** Levels a side. */
const levels = 200;

/** Sums in US dollars from the middle outwards. */
function sumsOf(side: Book['bids']): (readonly [price: number, sum: number])[] {
  let sum = 0;
  return side.map(({ price: at, quantity }) => {
    sum += at * quantity;
    return [at, sum] as const;
  });
}

/** Follows the depth of a market. */
export function depthPart(exchange: string, market: string): Part {
  const path = `/v1/orderbook/deep?exchange=${exchange}&symbol=${encodeURIComponent(market)}&depth=${levels}`;
  let rows: Rows = [];
  const chart = new LineChart({
    label: `Depth of ${market} on ${exchange}`,
    lines: [
      { name: 'Bids', colour: 'up', kind: 'area' },
      { name: 'Asks', colour: 'down', kind: 'area' },
    ],
    at: { text: price },
    value: compact,
  });
  const of = figure({
    heading: 'Depth',
    name: `${exchange}-depth`,
    about: `${exchange} ${market}: US dollars from the middle to each price, ${levels} levels a side`,
    path: () => path,
    rows: () => rows,
    picture: () => chart.picture(),
  });
  of.body.append(chart.node);
  const end = follow(path, {
    data(data) {
      const { bids, asks } = data as Book;
      const [bought, sold] = [sumsOf(bids), sumsOf(asks)];
      rows = [
        ['side', 'price', 'sum_usd'],
        ...bought.map((one) => ['bid', ...one]),
        ...sold.map((one) => ['ask', ...one]),
      ];
      const below = bought.toReversed();
      const nothing = (count: number) => Array.from({ length: count }, () => null);
      of.say(null);
      chart.show([
        [...below, ...sold].map(([at]) => at),
        [...below.map(([, sum]) => sum), ...nothing(sold.length)],
        [...nothing(below.length), ...sold.map(([, sum]) => sum)],
      ]);
      of.news();
    },
    missing: (message, code) => of.say(wordsFor(code, message)),
  });
  return {
    node: of.node,
    end() {
      end();
      chart.end();
    },
  };
}
