/**
 * Every simulated venue, by the id of the venue that it stands in for. A new one is a file in venues/ and one line
 * here; a venue that has none is a compile error.
 */

import type { VenueId } from '../../actors/venues/registry.ts';
import type { SimulatedVenue } from './venue.ts';

export const venues = {
  ...(await import('./venues/binance.ts')),
  ...(await import('./venues/okx.ts')),
  ...(await import('./venues/bybit.ts')),
  ...(await import('./venues/bitget.ts')),
  ...(await import('./venues/gate.ts')),
  ...(await import('./venues/hyperliquid.ts')),
  ...(await import('./venues/dydx.ts')),
  ...(await import('./venues/aster.ts')),
  ...(await import('./venues/backpack.ts')),
  ...(await import('./venues/whitebit.ts')),
  ...(await import('./venues/lighter.ts')),
  ...(await import('./venues/deribit.ts')),
  ...(await import('./venues/bitfinex.ts')),
  ...(await import('./venues/cryptocom.ts')),
  ...(await import('./venues/kraken.ts')),
  ...(await import('./venues/coinbase.ts')),
  ...(await import('./venues/bingx.ts')),
  ...(await import('./venues/phemex.ts')),
  ...(await import('./venues/woo.ts')),
  ...(await import('./venues/bitstamp.ts')),
  ...(await import('./venues/htx.ts')),
  ...(await import('./venues/kucoin.ts')),
  ...(await import('./venues/mexc.ts')),
} satisfies Readonly<Record<VenueId, SimulatedVenue>>;
