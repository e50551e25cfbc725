/** Rows of many columns out of candles and recorded series. */
import type { Candles, Recorded, RecordedRows } from '../../../actors/topics/index.ts';
import type { RowMarket } from './columns.ts';
import type { AskedColumn, MissingPart, RowsPage } from './request.ts';

/** A cell; the first three of a row are time, exchange and symbol. */
export type Cell = number | string | null;

/** The replies of which rows are made. */
export interface RowsReplies {
  /** Of each market whose candles were asked for; null where that failed. */
  candles: ReadonlyMap<RowMarket, Candles | null>;
  /** Rows of each series by key; null where the store could not be asked. */
  series: ReadonlyMap<string, ReadonlyMap<string, RecordedRows> | null>;
}

/** What the rows of an answer are about. */
export interface RowsWanted {
  columns: readonly AskedColumn[];
  markets: readonly RowMarket[];
  page: RowsPage;
  /** Whether the exchange of the market has the column. */
  isAsked(column: AskedColumn, market: RowMarket): boolean;
}

type Values = ReadonlyMap<number, number | null>;
const nothing: Values = new Map();

/** The rows of a recorded reply by their key; null where there is no reply. */
export const rowsByKey = (
  reply: Recorded | null | undefined,
): ReadonlyMap<string, RecordedRows> | null =>
  reply ? new Map(reply.rows.map((row) => [row.key, row])) : null;

/** The values of a column of a market by time; null where its reply is missing. */
function valuesOf(
  { form }: AskedColumn,
  market: RowMarket,
  { candles, series }: RowsReplies,
): Values | null {
  if (form.series === undefined) {
    const found = candles.get(market);
    if (!found) return null;
    return new Map(found.candles.map((one) => [one.timestamp, form.value(one, found.quote)]));
  }
  const rows = series.get(form.series);
  if (!rows) return null;
  const row = rows.get(form.keyOf(market));
  const valueAt = (i: number) => form.value((name) => row?.columns[name]?.[i] ?? null);
  return new Map((row?.times ?? []).map((time, i) => [time, valueAt(i)]));
}

/** The rows of replies, some at a time. */
export interface RowsReader {
  /** The next rows, of whole intervals, `least` or more; none after the last. */
  next(least: number): Cell[][];
  /** What was asked for and could not be had. */
  missing: readonly MissingPart[];
}

/** The rows of a page in the order of time, and of the markets within a time. A row without any value is left out. */
export function readerOf(
  { columns, markets, page, isAsked }: RowsWanted,
  replies: RowsReplies,
): RowsReader {
  const missing: MissingPart[] = [];
  const columnOf = (column: AskedColumn, market: RowMarket): Values => {
    if (!isAsked(column, market)) return nothing;
    const values = valuesOf(column, market, replies);
    if (values) return values;
    const { exchange, symbol } = market;
    missing.push({ exchange, symbol, column: column.name, reason: 'there was no answer' });
    return nothing;
  };
  const table = markets.map((market) => columns.map((column) => columnOf(column, market)));
  const times = new Set(table.flat().flatMap((values) => [...values.keys()]));
  const onPage = [...times].filter((time) => time >= page.first && time <= page.last);
  const sorted = onPage.sort((a, b) => a - b).values();
  const rowsAt = (time: number) =>
    markets.flatMap(({ exchange, symbol }, i): Cell[][] => {
      const cells = (table[i] ?? []).map((values) => values.get(time) ?? null);
      return cells.some((cell) => cell !== null) ? [[time, exchange, symbol, ...cells]] : [];
    });
  const next = (least: number) => {
    const rows: Cell[][] = [];
    while (rows.length < least) {
      const { value: time } = sorted.next();
      if (time === undefined) break;
      rows.push(...rowsAt(time));
    }
    return rows;
  };
  return { next, missing };
}
