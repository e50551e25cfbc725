/** Settled fundings that an exchange keeps, as tables, and the hours that each is for. Pure. */
import { day, hour } from '../../config/time.ts';
import { settledHours } from '../../indicators/derivatives/funding.ts';
import { isNumber, optional, positive, required } from '../read.ts';
import { historyQuery, inOrder, type Span } from '../sources/queries/history-query.ts';
import type { FundingPoint, HistoryParams, Instrument } from '../topics/index.ts';
import { type Cell, given } from './cells.ts';
import { type Asked, pointsBy, type Read, type Table } from './series.ts';

/** How long a history of fundings is fresh, ms. */
const fundingLife = 300_000;

/** Most fundings of a day. */
const rowsOfDay = day / hour;

/** The length of one funding of a perpetual, ms; null for other markets. */
export const fundingStep = ({ instrument }: { instrument: Instrument }): number | null =>
  instrument.kind === 'perpetual' ? (instrument.funding_hours ?? 8) * hour : null;

const isCharged = ({ timestamp, rate }: FundingPoint) => timestamp > 0 && Math.abs(rate) < 1;

/**
 * Gives fundings the hours that follow from the times between them (`settledHours`). `running` are those of today, which say nothing of
 * fundings that are older than a day; the first one has none where those before it are missing (`isCut`). Rows that cannot be used
 * stay, to be counted.
 */
export function withHours(
  points: FundingPoint[],
  { running, now, isCut }: { running: number | null; now: number; isCut: boolean },
): FundingPoint[] {
  const settled = inOrder(points.filter(isCharged));
  const times = settled.map(({ timestamp }) => timestamp);
  const isOld = now - (times.at(-1) ?? now) > day;
  const hours = settledHours(times, isOld ? null : running);
  for (const [i, point] of settled.entries()) point.hours = hours[i] ?? null;
  const [first] = settled;
  if (first && isCut) first.hours = null;
  return points;
}

interface FundingColumns {
  /** The fraction that was charged. */
  rate: Cell<Asked<HistoryParams>>;
  /** The fraction that had been expected. */
  predicted?: Cell<Asked<HistoryParams>>;
  /** The native mark price at which it was charged. */
  mark?: Cell<Asked<HistoryParams>>;
  premium?: Cell<Asked<HistoryParams>>;
}

interface FundingTable<Request> extends Table<HistoryParams, FundingColumns, Request> {
  /** The hours of every funding, where the exchange charges at fixed ones; else they follow from the times. */
  hours?: number;
  /** The hours of a contract for which the list of instruments states none. */
  usual?: number;
  /** For an exchange whose one answer of `page` rows holds every range. */
  whole?: boolean;
  /** False for a part without fundings; perpetuals of all parts have them when absent. */
  has?(part: string): boolean;
}

const readFunding: Read<HistoryParams, FundingColumns, FundingPoint> = (
  columns,
  row,
  timestamp,
  asked,
) => {
  const rate = given(columns.rate, row, asked) ?? required(null);
  const predicted = optional(given(columns.predicted, row, asked));
  const mark = positive(given(columns.mark, row, asked)) / asked.instrument.scale;
  const premium = optional(given(columns.premium, row, asked));
  // No exchange charges the whole position.
  const point: FundingPoint = {
    timestamp,
    rate: Math.abs(rate) < 1 ? rate : required(null),
    hours: null,
  };
  if (predicted !== null) point.predicted = predicted;
  if (mark > 0) point.mark = mark;
  if (premium !== null) point.premium = premium;
  return point;
};

/** The longest hours of most contracts, ms. */
const longestStep = 8 * hour;

/**
 * A question with the rows of a day before it: the hours of the first row follow from the one before it. Without `from` it begins where
 * as many rows of the longest hours do: a contract may have had longer ones than today.
 */
function withRowsBefore(asked: Asked<HistoryParams>, { limit, range }: Span, most: number): Span {
  const rows = Math.min(most, limit + rowsOfDay);
  if (range === null) return { limit: rows, range };
  const { start, end } = range;
  const step = Math.max(longestStep, fundingStep(asked) ?? 0);
  const first = asked.from === undefined ? end - (rows - 1) * step - 1 : start - day;
  return { limit: rows, range: { start: Math.max(0, first), end } };
}

/** The stretch before the end of a span that cannot hold more rows than one answer. */
const hoursBefore = (end: number, most: number): Span => ({
  limit: most,
  range: { start: Math.max(0, end - (most - 1) * hour), end },
});

/**
 * Rows up to a time, of an exchange that gives the first ones of a range: those of the range by the steps of today, which may be too many
 * (`most`), and those of as many hours before its end. Where rows between the two are missing, only the later ones.
 */
function joinedAtEnd(
  [before, last]: readonly [FundingPoint[], FundingPoint[]],
  most: number,
): { found: FundingPoint[]; isCut: boolean } {
  const reached = Math.max(...before.map(({ timestamp }) => timestamp));
  const isCut = before.length >= most && !last.some(({ timestamp }) => timestamp <= reached);
  return { found: isCut ? last : [...before, ...last], isCut };
}

/** Settled fundings. Of the `page` rows that cost no more than a few, those of a day are for the hours of the first one, of `most` one. */
export const fundings = <Request>(table: FundingTable<Request>) => {
  const { page, hours = null, usual = null, whole = false, has = () => true, most = page } = table;
  const points = pointsBy(table, readFunding);
  const isSpaced = hours === null && !whole;
  /** Whether the newest rows before a time are asked of an exchange that gives the oldest ones of a range. */
  const isBack = (asked: Asked<HistoryParams>) =>
    table.forward?.(asked) === true && asked.from === undefined && asked.to !== undefined;
  const spanOf = (asked: Asked<HistoryParams>, span: Span) =>
    isSpaced ? withRowsBefore(asked, span, most) : span;
  const query = historyQuery<HistoryParams, FundingPoint, Request>(
    {
      ...table,
      ttl: fundingLife,
      page: isSpaced ? page - rowsOfDay : page,
      most: isSpaced ? most - 1 : most,
      requests(asked, span) {
        const wanted = table.requests(asked, spanOf(asked, span));
        const { to = asked.now } = asked;
        return isBack(asked)
          ? [...wanted, ...table.requests(asked, hoursBefore(to, most))]
          : wanted;
      },
      // No exchange charges more often than by the hour; the hours between two charges change.
      least: (hours ?? 1) * hour,
      step(asked) {
        const step = has(asked.part) ? fundingStep(asked) : null;
        return step === null || hours === null ? step : hours * hour;
      },
      parse(bodies, asked) {
        const [first, last] = bodies;
        const { limit } = spanOf(asked, { limit: asked.limit, range: null });
        const all = points(bodies, asked);
        const isFull = all.length >= limit && table.forward?.(asked) !== true;
        const { found, isCut } = isBack(asked)
          ? joinedAtEnd([points([first], asked), points([last], asked)], limit)
          : { found: all, isCut: isFull };
        if (hours !== null) return found.map((point) => ({ ...point, hours }));
        const running = asked.instrument.funding_hours ?? usual;
        return withHours(found, { running, now: asked.now, isCut });
      },
    },
    ({ timestamp, rate }) => isNumber(timestamp) && isNumber(rate),
  );
  if (!whole) return query;
  return {
    ...query,
    page: ({ part, market, kind, instrument }: Asked<HistoryParams>): HistoryParams | null =>
      has(part) && instrument.kind === 'perpetual' ? { market, kind, limit: page } : null,
  };
};
