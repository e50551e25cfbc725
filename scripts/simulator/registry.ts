/**
 * Every simulated venue, by the id of the venue that it stands in for. A new one is a file in venues/ and one line
 * here; a venue that has none is a compile error.
 */

import type { VenueId } from '../../actors/venues/registry.ts';
import type { SimulatedVenue } from './venue.ts';
import { aster } from './venues/aster.ts';
import { backpack } from './venues/backpack.ts';
import { binance } from './venues/binance.ts';
import { bingx } from './venues/bingx.ts';
import { bitfinex } from './venues/bitfinex.ts';
import { bitget } from './venues/bitget.ts';
import { bitstamp } from './venues/bitstamp.ts';
import { bybit } from './venues/bybit.ts';
import { coinbase } from './venues/coinbase.ts';
import { cryptocom } from './venues/cryptocom.ts';
import { deribit } from './venues/deribit.ts';
import { dydx } from './venues/dydx.ts';
import { gate } from './venues/gate.ts';
import { htx } from './venues/htx.ts';
import { hyperliquid } from './venues/hyperliquid.ts';
import { kraken } from './venues/kraken.ts';
import { kucoin } from './venues/kucoin.ts';
import { lighter } from './venues/lighter.ts';
import { mexc } from './venues/mexc.ts';
import { okx } from './venues/okx.ts';
import { phemex } from './venues/phemex.ts';
import { whitebit } from './venues/whitebit.ts';
import { woo } from './venues/woo.ts';

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
} satisfies Readonly<Record<VenueId, SimulatedVenue>>;
