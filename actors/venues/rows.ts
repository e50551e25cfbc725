/**
 * What the parsers of the venues share: the loops over wire rows and the step from native to
 * canonical units.
 */
import { dollarQuotes } from '../../config/quotes.ts';
import { ShapeError } from '../failure.ts';
import { optional, positive, required, text } from '../read.ts';
import type { DerivativeRow, Instrument, Level, OpenInterestRow, PriceRow } from '../topics.ts';
import { type Bar, isSound } from './candles.ts';
import { canonical } from './symbols.ts';
import type { MarketAsk, Parsed } from './venue.ts';

/** A row of a body, object or array; nothing is known of its values. */
export type WireRow = Readonly<Record<string | number, unknown>>;
type Key = string | number;

/** Whether a value is an object or an array. */
export const isRow = (value: unknown): value is WireRow =>
  typeof value === 'object' && value !== null;
const noRow: WireRow = {};
/** The value as a row; one without anything where it is none. */
export const asRow = (value: unknown): WireRow => (isRow(value) ? value : noRow);

/** The value as a list, which may be empty, or ShapeError. */
export function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(`${what}: not a list`);
  return value;
}

/**
 * The value as the list of everything a venue has: an empty one is no answer but a fault, so
 * ShapeError too.
 */
export function bulk(value: unknown, what: string): readonly unknown[] {
  const rows = list(value, what);
  if (rows.length === 0) throw new ShapeError(`${what}: an empty list`);
  return rows;
}

/** The value at `key` of a body that must be an object or array, or ShapeError. */
export function field(body: unknown, key: Key): unknown {
  if (!isRow(body)) throw new ShapeError(`${key}: no object to hold it`);
  return body[key];
}

/** The amount, or null where it is not finite or negative, or was never there (NaN). */
const amount = (value: number | null): number | null =>
  value !== null && value >= 0 && value < Infinity ? value : null;

/**
 * An instrument from its native facts; null, which drops the row, without base, quote or contract
 * size.
 */
export function instrument(
  facts: Omit<Instrument, 'symbol' | 'scale' | 'funding_hours'> & {
    base: string;
    fundingHours?: number | null;
  },
): Instrument | null {
  const { market, kind, base, quote, contract, inverse, fundingHours = null } = facts;
  if (base === '' || quote === '' || !(contract > 0)) return null;
  const { symbol, scale } = canonical(base);
  return { market, kind, symbol, quote, scale, contract, inverse, funding_hours: fundingHours };
}

/**
 * Reads an instrument list; `id` is the key of the market's id, `read` gives null for an unreadable
 * row.
 */
export function instrumentRows(
  rows: readonly unknown[],
  id: Key,
  read: (row: WireRow, market: string) => Instrument | null,
): Parsed<Instrument> {
  const parsed: Parsed<Instrument> = { rows: [], dropped: [] };
  for (const value of rows) {
    const row = asRow(value);
    const market = text(row[id]);
    const found = market === '' ? null : read(row, market);
    if (found) parsed.rows.push(found);
    else parsed.dropped.push({ key: market, code: 'bad_row' });
  }
  return parsed;
}

/** What a price row needs to know of its market. */
export type Named = Pick<Instrument, 'market' | 'kind' | 'symbol' | 'quote' | 'scale'>;

/** How a venue's rows about its markets are read: tickers, funding, open interest. */
export interface Reader<M extends Named, Row> {
  /** The market's id in a row; `by` for one that stands at a key. */
  id(row: WireRow): string;
  /** The row through `priceOf`, `derivativeOf` or `openInterestOf`; null, which drops it, when it is unusable. */
  read(row: WireRow, market: M): Row | null;
  /** What the id itself says, for a market that the instrument list does not hold. */
  fromId?(id: string): M | null;
}

/** Reads the id at a key; '' where it is not text. */
export const by =
  (key: Key) =>
  (row: WireRow): string =>
    text(row[key]);

/** A native ticker; NaN where a number is unknown. */
export interface Ticker {
  last: number;
  /** 24 h turnover in quote. */
  volume: number;
  /** 24 h change, percent. */
  change: number;
  stated: number | null;
}

/** Change from `open` to `last` in percent; NaN where one of them is unknown. */
export const changeOf = (last: number, open: number): number => (last / open - 1) * 100;

/** A price row in canonical units. Null without a positive finite price. */
export function priceOf(
  { market, kind, symbol, quote, scale }: Named,
  { last, volume, change, stated }: Ticker,
): PriceRow | null {
  const price = last / scale;
  if (kind === 'other' || !(price > 0)) return null;
  return {
    market,
    kind,
    symbol,
    quote,
    price,
    volume: amount(volume),
    change: optional(change),
    stated,
  };
}

/** What a venue says of a perpetual in native units; NaN where a number is unknown. */
export interface Derivative {
  mark: number;
  index: number;
  /** Fraction per `hours`. */
  rate: number;
  hours: number;
  /** When the rate is charged, Unix ms; null when unknown or when it accrues continuously. */
  next: number | null;
  stated: number | null;
}

