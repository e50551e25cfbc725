/**
 * Every venue there is. A new one is its file and one line here; ids and capabilities follow from
 * this object.
 */

import { aster } from './aster.ts';
import { backpack } from './backpack.ts';
import { binance } from './binance.ts';
import { bingx } from './bingx.ts';
import { bitfinex } from './bitfinex.ts';
import { bitget } from './bitget.ts';
import { bitstamp } from './bitstamp.ts';
import { bybit } from './bybit.ts';
import { coinbase } from './coinbase.ts';
import { cryptocom } from './cryptocom.ts';
import { deribit } from './deribit.ts';
import { dydx } from './dydx.ts';
import { gate } from './gate.ts';
import { htx } from './htx.ts';
import { hyperliquid } from './hyperliquid.ts';
import { kraken } from './kraken.ts';
import { kucoin } from './kucoin.ts';
import { lighter } from './lighter.ts';
import { mexc } from './mexc.ts';
import { okx } from './okx.ts';
import { phemex } from './phemex.ts';
import type { Venue } from './venue.ts';
import { whitebit } from './whitebit.ts';
import { woo } from './woo.ts';

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
export type QueryName = keyof Venue['queries'];

/**
 * Ids of the venues in `Registry` that answer the query; using any other as one is a compile error.
 */
export type VenueWith<
  Query extends QueryName,
  Registry extends Readonly<Record<string, Venue>> = typeof venues,
> = {
  [Id in keyof Registry & string]: Registry[Id]['queries'] extends Record<Query, object>
    ? Id
    : never;
}[keyof Registry & string];

export const isVenueId = (id: string): id is VenueId => Object.hasOwn(venues, id);

/** Ids of the venues that answer the query, in the order of the registry. */
export const withQuery = <Query extends QueryName>(query: Query): VenueWith<Query>[] =>
  Object.keys(venues).filter(
    (id): id is VenueWith<Query> => isVenueId(id) && query in venues[id].queries,
  );
