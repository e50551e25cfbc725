/** Settled fundings that an exchange keeps, as tables, and the hours that each is for. Pure. */
import { day, hour } from '../../config/time.ts';
import { settledHours } from '../../indicators/derivatives/funding.ts';
import { isNumber, optional, positive, required } from '../read.ts';
import { historyQuery, inOrder, kept, type Span } from '../sources/queries/history-query.ts';
import type { FundingPoint, HistoryParams, Instrument } from '../topics/index.ts';
import { type Cell, given } from './cells.ts';
import { type Asked, pointsBy, type Read, type Table } from './series.ts';

/** How long a history of fundings is fresh, ms. */
const fundingLife = 300_000;

/** The length of one funding of a perpetual, ms; null for other markets. */
export const fundingStep = ({ instrument }: { instrument: Instrument }): number | null =>
  instrument.kind === 'perpetual' ? (instrument.funding_hours ?? 8) * hour : null;

const isCharged = ({ timestamp, rate }: FundingPoint) => timestamp > 0 && Math.abs(rate) < 1;

/** Gives fundings the hours that follow from the times between them (`settledHours`). Rows that cannot be used stay, to be counted. */
export function withHours(
  points: FundingPoint[],
  { funding_hours }: Pick<Instrument, 'funding_hours'>,
): FundingPoint[] {
  const settled = inOrder(kept(points, isCharged));
  const hours = settledHours(
    settled.map(({ timestamp }) => timestamp),
    funding_hours,
  );
  for (const [i, point] of settled.entries()) point.hours = hours[i] ?? null;
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

/** Settled fundings. Of the `page` rows that cost no more than a few, those of a day are for the hours of the first one. */
export const fundings = <Request>(table: FundingTable<Request>) => {
  const { page, hours = null, usual = null, whole = false, has = () => true, most = page } = table;
  const points = pointsBy(table, readFunding);
  const isSpaced = hours === null && !whole;
  const query = historyQuery<HistoryParams, FundingPoint, Request>(
    {
      ...table,
      ttl: fundingLife,
      page: isSpaced ? page - day / hour : page,
      most,
      requests: (asked, span) =>
        table.requests(asked, isSpaced ? withRowsBefore(asked, span, most) : span),
      // No exchange charges more often than by the hour; the hours between two charges change.
      least: (hours ?? 1) * hour,
      step(asked) {
        const step = has(asked.part) ? fundingStep(asked) : null;
        return step === null || hours === null ? step : hours * hour;
      },
      parse(bodies, asked) {
        const found = points(bodies, asked);
        if (hours !== null) return found.map((point) => ({ ...point, hours }));
        return withHours(found, { funding_hours: asked.instrument.funding_hours ?? usual });
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
