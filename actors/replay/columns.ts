/** The rows of each data type of Tardis, out of events. https://docs.tardis.dev/downloadable-csv-files#data-types */
import type { LiveBook } from '../../indicators/order-book/live-book.ts';
import type { BookEvent, DerivativeEvent, EventType, MarketEvent, TradeEvent } from './events.ts';

/** Null where there is no value. */
export type Cell = number | string | null;

export const dataTypes = [
  'trades',
  'incremental_book_L2',
  'book_snapshot_5',
  'book_snapshot_25',
  'quotes',
  'book_ticker',
  'derivative_ticker',
  'liquidations',
] as const;
export type DataType = (typeof dataTypes)[number];

/** A data type: its columns after `exchange`, `symbol` and both times, and the rows of an event, without these four. */
interface Form {
  of: EventType;
  columns: readonly string[];
  /** Columns that are texts; the others are numbers. */
  texts?: readonly string[];
  /** Made anew for each market. */
  rows(): (event: MarketEvent) => readonly (readonly Cell[])[];
}

const tradeForm = (of: TradeEvent['type']): Form => ({
  of,
  columns: ['id', 'side', 'price', 'amount'],
  texts: ['id', 'side'],
  rows: () => (event) =>
    'side' in event ? [[event.id, event.side, event.price, event.amount]] : [],
});

function levelRows({ isSnapshot, bids, asks }: BookEvent): Cell[][] {
  const rows: Cell[][] = [];
  const add = (side: string, levels: readonly number[]) => {
    for (let i = 0; i + 1 < levels.length; i += 2)
      rows.push([String(isSnapshot), side, levels[i] ?? null, levels[i + 1] ?? null]);
  };
  add('bid', bids);
  add('ask', asks);
  return rows;
}

/** Rows of what changes among the best levels. */
const changesOf = (rowOf: (book: LiveBook) => Cell[]) => (): ReturnType<Form['rows']> => {
  let last: readonly Cell[] = [];
  return (event) => {
    if (event.type !== 'book_change') return [];
    const row = rowOf(event.book);
    if (row.every((cell, at) => cell === last[at])) return [];
    last = row;
    return [row];
  };
};

const sides = ['asks', 'bids'] as const;
const snapshotForm = (depth: number): Form => ({
  of: 'book_change',
  columns: Array.from({ length: depth }, (_, i) =>
    sides.flatMap((side) => [`${side}[${i}].price`, `${side}[${i}].amount`]),
  ).flat(),
  rows: changesOf((book) => {
    const { bids, asks } = book.native(depth);
    const row: Cell[] = [];
    for (let i = 0; i < 2 * depth; i += 2)
      row.push(asks[i] ?? null, asks[i + 1] ?? null, bids[i] ?? null, bids[i + 1] ?? null);
    return row;
  }),
});

const quoteColumns = ['ask_amount', 'ask_price', 'bid_price', 'bid_amount'];

/** Unix microseconds of Unix ms. */
const micros = (time: number | null): number | null => (time === null ? null : time * 1_000);

const derivativeRow = (event: DerivativeEvent): Cell[] => [
  micros(event.fundingTime),
  event.fundingRate,
  event.predictedRate,
  event.openInterest,
  event.last,
  event.index,
  event.mark,
];

export const forms: Readonly<Record<DataType, Form>> = {
  trades: tradeForm('trade'),
  liquidations: tradeForm('liquidation'),
  incremental_book_L2: {
    of: 'book_change',
    columns: ['is_snapshot', 'side', 'price', 'amount'],
    texts: ['is_snapshot', 'side'],
    rows: () => (event) => (event.type === 'book_change' ? levelRows(event) : []),
  },
  book_snapshot_5: snapshotForm(5),
  book_snapshot_25: snapshotForm(25),
  quotes: {
    of: 'book_change',
    columns: quoteColumns,
    rows: changesOf((book) => {
      const { bids, asks } = book.native(1);
      return [asks[1] ?? null, asks[0] ?? null, bids[0] ?? null, bids[1] ?? null];
    }),
  },
  // The tickers of exchanges are read for their prices alone.
  book_ticker: {
    of: 'book_ticker',
    columns: quoteColumns,
    rows: () => (event) =>
      event.type === 'book_ticker' ? [[null, event.ask, event.bid, null]] : [],
  },
  derivative_ticker: {
    of: 'derivative_ticker',
    columns: [
      'funding_timestamp',
      'funding_rate',
      'predicted_funding_rate',
      'open_interest',
      'last_price',
      'index_price',
      'mark_price',
    ],
    rows: () => (event) => (event.type === 'derivative_ticker' ? [derivativeRow(event)] : []),
  },
};
