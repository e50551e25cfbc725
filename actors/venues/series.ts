/**
 * Histories that an exchange keeps, as tables: where the rows are, their time, the field of each column. Units and signs belong to
 * the columns and stand here once for all exchanges. Pure.
 */
import { endOf } from '../../indicators/market/candles.ts';
import { intervals as lengths } from '../../indicators/market/intervals.ts';
import { at, isNumber, optional, positive, required, time, type WireRow } from '../read.ts';
import { type HistoryForm, historyQuery } from '../sources/queries/history-query.ts';
import type {
  BasisPoint,
  HistoryParams,
  Instrument,
  InterestPoint,
  LongShortParams,
  LongShortPoint,
  SeriesParams,
  TakerPoint,
} from '../topics/index.ts';
import { type Cell as CellOf, given, type Key, valueIn } from './cells.ts';
import { byTime, rowsIn, seriesLife } from './histories.ts';
import type { Words } from './words.ts';

/** What is asked of a market. */
export type Asked<P> = P & { part: string; instrument: Instrument; now: number };

type Cell<P = SeriesParams> = CellOf<Asked<P>>;

/** A history of an exchange. */
export interface Table<P extends HistoryParams, Columns, Request>
  extends Omit<HistoryForm<P, never, Request>, 'ttl' | 'step' | 'least' | 'parse'> {
  /**
   * Where the bodies have their rows: a path of keys joined by points in each of them, or a function of all. A body that is not there
   * has none.
   */
  rows: string | ((bodies: readonly unknown[], asked: Asked<P>) => readonly WireRow[]);
  /** The time of a row, and its unit in ms. */
  at: Cell<P>;
  unit?: number;
  columns: Columns;
  /** False for a row that is left out. */
  keep?(row: WireRow, asked: Asked<P>): boolean;
}

/** A history of steps. */
interface SeriesTable<P extends SeriesParams, Columns, Request> extends Table<P, Columns, Request> {
  /** The words for the intervals that the exchange has; null where it does not have this history of the market. */
  words(asked: Asked<P>): Words | null;
}

/** Reads a row by the columns of a table; NaN in a number of one that is to be dropped. */
export type Read<P, Columns, Point> = (
  columns: Columns,
  row: WireRow,
  timestamp: number,
  asked: Asked<P>,
) => Point;

/** The points of bodies. */
export const pointsBy =
  <P extends HistoryParams, Columns, Point>(
    { rows, at: stated, unit, keep, columns }: Table<P, Columns, unknown>,
    read: Read<P, Columns, Point>,
  ) =>
  (bodies: readonly unknown[], asked: Asked<P>): Point[] => {
    const all = typeof rows === 'function' ? rows(bodies, asked) : listed(bodies, rows);
    const kept = keep ? all.filter((row) => keep(row, asked)) : all;
    return kept.map((row) => {
      const timestamp = time(valueIn(stated, row, asked, undefined), unit) ?? required(null);
      return read(columns, row, timestamp, asked);
    });
  };

const listed = (bodies: readonly unknown[], path: string): readonly WireRow[] =>
  bodies.flatMap((body) =>
    body === undefined ? [] : rowsIn(at(body, path) ?? null, path || 'rows'),
  );

/**
 * A kind of history of steps: makes queries of tables. The numbers of a point are named in `isWhole`: to walk over its keys would take
 * ten times as long.
 */
export const historyOf =
  <P extends SeriesParams, Columns, Point extends { timestamp: number }>(
    isWhole: (point: Point) => boolean,
    read: Read<P, Columns, Point>,
  ) =>
  <Request>(table: SeriesTable<P, Columns, Request>) =>
    historyQuery<P, Point, Request>(
      {
        ...table,
        ttl: seriesLife,
        step: (asked) => (table.words(asked)?.[asked.interval] ? lengths[asked.interval] : null),
        parse: pointsBy(table, read),
      },
      isWhole,
    );

const times = (number: number | null, factor: number) => (number === null ? null : number * factor);

/** True for a number that is readable, and for one that is not stated. */
const isStated = (number: number | null): boolean => number === null || isNumber(number);

/** Shares of those that are long and short, and of those that hold both; or how many are long to one that is short. */
type ShareColumns =
  | { long: Cell<LongShortParams>; short: Cell<LongShortParams>; locked?: Cell<LongShortParams> }
  | { ratio: Cell<LongShortParams> };

