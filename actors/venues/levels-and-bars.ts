/** Shared by the parsers of order books and candles: native levels and bars in canonical units. */

import { scaleIn } from '../../config/assets/resolve.ts';
import { type Bar, isValid, scaled } from '../../indicators/market/candles.ts';
import { ShapeError } from '../failure.ts';
import { at, field, isRow, list, positive, required, time, type WireRow } from '../read.ts';
import { rejectMostlyBad } from '../sources/queries/candles.ts';
import type { CandleQuery, MarketAsk, OrderBookQuery } from '../sources/venue.ts';
import type { Level } from '../topics/index.ts';
import { baseOf, type Size } from './cells.ts';
import { isWhole, type LevelForm, pairForm } from './wire.ts';

/**
 * Sizes of the market asked for. One that the list does not hold (listed since, or the list is
 * late) is taken to count in its base; where the venue counts in contracts their size is needed, so
 * that is a ShapeError.
 */
export function sizeOf(ask: MarketAsk, inContracts: boolean): Size {
  if (ask.instrument) return ask.instrument;
  if (inContracts) throw new ShapeError(`${ask.market}: contract size unknown`);
  return { scale: scaleIn(ask.market), contract: 1, inverse: false };
}

/** Order book levels in canonical units; none of a side that is null. Unusable rows are left out. */
export function levels(rows: unknown, size: Size, form: LevelForm = pairForm): Level[] {
  const { price, quantity, columns = 0 } = form;
  const native = rows === null ? [] : list(rows, 'levels');
  const found: Level[] = [];
  for (const row of native) {
    if (!isRow(row) || !isWhole(row, columns)) continue;
    const stated = positive(row[price]);
    const level = {
      price: stated / size.scale,
      quantity: positive(row[quantity]) * baseOf(size, 1, stated),
    };
    if (level.price > 0 && level.quantity > 0 && level.quantity < Infinity) found.push(level);
  }
  if (native.length > 0 && found.length === 0) throw new ShapeError('levels: none is readable');
  return found;
}

/** Both sides of a book that has them at `bids` and `asks`; `stated` is its time, Unix ms. */
export const bookOf = (book: unknown, size: Size, stated: number | null, form?: LevelForm) => ({
  bids: levels(field(book, 'bids'), size, form),
  asks: levels(field(book, 'asks'), size, form),
  stated,
});

/** Where a native candle has its numbers; one without a turnover leaves its key out. */
export type BarKeys = Readonly<
  Record<'open' | 'high' | 'low' | 'close' | 'volume', string | number>
> & {
  readonly turnover?: string | number;
};

/** The keys of candles that spell them out, and of those that write their first letters. */
export const spelled: BarKeys = {
  open: 'open',
  high: 'high',
  low: 'low',
  close: 'close',
  volume: 'volume',
};
export const initials: BarKeys = { open: 'o', high: 'h', low: 'l', close: 'c', volume: 'v' };

/** A native candle that opened at `timestamp`, Unix ms. */
export const barOf = (row: WireRow, timestamp: number, keys: BarKeys): Bar => ({
  timestamp,
  open: positive(row[keys.open]),
  high: positive(row[keys.high]),
  low: positive(row[keys.low]),
  close: positive(row[keys.close]),
  volume: required(row[keys.volume]),
  turnover: keys.turnover === undefined ? null : required(row[keys.turnover]),
});

/** The base that was traded for a value, at the mean of the four prices: for contracts of which no other price is stated. */
export const baseAtMean = (
  { open, high, low, close }: Omit<Bar, 'volume'>,
  value: number,
): number => (4 * value) / (open + high + low + close);

/**
 * A native candle from `[time, open, high, low, close, …]`, as most venues send it.
 */
export const ohlc = (row: WireRow, volume: number, turnover: number | null): Bar => ({
  timestamp: required(row[0]),
  open: positive(row[1]),
  high: positive(row[2]),
  low: positive(row[3]),
  close: positive(row[4]),
  volume,
  turnover,
});

/**
 * Candles in canonical units. `read` gives native numbers, NaN where one is missing; `columns` is the least length of a
 * row that is a list (`isWhole`). Unusable rows are left out; ShapeError where they are too many.
 */
export function bars(
  rows: unknown,
  scale: number,
  read: (row: WireRow) => Bar,
  columns = 0,
): Bar[] {
  const native = list(rows, 'candles');
  const found: Bar[] = [];
  for (const row of native) {
    if (!isRow(row) || !isWhole(row, columns)) continue;
    const bar = scaled(read(row), scale);
    if (isValid(bar)) found.push(bar);
  }
  rejectMostlyBad(native.length - found.length, native.length);
  return found;
}

/** How the body of an order book is read. */
interface BookForm {
  /** The path of what has `bids` and `asks`. */
  at: string;
  /** The path of the time of the book in the body, and its unit in ms; absent where there is none. */
  stated?: string;
  unit?: number;
  level?: LevelForm;
  /** Whether the levels of a part count contracts; they count base units when absent. */
  inContracts?(part: string): boolean;
}

/** The parser of an order book. */
export const book =
  ({
    at: path,
    stated,
    unit,
    level,
    inContracts = () => false,
  }: BookForm): OrderBookQuery['parse'] =>
  (body, ask) => {
    const when = stated === undefined ? null : time(at(body, stated), unit);
    return bookOf(at(body, path), sizeOf(ask, inContracts(ask.part)), when, level);
  };

/** How the body of candles is read. */
interface CandleForm {
  /** The path of the list. */
  rows: string;
  /** The opening time of a candle, and its unit in ms. */
  time: string | number;
  unit?: number;
  columns: BarKeys;
  /** The least length of a row that is a list. */
  width?: number;
}

/** The parser of candles whose volume is in base and whose turnover, if there is one, in quote. */
export const candles =
  ({ rows, time: opened, unit = 1, columns, width }: CandleForm): CandleQuery['parse'] =>
  (body, ask) =>
    bars(
      at(body, rows),
      sizeOf(ask, false).scale,
      (row) => barOf(row, required(row[opened]) * unit, columns),
      width,
    );
