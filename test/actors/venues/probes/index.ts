/** Every venue with what is compared of it. */
import type { VenueId } from '../../../../actors/venues/registry.ts';
import * as asterToBingx from './aster-bingx.ts';
import * as bitfinexToBybit from './bitfinex-bybit.ts';
import * as coinbaseToGate from './coinbase-gate.ts';
import * as htxToKraken from './htx-kraken.ts';
import * as kucoinToOkx from './kucoin-okx.ts';
import type { ProbedVenue } from './pairs.ts';
import * as phemexToWoo from './phemex-woo.ts';

export const probedVenues: Readonly<Record<VenueId, ProbedVenue>> = {
  ...asterToBingx,
  ...bitfinexToBybit,
  ...coinbaseToGate,
  ...htxToKraken,
  ...kucoinToOkx,
  ...phemexToWoo,
};
