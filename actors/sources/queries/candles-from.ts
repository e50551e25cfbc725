/** Candles from a time on, the oldest first: what an exchange is asked for, one request after the other. Pure. */
import {
  afterCandles,
  type Bar,
  endOf,
  firstOpen,
  openOf,
} from '../../../indicators/market/candles.ts';
import { firstTime } from '../../read.ts';
import { type Interval, intervals } from '../../topics/index.ts';
import type { Asked } from './forms.ts';

/** How the exchange is asked. */
interface Ways {
  /** The interval of its candles, of which those that are wanted are made. */
  base: Interval;
  /** Most rows of one answer. */
  page: number;
  /** It gives the first candles from a time on. */
  forward: boolean;
  /** Longer intervals of the exchange, the longest first, by which the first candle is looked for, with most rows of one answer. */
  longer: readonly Longer[];
}

/** Longer candles, and most rows of one answer of them. */
export interface Longer {
  interval: Interval;
  page: number;
}

/** A request for `limit` rows: the first ones from `from` on, those that open before `before`, or the newest. */
export interface Step {
  limit: number;
  from?: number;
  before?: number | undefined;
  /** Where it is not the base. */
  interval?: Interval;
}

/** How far the pages of an answer have got. */
export interface Progress<P> {
  /** The request that follows them; null where they hold all that is wanted. */
  step: Step | null;
  /** Those of candles of the base. */
  pages: readonly P[];
  /** The time up to which their rows are whole, Unix ms; undefined where that is the end of the range. */
  reached?: number | undefined;
}

type Question = Pick<Asked<'candles'>, 'interval' | 'limit' | 'from' | 'to' | 'now'>;
type Pages = readonly { rows: readonly Bar[] }[];

/** Times from `start` to `end` (exclusive), Unix ms. */
interface Stretch {
  start: number;
  end: number;
}

/** The opens of the first `limit` intervals of the range, as far as they have begun. */
function stretchOf({ interval, limit, from = 0, to, now }: Question): Stretch {
  const start = firstOpen(from, interval);
  const last = Math.min(to ?? now, now);
  const end = Math.min(
    afterCandles(start, interval, limit),
    endOf(openOf(last, interval), interval),
  );
  return { start, end };
}

const timesIn = (rows: readonly Bar[], { start, end }: Stretch): number[] =>
  rows.map(({ timestamp }) => timestamp).filter((time) => time >= start && time < end);

/** The next request of an exchange that counts from a time on. */
function forwards(asked: Question, { base, page }: Ways, pages: Pages): Step | null {
  const { interval, limit, from = 0, to, now } = asked;
  const per = Math.round(intervals[interval] / intervals[base]);
  // A candle that is handed on as it is may open beside the grid, as those of Binance in February 2018.
  const start = per === 1 ? from : stretchOf(asked).start;
  const all = { start, end: Math.min(to ?? now, now) + 1 };
  const timesOf = (some: Pages) => some.flatMap(({ rows }) => timesIn(rows, all));
  const times = new Set(timesOf(pages));
  const newest = Math.max(...times);
  const isOver = newest === Math.max(...timesOf(pages.slice(0, -1)));
  if (pages.length > 0 && (isOver || endOf(newest, base) >= all.end)) return null;
  const found = new Set([...times].map((time) => openOf(time, interval))).size;
  // The last of them is whole once the next one has begun.
  if (found > limit || (per === 1 && found === limit)) return null;
  const wanted = per * (limit - found) + per;
  return {
    limit: Math.min(page, per === 1 ? limit - found : wanted),
    from: pages.length === 0 ? start : newest + 1,
  };
}

/** The next request of an exchange that counts back from a time: pages of the stretch one after the other, each until it is whole. */
function inPages(asked: Question, { base, page }: Ways, pages: Pages): Step | null {
  const { start, end } = stretchOf(asked);
  const pageFrom = (from: number): Stretch => ({
    start: from,
    end: Math.min(end, afterCandles(from, base, page)),
  });
  let whole = pageFrom(start);
  let open = whole;
  for (const { rows } of pages) {
    const oldest = Math.min(...timesIn(rows, open));
    const isShort = oldest < open.end && oldest - open.start >= intervals[base];
    if (!isShort && whole.end >= end) return null;
    if (!isShort) whole = pageFrom(whole.end);
    // The exchange may give fewer rows than it is asked for.
    open = isShort ? { start: open.start, end: oldest } : whole;
  }
  return {
    limit: Math.max(1, Math.ceil((open.end - open.start) / intervals[base])),
    before: open.end > asked.now ? undefined : open.end,
  };
}

