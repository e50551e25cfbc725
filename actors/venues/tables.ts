/**
 * The tables of an exchange: each column names the field that has its value. The reader of a value, its unit and its sign belong to
 * the column, and stand here once for all exchanges. Pure.
 */
import { hour } from '../../config/time.ts';
import { rateOf8Hours } from '../../indicators/derivatives/funding.ts';
import { contradiction } from '../../indicators/market/checks.ts';
import { isFollowedKind } from '../../indicators/market/market-names.ts';
import { isNumber, optional, positive, required, time, type WireRow } from '../read.ts';
import type {
  DerivativeRow,
  FutureRow,
  Instrument,
  OpenInterestRow,
  PriceRow,
} from '../topics/index.ts';
import { type Cell as CellOf, type Key, neverTraded, valueIn } from './cells.ts';

/** What a reading knows besides the row. */
export interface About {
  /** When the last byte arrived, Unix ms. */
  received: number;
  /** The time that the body or the message states for all of its rows, Unix ms. */
  stated: number | null;
}

/** A cell of a market, read with what is known of the reading. */
export type Cell = CellOf<Instrument, About>;

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
  /** The price 24 h ago. The change follows from it; a stated change beside it stands where it is missing or contradicts that. */
  open?: Cell;
  /** The stated 24 h change in percent. */
  percent?: Cell;
  /** The stated 24 h change as a fraction. */
  fraction?: Cell;
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

/** What a reading knows, with the cell of the time of its rows. */
export interface Reading extends About {
  time?: Cell | undefined;
}

type Read = (cell: Cell | undefined, row: WireRow, market: Instrument, about: About) => number;

/** The positive number in a cell, NaN where it is none. Cells that a table lacks are not looked up: this runs for each row. */
const positiveIn: Read = (cell, row, market, about) =>
  cell === undefined ? NaN : positive(valueIn(cell, row, market, about));

/** The number in a cell, which may be zero or negative; NaN where it is none. */
const numberIn: Read = (cell, row, market, about) =>
  cell === undefined ? NaN : required(valueIn(cell, row, market, about));

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

/** The amount, or null where it is not finite or negative, or was never there (NaN). */
const amount = (value: number): number | null => (value >= 0 && value < Infinity ? value : null);

/** How far a rounded change may be from the exact one, percent: some are fractions of three decimals. */
const rounding = 0.05;

/** The 24 h change in percent. Bitget's contracts had fallen by 0.7 % since what it called the price of 24 h ago, and by 1.6 % as stated. */
function changeIn(
  { open, percent, fraction }: PriceTable,
  last: number,
  [row, market, about]: readonly [WireRow, Instrument, Reading],
): number {
  const stated =
    percent === undefined
      ? numberIn(fraction, row, market, about) * 100
      : numberIn(percent, row, market, about);
  if (open === undefined) return stated;
  const exact = (last / positiveIn(open, row, market, about) - 1) * 100;
  return !isNumber(exact) || Math.abs(exact - stated) > rounding ? stated : exact;
}

/** Reads the row of a topic by its table, in canonical units; null where it cannot be used. */
type RowReader<Table, Row> = (
  table: Table,
  row: WireRow,
  market: Instrument,
  about: Reading,
) => Row | null;

/** Null without a positive finite price. */
export const priceRow: RowReader<PriceTable, PriceRow> = (table, row, market, about) => {
  const { kind, symbol, quote, scale } = market;
  const last = positiveIn(table.last, row, market, about);
  const price = last / scale;
  if (!isFollowedKind(kind) || !(price > 0)) return null;
  const bid = positiveIn(table.bid, row, market, about);
  const ask = positiveIn(table.ask, row, market, about);
  const change = changeIn(table, last, [row, market, about]);
  const found: PriceRow = {
    market: market.market,
    kind,
    symbol,
    quote,
    price,
    bid: optional(bid / scale),
    ask: optional(ask / scale),
    high: optional(positiveIn(table.high, row, market, about) / scale),
    low: optional(positiveIn(table.low, row, market, about) / scale),
    base: amount(numberIn(table.base, row, market, about) * scale),
    volume: amount(numberIn(table.quote, row, market, about)),
    // A price falls by 100 % at most.
    change: change >= -100 ? optional(change) : null,
    stated: timeIn(table.stated, row, market, about),
  };
  const doubt = bid > 0 && ask > 0 ? contradiction(last, [bid, ask]) : null;
  if (doubt !== null) found.doubt = doubt;
  return found;
};

