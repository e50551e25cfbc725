/** Shared by the streams of public trades: the loop over wire rows, and the step to canonical units. */
import type { Trade } from '../../indicators/derivatives/trade-fold.ts';
import { asRow, type WireRow } from '../read.ts';
import type { InstrumentMap, Parsed, Reading } from '../sources/define.ts';
import type { StreamContext, TradeStream } from '../sources/streams/stream.ts';
import type { Instrument } from '../topics/index.ts';

/** A trade in native terms; NaN where a number is unreadable, null where another value is. */
interface Traded {
  /** The number of the trade in its market, where the exchange numbers them one by one; null where it does not. */
  id: number | null;
  /** How many numbers it stands for; 1 when absent. */
  count?: number;
  /** The exchange's id where that is no number. */
  name?: string;
  /** In quote. */
  price: number;
  /** As the venue counts it: contracts, or native base units where a contract is one of them. */
  quantity: number;
  /** Whether the taker bought. */
  bought: boolean | null;
  /** Unix ms. */
  timestamp: number | null;
}

const isNumber = (id: number): boolean => id > 0 && id <= 2 ** 53 && id % 1 === 0;

/** The trade in canonical units; null where a value that it needs is not there. */
export function tradeOf(
  { market, scale, contract, inverse }: Instrument,
  { id, count = 1, name, price, quantity, bought, timestamp }: Traded,
): Trade | null {
  const size = quantity * contract;
  const base = (inverse ? size / price : size) * scale;
  const isSound = price > 0 && base > 0 && base * price < Infinity;
  if (!isSound || bought === null || timestamp === null) return null;
  if (id !== null && !(isNumber(id) && isNumber(count))) return null;
  // A literal without a spread: this is done for every trade.
  const trade: Trade = { market, id, timestamp, price: price / scale, quantity: base, bought };
  if (count !== 1) trade.count = count;
  if (name) trade.name = name;
  return trade;
}

/** Whether the taker bought, by a word for each side; null for any other word. */
export const boughtBy =
  (buy: string, sell: string) =>
  (side: unknown): boolean | null =>
    side === buy ? true : side === sell ? false : null;

/** How the messages of a venue are read. */
interface TradeReader {
  /**
   * The rows of a message, oldest first; null for one that is not about data. Throws ShapeError for one that should have been
   * readable.
   */
  rows(message: unknown, context: StreamContext): readonly unknown[] | null;
  /** The market's id in a row. */
  id(row: WireRow): string;
  /** Null for a row that is unreadable; `left_out` for a trade that is not one of the order book. */
  read(row: WireRow, market: Instrument): Reading<Trade>;
}

function add(parsed: Parsed<Trade>, value: unknown, reader: TradeReader, all: InstrumentMap): void {
  const row = asRow(value);
  const key = reader.id(row);
  const market = all.get(key);
  // After a change of the markets the old connection goes on for a moment.
  if (!market && key !== '') return;
  const found = market ? reader.read(row, market) : null;
  if (found === 'left_out') return;
  if (found) parsed.rows.push(found);
  else parsed.dropped.push({ key, code: 'bad_row' });
}

/** A stream of the public trades of single markets. */
export const tradeStream = ({
  reader,
  ...form
}: Omit<TradeStream, 'collect' | 'parse'> & { reader: TradeReader }): TradeStream => ({
  ...form,
  collect: 'trades',
  parse(message, context) {
    const rows = reader.rows(message, context);
    if (rows === null) return null;
    const parsed: Parsed<Trade> = { rows: [], dropped: [] };
    for (const row of rows) add(parsed, row, reader, context.instruments);
    return parsed;
  },
});
