/** The trades of one market as they happen. */

import { sizeShare, timeColumn } from '../columns.ts';
import { exchangeName } from '../exchange-names.ts';
import { compact, price } from '../format.ts';
import type { Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import { at, type Trades, type TradesItem } from '../request.ts';
import { tablePart } from '../table-part.ts';

/** Trades that are kept on the page. */
const kept = 60;
/** Trades that are asked for: between two readings there may be many. */
const asked = 200;
/** Trades that are remembered, of which those of some size are shown. */
const most = 2_000;

const sizes = [
  ['0', 'all'],
  ['1000', 'from 1 K'],
  ['10000', 'from 10 K'],
  ['100000', 'from 100 K'],
  ['1000000', 'from 1 M'],
] as const;

/** Names of trades that tell them apart: their id, else what they state and how many before state the same. */
function keysOf(trades: readonly TradesItem[]): string[] {
  const counts = new Map<string, number>();
  return trades.map(({ id, timestamp, side, price, quantity }) => {
    if (id !== null) return id;
    const stated = `${timestamp} ${side} ${price} ${quantity}`;
    const count = counts.get(stated) ?? 0;
    counts.set(stated, count + 1);
    return `${count} ${stated}`;
  });
}

/** The trades of two answers, each once, the newest first. */
function joined(news: readonly TradesItem[], known: readonly TradesItem[]): TradesItem[] {
  const found = new Set(keysOf(news));
  const before = keysOf(known);
  const older = known.filter((_, at) => !found.has(before[at] ?? ''));
  return [...news, ...older].toSorted((a, b) => b.timestamp - a.timestamp).slice(0, most);
}

/** Follows the trades of a market, all or from a value on, the newest first. Rows have no names: one that moved would take the eye along. */
export function tapePart(exchange: string, market: string): Part {
  let all: readonly TradesItem[] = [];
  const size = keptChoice('Value', sizes, { name: 'trades' });
  return tablePart<Trades, TradesItem>({
    title: 'Trades',
    name: `${exchange}-trades`,
    about: ({ source }) =>
      source === 'live'
        ? `${exchangeName(exchange)} ${market}`
        : `${exchangeName(exchange)} ${market}; polled, not streamed`,
    path: at('/v1/trades', { exchange, symbol: market, limit: asked }),
    every: 500,
    // Events come at no fixed interval, so that none is ever late.
    cadence: Infinity,
    choices: [size],
    key: () => '',
    columns: [
      timeColumn,
      {
        head: 'Price',
        of: 'price',
        as: price,
        tone: ({ side }) => (side === 'buy' ? 'up' : 'down'),
        hint: ({ side }) => (side === 'buy' ? 'The taker bought' : 'The taker sold'),
      },
      { head: 'Size', of: 'quantity', as: compact },
      { head: 'USD', of: 'value_usd', as: compact, bar: (one) => sizeShare(one.value_usd, 2) },
    ],
    rows({ items }) {
      all = joined(items, all);
      return all
        .filter(({ value_usd: value }) => (value ?? 0) >= Number(size.get()))
        .slice(0, kept);
    },
    none: 'No such trade yet.',
  });
}
