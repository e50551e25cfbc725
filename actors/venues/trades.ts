/**
 * Public trades as tables: where the rows are, the field of each value; one reader for the newest ones that are asked for and for those
 * of a stream. Quantities count what those of the order book count: base units, or contracts where the exchange counts in these. Pure.
 */
import type { Trade } from '../../indicators/derivatives/trade-fold.ts';
import { heardAt, unheard } from '../../indicators/market/heard.ts';
import { ShapeError } from '../failure.ts';
import {
  asRow,
  isExact,
  isNumber,
  isRow,
  list,
  positive,
  required,
  text,
  time,
  at as valueAt,
  type WireRow,
} from '../read.ts';
import type { InstrumentMap, Parsed } from '../sources/define.ts';
import { rejectMostlyBad } from '../sources/queries/candles.ts';
import type { Asked, MarketQuery } from '../sources/queries/forms.ts';
import type { StreamContext, TradeStream } from '../sources/streams/stream.ts';
import type { Instrument, RecentTrades } from '../topics/index.ts';
import { baseOf, type Cell, isWhole, type Key, valueIn } from './cells.ts';

/** The values of a row. */
interface TradeColumns {
  /** The exchange's own id; absent where it states none. */
  id?: Cell;
  /** The number of the trade, where the exchange numbers those of a market one by one. */
  number?: Cell;
  /** How many numbers it stands for; 1 when absent. */
  count?: Cell;
  /** When it was traded, and the unit of that in ms. */
  at: Cell;
  unit?: number;
  price: Cell;
  quantity: Cell;
  /** Whether the taker bought; null where the row does not say. */
  bought(row: WireRow): boolean | null;
  /** The least length of a row that is a list (`isWhole`). */
  width?: number;
}

/** The taker bought where the row has one word at a key, and sold where it has the other, in any letter case. */
export const takerWord =
  (key: Key, buy = 'buy', sell = 'sell') =>
  (row: WireRow): boolean | null => {
    const word = text(row[key]).toLowerCase();
    return word === buy ? true : word === sell ? false : null;
  };

/** The side of the taker where the row says whether the buyer was the maker. */
export const buyerIsMaker =
  (key: string) =>
  (row: WireRow): boolean | null => {
    const value = row[key];
    return typeof value === 'boolean' ? !value : null;
  };

/** The quantity and the side of the taker in one number, below zero where the taker sold. */
export const signed = (key: Key) => ({
  quantity: (row: WireRow) => Math.abs(required(row[key])),
  bought(row: WireRow): boolean | null {
    const size = required(row[key]);
    return isNumber(size) ? size > 0 : null;
  },
});

/** An id as a text; null for what is none, and for a number above 2^53: it was rounded, so that others have it too. */
export const idOf = (value: unknown): string | null =>
  (isExact(value) ? String(value) : text(value)) || null;

const isCount = (number: number): boolean => number > 0 && number <= 2 ** 53 && number % 1 === 0;

const numberIn = (cell: Cell | undefined, row: WireRow, absent: number): number =>
  cell === undefined ? absent : required(valueIn(cell, row));

/** The trade of a row in canonical units; null where a value that it needs is not there. `now` is the time of receipt, Unix ms. */
export function tradeOf(
  row: unknown,
  market: Instrument,
  columns: TradeColumns,
  now?: number,
): Trade | null {
  if (!isRow(row) || !isWhole(row, columns.width ?? 0)) return null;
  const timestamp = time(valueIn(columns.at, row), columns.unit, now);
  const bought = columns.bought(row);
  const price = positive(valueIn(columns.price, row));
  const quantity = baseOf(market, positive(valueIn(columns.quantity, row)), price);
  const isSound = price > 0 && quantity > 0 && isNumber(quantity * price);
  const [number, count] = [numberIn(columns.number, row, 1), numberIn(columns.count, row, 1)];
  const isCounted = isCount(number) && isCount(count);
  if (!isSound || !isCounted || bought === null || timestamp === null) return null;
  const id = columns.number === undefined ? null : number;
  // A literal without a spread: this is done for every trade.
  const { market: of, scale } = market;
  const trade: Trade = { market: of, id, timestamp, price: price / scale, quantity, bought };
  if (count !== 1) trade.count = count;
  const name = columns.id === undefined ? null : idOf(valueIn(columns.id, row));
  if (name !== null) trade.name = name;
  return trade;
}

type Question = Asked<'recentTrades'>;

