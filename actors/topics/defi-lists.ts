/** Limits and tests of the documents of `defi.ts`, without its schemas. */
import type { DefiFigure, DefiReading } from './defi.ts';

/** Rows of a list answer without a limit. */
export const defaultLimit = 50;
/** Most rows that a client may ask of each list. */
export const listLimits = { uniswap: 100, raydium: 100, orca: 500 } as const;

/** Age of the rows from which an answer is stale, ms: three renewals by their job are missing. */
export const defiStaleAfter: Readonly<Record<DefiFigure, number>> = {
  lending: 900_000,
  lendingTvl: 900_000,
  // Read every minute from bodies that are fetched every five.
  uniswap: 900_000,
  raydium: 180_000,
  orca: 180_000,
  stablecoins: 900_000,
};

/** Whether a reading is of the figure. */
export const isOf = <F extends DefiFigure>(
  reading: DefiReading | undefined,
  figure: F,
): reading is DefiReading<F> => reading?.figure === figure;