/** Long and short, by accounts or positions. */
export const longShort = historyOf<LongShortParams, ShareColumns, LongShortPoint>(
  ({ timestamp, long, short }) =>
    isNumber(timestamp) && long >= 0 && short >= 0 && isNumber(long + short) && long + short > 0,
  (columns, row, timestamp, asked) => {
    const number = (cell: Cell<LongShortParams>) => given(cell, row, asked) ?? required(null);
    if ('ratio' in columns) {
      const ratio = positive(number(columns.ratio));
      return { timestamp, long: ratio / (1 + ratio), short: 1 / (1 + ratio) };
    }
    const { long, short, locked } = columns;
    const both = locked === undefined ? null : optional(number(locked));
    const point: LongShortPoint = { timestamp, long: number(long), short: number(short) };
    if (both !== null) point.locked = both;
    return point;
  },
);

/** Native base units that takers bought and sold, and their value in dollars. */
type TakerColumns = Partial<Record<'buyBase' | 'sellBase' | 'buyUsd' | 'sellUsd', Cell>>;

/** False for a point of takers of which a stated number is unreadable. */
export const isWholeTaken = ({
  timestamp,
  buy_base,
  sell_base,
  buy_usd,
  sell_usd,
}: TakerPoint): boolean =>
  isNumber(timestamp) &&
  isStated(buy_base) &&
  isStated(sell_base) &&
  isStated(buy_usd) &&
  isStated(sell_usd);

/** Whether the interval of a row had ended when it was asked for. */
export const isClosed = (timestamp: number, { interval, now }: Asked<SeriesParams>): boolean =>
  endOf(timestamp, interval) <= now;

/** What takers bought and sold. */
export const takerVolume = historyOf<SeriesParams, TakerColumns, TakerPoint>(
  isWholeTaken,
  ({ buyBase, sellBase, buyUsd, sellUsd }, row, timestamp, asked) => ({
    timestamp,
    buy_usd: given(buyUsd, row, asked),
    sell_usd: given(sellUsd, row, asked),
    buy_base: times(given(buyBase, row, asked), asked.instrument.scale),
    sell_base: times(given(sellBase, row, asked), asked.instrument.scale),
    closed: isClosed(timestamp, asked),
  }),
);

interface InterestColumns {
  /** Native base units. */
  base?: Cell;
  usd?: Cell;
  /** Contracts, each worth `contract` base units, or `contract` dollars where the market is inverse. */
  contracts?: Cell;
  /** The native price that makes one of the two out of the other, where the row lacks that; it is null without one. */
  mark?: Cell;
  /** 2 for an exchange that counts a contract as a long and as a short position. */
  sides?: 1 | 2;
}

/** Open interest of one side: base units and dollars, each null where neither the row nor a price states it. */
export const interest = historyOf<SeriesParams, InterestColumns, InterestPoint>(
  ({ timestamp, base, usd }) => isNumber(timestamp) && isStated(base) && isStated(usd),
  (columns, row, timestamp, asked) => {
    const { inverse, contract, scale } = asked.instrument;
    const { sides = 1 } = columns;
    const counted = times(given(columns.contracts, row, asked), contract);
    const base = given(columns.base, row, asked) ?? (inverse ? null : counted);
    const usd = given(columns.usd, row, asked) ?? (inverse ? counted : null);
    const mark = positive(valueIn(columns.mark, row, asked, undefined)) || null;
    const priced = (number: number | null, price: number | null) =>
      number === null || price === null ? null : number * price;
    return {
      timestamp,
      base: times(base ?? (usd === null || mark === null ? null : usd / mark), scale / sides),
      usd: times(usd ?? priced(base, mark), 1 / sides),
    };
  },
);

const bases = historyOf<SeriesParams, null, BasisPoint>(
  ({ timestamp, mark, index }) => isNumber(timestamp) && isNumber(mark) && isStated(index),
  (_columns, { mark, index }, timestamp, { instrument: { scale } }) => ({
    timestamp,
    mark: positive(mark) / scale,
    index: positive(index) / scale || null,
  }),
);

/**
 * Mark and index prices at the end of each interval, out of candles: those of the mark, then as many bodies of the index. `rows` is the
 * path of their lists, `at` and `close` are the keys of a candle's time and close.
 */
export const basis = <Request>({
  rows,
  at: opens,
  close,
  ...table
}: Omit<SeriesTable<SeriesParams, null, Request>, 'rows' | 'columns' | 'at'> & {
  rows: string;
  at: Key;
  close: Key;
}) =>
  bases<Request>({
    ...table,
    rows(bodies) {
      const half = bodies.length / 2;
      const candlesIn = (some: readonly unknown[]) =>
        listed(
          some.map((one) => one ?? null),
          rows,
        );
      const indexAt = byTime(candlesIn(bodies.slice(half)), (row) => row[opens]);
      return candlesIn(bodies.slice(0, half)).map((row) => ({
        at: row[opens],
        mark: row[close],
        index: indexAt(row[opens])?.[close],
      }));
    },
    at: 'at',
    columns: null,
  });
