/** Shared by the liquidation streams of the venues: the loop over wire rows, and the step to canonical units. */
import { dollarQuotes } from '../../config/quotes.ts';
import { isFollowedKind } from '../../indicators/market/market-names.ts';
import { asRow, positive, text, time, type WireRow } from '../read.ts';
import type { InstrumentMap, Parsed } from '../sources/define.ts';
import type { EachStream } from '../sources/streams/stream.ts';
import { type Instrument, type Liquidation, liquidationKey } from '../topics/index.ts';
import { baseOf, type Cell, valueIn } from './cells.ts';

type Side = Liquidation['side'];

/** Where a row has its liquidation. */
export interface LiquidationColumns {
  /** The id of its market. */
  market: Cell;
  /** The side of the position; null where it is unreadable. */
  side(row: WireRow): Side | null;
  /** In quote. */
  price: Cell<Instrument>;
  kind: Liquidation['price_kind'] | ((row: WireRow) => Liquidation['price_kind']);
  /** As the exchange counts it: contracts, or native base units where a contract is one of them. */
  quantity: Cell<Instrument>;
  /** In dollars, where the exchange states it. */
  value?: Cell<Instrument>;
  /** Unix ms. */
  at: Cell<Instrument>;
  /** The exchange's id of the trade. */
  id?: Cell<Instrument>;
  /** Adds what this exchange alone states. */
  more?(liquidation: Liquidation, row: WireRow, market: Instrument): void;
}

/** No position is larger: a greater number is an error of the venue, which would spoil every sum. */
const mostDollars = 1e10;

/** The liquidation of a row in canonical units; null, which drops the row, where a value that it needs is not there. */
export function liquidationOf(
  row: WireRow,
  market: Instrument,
  columns: LiquidationColumns,
): Liquidation | null {
  const found = (cell: Cell<Instrument> | undefined) => valueIn(cell, row, market, undefined);
  const [price, quantity] = [positive(found(columns.price)), positive(found(columns.quantity))];
  const [side, timestamp] = [columns.side(row), time(found(columns.at))];
  const { symbol, scale, contract, inverse } = market;
  const quantity_base = baseOf(market, quantity, price);
  const value_usd =
    columns.value === undefined
      ? quantity * contract * (inverse ? 1 : price)
      : positive(found(columns.value));
  const isSound = price > 0 && quantity_base > 0 && quantity_base < Infinity && value_usd > 0;
  if (side === null || !isSound || value_usd > mostDollars || timestamp === null) return null;
  // A literal without spreads: this is done for every event.
  const liquidation: Liquidation = {
    symbol,
    contract: market.market,
    side,
    price: price / scale,
    price_kind: typeof columns.kind === 'function' ? columns.kind(row) : columns.kind,
    quantity_base,
    value_usd,
    timestamp,
  };
  const id = text(found(columns.id));
  if (id) liquidation.id = id;
  columns.more?.(liquidation, row, market);
  return liquidation;
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

const unknownOf = (key: string) => (key === '' ? 'bad_row' : 'unknown_instrument');

/** Reads the rows of a message; those of markets that are not wanted are left out without a count. */
export function liquidationsOf(
  rows: readonly unknown[],
  instruments: InstrumentMap,
  columns: LiquidationColumns,
): Parsed<Liquidation> {
  const parsed: Parsed<Liquidation> = { rows: [], dropped: [] };
  for (const value of rows) {
    const row = asRow(value);
    const key = text(valueIn(columns.market, row));
    const market = instruments.get(key);
    if (market && !isWanted(market, instruments)) continue;
    const found = market && liquidationOf(row, market, columns);
    if (found) parsed.rows.push(found);
    else parsed.dropped.push({ key, code: found === null ? 'bad_row' : unknownOf(key) });
  }
  return parsed;
}

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
  columns,
  ...stream
}: Omit<EachStream<Liquidation>, 'keyOf' | 'parse'> & {
  rows(message: unknown): readonly unknown[] | null;
  columns: LiquidationColumns;
}): EachStream<Liquidation> => ({
  ...stream,
  keyOf: liquidationKey,
  parse(message, { instruments }) {
    const found = rows(message);
    return found && liquidationsOf(found, instruments, columns);
  },
});
