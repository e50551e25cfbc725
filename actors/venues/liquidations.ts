/** Shared by the liquidation streams of the venues: the loop over wire rows, and the step to canonical units. */
import { dollarQuotes } from '../../config/quotes.ts';
import { isFollowedKind } from '../../indicators/market/market-names.ts';
import { asRow, positive, text, time, type WireRow } from '../read.ts';
import type { InstrumentMap, Parsed } from '../sources/define.ts';
import type { EachStream } from '../sources/streams/stream.ts';
import { type Instrument, type Liquidation, liquidationIdentity } from '../topics/index.ts';
import { baseOf, type Cell, valueIn } from './cells.ts';

/** A liquidation in native terms; NaN where a number is unreadable. */
export interface Forced extends Pick<Liquidation, 'price_kind'> {
  /** Of the position; null where it is unreadable. */
  side: Liquidation['side'] | null;
  /** The venue's id of the trade; empty where it is unreadable. */
  id?: string;
  /** In quote. */
  price: number;
  /** As the venue counts it: contracts, or native base units where a contract is one of them. */
  quantity: number;
  /** In dollars, where the venue states it. */
  value?: number;
  /** Unix ms; null where it is unreadable. */
  timestamp: number | null;
}

/** No position is larger: a greater number is an error of the venue, which would spoil every sum. */
const mostDollars = 1e10;

/** The liquidation in canonical units; null, which drops the row, where a number that it needs is not there. */
export function liquidationOf(
  instrument: Instrument,
  { side, price_kind, id, price, quantity, value, timestamp }: Forced,
): Liquidation | null {
  const { market, symbol, scale, contract, inverse } = instrument;
  const quantity_base = baseOf(instrument, quantity, price);
  const value_usd = value ?? quantity * contract * (inverse ? 1 : price);
  const isSound = price > 0 && quantity_base > 0 && quantity_base < Infinity && value_usd > 0;
  if (side === null || !isSound || value_usd > mostDollars || timestamp === null) return null;
  // Literals without spreads: this is done for every event.
  const liquidation: Liquidation = {
    symbol,
    contract: market,
    side,
    price: price / scale,
    price_kind,
    quantity_base,
    value_usd,
    timestamp,
  };
  if (id) liquidation.id = id;
  return liquidation;
}

/** How a venue's rows are read. */
export interface LiquidationReader {
  /** The market's id in a row. */
  id(row: WireRow): string;
  /** The liquidations in a row, null for one that is unreadable; none for a row that is not about any. */
  read(row: WireRow, market: Instrument): readonly (Liquidation | null)[];
}

/** Symbols with a market that is followed, by list. */
const followed = new WeakMap<InstrumentMap, ReadonlySet<string>>();

function followedSymbols(instruments: InstrumentMap): ReadonlySet<string> {
  const known = followed.get(instruments);
  if (known) return known;
  const rows = [...instruments.values()].filter(({ kind }) => isFollowedKind(kind));
  const symbols = new Set(rows.map(({ symbol }) => symbol));
  followed.set(instruments, symbols);
  return symbols;
}

/**
 * Whether liquidations of a market are wanted: those of dated contracts too, which are not followed otherwise, but not
 * those of shares, metals and currencies.
 */
const isWanted = ({ kind, quote, symbol }: Instrument, instruments: InstrumentMap): boolean =>
  dollarQuotes.has(quote) && (isFollowedKind(kind) || followedSymbols(instruments).has(symbol));

/** Adds the liquidations of one row. */
function add(
  parsed: Parsed<Liquidation>,
  row: WireRow,
  market: Instrument,
  { read }: LiquidationReader,
): void {
  for (const found of read(row, market)) {
    if (found) parsed.rows.push(found);
    else parsed.dropped.push({ key: market.market, code: 'bad_row' });
  }
}

/** Reads the rows of a message; those of markets that are not wanted are left out without a count. */
export function liquidationsOf(
  rows: readonly unknown[],
  instruments: InstrumentMap,
  reader: LiquidationReader,
): Parsed<Liquidation> {
  const parsed: Parsed<Liquidation> = { rows: [], dropped: [] };
  for (const value of rows) {
    const row = asRow(value);
    const key = reader.id(row);
    const market = instruments.get(key);
    const code = key === '' ? 'bad_row' : 'unknown_instrument';
    if (!market) parsed.dropped.push({ key, code });
    else if (isWanted(market, instruments)) add(parsed, row, market, reader);
  }
  return parsed;
}

/** Where a row has its liquidation. */
interface LiquidationTable {
  id: Cell;
  /** The side of the position. */
  side(row: WireRow): Liquidation['side'] | null;
  price: Cell<Instrument>;
  price_kind: Liquidation['price_kind'];
  /** As the venue counts it. */
  quantity: Cell<Instrument>;
  /** In dollars, where the venue states it. */
  value?: Cell<Instrument>;
  /** Unix ms. */
  at: Cell<Instrument>;
  trade?: Cell<Instrument>;
}

/** Reads rows of one liquidation each. */
export function liquidationRows(table: LiquidationTable): LiquidationReader {
  const { id, side, price, price_kind, quantity, value, at, trade } = table;
  return {
    id: (row) => text(valueIn(id, row)),
    read(row, market) {
      const found = (cell: Cell<Instrument> | undefined) => valueIn(cell, row, market, undefined);
      return [
        liquidationOf(market, {
          ...{ side: side(row), price_kind },
          price: positive(found(price)),
          quantity: positive(found(quantity)),
          timestamp: time(found(at)),
          ...(value !== undefined && { value: positive(found(value)) }),
          ...(trade !== undefined && { id: text(found(trade)) }),
        }),
      ];
    },
  };
}

type Side = Liquidation['side'];

const sides = (sell: Side, buy: Side): ReadonlyMap<unknown, Side> =>
  new Map([
    ...['sell', 'Sell', 'SELL'].map((word) => [word, sell] as const),
    ...['buy', 'Buy', 'BUY'].map((word) => [word, buy] as const),
  ]);
const closing = sides('long', 'short');
const opening = sides('short', 'long');

/** The side of the position that an order of this side closes; null for a word that is neither. */
export const closedBy = (order: unknown): Side | null => closing.get(order) ?? null;

/** The side of the position that an order of this side opens; null for a word that is neither. */
export const openedBy = (order: unknown): Side | null => opening.get(order) ?? null;

/** The ids of the perpetuals, in the order of the list. */
export const perpetualsOf = (instruments: InstrumentMap): string[] =>
  [...instruments.values()].flatMap(({ kind, market }) => (kind === 'perpetual' ? [market] : []));

/** A stream of liquidations, whose keys are all made in one way; `rows` finds those of a message, null where it has no data. */
export const liquidationStream = ({
  rows,
  reader,
  ...stream
}: Omit<EachStream<Liquidation>, 'collect' | 'keyOf' | 'parse'> & {
  rows(message: unknown): readonly unknown[] | null;
  reader: LiquidationReader;
}): EachStream<Liquidation> => ({
  ...stream,
  collect: 'each',
  keyOf: liquidationIdentity,
  parse(message, { instruments }) {
    const found = rows(message);
    return found && liquidationsOf(found, instruments, reader);
  },
});
