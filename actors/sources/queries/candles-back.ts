/** The newest candles before a time: what an exchange is asked for, one request after the other. Pure. */
import { type Bar, endOf, openOf } from '../../../indicators/market/candles.ts';
import { type Interval, intervals } from '../../topics/index.ts';
import type { Longer, Progress, Step } from './candles-from.ts';

/** How the exchange is asked. */
interface Ways {
  /** The interval of its candles, of which those that are wanted are made. */
  base: Interval;
  /** Most rows of one answer, and how many are wanted in all. */
  page: number;
  count: number;
  /** Its answers are about a range. */
  ranged: boolean;
  /** Longer intervals of it, the longest first, by which older candles are looked for. */
  longer: readonly Longer[];
}

/** Most requests of one answer by which older candles are looked for. */
const mostLooks = 12;
/** Rows that every exchange gives at once. */
const sure = 100;

/** What is known after some pages. */
interface Known {
  /** Times of the candles of the base that were found. */
  found: Set<number>;
  /** What is wanted opens before, Unix ms. */
  before: number;
  /** 0: the base is next; else the longer candles, the shortest first. */
  level: number;
  /** The base had none before this time: whole pages of it are asked for. */
  isBare: boolean;
  /** Older candles were found, so that the base has some there, if it is kept. */
  isFound: boolean;
  looks: number;
  isOver: boolean;
}

/** Reads a page, whose rows open at these times, into what is known; `step` is what was asked for. */
function note(
  known: Known,
  opens: readonly number[],
  { interval, limit, ranged }: Pick<Longer, 'interval'> & Pick<Step, 'limit'> & { ranged: boolean },
): void {
  const { level, before } = known;
  if (level > 0) known.looks += 1;
  if (opens.length === 0) {
    known.before -= Math.min(limit, sure) * intervals[interval];
    known.isOver = level === 0 && (known.isFound || !ranged);
    if (level > 0 || known.isBare || limit >= sure) known.level += 1;
    known.isBare = true;
  } else if (level > 0) {
    known.before = Math.min(before, endOf(Math.max(...opens), interval));
    known.isFound = true;
    known.level -= 1;
  } else {
    for (const open of opens) known.found.add(open);
    known.before = Math.min(...opens);
    known.isBare = false;
    known.isFound = false;
  }
}

/**
 * The request that follows these pages, until one brings nothing new. Of an exchange whose answers are about a range an answer without a
 * candle is about a stretch in which nothing was traded: what lies before it is looked for by longer and longer candles, and then by
 * shorter ones before the end of the newest of those.
 */
export function stepsBack<P extends { rows: readonly Bar[] }>(
  { end, now }: { end: number | undefined; now: number },
  { base, page, count, ranged, longer }: Ways,
  pages: readonly P[],
): Progress<P> {
  const levels: readonly Longer[] = [{ interval: base, page }, ...longer.toReversed()];
  const known: Known = {
    found: new Set(),
    before: end ?? endOf(openOf(now, base), base),
    level: 0,
    isBare: false,
    isFound: false,
    looks: 0,
    isOver: false,
  };
  const nextOf = ({ interval, page: most }: Longer): Step => {
    const { level, before, isBare, found } = known;
    const last = level === 0 ? before : endOf(openOf(before - 1, interval), interval);
    const limit = level > 0 || isBare ? most : Math.min(most, count - found.size);
    const step = { limit, before: last > now ? undefined : last };
    return level === 0 ? step : { ...step, interval };
  };
  const used: P[] = [];
  for (const one of pages) {
    const way = levels[known.level];
    if (way === undefined) break;
    if (known.level === 0) used.push(one);
    const { before } = known;
    const opens = one.rows.map(({ timestamp }) => timestamp).filter((open) => open < before);
    note(known, opens, { interval: way.interval, limit: nextOf(way).limit, ranged });
  }
  const way = levels[known.level];
  const isEnough = known.found.size >= count || known.looks > mostLooks;
  const isOver = known.isOver || isEnough || known.before <= 0;
  return { step: way === undefined || isOver ? null : nextOf(way), pages: used };
}
