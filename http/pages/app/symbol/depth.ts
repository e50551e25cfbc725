/** The depth of one book: what could be bought and sold from the middle to each price. */
import { plotPart } from '../charts.ts';
import { compact, price } from '../format.ts';
import type { Part } from '../part.ts';
import { at, type BookLevel } from '../request.ts';

/** Levels a side. */
const levels = 200;

/** Sums in US dollars from the middle outwards. */
function sumsOf(side: readonly BookLevel[]): (readonly [price: number, sum: number])[] {
  let sum = 0;
  return side.map(({ price: at, quantity }) => {
    sum += at * quantity;
    return [at, sum] as const;
  });
}

/** Follows the depth of a market. */
export const depthPart = (exchange: string, market: string): Part =>
  plotPart({
    title: 'Depth',
    name: `${exchange}-depth`,
    about: `${exchange} ${market}: US dollars from the mid price to each price, ${levels} levels a side`,
    label: `Depth of ${market} on ${exchange}`,
    path: at('/v1/orderbook/deep', { exchange, symbol: market, depth: levels }),
    every: 1_000,
    lines: [
      { name: 'Bids', field: 'bids_usd', colour: 'up', as: 'area' },
      { name: 'Asks', field: 'asks_usd', colour: 'down', as: 'area' },
    ],
    form: compact,
    place: { name: 'price', form: price },
    data({ bids, asks }) {
      const [below, above] = [sumsOf(bids).reverse(), sumsOf(asks)];
      const nothing = (side: readonly unknown[]) => side.map(() => null);
      const sums = (side: typeof below) => side.map(([, sum]) => sum);
      return {
        x: [...below, ...above].map(([at]) => at),
        values: [
          [...sums(below), ...nothing(above)],
          [...nothing(below), ...sums(above)],
        ],
      };
    },
    none: 'The book is empty.',
  });
