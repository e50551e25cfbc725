import { InstrumentBook } from '../../actors/sources/instruments.ts';
import { OtherPrices } from '../../actors/sources/other-prices.ts';
import { Turnovers } from '../../actors/sources/rotation.ts';

/** The part of a runner's context that only sources with markets use, empty. */
export const noMarkets = () => ({
  book: new InstrumentBook(),
  turnovers: new Turnovers(),
  others: new OtherPrices(),
  gateway: null,
});
