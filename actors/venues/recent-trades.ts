/**
 * The newest public trades of a market as tables: where the rows are, the field of each value. Quantities count what those of
 * the order book count: base units, or contracts where the exchange counts in these. Pure.
 */
import { heardAt, unheard } from '../../indicators/market/heard.ts';
import { ShapeError } from '../failure.ts';
import {
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
import { rejectMostlyBad } from '../sources/queries/candles.ts';
import type { Asked, MarketQuery } from '../sources/venue.ts';
import type { PublicTrade, RecentTrades } from '../topics/index.ts';
import { isWhole } from './wire.ts';

type Question = Asked<'recentTrades'>;

/** Where a row has a value: its key, or a function where it takes more than that. */
type Cell = string | number | ((row: WireRow) => unknown);

/** The values of a row. */
interface TradeColumns {
  /** The exchange's own id; absent where it states none. */
  id?: Cell;
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

const bySide: ReadonlyMap<string, boolean> = new Map([
  ['buy', true],
  ['sell', false],
]);

/** The side of the taker in a word, in any letter case. */
export const takerWord = (key: string | number) => (row: WireRow) =>
  bySide.get(text(row[key]).toLowerCase()) ?? null;

/** The side of the taker where the row says whether the buyer was the maker. */
export const buyerIsMaker = (key: string) => (row: WireRow) => {
  const value = row[key];
  return typeof value === 'boolean' ? !value : null;
};

/** The quantity and the side of the taker in one number, below zero where the taker sold. */
export const signed = (key: string | number) => ({
  quantity: (row: WireRow) => Math.abs(required(row[key])),
  bought(row: WireRow) {
    const size = required(row[key]);
    return isNumber(size) ? size > 0 : null;
  },
});

const valueIn = (cell: Cell | undefined, row: WireRow): unknown => {
  if (cell === undefined) return undefined;
  return typeof cell === 'function' ? cell(row) : row[cell];
};

/** An id as a text; null for what is none, and for a number above 2^53: it was rounded, so that others have it too. */
export const idOf = (value: unknown): string | null =>
  (isExact(value) ? String(value) : text(value)) || null;

/** A row in canonical units; null for one that cannot be used. */
function tradeIn(
  row: unknown,
  columns: TradeColumns,
  { instrument: { scale, contract, inverse }, now }: Question,
): PublicTrade | null {
  if (!isRow(row) || !isWhole(row, columns.width ?? 0)) return null;
  const timestamp = time(valueIn(columns.at, row), columns.unit, now);
  const bought = columns.bought(row);
  const price = positive(valueIn(columns.price, row)) / scale;
  const size = positive(valueIn(columns.quantity, row)) * contract;
  const quantity = inverse ? size / price : size * scale;
  const isUsable = price > 0 && quantity > 0 && isNumber(price * quantity);
  if (timestamp === null || bought === null || !isUsable) return null;
  return { id: idOf(valueIn(columns.id, row)), timestamp, price, quantity, bought };
}

/** Newest first; trades of one time stay in the order in which the exchange has them. */
function newestFirst(trades: PublicTrade[]): PublicTrade[] {
  const [first, last] = [trades[0], trades.at(-1)];
  const ascends = first !== undefined && last !== undefined && first.timestamp < last.timestamp;
  const ordered = ascends ? trades.reverse() : trades;
  return ordered.sort((a, b) => b.timestamp - a.timestamp);
}

const rowsOf = ({ rows }: Pick<TradeTable<unknown>, 'rows'>, body: unknown): readonly unknown[] =>
  typeof rows === 'function' ? rows(body) : list(valueAt(body, rows), 'trades');

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
    parse([body], asked, received) {
      const table = tables[asked.part];
      if (!table) throw new ShapeError(`no trades of ${asked.part}`);
      const { columns, keep = () => true } = table;
      const native = rowsOf(table, body).filter((row) => !isRow(row) || keep(row));
      const found = native.flatMap((row) => tradeIn(row, columns, asked) ?? []);
      rejectMostlyBad(native.length - found.length, native.length, 'trades');
      const { market, instrument } = asked;
      const { kind, quote } = instrument;
      const trades = newestFirst(found);
      const mark = unheard(heardAt(received, trades[0]?.timestamp), received);
      return { market, kind, quote, trades, ...mark };
    },
    slice: (whole, { limit }) => ({ ...whole, trades: whole.trades.slice(0, limit) }),
  };
}

/** Unix ms out of a number of seconds with decimals, or of ms: documents and answers disagree. */
export function secondsOrMs(value: unknown): number | null {
  const number = required(value);
  if (!(number > 0)) return null;
  return Math.floor((number < 1e11 ? number * 1_000 : number) + 0.001);
}
