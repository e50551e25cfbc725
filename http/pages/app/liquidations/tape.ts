/** Liquidations as they happen. */
import { compact, price } from '../format.ts';
import type { Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import { type LiquidationsOrder, logOf } from '../request.ts';
import { follow } from '../stream.ts';
import { sizeShare, tablePart, timeColumn } from '../table-part.ts';

/** Orders that are kept on the page. */
const kept = 60;

const sizes = [
  ['0', 'all'],
  ['10000', 'from 10 K'],
  ['100000', 'from 100 K'],
  ['1000000', 'from 1 M'],
] as const;

const sides = [
  ['', 'both'],
  ['long', 'longs'],
  ['short', 'shorts'],
] as const;

/** Whose liquidations the page shows; an empty name is of all. */
export interface Asked {
  symbol: string;
  exchange: string;
}

/** Each order once, the newest first. Rows have no names: one that moved would take the eye along. */
export function tapePart(asked: Asked): Part {
  let orders: readonly LiquidationsOrder[] = [];
  const changed = () => {
    orders = [];
    part.again();
  };
  const side = keptChoice('Side', sides, { name: 'side', changed });
  const least = keptChoice('Value', sizes, { name: 'least', changed });
  const toneOf = (one: LiquidationsOrder) => (one.side === 'long' ? 'down' : 'up');
  const part = tablePart<readonly LiquidationsOrder[], LiquidationsOrder>({
    title: 'Live',
    name: 'liquidations',
    path: () =>
      logOf('/v1/liquidations/orders', {
        limit: 100,
        ...asked,
        side: side.get(),
        min_usd: Number(least.get()),
      }),
    every: 500,
    // Nobody knows when the next one comes.
    cadence: Infinity,
    source: (path, every, follower) => follow(path, follower, { mode: 'log', every }),
    isTall: true,
    controls: [side.node, least.node],
    key: () => '',
    columns: [
      timeColumn,
      { head: 'Symbol', of: ({ symbol }) => symbol },
      { head: 'Side', of: (one) => one.side, tone: toneOf },
      {
        head: 'USD',
        of: (one) => one.value_usd,
        as: compact,
        bar: (one) => sizeShare(one.value_usd, 3),
      },
      { head: 'Price', of: (one) => one.price, as: price },
      {
        head: 'Exchange',
        of: ({ exchange }) => exchange,
        tone: () => 'soft',
        hint: ({ contract }) => contract,
      },
    ],
    rows(all) {
      const news = all.toSorted((a, b) => b.timestamp - a.timestamp);
      orders = [...news, ...orders].slice(0, kept);
      return orders;
    },
    none: 'No such order yet.',
  });
  return part;
}
