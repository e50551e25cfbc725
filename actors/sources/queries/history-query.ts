/** Histories of a market as queries: one page of the newest rows, or of those up to a time, answers every `limit`. Pure. */

import { firstTime, time } from '../../read.ts';
import type { History, HistoryParams, Instrument } from '../../topics/index.ts';
import { rejectMostlyBad } from './candles.ts';

/** The data of a market for `historyQuery` besides the parameters. */
interface Listed {
  part: string;
  instrument: Instrument;
  now: number;
}

/**
 * The rows to ask for: the newest `limit`, or those of [`start`, `end`] where a client stated `to`. Of an exchange that gives the first
 * rows from a time on (`forward`) these, where a client stated `from`. Unix ms.
 */
export interface Span {
  limit: number;
  range: { start: number; end: number } | null;
}

/** How one exchange gives a history. */
export interface HistoryForm<
  P extends HistoryParams,
  Point extends { timestamp: number },
  Request,
> {
  /** Cache lifetime, ms. */
  ttl: number;
  /** Rows of the largest page that costs no more than a small one. */
  page: number;
  /** Most rows of an answer of the exchange, for a `limit` above `page`; `page` when absent. */
  most?: number;
  /** The exchange has no rows of 2h: every second one of 1h stands for them, since it states a moment and not a sum. */
  thinned?: boolean;
  /** Of a range with more rows than `limit` the exchange gives the first ones, however long the range is. */
  forward?(asked: P & Listed): boolean;
  /** Ms between two rows; null where the exchange does not have this history. */
  step(asked: P & Listed): number | null;
  /** The least ms between two rows of any time, where they have not always been `step` apart. */
  least?: number;
  requests(asked: P & Listed, span: Span): readonly Request[];
  /** Rows in any order, NaN in the time or in a number of one that is to be dropped. */
  parse(bodies: readonly unknown[], asked: P & Listed): Point[];
}

/** The rows ascending, the last one of each time. */
export function inOrder<Point extends { timestamp: number }>(rows: readonly Point[]): Point[] {
  const byTime = new Map(rows.map((row) => [row.timestamp, row]));
  return [...byTime.values()].sort((a, b) => a.timestamp - b.timestamp);
}

/**
 * The rows that can be used, one for each time, ascending; ShapeError where too many cannot. A time is a whole number of ms
 * between 2009 and a day after `now`.
 */
function tidy<Point extends { timestamp: number }>(
  rows: Point[],
  isWhole: (point: Point) => boolean,
  now: number,
): Point[] {
  const whole = rows.filter((row) => isWhole(row) && time(row.timestamp, 1, now) !== null);
  rejectMostlyBad(rows.length - whole.length, rows.length, 'history');
  return inOrder(whole);
}

/** The end of a range that has ended, as a multiple of the step: times of one interval mean the same rows. */
const endOf = ({ to, now }: HistoryParams & Listed, every: number): number | undefined =>
  to === undefined || to >= now ? undefined : Math.floor(to / every) * every;

/**
 * The end of the stretch from `from` on that cannot hold more rows than `limit`, a multiple of their step; undefined where the range
 * ends before.
 */
function stretchEnd({ from = 0, to, limit, now }: HistoryParams & Listed, every: number) {
  const end = (Math.ceil(from / every) + limit - 1) * every;
  return end < Math.min(to ?? now, now) ? end : undefined;
}

const twoHours = 7_200_000;

/** Whether every second row of 1h is wanted. */
const isThinned = ({ thinned }: { thinned?: boolean }, asked: object): boolean =>
  thinned === true && 'interval' in asked && asked.interval === '2h';

/** The rows of a stretch that are asked for; `thin` leaves out those of odd hours. */
function sliceOf<Point extends { timestamp: number }>(
  whole: History<Point>,
  { limit, from, to = Number.POSITIVE_INFINITY }: HistoryParams,
  thin: boolean,
): History<Point> {
  const { market, points, reached = Number.POSITIVE_INFINITY } = whole;
  const inside = points.filter(
    ({ timestamp: at }) =>
      at >= (from ?? 0) && at <= to && at <= reached && !(thin && at % twoHours !== 0),
  );
  if (from === undefined) return { market, points: inside.slice(-limit) };
  const last = inside[limit - 1]?.timestamp ?? whole.reached;
  return {
    market,
    points: inside.slice(0, limit),
    ...(last !== undefined && { reached: last }),
  };
}

/** A history as a query about one market. `isWhole` is false for a point with NaN in one of its numbers. */
export function historyQuery<P extends HistoryParams, Point extends { timestamp: number }, Request>(
  form: HistoryForm<P, Point, Request>,
  isWhole: (point: Point) => boolean,
) {
  const { ttl, page, most = page, step, requests, parse } = form;
  const leastOf = (asked: P & Listed) => form.least ?? step(asked) ?? 0;
  const isForward = (asked: P & Listed) => form.forward?.(asked) === true;
  /** How far the rows of a page reach: to the end of its stretch, or to the last row where the exchange may have more. */
  function reachOf(rows: readonly Point[], asked: P & Listed, count: number) {
    if (asked.from === undefined) return undefined;
    if (isForward(asked)) return count < asked.limit ? undefined : rows.at(-1)?.timestamp;
    const end = stretchEnd({ ...asked, to: undefined }, leastOf(asked));
    return end !== undefined && end === asked.to ? Math.max(end, firstTime - 1) : undefined;
  }
  return {
    ttl,
    page(given: P & Listed): P | null {
      const asked = isThinned(form, given)
        ? { ...given, interval: '1h', limit: 2 * given.limit }
        : given;
      if (step(asked) === null) return null;
      const limit = asked.limit > page ? most : page;
      const every = leastOf(asked);
      const isCounted = asked.from !== undefined && !isForward(asked);
      const stretch = isCounted ? stretchEnd({ ...asked, limit }, every) : undefined;
      return {
        ...asked,
        limit,
        to: stretch ?? endOf(asked, every),
        // Neither affects the rows.
        now: undefined,
        instrument: undefined,
      };
    },
    requests(asked: P & Listed): readonly Request[] {
      const { limit, from, to, now } = asked;
      const every = step(asked) ?? 0;
      // As many rows, whether the exchange takes the start as inclusive or as exclusive.
      const first = from === undefined ? (to ?? now) - (limit - 1) * every - 1 : from - 1;
      const start = Math.max(0, isForward(asked) ? (from ?? first) : first);
      const range = (from ?? to) === undefined ? null : { start, end: Math.max(start, to ?? now) };
      return requests(asked, { limit, range });
    },
    parse(bodies: readonly unknown[], asked: P & Listed): History<Point> {
      const rows = parse(bodies, asked);
      const count = rows.length;
      const points = tidy(rows, isWhole, asked.now);
      const reached = reachOf(points, asked, count);
      return { market: asked.market, points, ...(reached !== undefined && { reached }) };
    },
    slice: (whole: History<Point>, asked: P) => sliceOf(whole, asked, isThinned(form, asked)),
  };
}
