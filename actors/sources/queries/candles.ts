/** Shared by the candle queries of exchanges: the names of intervals and the limit of unusable rows. */
import { minute } from '../../../config/time.ts';
import {
  aggregate,
  type Bar,
  baseInterval,
  type Candle,
  endOf,
  openOf,
  tidy,
} from '../../../indicators/market/candles.ts';
import { ShapeError } from '../../failure.ts';
import {
  allIntervals,
  type Candles,
  type Interval,
  intervals,
  type Params,
} from '../../topics/index.ts';
import { bodyCaps } from '../../upstream/limits.ts';
import { maxDroppedShare } from '../quality/reasons.ts';
import type { Asked, CandleQuery } from '../venue.ts';
import type { PagedQuery } from './order-book.ts';

export type { Bar };

/** The words of a venue that has every interval and names each as we do. */
export const sameWords: Readonly<Partial<Record<Interval, string>>> = Object.fromEntries(
  allIntervals.map((name) => [name, name]),
);

/**
 * Throws ShapeError where more rows are bad than `maxDroppedShare` allows, and where all are. One bad row never costs
 * the others, however few they are: a client may ask for two candles.
 */
export function rejectMostlyBad(bad: number, all: number, what = 'candles'): void {
  const isRefused = bad === all || (bad > 1 && bad > maxDroppedShare * all);
  if (all > 0 && isRefused) throw new ShapeError(`${what}: ${bad} of ${all} rows are unusable`);
}

/** The tidied candles of an answer (`tidy`); ShapeError where too many of its rows are unusable. */
export function candlesOf(rows: readonly Bar[], at: { interval: Interval; now: number }): Candle[] {
  const { candles, bad } = tidy(rows, at);
  rejectMostlyBad(bad, rows.length);
  return candles;
}

/** Rows of one answer of the exchange. */
interface CandlePage {
  rows: readonly Bar[];
  received: number;
}

/** Sizes of pages that are tried: at most exchanges they weigh as little as smaller ones. */
const sizes = [99, 100, 200, 300, 499, 500, 999, 1_000] as const;
/** Rows that are asked for at most where fewer are wanted. */
const maxUnwanted = 500;

/** The parameters for the exchange: its name of an interval that divides the wanted one, and the number of rows. */
function planOf(
  query: CandleQuery,
  { interval, limit }: Pick<Params<'candles'>, 'interval' | 'limit'>,
) {
  const base = baseInterval(query.intervals, interval);
  const native = base && query.intervals[base];
  if (!base || !native) throw new ShapeError(`no candles of ${interval}`);
  const per = Math.round(intervals[interval] / intervals[base]);
  return { base, native, per, count: per === 1 ? limit : limit * per + per };
}

/** The end of the last candle that is wanted, Unix ms; undefined where that is the newest one. */
function endAsked({ to, interval, now }: Asked<'candles'>): number | undefined {
  const end = to === undefined ? now : endOf(openOf(to, interval), interval);
  return end < now ? end : undefined;
}

const requestOf = (
  query: CandleQuery,
  asked: Asked<'candles'>,
  limit: number,
  before = endAsked(asked),
) =>
  query.request({
    market: asked.market,
    part: asked.part,
    instrument: asked.instrument,
    now: asked.now,
    interval: planOf(query, asked).native,
    limit,
    before,
  });

/** The most rows of one answer that weigh what `count` rows weigh. */
function pageSize(query: CandleQuery, asked: Asked<'candles'>, count: number): number {
  const most = Math.min(query.page, maxUnwanted);
  const weight = (limit: number) => requestOf(query, asked, limit).weight ?? 1;
  const fitting = sizes.filter((size) => size > count && size <= most);
  return fitting.findLast((size) => weight(size) === weight(count)) ?? count;
}

/** How long candles are fresh, ms: those of the past, the newest, and where the last one has ended without a successor for less than `unsettled`. */
const pastLife = minute;
const life = 1_000;
const unsettledLife = 100;
const unsettled = 2_000;

/** Until the last candle closes: a client that waits for the close must not get an earlier page. */
function candleLife({ candles, received }: Candles, asked: Asked<'candles'>) {
  const { interval } = asked;
  const end = endAsked(asked);
  if (end !== undefined && received - end > unsettled) return pastLife;
  const last = candles.at(-1);
  if (!last) return life;
  const left = endOf(last.timestamp, interval) - received;
  if (left > 0) return Math.min(left, life);
  return left > -unsettled ? unsettledLife : life;
}

const distinct = (pages: readonly CandlePage[]): Map<number, Bar> =>
  new Map(pages.flatMap(({ rows }) => rows.map((row) => [row.timestamp, row])));

/**
 * Fetches the newest rows, or those up to `to`, page by page back in time, until a page brings nothing new. A page may be short without being
 * the last: Binance's COIN-M klines span at most 200 days an answer.
 */
export const candlesQuery = (query: CandleQuery): PagedQuery<'candles', CandlePage, Candles> => ({
  ttl: candleLife,
  maxBody: bodyCaps.candles,
  page(asked) {
    const { market, kind, interval, limit } = asked;
    if (baseInterval(query.intervals, interval) === null) return null;
    const { per, count } = planOf(query, asked);
    const size = pageSize(query, asked, count);
    const end = endAsked(asked);
    return {
      market,
      kind,
      interval,
      limit: Math.max(limit, per === 1 ? size : Math.floor(size / per) - 1),
      // Times of one interval mean the same rows.
      to: end === undefined ? undefined : end - 1,
    };
  },
  requests: (asked) => [requestOf(query, asked, Math.min(query.page, planOf(query, asked).count))],
  more(asked, pages) {
    const { count } = planOf(query, asked);
    const rows = distinct(pages);
    if (rows.size >= count || rows.size === distinct(pages.slice(0, -1)).size) return [];
    const before = Math.min(...rows.keys());
    return [requestOf(query, asked, Math.min(query.page, count - rows.size), before)];
  },
  parse: ([body], asked, received) => ({ rows: query.parse(body, asked), received }),
  whole(pages, asked) {
    const { base, per, count } = planOf(query, asked);
    const now = pages[0]?.received ?? asked.now;
    const rows = distinct(pages);
    const candles = candlesOf([...rows.values()], { interval: base, now });
    const { market, instrument, interval, limit } = asked;
    return {
      market,
      kind: instrument.kind,
      quote: instrument.quote,
      candles: per === 1 ? candles : aggregate(candles, { from: base, to: interval, now }),
      received: now,
      asked: rows.size < count ? Number.POSITIVE_INFINITY : limit,
    };
  },
  slice({ asked = 0, ...whole }, { limit, from, to = Number.POSITIVE_INFINITY }) {
    if (whole.candles.length < limit && asked < limit) return null;
    const inside = whole.candles.filter(
      ({ timestamp }) => timestamp >= (from ?? 0) && timestamp <= to,
    );
    const candles = from === undefined ? inside.slice(-limit) : inside.slice(0, limit);
    return { ...whole, candles };
  },
});
