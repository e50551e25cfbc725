/** Candles from a time on, the oldest first: what an exchange is asked for, one request after the other. Pure. */
import {
  afterCandles,
  type Bar,
  endOf,
  firstOpen,
  openOf,
} from '../../../indicators/market/candles.ts';
import { type Interval, intervals } from '../../topics/index.ts';
import type { Asked } from '../venue.ts';

/** How the exchange is asked. */
interface Ways {
  /** The interval of its candles, of which those that are wanted are made. */
  base: Interval;
  /** Most rows of one answer. */
  page: number;
  /** It gives the first candles from a time on. */
  forward: boolean;
}

/** A request for `limit` rows: the first ones from `from` on, those that open before `before`, or the newest. */
export interface Step {
  limit: number;
  from?: number;
  before?: number | undefined;
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
  const { interval, limit, to, now } = asked;
  const per = Math.round(intervals[interval] / intervals[base]);
  const { start } = stretchOf(asked);
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

/** The request that follows these pages of the answer to a question with `from`; null where they hold all that is wanted. */
export const stepAfter = (asked: Question, ways: Ways, pages: Pages): Step | null =>
  (ways.forward ? forwards : inPages)(asked, ways, pages);

/** The time up to which the rows of all pages are whole, Unix ms; undefined where that is the end of the range. */
export function reachedBy(asked: Question, { forward }: Ways): number | undefined {
  if (forward) return undefined;
  const { end } = stretchOf(asked);
  return end > Math.min(asked.to ?? asked.now, asked.now) ? undefined : end - 1;
}