/** Most requests of one answer by which the first candle is looked for. */
const mostLooks = 12;

/** The range of a look for the first candle, and its pages so far. */
interface Look extends Pick<Ways, 'longer'>, Pick<Question, 'now'> {
  last: number;
  pages: Pages;
}

/** Where the answer begins. */
interface Start<P> {
  /** Nothing opens in the range before this time, Unix ms. */
  from: number;
  /** The pages of candles from there on. */
  pages: readonly P[];
  /** The next request of the look; null where it has ended without a candle. */
  look?: Step | null;
}

/** What is known after some looks, Unix ms. */
interface Known {
  /** Nothing opens in the range before. */
  from: number;
  /** The first candle opens before, or here. */
  upper: number;
  /** Which of the longer intervals is next. */
  level: number;
}

/** Candles of a longer interval from the one before `from` on, which may hold it: days do not open at midnight everywhere. */
function around({ from, upper }: Known, { interval, page }: Longer, now: number) {
  const start = afterCandles(openOf(from, interval), interval, -1);
  const whole = afterCandles(start, interval, page);
  const end = Math.min(upper, whole, endOf(openOf(now, interval), interval));
  // Of 28 days at least where a month counts as 31.
  const limit = Math.min(page, Math.ceil((end - start) / (0.9 * intervals[interval])));
  return { start, end, step: { interval, limit, before: end > now ? undefined : end } };
}

/** What is known after one more look, from `start` to `end`, whose oldest candle is `oldest`; `end` where it has none. */
function lookedAt(
  { from, upper, level }: Known,
  { interval }: Longer,
  { start, end, oldest }: Stretch & { oldest: number },
): Known {
  // The exchange may give fewer candles than it is asked for: those before them are asked for too.
  if (oldest < end && oldest - start >= intervals[interval]) return { from, upper: oldest, level };
  const first = Math.max(from, oldest);
  return oldest < end || end === upper
    ? { from: first, upper: afterCandles(first, interval, 1), level: level + 1 }
    : { from: first, upper, level };
}

/** Looks for the first candle from `from` on, each length from where the one before it has its first: months, days, then hours. */
function firstFrom(
  from: number,
  { longer, last, now, pages }: Look,
): { from: number; look?: Step | null; used?: number } {
  let known: Known = { from, upper: Number.POSITIVE_INFINITY, level: 0 };
  for (let used = 0; ; used += 1) {
    const one = longer[known.level];
    if (!one) return { from: known.from, used };
    if (known.from > last || used >= mostLooks) return { from: known.from, look: null };
    const { step, ...stretch } = around(known, one, now);
    const page = pages[used];
    if (!page) return { from: known.from, look: step };
    const oldest = Math.min(stretch.end, ...timesIn(page.rows, stretch));
    known = lookedAt(known, one, { ...stretch, oldest });
  }
}

/** Where the candles of an exchange that counts back begin. Where a first page holds none, longer ones are asked for. */
function startOf<P extends Pages[number]>(
  asked: Question,
  { base, page, longer }: Ways,
  pages: readonly P[],
): Start<P> {
  const { interval, to, now, from: given = 0 } = asked;
  const { start, end } = stretchOf(asked);
  const last = Math.min(to ?? now, now);
  const [first, ...others] = pages;
  const stretch = { start, end: Math.min(end, afterCandles(start, base, page)) };
  const isThere = first === undefined || timesIn(first.rows, stretch).length > 0;
  if (isThere || end > last || longer.length === 0) return { from: given, pages };
  const look = { longer, last, now, pages: others };
  const { used, ...found } = firstFrom(Math.max(given, firstTime), look);
  // It gets on in any case: the first page has none.
  if (used === undefined) return { ...found, from: Math.max(found.from, stretch.end), pages: [] };
  const from = Math.max(given, openOf(found.from, interval));
  return from > last ? { from, pages: [], look: null } : { from, pages: others.slice(used) };
}

/** How far the pages of the answer to a question with `from` have got. */
export function stepsFrom<P extends Pages[number]>(
  asked: Question,
  ways: Ways,
  all: readonly P[],
): Progress<P> {
  if (ways.forward) return { step: forwards(asked, ways, all), pages: all };
  const { from, pages, look } = startOf(asked, ways, all);
  const rest = { ...asked, from };
  const end = look === undefined ? Math.max(stretchOf(rest).end, firstTime) : from;
  return {
    step: look === undefined ? inPages(rest, ways, pages) : look,
    pages,
    reached: end > Math.min(asked.to ?? asked.now, asked.now) ? undefined : end - 1,
  };
}
