/** Large resting orders of an asset on all exchanges. */
import { compact, duration, percent, price } from '../format.ts';
import type { Part } from '../part.ts';
import { at, type LargeOrdersItem } from '../request.ts';
import { tablePart } from '../table-part.ts';
import { type Market, ofKind } from './candles.ts';

/** For how long it rests, or rested, ms. */
const ageOf = ({ state, first_seen: first, last_seen: last }: LargeOrdersItem): number =>
  (state === 'active' ? Date.now() : last) - first;

/** Follows the large orders of an asset. */
export const largeOrdersPart = ({ symbol, kind }: Market): Part =>
  tablePart({
    title: 'Large orders',
    about: ({ tracked }) =>
      tracked
        ? 'Orders that rest on the books of all exchanges, the largest first'
        : `The books of ${symbol} are not watched all the time: these rest now`,
    name: `${symbol}-large-orders`,
    path: at(`/v1/${ofKind[kind]}/large-orders`, { symbol, limit: 50 }),
    every: 3_000,
    isWide: true,
    rows: ({ items }) => items,
    columns: [
      { head: 'Exchange', of: ({ exchange }) => exchange },
      {
        head: 'Side',
        of: ({ side }) => side,
        tone: ({ side }) => (side === 'bid' ? 'up' : 'down'),
      },
      {
        head: 'State',
        of: ({ state }) => state,
        tone: ({ state }) => (state === 'active' ? '' : 'soft'),
      },
      { head: 'Price', of: (one) => one.price, as: price },
      { head: 'Value, USD', of: (one) => one.value_usd, as: compact },
      { head: 'From mid price', of: (one) => one.distance_percent, as: percent },
      { head: 'Resting for', of: ageOf, as: duration },
      { head: 'Initial value, USD', of: (one) => one.initial_value_usd, as: compact },
      { head: 'Market', of: ({ pair }) => pair, tone: () => 'soft' },
    ],
    none: `No order of ${symbol} is large now.`,
  });
