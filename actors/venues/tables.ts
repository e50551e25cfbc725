/**
 * The tables of an exchange: each column names the field that has its value. The reader of a value, its unit and its sign belong to
 * the column, and stand here once for all exchanges. Pure.
 */
import { hour } from '../../config/time.ts';
import { positive, required, time, type WireRow } from '../read.ts';
import type {
  DerivativeRow,
  FutureRow,
  Instrument,
  OpenInterestRow,
  PriceRow,
} from '../topics/index.ts';
import { type Cell as CellOf, type Key, valueIn } from './cells.ts';
import { agreedChange, changeOf, derivativeOf, futureOf, openInterestOf, priceOf } from './rows.ts';
import { neverTraded } from './wire.ts';

/** What a reading knows besides the row. */
export interface About {
  /** When the last byte arrived, Unix ms. */
  received: number;
  /** The time that the body or the message states for all of its rows, Unix ms. */
  stated: number | null;
}

/** A cell of a market, read with what is known of the reading. */
export type Cell = CellOf<Instrument, About>;

/** A field of linear markets, and the one that has the same of inverse markets. */
export const bySort =
  (linear: Key, inverse: Key) =>
  (row: WireRow, market: Instrument): unknown =>
    row[market.inverse ? inverse : linear];

/** A number of contracts as base units, or as quote where the market is inverse. */
export const sizeIn =
  (key: Key) =>
  (row: WireRow, { contract }: Instrument): number =>
    required(row[key]) * contract;

/** A time in seconds as ms. */
export const seconds =
  (key: Key): Cell =>
  (row) =>
    required(row[key]) * 1000;

/** The end of the running interval of so many hours since midnight UTC, Unix ms. */
export const endOfHours = (hours: number, now: number): number =>
  (Math.floor(now / (hours * hour)) + 1) * hours * hour;

/** The next full hour. */
export const nextHour: Cell = (_row, _market, { stated, received }) =>
  endOfHours(1, stated ?? received);

/** The columns of a price row, in native units. */
export interface PriceTable {
  last: Cell;
  bid?: Cell;
  ask?: Cell;
  /** Highest and lowest price of 24 h. */
  high?: Cell;
  low?: Cell;
  /** 24 h volume in native base units, one side. */
  base?: Cell;
  /** 24 h turnover in quote, one side. */
  quote?: Cell;
  /** The price 24 h ago. The change follows from it; a stated change beside it stands where it is missing. */
  open?: Cell;
  /** The stated 24 h change in percent. */
  percent?: Cell;
  /** The stated 24 h change as a fraction. */
  fraction?: Cell;
  /** True where `open` counts only if it agrees with the stated change: see `agreedChange`. */
  agreed?: boolean;
  /** Unix ms; that of the body when absent. */
  stated?: Cell;
  /** The 24 h volume, where a market that was never traded is listed without a price: it is left out without a count. */
  untraded?: Key;
}

/** The columns of a derivative row, in native units; of a dated future the mark and the index. */
export interface DerivativeTable {
  mark?: Cell;
  index?: Cell;
  /** A fraction per `hours`. */
  rate?: Cell;
  /** Hours between fundings; those of the instrument list when absent. */
  hours?: Cell;
  /** When the rate is charged, Unix ms. */
  next?: Cell;
  /** The rate that is expected after it. */
  predicted?: Cell;
  /** A fraction. */
  premium?: Cell;
  stated?: Cell;
}

/** The columns of an open interest row, one side, in native units. */
export interface InterestTable {
  /** Base units. */
  base?: Cell;
  /** A number of contracts, each worth `contract` base units, or `contract` of the quote where the market is inverse. */
  contracts?: Cell;
  /** Value in quote. */
  value?: Cell;
  /** The price that turns one into the other. */
  mark?: Cell;
  /** `base` again, out of other fields: a row in which the two differ is in doubt. */
  again?: Cell;
  stated?: Cell;
}

/** The tables of a part. */
export interface Tables {
  price?: PriceTable;
  derivative?: DerivativeTable;
  interest?: InterestTable;
}

const unknown = required(undefined);

/** What a reading knows, with the cell of the time of its rows. */
export interface Reading extends About {
  time?: Cell | undefined;
}

type Read = (cell: Cell | undefined, row: WireRow, market: Instrument, about: About) => number;

