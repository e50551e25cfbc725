/** Resources that the live order books of the tracked assets need. */
import type { Venue } from '../sources/venue.ts';

/** Resources of a process that runs all exchanges. */
export interface BooksNeed {
  /** Books at most: for every stream one market of each asset and kind. */
  books: number;
  /** Share of one core, and memory in MiB. */
  cores: number;
  mebibytes: number;
}

/**
 * Of one book, measured by `npm run bench -- books`: ten messages a second of twenty changes each take 0.35 ms of one core
 * (rounded up by half), and two sides of a thousand levels 32 KiB, of which a snapshot that is read takes ten times more for
 * a moment.
 */
const each = { cores: 0.0005, mebibytes: 0.35 };

/** Resources for `assets` assets on these exchanges. */
export function booksNeed(
  venues: Iterable<Pick<Venue, 'books' | 'kinds' | 'parts'>>,
  assets: number,
): BooksNeed {
  let markets = 0;
  // A part has one kind of market, unless it is the only one.
  for (const { books = {}, kinds, parts } of venues)
    markets += Object.keys(books).length * (parts.length === 1 ? kinds.length : 1);
  const books = markets * assets;
  return { books, cores: books * each.cores, mebibytes: books * each.mebibytes };
}

/** A half of the machine is for everything else. */
const share = 0.5;

/** Whether the machine has room for them. `cores` are its processors, `mebibytes` its memory that is free. */
export const booksFit = (
  need: BooksNeed,
  machine: Pick<BooksNeed, 'cores' | 'mebibytes'>,
): boolean => need.cores <= machine.cores * share && need.mebibytes <= machine.mebibytes * share;
