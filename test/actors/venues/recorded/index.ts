/** Every venue with what is recorded of it. */
import type { VenueId } from '../../../../actors/venues/registry.ts';
import * as asterToBingx from './aster-bingx.ts';
import * as bitfinexToBybit from './bitfinex-bybit.ts';
import type { RecordedVenue } from './check.ts';
import * as coinbaseToGate from './coinbase-gate.ts';
import * as htxToKraken from './htx-kraken.ts';
import * as kucoinToOkx from './kucoin-okx.ts';
import * as phemexToWoo from './phemex-woo.ts';

export const recordedVenues: Readonly<Record<VenueId, RecordedVenue>> = {
  ...asterToBingx,
  ...bitfinexToBybit,
  ...coinbaseToGate,
  ...htxToKraken,
  ...kucoinToOkx,
  ...phemexToWoo,
};