/** The positive number in a cell, NaN where it is none. Cells that a table lacks are not looked up: this runs for each row. */
const positiveIn: Read = (cell, row, market, about) =>
  cell === undefined ? unknown : positive(valueIn(cell, row, market, about));

/** The number in a cell, which may be zero or negative; NaN where it is none. */
const numberIn: Read = (cell, row, market, about) =>
  cell === undefined ? unknown : required(valueIn(cell, row, market, about));

function timeIn(
  cell: Cell | undefined,
  row: WireRow,
  market: Instrument,
  about: Reading,
): number | null {
  const stated = cell ?? about.time;
  if (stated === undefined) return about.stated;
  return time(valueIn(stated, row, market, about)) ?? about.stated;
}

/** The 24 h change in percent of a row whose last price is known. */
function changeIn(
  { open, percent, fraction, agreed }: PriceTable,
  last: number,
  [row, market, about]: readonly [WireRow, Instrument, Reading],
): number {
  const stated =
    percent === undefined
      ? numberIn(fraction, row, market, about) * 100
      : numberIn(percent, row, market, about);
  if (open === undefined) return stated;
  const before = positiveIn(open, row, market, about);
  return agreed ? agreedChange(last, before, stated) : changeOf(last, before, stated);
}

const noCells: Partial<PriceTable> & DerivativeTable = {};

/** Reads the row of a topic by its table; null where it cannot be used. */
type RowReader<Table, Row> = (
  table: Table,
  row: WireRow,
  market: Instrument,
  about: Reading,
) => Row | null;

export const priceRow: RowReader<PriceTable, PriceRow> = (table, row, market, about) => {
  const last = positiveIn(table.last, row, market, about);
  return priceOf(market, {
    last,
    bid: positiveIn(table.bid, row, market, about),
    ask: positiveIn(table.ask, row, market, about),
    high: positiveIn(table.high, row, market, about),
    low: positiveIn(table.low, row, market, about),
    base: numberIn(table.base, row, market, about),
    volume: numberIn(table.quote, row, market, about),
    change: changeIn(table, last, [row, market, about]),
    stated: timeIn(table.stated, row, market, about),
  });
};

export const derivativeRow: RowReader<DerivativeTable, DerivativeRow> = (
  table,
  row,
  market,
  about,
) => {
  const { hours, next } = table;
  return derivativeOf(market, {
    mark: positiveIn(table.mark, row, market, about),
    index: positiveIn(table.index, row, market, about),
    rate: numberIn(table.rate, row, market, about),
    hours:
      hours === undefined ? positive(market.funding_hours) : positiveIn(hours, row, market, about),
    next: next === undefined ? null : time(valueIn(next, row, market, about)),
    predicted: numberIn(table.predicted, row, market, about),
    premium: numberIn(table.premium, row, market, about),
    stated: timeIn(table.stated, row, market, about),
  });
};

export const interestRow: RowReader<InterestTable, OpenInterestRow> = (
  table,
  row,
  market,
  about,
) => {
  const { contracts } = table;
  const size = numberIn(contracts, row, market, about) * market.contract;
  const { inverse } = market;
  const isCounted = contracts !== undefined;
  return openInterestOf(market, {
    base: isCounted && !inverse ? size : numberIn(table.base, row, market, about),
    value: isCounted && inverse ? size : numberIn(table.value, row, market, about),
    mark: positiveIn(table.mark, row, market, about),
    again: numberIn(table.again, row, market, about),
    stated: timeIn(table.stated, row, market, about),
  });
};

/** The row of a dated future out of all tables of its form; null where it states no mark price. */
export const futureRow: RowReader<Tables, FutureRow> = (tables, row, market, about) => {
  const { price = noCells, derivative = noCells, interest } = tables;
  return futureOf(market, {
    mark: positiveIn(derivative.mark, row, market, about),
    index: positiveIn(derivative.index, row, market, about),
    interest: interest ? interestRow(interest, row, market, about) : null,
    volume: numberIn(price.quote, row, market, about),
    stated: timeIn(derivative.stated, row, market, about),
  });
};

/** True for a market that was never traded: see `neverTraded`. */
export const isUntraded = (
  { last, untraded }: PriceTable,
  row: WireRow,
  market: Instrument,
  about: About,
): boolean =>
  untraded !== undefined && neverTraded(valueIn(last, row, market, about), row[untraded]);
