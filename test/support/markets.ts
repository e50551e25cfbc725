import { InstrumentBook } from '../../actors/sources/instruments.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { Pace } from '../../config/pace.ts';

/** The part of a runner's context that only sources with markets use, empty. */
export const noMarkets = () => {
  const newest = new NewestRows();
  return {
    book: new InstrumentBook(newest),
    newest,
    gateway: null,
    pace: new Pace('auto', () => 0),
  };
};
