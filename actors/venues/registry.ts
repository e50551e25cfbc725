/**
 * Every venue there is. A new one is its folder and one line here; ids and capabilities follow from
 * this object.
 */

import type { Venue } from '../sources/venue.ts';
import { aster } from './aster/index.ts';
import { backpack } from './backpack/index.ts';
import { binance } from './binance/index.ts';
import { bingx } from './bingx/index.ts';
import { bitfinex } from './bitfinex/index.ts';
import { bitget } from './bitget/index.ts';
import { bitstamp } from './bitstamp/index.ts';
import { bybit } from './bybit/index.ts';
import { coinbase } from './coinbase/index.ts';
import { cryptocom } from './cryptocom/index.ts';
import { deribit } from './deribit/index.ts';
import { dydx } from './dydx/index.ts';
import { gate } from './gate/index.ts';
import { htx } from './htx/index.ts';
import { hyperliquid } from './hyperliquid/index.ts';
import { kraken } from './kraken/index.ts';
import { kucoin } from './kucoin/index.ts';
import { lighter } from './lighter/index.ts';
import { mexc } from './mexc/index.ts';
import { okx } from './okx/index.ts';
import { phemex } from './phemex/index.ts';
import { whitebit } from './whitebit/index.ts';
import { woo } from './woo/index.ts';

export const venues = {
  binance,
  okx,
  bybit,
  bitget,
  gate,
  hyperliquid,
  dydx,
  aster,
  backpack,
  whitebit,
  lighter,
  deribit,
  bitfinex,
  cryptocom,
  kraken,
  coinbase,
  bingx,
  phemex,
  woo,
  bitstamp,
  htx,
  kucoin,
  mexc,
} as const satisfies Readonly<Record<string, Venue>>;

export type VenueId = keyof typeof venues;

const isVenueId = (id: string): id is VenueId => Object.hasOwn(venues, id);

/** What a function finds of each venue that has it, with the id, in the order of the registry. */
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