/** Null when neither mark, index nor rate is known. */
export const derivativeRow: RowReader<DerivativeTable, DerivativeRow> = (
  table,
  row,
  market,
  about,
) => {
  const { symbol, quote, scale } = market;
  const { next } = table;
  const rate = numberIn(table.rate, row, market, about);
  const hours =
    table.hours === undefined
      ? positive(market.funding_hours)
      : positiveIn(table.hours, row, market, about);
  const found: DerivativeRow = {
    market: market.market,
    symbol,
    quote,
    mark: optional(positiveIn(table.mark, row, market, about) / scale),
    index: optional(positiveIn(table.index, row, market, about) / scale),
    funding_rate: optional(rate),
    funding_hours: optional(hours),
    funding_rate_8h: optional(rateOf8Hours(rate, hours)),
    next_funding: next === undefined ? null : time(valueIn(next, row, market, about)),
    stated: timeIn(table.stated, row, market, about),
  };
  const predicted = optional(numberIn(table.predicted, row, market, about));
  const premium = optional(numberIn(table.premium, row, market, about));
  if (predicted !== null) found.predicted_rate = predicted;
  if (premium !== null) found.premium = premium;
  return found.mark === null && found.index === null && found.funding_rate === null ? null : found;
};

/** A missing base or value follows from the mark price. Null without a value; nothing has the value 0 at any price. */
export const interestRow: RowReader<InterestTable, OpenInterestRow> = (
  table,
  row,
  market,
  about,
) => {
  const { symbol, quote, scale, inverse } = market;
  const size = numberIn(table.contracts, row, market, about) * market.contract;
  const isCounted = table.contracts !== undefined;
  const base = isCounted && !inverse ? size : numberIn(table.base, row, market, about);
  const value = isCounted && inverse ? size : numberIn(table.value, row, market, about);
  const mark = positiveIn(table.mark, row, market, about);
  const worth = amount(value >= 0 ? value : base === 0 ? 0 : base * mark);
  if (worth === null) return null;
  const found: OpenInterestRow = {
    market: market.market,
    symbol,
    quote,
    units: amount((base >= 0 ? base : value / mark) * scale),
    value: worth,
    mark: mark > 0 ? optional(mark / scale) : null,
    stated: timeIn(table.stated, row, market, about),
  };
  const again = numberIn(table.again, row, market, about);
  const doubt = contradiction(base, [again]) ?? contradiction(value, [base * mark]);
  if (doubt !== null) found.doubt = doubt;
  return found;
};

/** Times by which a mark and its index may differ; in April 2021 futures of nine months were 30 % above it. */
const mostApart = 2;
const isOfMark = (index: number, mark: number): boolean =>
  index > mark / mostApart && index < mark * mostApart;

/** The row of a dated future out of all tables of its form; null without a mark price or an expiry. */
export const futureRow: RowReader<Tables, FutureRow> = (tables, row, market, about) => {
  const { price, derivative, interest: table } = tables;
  const { symbol, quote, scale, inverse, expiry } = market;
  const mark = positiveIn(derivative?.mark, row, market, about);
  if (!(mark > 0) || expiry === undefined) return null;
  const index = positiveIn(derivative?.index, row, market, about);
  const interest = table ? interestRow(table, row, market, about) : null;
  // Values that contradict each other are both left out.
  const { units = null, value = null } = interest?.doubt === undefined ? (interest ?? {}) : {};
  return {
    market: market.market,
    symbol,
    quote,
    inverse,
    expiry,
    mark: mark / scale,
    index: isOfMark(index, mark) ? index / scale : null,
    units,
    value,
    volume: amount(numberIn(price?.quote, row, market, about)),
    stated: timeIn(derivative?.stated, row, market, about),
  };
};

/** True for a market that was never traded: see `neverTraded`. */
export const isUntraded = (
  { last, untraded }: PriceTable,
  row: WireRow,
  market: Instrument,
  about: About,
): boolean =>
  untraded !== undefined && neverTraded(valueIn(last, row, market, about), row[untraded]);
