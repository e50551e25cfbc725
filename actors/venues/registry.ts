/**
 * Every venue there is. A new one is its folder, whose index.ts exports the object under its id and nothing else, and
 * one line here; ids and capabilities follow from this object. Lists of exchanges in answers have its order.
 */

import type { Venue } from '../sources/venue.ts';

export const venues = {
  ...(await import('./binance/index.ts')),
  ...(await import('./okx/index.ts')),
  ...(await import('./bybit/index.ts')),
  ...(await import('./bitget/index.ts')),
  ...(await import('./gate/index.ts')),
  ...(await import('./hyperliquid/index.ts')),
  ...(await import('./dydx/index.ts')),
  ...(await import('./aster/index.ts')),
  ...(await import('./backpack/index.ts')),
  ...(await import('./whitebit/index.ts')),
  ...(await import('./lighter/index.ts')),
  ...(await import('./deribit/index.ts')),
  ...(await import('./bitfinex/index.ts')),
  ...(await import('./cryptocom/index.ts')),
  ...(await import('./kraken/index.ts')),
  ...(await import('./coinbase/index.ts')),
  ...(await import('./bingx/index.ts')),
  ...(await import('./phemex/index.ts')),
  ...(await import('./woo/index.ts')),
  ...(await import('./bitstamp/index.ts')),
  ...(await import('./htx/index.ts')),
  ...(await import('./kucoin/index.ts')),
  ...(await import('./mexc/index.ts')),
} as const satisfies Readonly<Record<string, Venue>>;

export type VenueId = keyof typeof venues;

const isVenueId = (id: string): id is VenueId => Object.hasOwn(venues, id);

/** The results of a function for each venue that gives one, with its id, in the order of the registry. */
const found = <T extends object>(find: (venue: Venue) => T | null | undefined) =>
  Object.keys(venues)
    .filter(isVenueId)
    .flatMap((id) => {
      const one = find(venues[id]);
      return one ? [{ id, ...one }] : [];
    });

/** The venues that publish borrow rates without a key, with their poll. */
export const lenders = found(({ polls }) => polls?.loans && { poll: polls.loans });

/** The venues with options, and the lists of their chains. */
export const optionVenues = found(
  ({ feeds }) => feeds.options && { lists: Object.keys(feeds.options.parts) },
);