/** How an exchange is asked for the trades of a part, and what it answers. */
interface TradeTable<Request> {
  /** Most rows of an answer. */
  most: number;
  /** `limit` is at most `most`. */
  request(asked: Question): Request;
  /** A path of keys joined by points, or a function. */
  rows: string | ((body: unknown) => readonly unknown[]);
  columns: TradeColumns;
  /** False for a row that was not traded in the order book. */
  keep?(row: WireRow): boolean;
}

/** How long an answer is fresh, ms. */
const life = 1_000;
/** An answer of so many rows is asked for where no more are wanted: it weighs less than 20 kB. */
const fewRows = 100;

/** Newest first; trades of one time stay in the order in which the exchange has them. */
function newestFirst<Row extends { timestamp: number }>(trades: Row[]): Row[] {
  const [first, last] = [trades[0], trades.at(-1)];
  const ascends = first !== undefined && last !== undefined && first.timestamp < last.timestamp;
  const ordered = ascends ? trades.reverse() : trades;
  return ordered.sort((a, b) => b.timestamp - a.timestamp);
}

/** The newest public trades as a query, by part; one page answers every smaller `limit`. A part that is not named has none. */
export function recentTrades<Request>(
  tables: Readonly<Record<string, TradeTable<Request>>>,
): MarketQuery<'recentTrades', RecentTrades, Request> {
  return {
    ttl: life,
    page({ market, kind, part, limit }) {
      const most = tables[part]?.most;
      if (most === undefined) return null;
      return { market, kind, limit: limit <= fewRows ? Math.min(fewRows, most) : most };
    },
    requests(asked) {
      const table = tables[asked.part];
      return table ? [table.request(asked)] : [];
    },
    parse([body], { part, market, instrument, now }, received) {
      const table = tables[part];
      if (!table) throw new ShapeError(`no trades of ${part}`);
      const { rows, columns, keep = () => true } = table;
      const all = typeof rows === 'function' ? rows(body) : list(valueAt(body, rows), 'trades');
      const native = all.filter((row) => !isRow(row) || keep(row));
      const found = native.flatMap((row) => tradeOf(row, instrument, columns, now) ?? []);
      rejectMostlyBad(native.length - found.length, native.length, 'trades');
      const trades = newestFirst(
        found.map(({ name: id = null, timestamp, price, quantity, bought }) => ({
          ...{ id, timestamp, price, quantity, bought },
        })),
      );
      const { kind, quote } = instrument;
      const mark = unheard(heardAt(received, trades[0]?.timestamp), received);
      return { market, kind, quote, trades, ...mark };
    },
    slice: (whole, { limit }) => ({ ...whole, trades: whole.trades.slice(0, limit) }),
  };
}

/** The trades of a stream: how it is connected to, and how its messages are read. */
interface StreamedTrades extends Omit<TradeStream, 'parse'> {
  /**
   * The rows of a message, oldest first; null for one that is not about data. Throws ShapeError for one that should have been
   * readable.
   */
  rows(message: unknown, context: StreamContext): readonly unknown[] | null;
  /** Where a row has the id of its market. */
  market: Key;
  columns: TradeColumns;
  /** False for a row that was not traded in the order book. */
  keep?(row: WireRow): boolean;
}

/** Adds the trade of a row; one of no market that is known is left out: after a change of the markets the old connection goes on for a moment. */
function add(
  parsed: Parsed<Trade>,
  value: unknown,
  form: StreamedTrades,
  all: InstrumentMap,
): void {
  const row = asRow(value);
  const key = text(row[form.market]);
  const market = all.get(key);
  if (market ? form.keep?.(row) === false : key !== '') return;
  const trade = market ? tradeOf(row, market, form.columns) : null;
  if (trade) parsed.rows.push(trade);
  else parsed.dropped.push({ key, code: 'bad_row' });
}

/** A stream of the public trades of single markets. */
export const tradeStream = (form: StreamedTrades): TradeStream => ({
  ...form,
  parse(message, context) {
    const rows = form.rows(message, context);
    if (rows === null) return null;
    const parsed: Parsed<Trade> = { rows: [], dropped: [] };
    for (const row of rows) add(parsed, row, form, context.instruments);
    return parsed;
  },
});

/** Unix ms out of a number of seconds with decimals, or of ms: documents and answers disagree. */
export function secondsOrMs(value: unknown): number | null {
  const number = required(value);
  if (!(number > 0)) return null;
  return Math.floor((number < 1e11 ? number * 1_000 : number) + 0.001);
}
