/** Order books and candles as tables: where the levels and the rows are, the field of each value. Pure. */
import { type Bar, isValid, scaled } from '../../indicators/market/candles.ts';
import { ShapeError } from '../failure.ts';
import { at, field, isRow, list, positive, required, time, type WireRow } from '../read.ts';
import { rejectMostlyBad } from '../sources/queries/candles.ts';
import type { CandleQuery, MarketAsk, OrderBookQuery } from '../sources/queries/forms.ts';
import type { Instrument, Level } from '../topics/index.ts';
import {
  baseOf,
  type Cell as CellOf,
  given,
  isWhole,
  type Key,
  type LevelForm,
  pairForm,
  type Size,
  valueIn,
} from './cells.ts';

type Cell = CellOf<Instrument>;

/** A path of keys joined by points, or a function of the body. */
type Place = string | ((body: unknown) => unknown);

const placeIn = (body: unknown, place: Place): unknown =>
  typeof place === 'function' ? place(body) : at(body, place);

/** The parser of each part, and that of the parts without one of their own. */
export const byPartOf =
  <Found>(
    parsers: Readonly<Record<string, (body: unknown, ask: MarketAsk) => Found>>,
    others?: (body: unknown, ask: MarketAsk) => Found,
  ) =>
  (body: unknown, ask: MarketAsk): Found => {
    const parse = parsers[ask.part] ?? others;
    if (!parse) throw new ShapeError(`nothing is read of ${ask.part}`);
    return parse(body, ask);
  };

/** Whether a row is a level of which nothing is left. */
const isEmptied = (row: unknown, { price, quantity }: LevelForm): boolean =>
  isRow(row) && positive(row[price]) > 0 && required(row[quantity]) === 0;

/** Order book levels in canonical units; none of a side that is null. Levels without quantity and unusable rows are left out. */
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
  if (found.length === 0 && !native.every((row) => isEmptied(row, form)))
    throw new ShapeError('levels: none is readable');
  return found;
}

/** How the body of an order book is read. Levels count contracts of the market's size. */
interface BookForm {
  /** Where both sides are: the body itself when absent. */
  at?: Place;
  /** `bids` and `asks` when absent. */
  bids?: Key;
  asks?: Key;
  /** The time of the book in the body, and its unit in ms; absent where there is none. */
  stated?: Place;
  unit?: number;
  level?: LevelForm;
}

/** The parser of an order book. A side that is absent is empty, as HTX sends it. */
export const book =
  ({ at: place = '', bids = 'bids', asks = 'asks', stated, unit, level }: BookForm = {}) =>
  (body: unknown, { instrument }: MarketAsk): ReturnType<OrderBookQuery['parse']> => {
    const sides = placeIn(body, place);
    const [below, above] = [field(sides, bids), field(sides, asks)];
    if (below === undefined && above === undefined) throw new ShapeError('neither bids nor asks');
    return {
      bids: levels(below ?? null, instrument, level),
      asks: levels(above ?? null, instrument, level),
      stated: stated === undefined ? null : time(placeIn(body, stated), unit),
    };
  };

/** Where a native candle has its prices. */
interface PriceKeys {
  open: Key;
  high: Key;
  low: Key;
  close: Key;
}

/** Prices of candles that spell them out, of those that write their first letters, and of lists that begin with a time. */
export const spelled: PriceKeys = { open: 'open', high: 'high', low: 'low', close: 'close' };
export const initials: PriceKeys = { open: 'o', high: 'h', low: 'l', close: 'c' };
export const inOrder: PriceKeys = { open: 1, high: 2, low: 3, close: 4 };

/** Where a native candle has its numbers; a function that gives null states none. */
interface CandleColumns extends PriceKeys {
  /** Native base units. */
  base?: Cell;
  /** The turnover in quote. */
  quote?: Cell;
  /**
   * Contracts: base units of a linear market, and turnover of an inverse one, whose base follows from the mean of the four prices where
   * no other is stated.
   */
  contracts?: Cell;
}

/** How the body of candles is read. */
interface CandleForm {
  rows: Place;
  /** The opening time of a candle, and its unit in ms. */
  time: Cell;
  unit?: number;
  columns: CandleColumns;
  /** The least length of a row that is a list. */
  width?: number;
}

/** Volume and turnover of a candle in native units. */
function amountsIn(columns: CandleColumns, row: WireRow, market: Instrument, prices: number) {
  const base = given(columns.base, row, market);
  const quote = given(columns.quote, row, market);
  const contracts = given(columns.contracts, row, market);
  if (contracts === null) return { volume: base ?? required(null), turnover: quote };
  const amount = contracts * market.contract;
  return market.inverse
    ? { volume: base ?? (4 * amount) / prices, turnover: amount }
    : { volume: base ?? amount, turnover: quote };
}

/** A native candle; NaN in a number of one that is to be dropped. */
export function barIn(
  { time: opened, unit = 1, columns }: CandleForm,
  row: WireRow,
  market: Instrument,
): Bar {
  const [open, high] = [positive(row[columns.open]), positive(row[columns.high])];
  const [low, close] = [positive(row[columns.low]), positive(row[columns.close])];
  const timestamp = required(valueIn(opened, row, market, undefined)) * unit;
  const { volume, turnover } = amountsIn(columns, row, market, open + high + low + close);
  return { timestamp, open, high, low, close, volume, turnover };
}

/**
 * The parser of candles. Unusable rows are left out; ShapeError where they are too many. `more` adds what an exchange alone states.
 */
export const candles =
  (form: CandleForm, more?: (row: WireRow) => Partial<Bar> | null): CandleQuery['parse'] =>
  (body, { instrument }) => {
    const native = list(placeIn(body, form.rows), 'candles');
    const found: Bar[] = [];
    for (const row of native) {
      if (!isRow(row) || !isWhole(row, form.width ?? 0)) continue;
      const bar = scaled({ ...barIn(form, row, instrument), ...more?.(row) }, instrument.scale);
      if (isValid(bar)) found.push(bar);
    }
    rejectMostlyBad(native.length - found.length, native.length);
    return found;
  };
