/** Shared by the book streams of the venues. */
import type { BookSnapshot } from '../../indicators/order-book/followed-book.ts';
import type { Count } from '../../indicators/order-book/sequence.ts';
import { ShapeError } from '../failure.ts';
import { asRow, isExact, isRow, list, required, text, time, type WireRow } from '../read.ts';
import type { InstrumentMap } from '../sources/define.ts';
import type { BookMessage, BookStream, MarketUpdate } from '../sources/streams/stream.ts';
import type { Instrument } from '../topics/index.ts';
import { type Cell, isWhole, type LevelForm, pairForm, valueIn } from './cells.ts';

/** A stream of order books. `request` makes the message that subscribes to the book of a market, and the one that ends that. */
export function bookStream<Request = never>({
  request,
  ...stream
}: Omit<BookStream<Request>, 'channels'> & {
  request(op: 'subscribe' | 'unsubscribe', market: Instrument): string;
}): BookStream<Request> {
  const requests = (op: 'subscribe' | 'unsubscribe') => (markets: InstrumentMap) =>
    [...markets.values()].map((market) => request(op, market));
  return { channels: requests('subscribe'), unsubscribe: requests('unsubscribe'), ...stream };
}

/**
 * Levels as a message states them, price and quantity in turns; a quantity of zero deletes. A level that cannot be read
 * makes the whole message unreadable: without it the book would be wrong.
 */
export function changes(rows: unknown, form: LevelForm = pairForm): number[] {
  const { price: at, quantity: of, columns = 0 } = form;
  const found: number[] = [];
  for (const row of list(rows, 'levels')) {
    if (!isRow(row) || !isWhole(row, columns)) throw new ShapeError('a level is no row');
    const price = required(row[at]);
    const quantity = required(row[of]);
    if (!(price > 0 && quantity >= 0)) throw new ShapeError('a level without price or quantity');
    found.push(price, quantity);
  }
  return found;
}

/** The number of a change or of a message, or ShapeError. */
export function numberOf(value: unknown, what: string): number {
  const number = required(value);
  if (!isExact(number)) throw new ShapeError(`${what}: no whole number`);
  return number;
}

/** The number of a change, exact however large it is: above 2^53 as a bigint, out of a text of digits. ShapeError. */
export function countOf(value: unknown, what: string): Count {
  const isLarge = typeof value === 'string' && /^\d{16,}$/.test(value) && !isExact(required(value));
  return isLarge ? BigInt(value) : numberOf(value, what);
}

/** Where a row has the update of a book. */
interface UpdateTable {
  /** `bids` and `asks` when absent. */
  bids?: string;
  asks?: string;
  level?: LevelForm;
  /** True where a message without changes has neither side. */
  countsOn?: boolean;
  /** Numbers of its first and its last change, and of the last one before it. Whole books state no number before them. */
  first?: Cell;
  last?: Cell;
  previous?: Cell;
  /** Time of the book, and its unit in ms. */
  stated?: Cell;
  unit?: number;
}

/** The number in a cell, undefined where it is not stated: without a cell, and where a function gives null. ShapeError where it cannot be read. */
function countIn(cell: Cell | undefined, row: WireRow): Count | undefined {
  const value = valueIn(cell, row);
  const isAbsent = cell === undefined || (typeof cell === 'function' && value === null);
  return isAbsent ? undefined : countOf(value, typeof cell === 'function' ? 'sequence' : `${cell}`);
}

/** Both sides of a row; one that is absent or null has no levels. ShapeError where both are absent: that is no book. */
function sidesIn({ bids = 'bids', asks = 'asks', level, countsOn }: UpdateTable, row: WireRow) {
  if (!countsOn && row[bids] === undefined && row[asks] === undefined)
    throw new ShapeError('neither bids nor asks');
  return { bids: changes(row[bids] ?? [], level), asks: changes(row[asks] ?? [], level) };
}

/** Reads a row as the one update of a message: a whole book, or changes of it; `more` replaces what the row states. */
export const updateReader =
  (table: UpdateTable) =>
  (whole: boolean, market: unknown, value: unknown, more?: Partial<MarketUpdate>): BookMessage => {
    const row = asRow(value);
    const update: MarketUpdate = {
      kind: whole ? 'snapshot' : 'update',
      market: text(market),
      ...sidesIn(table, row),
      last: countIn(table.last, row),
      stated: time(valueIn(table.stated, row), table.unit),
    };
    if (table.first !== undefined) update.first = countIn(table.first, row);
    if (table.previous !== undefined && !whole) update.previous = countIn(table.previous, row);
    return { updates: [more ? { ...update, ...more } : update] };
  };

/** Reads a whole book that was asked for beside a stream. */
export const snapshotReader =
  (table: UpdateTable & { last: string }) =>
  (value: unknown): BookSnapshot => {
    const row = asRow(value);
    const last = countOf(row[table.last], table.last);
    const stated = time(valueIn(table.stated, row), table.unit);
    return { ...sidesIn(table, row), last, stated, limited: true };
  };

/** A message in which the upstream refuses something of ours. */
export const refused = (why: unknown): ShapeError => new ShapeError(`refused: ${text(why)}`);

const named = new WeakMap<InstrumentMap, ReadonlyMap<string, string>>();

/** The ids of markets by the names that a stream gives them. */
export function marketsByName(
  instruments: InstrumentMap,
  nameOf: (market: Instrument) => string,
): ReadonlyMap<string, string> {
  const known = named.get(instruments);
  if (known) return known;
  const made = new Map([...instruments.values()].map((one) => [nameOf(one), one.market]));
  named.set(instruments, made);
  return made;
}