/** A derivative row in canonical units. Null when neither mark, index nor rate is known. */
export function derivativeOf(
  { market, symbol, quote, scale }: Named,
  { mark, index, rate, hours, next, stated }: Derivative,
): DerivativeRow | null {
  const row: DerivativeRow = {
    market,
    symbol,
    quote,
    mark: optional(mark / scale),
    index: optional(index / scale),
    funding_rate: optional(rate),
    funding_hours: hours > 0 ? optional(hours) : null,
    funding_rate_8h: hours > 0 ? optional((rate * 8) / hours) : null,
    next_funding: next,
    stated,
  };
  return row.mark === null && row.index === null && row.funding_rate === null ? null : row;
}

/** One side's open interest in native terms; NaN where a number is unknown. */
export interface Interest {
  /** Native base units (contracts already multiplied by their size), one side. */
  base: number;
  /** Value in quote, one side. */
  value: number;
  /** Native price that turns one into the other where one is unknown. */
  mark: number;
  stated: number | null;
}

/**
 * An open interest row in canonical units; what is missing of base and value follows from the mark price. Null
 * without a value.
 */
export function openInterestOf(
  { market, symbol, quote, scale }: Named,
  { base, value, mark, stated }: Interest,
): OpenInterestRow | null {
  const units = amount((base >= 0 ? base : value / mark) * scale);
  const worth = amount(value >= 0 ? value : base * mark);
  if (worth === null) return null;
  const price = mark > 0 ? optional(mark / scale) : null;
  return { market, symbol, quote, units, value: worth, mark: price, stated };
}

const isFollowed = (market: Named) => market.kind !== 'other' && dollarQuotes.has(market.quote);

/** Reads a bulk list in one pass with one look-up a row; kinds and quotes not followed are left out. */
export function marketRows<M extends Named, Row>(
  rows: readonly unknown[],
  instruments: ReadonlyMap<string, M>,
  reader: Reader<M, Row>,
): Parsed<Row> {
  const parsed: Parsed<Row> = { rows: [], dropped: [] };
  for (const value of rows) {
    const row = asRow(value);
    const id = reader.id(row);
    const market = instruments.get(id) ?? reader.fromId?.(id);
    if (market && !isFollowed(market)) continue;
    const found = market && reader.read(row, market);
    const code = market || id === '' ? 'bad_row' : 'unknown_instrument';
    if (found) parsed.rows.push(found);
    else parsed.dropped.push({ key: id, code });
  }
  return parsed;
}

/** What turns a native quantity into canonical base units. */
export type Size = Pick<Instrument, 'scale' | 'contract' | 'inverse'>;

/**
 * Sizes of the market asked for. One that the list does not hold (listed since, or the list is
 * late) is taken to count in its base; where the venue counts in contracts their size is needed, so
 * that is a ShapeError.
 */
export function sizeOf(ask: MarketAsk, inContracts: boolean): Size {
  if (ask.instrument) return ask.instrument;
  if (inContracts) throw new ShapeError(`${ask.market}: contract size unknown`);
  return { scale: canonical(ask.market).scale, contract: 1, inverse: false };
}

/**
 * Order book levels in canonical units; `price` and `quantity` are the keys within a row. Unusable
 * rows are left out.
 */
export function levels(rows: unknown, size: Size, price: Key = 0, quantity: Key = 1): Level[] {
  const native = list(rows, 'levels');
  const found: Level[] = [];
  for (const row of native) {
    if (!isRow(row)) continue;
    const level = { price: positive(row[price]) / size.scale, quantity: positive(row[quantity]) };
    level.quantity *= size.inverse ? size.contract / level.price : size.contract * size.scale;
    if (level.price > 0 && level.quantity > 0 && level.quantity < Infinity) found.push(level);
  }
  if (native.length > 0 && found.length === 0) throw new ShapeError('levels: none is readable');
  return found;
}

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
 * Candles in canonical units. `read` gives native numbers, NaN where one is missing. Unusable rows
 * are left out.
 */
export function bars(rows: unknown, scale: number, read: (row: WireRow) => Bar): Bar[] {
  const native = list(rows, 'candles');
  const found: Bar[] = [];
  for (const row of native) {
    if (!isRow(row)) continue;
    const bar = read(row);
    bar.open /= scale;
    bar.high /= scale;
    bar.low /= scale;
    bar.close /= scale;
    bar.volume *= scale;
    // Nothing trades for nothing: a zero turnover beside a volume is one that the venue did not
    // fill in.
    bar.turnover = bar.turnover === 0 && bar.volume > 0 ? null : amount(bar.turnover);
    if (isSound(bar)) found.push(bar);
  }
  if (native.length > 0 && found.length === 0) throw new ShapeError('candles: none is readable');
  return found;
}
