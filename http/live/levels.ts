/** Changes of the levels of a live order book between two versions of its answer, for clients that keep the book themselves. */
import { crc32 } from 'node:zlib';
import type { Snapshot } from '../answers/snapshots.ts';

interface Level {
  price: number;
  quantity: number;
}

/** An order book as the data of an answer have it, the best levels first. */
interface Book {
  bids: readonly Level[];
  asks: readonly Level[];
  source: string;
  sequence: number | null;
  /** All members of the data but the levels. */
  head: object;
}

/** Why a client is sent a whole book: its first one, it missed changes, the book was lost, or no live book is kept. */
type Reason = 'first' | 'missed' | 'lost' | 'not_live';

/** Levels a side that the checksum covers. */
const checked = 25;

/**
 * CRC-32 (IEEE 802.3, unsigned) of the first 25 levels: for each rank the price and the quantity of the bid, then those of the
 * ask, as JSON writes them, all joined by `:`; a side that has ended is left out. It is the scheme of OKX and Bitget.
 */
export function checksumOf({ bids, asks }: Pick<Book, 'bids' | 'asks'>): number {
  const parts: number[] = [];
  for (let i = 0; i < checked; i++) {
    for (const level of [bids[i], asks[i]]) if (level) parts.push(level.price, level.quantity);
  }
  return crc32(parts.join(':'));
}

/** The levels of a side that differ, as `[price, quantity]`: 0 where the level is gone. Those that are gone come first. */
export function changesOf(before: readonly Level[], now: readonly Level[]): [number, number][] {
  const known = new Map(before.map(({ price, quantity }) => [price, quantity]));
  const set: [number, number][] = [];
  for (const { price, quantity } of now) {
    if (known.get(price) !== quantity) set.push([price, quantity]);
    known.delete(price);
  }
  return [...[...known.keys()].map((price): [number, number] => [price, 0]), ...set];
}

const books = new WeakMap<Snapshot, Book>();

/** The book in an answer, read once. */
function bookIn(answer: Snapshot): Book {
  const known = books.get(answer);
  if (known !== undefined) return known;
  const { bids, asks, ...head } = JSON.parse(answer.dataText);
  const { source, sequence = null } = head;
  const book: Book = { bids, asks, source, sequence, head };
  books.set(answer, book);
  return book;
}

const isLive = ({ source }: Book): boolean => source === 'live';

/** Why the second of two versions cannot be stated as changes of the first one; null where it can. */
function breakOf(before: Book, now: Book): Reason | null {
  if (!isLive(now)) return 'not_live';
  const isOlder = (now.sequence ?? 0) < (before.sequence ?? 0);
  return !isLive(before) || isOlder ? 'lost' : null;
}

/** The members of a message with the changes from one version to the next, as JSON text; null where the whole must be sent. */
export function levelsBetween(before: Snapshot, now: Snapshot): string | null {
  const [old, own] = [bookIn(before), bookIn(now)];
  if (breakOf(old, own) !== null) return null;
  const changes = {
    from: before.version,
    from_sequence: old.sequence,
    to_sequence: own.sequence,
    bids: changesOf(old.bids, own.bids),
    asks: changesOf(old.asks, own.asks),
    head: own.head,
    checksum: checksumOf(own),
  };
  return `,${JSON.stringify(changes).slice(1, -1)}`;
}

/** The members of a whole book besides its data: why it is sent, and its checksum. `why` is that of the client. */
export function wholeBook(
  before: Snapshot | null,
  now: Snapshot,
  why: 'first' | 'missed' | 'lost',
): string {
  const own = bookIn(now);
  const broken = before === null ? null : breakOf(bookIn(before), own);
  const reason: Reason = !isLive(own) ? 'not_live' : why === 'lost' ? (broken ?? why) : why;
  return `,"reason":"${reason}","checksum":${checksumOf(own)}`;
}
