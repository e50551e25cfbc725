/** Shared by the candle queries of exchanges: the names of intervals and the limit of unusable rows. */
import { minute } from '../../../config/time.ts';
import {
  afterCandles,
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
import { maxDroppedShare } from '../define.ts';
import { stepsBack } from './candles-back.ts';
import { type Step, stepsFrom } from './candles-from.ts';
import type { Asked, CandleQuery } from './forms.ts';
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
type Pages = readonly CandlePage[];

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

const requestOf = (query: CandleQuery, asked: Asked<'candles'>, { interval, ...step }: Step) =>
  query.request({
    market: asked.market,
    part: asked.part,
    instrument: asked.instrument,
    now: asked.now,
    interval: (interval && query.intervals[interval]) ?? planOf(query, asked).native,
    ...step,
  });

/** Rows of a range that are asked for at once: HTX gives no more of one, though twice as many of the newest. */
const mostOfRange = 1_000;

/** The lengths of candles by which the first one is looked for; the second of exchanges whose days are not those of UTC. */
const looked = [
  ['1M', '1d', '1h'],
  ['8h', '4h', '1h'],
] as const;

/** How an exchange is asked for candles from a time on. */
function waysOf(query: CandleQuery, asked: Asked<'candles'>) {
  const { base } = planOf(query, asked);
  const span = query.span?.[asked.part] ?? Number.POSITIVE_INFINITY;
  const pageOf = (interval: Interval) =>
    Math.min(query.page, mostOfRange, Math.floor(span / intervals[interval]));
  return {
    base,
    page: pageOf(base),
    forward: query.forward?.includes(asked.part) === true,
    longer: looked[query.intervals['1d'] ? 0 : 1]
      .filter((one) => query.intervals[one] && intervals[one] > intervals[asked.interval])
      .map((interval) => ({ interval, page: pageOf(interval) }))
      .filter(({ page }) => page > 1),
  };
}

/** When the oldest candle opens that the exchange gives, Unix ms. */
const oldestOf = (kept: number, interval: Interval, now: number): number =>
  afterCandles(openOf(now, interval), interval, 1 - kept);

/** The same question, where it is about older candles from the oldest one on. */
function withKept(query: CandleQuery, asked: Asked<'candles'>): Asked<'candles'> {
  if (asked.from === undefined || query.kept === undefined) return asked;
  const oldest = oldestOf(query.kept, planOf(query, asked).base, asked.now);
  return { ...asked, from: Math.max(asked.from, oldest) };
}

/** As much of a request as is about candles that the exchange keeps; null for none. */
function inKept(query: CandleQuery, asked: Asked<'candles'>, step: Step | null): Step | null {
  if (step?.before === undefined || query.kept === undefined) return step;
  const { interval = planOf(query, asked).base, before, limit } = step;
  const oldest = oldestOf(query.kept, interval, asked.now);
  const rows = Math.ceil((before - oldest) / intervals[interval]);
  return rows > 0 ? { ...step, limit: Math.min(limit, rows) } : null;
}

/** How far the pages have got: on from `from`, or back in time from the newest rows or those up to `to`. */
function progressOf(query: CandleQuery, given: Asked<'candles'>, pages: Pages) {
  const asked = withKept(query, given);
  const ways = waysOf(query, asked);
  const ranged = query.ranged?.includes(asked.part) === true;
  const { count } = planOf(query, asked);
  const before = { end: endAsked(asked), now: asked.now };
  const found =
    asked.from === undefined
      ? stepsBack(before, { ...ways, page: query.page, count, ranged }, pages)
      : stepsFrom(asked, ways, pages);
  return { ...found, step: inKept(query, asked, found.step) };
}

/** The requests that follow the pages so far; none where they hold all that is wanted. */
function requestsAfter(query: CandleQuery, asked: Asked<'candles'>, pages: Pages) {
  const { step } = progressOf(query, asked, pages);
  return step === null ? [] : [requestOf(query, asked, step)];
}

/** The most rows of one answer that weigh what `count` rows weigh. */
function pageSize(query: CandleQuery, asked: Asked<'candles'>, count: number): number {
  const most = Math.min(query.page, maxUnwanted);
  const before = endAsked(asked);
  const weight = (limit: number) => requestOf(query, asked, { limit, before }).weight ?? 1;
  const fitting = sizes.filter((size) => size > count && size <= most);
  return fitting.findLast((size) => weight(size) === weight(count)) ?? count;
}

/** How long candles are fresh, ms: those of the past, the newest, and where the last one has ended without a successor for less than `unsettled`. */
const pastLife = minute;
const life = 1_000;
const unsettledLife = 100;
const unsettled = 2_000;

/** Until the last candle closes: a client that waits for the close must not get an earlier page. */
function candleLife({ candles, received, reached }: Candles, asked: Asked<'candles'>) {
  const { interval } = asked;
  const end = reached === undefined ? endAsked(asked) : endOf(reached, interval);
  if (end !== undefined && received - end > unsettled) return pastLife;
  const last = candles.at(-1);
  if (!last) return life;
  const left = endOf(last.timestamp, interval) - received;
  if (left > 0) return Math.min(left, life);
  return left > -unsettled ? unsettledLife : life;
}

const distinct = (pages: Pages): Map<number, Bar> =>
  new Map(pages.flatMap(({ rows }) => rows.map((row) => [row.timestamp, row])));

/** The first candles of the range, and how far they reach. */
function firstOf(
  whole: Candles,
  { limit, from = 0, to = Number.POSITIVE_INFINITY }: Params<'candles'>,
): Candles {
  const inside = whole.candles.filter(({ timestamp: at }) => at >= from && at <= to);
  const last = inside[limit - 1];
  return {
    ...whole,
    candles: inside.slice(0, limit),
    ...(last && { reached: last.timestamp }),
  };
}

/**
 * Fetches the newest rows, or those up to `to`, page by page back in time, until a page brings nothing new; with `from` the first ones from
 * there on. A page may be short without being the last: Binance's COIN-M klines span at most 200 days an answer.
 */
export const candlesQuery = (query: CandleQuery): PagedQuery<'candles', CandlePage, Candles> => ({
  ttl: candleLife,
  page(asked) {
    const { market, kind, interval, limit, from } = asked;
    if (baseInterval(query.intervals, interval) === null) return null;
    const end = endAsked(asked);
    // Times of one interval mean the same rows.
    const to = end === undefined ? undefined : end - 1;
    if (from !== undefined) return { market, kind, interval, limit, from, to };
    const { per, count } = planOf(query, asked);
    const size = pageSize(query, asked, count);
    return {
      market,
      kind,
      interval,
      limit: Math.max(limit, per === 1 ? size : Math.floor(size / per) - 1),
      to,
    };
  },
  requests: (asked) => requestsAfter(query, asked, []),
  more: (asked, pages) => requestsAfter(query, asked, pages),
  parse: ([body], asked, received) => ({ rows: query.parse(body, asked), received }),
  whole(pages, asked) {
    const { base, per, count } = planOf(query, asked);
    const now = pages[0]?.received ?? asked.now;
    const isFirst = asked.from !== undefined;
    const { pages: used, reached } = progressOf(query, asked, pages);
    const rows = distinct(used);
    const candles = candlesOf([...rows.values()], { interval: base, now });
    const { market, instrument, interval, limit } = asked;
    const about = { market, kind: instrument.kind, quote: instrument.quote, received: now };
    const steps = { from: base, to: interval, now };
    const all = per === 1 ? candles : aggregate(candles, steps, isFirst);
    if (!isFirst) {
      return { ...about, candles: all, asked: rows.size < count ? Infinity : limit };
    }
    return firstOf({ ...about, candles: all, ...(reached && { reached }) }, asked);
  },
  slice({ asked = 0, ...whole }, params) {
    const { limit, from, to = Number.POSITIVE_INFINITY } = params;
    if (from !== undefined) return firstOf(whole, params);
    if (whole.candles.length < limit && asked < limit) return null;
    const inside = whole.candles.filter(({ timestamp }) => timestamp <= to);
    return { ...whole, candles: inside.slice(-limit) };
  },
});
