/** Shared by the book streams of the venues. */
import type { BookSnapshot } from '../../indicators/order-book/followed-book.ts';
import { ShapeError } from '../failure.ts';
import { asRow, isRow, list, required, text, time, type WireRow } from '../read.ts';
import type { InstrumentMap } from '../sources/define.ts';
import type { BookMessage, BookStream, MarketUpdate } from '../sources/streams/stream.ts';
import type { Instrument } from '../topics/index.ts';
import { isWhole, type LevelForm, pairForm } from './wire.ts';

/** A stream of order books. `request` makes the message that subscribes to the book of a market, and the one that ends that. */
export const bookStream = <Request = never>({
  request,
  ...stream
}: Omit<BookStream<Request>, 'collect' | 'subscribe' | 'unsubscribe'> & {
  request(op: 'subscribe' | 'unsubscribe', market: Instrument): string;
  unsubscribe?: BookStream<Request>['unsubscribe'];
}): BookStream<Request> => ({
  collect: 'books',
  subscribe: (market) => request('subscribe', market),
  unsubscribe: (market) => request('unsubscribe', market),
  ...stream,
});

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

/** Larger numbers are not exact. */
const mostExact = 2 ** 53 - 1;

/** The number of a change or of a message, or ShapeError. */
export function numberOf(value: unknown, what: string): number {
  const number = required(value);
  if (number % 1 !== 0 || Math.abs(number) > mostExact)
    throw new ShapeError(`${what}: no whole number`);
  return number;
}

/** Where a row has a value: its key, or a function where it takes more than that; null is one that is not stated. */
type Cell = string | ((row: WireRow) => unknown);

/** Where a row has the update of a book. */
interface UpdateTable {
  /** `bids` and `asks` when absent. */
  bids?: string;
  asks?: string;
  level?: LevelForm;
  /** True where a side without changes is left out. */
  partial?: boolean;
  /** Numbers of its first and its last change, and of the last one before it. Whole books state no number before them. */
  first?: Cell;
  last?: Cell;
  previous?: Cell;
  /** Time of the book, and its unit in ms. */
  stated?: Cell;
  unit?: number;
}

const valueIn = (cell: Cell | undefined, row: WireRow): unknown => {
  if (cell === undefined) return null;
  return typeof cell === 'function' ? cell(row) : row[cell];
};

/** The number in a cell, undefined where it is not stated; ShapeError where it cannot be read. */
function numberIn(cell: Cell | undefined, row: WireRow): number | undefined {
  if (cell === undefined) return undefined;
  if (typeof cell === 'string') return numberOf(row[cell], cell);
  const value = cell(row);
  return value === null ? undefined : numberOf(value, 'sequence');
}

/** Both sides of a row. */
function sidesIn({ bids = 'bids', asks = 'asks', level, partial }: UpdateTable, row: WireRow) {
  const none = partial ? [] : undefined;
  return { bids: changes(row[bids] ?? none, level), asks: changes(row[asks] ?? none, level) };
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
      last: numberIn(table.last, row),
      stated: time(valueIn(table.stated, row), table.unit),
    };
    if (table.first !== undefined) update.first = numberIn(table.first, row);
    if (table.previous !== undefined && !whole) update.previous = numberIn(table.previous, row);
    return { updates: [more ? { ...update, ...more } : update] };
  };

/** Reads a whole book that was asked for beside a stream. */
export const snapshotReader =
  (table: UpdateTable & { last: string }) =>
  (value: unknown): BookSnapshot => {
    const row = asRow(value);
    const last = numberOf(row[table.last], table.last);
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
