/** Shared by the book streams of the venues. */
import { ShapeError } from '../failure.ts';
import { isRow, list, required, text } from '../read.ts';
import type { InstrumentMap } from '../sources/define.ts';
import type { BookStream } from '../sources/streams/stream.ts';
import type { Instrument } from '../topics/index.ts';
import { isWhole, type LevelForm, pairForm } from './wire.ts';

/** A stream of order books of a venue. */
export const bookStream = <Request = never>(
  stream: Omit<BookStream<Request>, 'collect'>,
): BookStream<Request> => ({ collect: 'books', ...stream });

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
