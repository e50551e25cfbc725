/**
 * Histories that an exchange keeps, as tables: where the rows are, their time, the field of each column. Units and signs belong to
 * the columns and stand here once for all exchanges. Pure.
 */
import { day, hour } from '../../config/time.ts';
import { intervals as lengths } from '../../indicators/market/intervals.ts';
import { at, optional, positive, required, time, type WireRow } from '../read.ts';
import type { HistoryForm, Span } from '../sources/queries/history-query.ts';
import type {
  FundingPoint,
  HistoryParams,
  Instrument,
  InterestPoint,
  LongShortParams,
  LongShortPoint,
  SeriesParams,
  TakerPoint,
} from '../topics/index.ts';
import { type Cell as CellOf, valueIn as inCell } from './cells.ts';
import {
  fundingLife,
  fundingQuery,
  fundingStep,
  interestQuery,
  longShortQuery,
  pointOfRatio,
  rowsIn,
  seriesLife,
  takerQuery,
  withHours,
} from './histories.ts';
import type { Words } from './words.ts';

/** What is asked of a market. */
type Asked<P> = P & { part: string; instrument: Instrument; now: number };

type Cell<P> = CellOf<Asked<P>>;

/** A history of an exchange. */
interface Table<P extends HistoryParams, Columns, Request>
  extends Omit<HistoryForm<P, never, Request>, 'ttl' | 'step' | 'least' | 'parse'> {
  /** Cache lifetime of an answer, ms; the usual one of its kind when absent. */
  ttl?: number;
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

/** The rows of the bodies, and the time of each. */
function reading<P extends HistoryParams, Columns, Request>(table: Table<P, Columns, Request>) {
  const { rows, unit, keep } = table;
  const listed = (bodies: readonly unknown[], asked: Asked<P>): readonly WireRow[] =>
    typeof rows === 'function'
      ? rows(bodies, asked)
      : bodies.flatMap((body) =>
          body === undefined ? [] : rowsIn(at(body, rows) ?? null, rows || 'rows'),
        );
  const timeOf = (row: WireRow, asked: Asked<P>): number =>
    time(valueIn(table.at, row, asked), unit) ?? required(null);
  return <Point>(read: (row: WireRow, timestamp: number, asked: Asked<P>) => Point) =>
    (bodies: readonly unknown[], asked: Asked<P>): Point[] => {
      const all = listed(bodies, asked);
      const kept = keep ? all.filter((row) => keep(row, asked)) : all;
      return kept.map((row) => read(row, timeOf(row, asked), asked));
    };
}

const valueIn = <P>(cell: Cell<P>, row: WireRow, asked: Asked<P>): unknown =>
  inCell(cell, row, asked, undefined);

/**
 * The number of a column; null where the table does not have it, and where a function gives null: it is not stated. NaN drops the row.
 */
function given<P>(cell: Cell<P> | undefined, row: WireRow, asked: Asked<P>): number | null {
  if (cell === undefined) return null;
  const value = valueIn(cell, row, asked);
  return value === null && typeof cell === 'function' ? null : required(value);
}

const times = (number: number | null, factor: number) => (number === null ? null : number * factor);

/** What a table says of a query besides its rows. */
function formOf<P extends HistoryParams, Request>(table: Table<P, unknown, Request>) {
  const { page, most, thinned, forward, requests } = table;
  return {
    page,
    requests,
    ...(forward && { forward }),
    ...(most !== undefined && { most }),
    ...(thinned !== undefined && { thinned }),
  };
}

/** The step of a question; null where the exchange does not have its interval. */
const stepOf =
  <P extends SeriesParams>({ words }: Pick<SeriesTable<P, unknown, unknown>, 'words'>) =>
  (asked: Asked<P>): number | null =>
    words(asked)?.[asked.interval] ? lengths[asked.interval] : null;

type ShareColumns = {
  /** Shares of those that are long and short. */
  long: Cell<LongShortParams>;
  short: Cell<LongShortParams>;
  /** Share of those that hold both. */
  locked?: Cell<LongShortParams>;
};
/** How many are long to one that is short. */
type RatioColumns = { ratio: Cell<LongShortParams> };

/** Long and short, by accounts or positions. */
export const longShort = <Request>(
  table: SeriesTable<LongShortParams, ShareColumns | RatioColumns, Request>,
) => {
  const { columns, ttl = seriesLife } = table;
  const read = (row: WireRow, timestamp: number, asked: Asked<LongShortParams>): LongShortPoint => {
    if ('ratio' in columns)
      return pointOfRatio(timestamp, positive(valueIn(columns.ratio, row, asked)));
    const locked = columns.locked && optional(valueIn(columns.locked, row, asked));
    return {
      timestamp,
      long: positive(valueIn(columns.long, row, asked)),
      short: positive(valueIn(columns.short, row, asked)),
      ...(typeof locked === 'number' && { locked }),
    };
  };
  return longShortQuery<Request>({
    ...formOf(table),
    ttl,
    step: stepOf(table),
    parse: reading(table)(read),
  });
};

interface TakerColumns {
  /** Native base units that takers bought and sold, and their value in dollars. */
  buyBase?: Cell<SeriesParams>;
  sellBase?: Cell<SeriesParams>;
  buyUsd?: Cell<SeriesParams>;
  sellUsd?: Cell<SeriesParams>;
}

/** What takers bought and sold. */
export const takerVolume = <Request>(table: SeriesTable<SeriesParams, TakerColumns, Request>) => {
  const { columns, ttl = seriesLife } = table;
  const read = (row: WireRow, timestamp: number, asked: Asked<SeriesParams>): TakerPoint => {
    const { scale } = asked.instrument;
    return {
      timestamp,
      buy_usd: given(columns.buyUsd, row, asked),
      sell_usd: given(columns.sellUsd, row, asked),
      buy_base: times(given(columns.buyBase, row, asked), scale),
      sell_base: times(given(columns.sellBase, row, asked), scale),
    };
  };
  return takerQuery<Request>({
    ...formOf(table),
    ttl,
    step: stepOf(table),
    parse: reading(table)(read),
  });
};

interface InterestColumns {
  /** Native base units. */
  base?: Cell<SeriesParams>;
  usd?: Cell<SeriesParams>;
  /** Contracts, each worth `contract` base units, or `contract` dollars where the market is inverse. */
  contracts?: Cell<SeriesParams>;
  /** The native price that makes one of the two out of the other, where the row lacks that; it is null without one. */
  mark?: Cell<SeriesParams>;
}

/** Base units and dollars of a row, each null where neither it nor a price states it. */
function sizesIn(columns: InterestColumns, row: WireRow, asked: Asked<SeriesParams>) {
  const { inverse, contract } = asked.instrument;
  const counted = times(given(columns.contracts, row, asked), contract);
  const base = given(columns.base, row, asked) ?? (inverse ? null : counted);
  const usd = given(columns.usd, row, asked) ?? (inverse ? counted : null);
  const mark =
    columns.mark === undefined ? null : positive(valueIn(columns.mark, row, asked)) || null;
  return {
    base: base ?? (usd === null || mark === null ? null : usd / mark),
    usd: usd ?? (base === null || mark === null ? null : base * mark),
  };
}

/** Open interest of one side; `sides: 2` for an exchange that counts a contract as a long and as a short position. */
export const interest = <Request>(
  table: SeriesTable<SeriesParams, InterestColumns, Request> & { sides?: 1 | 2 },
) => {
  const { columns, sides = 1, ttl = seriesLife } = table;
  const read = (row: WireRow, timestamp: number, asked: Asked<SeriesParams>): InterestPoint => {
    const { base, usd } = sizesIn(columns, row, asked);
    return {
      timestamp,
      base: times(base, asked.instrument.scale / sides),
      usd: times(usd, 1 / sides),
    };
  };
  return interestQuery<Request>({
    ...formOf(table),
    ttl,
    step: stepOf(table),
    parse: reading(table)(read),
  });
};

interface FundingColumns {
  /** The fraction that was charged. */
  rate: Cell<HistoryParams>;
  /** The fraction that had been expected. */
  predicted?: Cell<HistoryParams>;
  /** The native mark price at which it was charged. */
  mark?: Cell<HistoryParams>;
  premium?: Cell<HistoryParams>;
}

/**
 * A question with rows before it, as many as a day has at most: the hours of the first row follow from the one before it. The start of
 * one without `from` was counted back in the steps of today.
 */
function withRowsBefore(asked: Asked<HistoryParams>, { limit, range }: Span, most: number): Span {
  const more = Math.min(day / hour, most - limit);
  const step = asked.from === undefined ? (fundingStep(asked) ?? hour) : hour;
  return {
    limit: limit + more,
    range: range && { ...range, start: Math.max(0, range.start - more * step) },
  };
}

/**
 * Settled fundings. Their hours are those between them, or `hours` where the exchange charges at fixed ones: `page` is the most rows
 * that cost no more than a few, of which those of a day are for the hours of the first one. `whole` for an exchange whose one answer
 * of `page` rows holds every range.
 */
export const fundings = <Request>(
  table: Table<HistoryParams, FundingColumns, Request> & {
    hours?: number;
    /** The hours of a contract for which the list of instruments states none. */
    usual?: number;
    whole?: boolean;
    /** False for a part without fundings; perpetuals of all parts have them when absent. */
    has?(part: string): boolean;
  },
) => {
  const {
    columns,
    page,
    hours = null,
    usual = null,
    whole = false,
    has = () => true,
    ttl = fundingLife,
  } = table;
  const read = (row: WireRow, timestamp: number, asked: Asked<HistoryParams>): FundingPoint => {
    const rate = required(valueIn(columns.rate, row, asked));
    const predicted = optional(given(columns.predicted, row, asked));
    const mark = positive(given(columns.mark, row, asked)) / asked.instrument.scale;
    const premium = optional(given(columns.premium, row, asked));
    return {
      timestamp,
      // No exchange charges the whole position.
      rate: Math.abs(rate) < 1 ? rate : required(null),
      hours,
      ...(predicted !== null && { predicted }),
      ...(mark > 0 && { mark }),
      ...(premium !== null && { premium }),
    };
  };
  const points = reading(table)(read);
  const most = table.most ?? page;
  const isSpaced = hours === null && !whole;
  const query = fundingQuery<Request>({
    ...formOf(table),
    ttl,
    ...(isSpaced && {
      page: page - day / hour,
      most,
      requests: (asked, span) => table.requests(asked, withRowsBefore(asked, span, most)),
    }),
    // No exchange charges more often than by the hour; the hours between two charges change.
    least: (hours ?? 1) * hour,
    step(asked) {
      const step = has(asked.part) ? fundingStep(asked) : null;
      return step === null || hours === null ? step : hours * hour;
    },
    parse: (bodies, asked) =>
      hours === null
        ? withHours(points(bodies, asked), {
            funding_hours: asked.instrument.funding_hours ?? usual,
          })
        : points(bodies, asked),
  });
  if (!whole) return query;
  return {
    ...query,
    page: ({ part, market, kind, instrument }: Asked<HistoryParams>): HistoryParams | null =>
      has(part) && instrument.kind === 'perpetual' ? { market, kind, limit: page } : null,
  };
};
