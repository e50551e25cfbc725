/** Parameters of requests and pages of histories: every candle, funding and ratio history of every exchange is one page declared here. */
import { type Bar, monday, nextOpen, openOf, opensFrom, opensUntil } from './calendar.ts';
import type { Market } from './market.ts';
import type { Row } from './rows.ts';
import type { Ask } from './venue.ts';

const lengths: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
export const hours: Bar = { ms: 3_600_000 };

/** A bar by our own word for it: `5m`, `1w` from Monday on, `1M`; `1d@-8` opens eight hours earlier. */
function barOf(text: string): Bar {
  const [word = '', moved = 0] = text.split('@');
  const [count, unit = ''] = [Number.parseInt(word, 10), word.at(-1)];
  const origin = Number(moved) * 3_600_000 + (unit === 'w' ? monday : 0);
  if (unit === 'M') return { months: count, origin };
  const ms = count * (lengths[unit] ?? Number.NaN);
  if (!(ms > 0)) throw new RangeError(`no interval: ${word}`);
  return { ms, origin };
}

/** Answers with the exchange's refusal of a parameter. */
export type Refuse = (name: string, ask: Ask) => never;

/** A number of rows: its parameter, the number without it, and the documented limit, over which it is refused, or cut. */
export type Count = readonly [name: string, usual: number, most: number, over?: 'cut' | undefined];

/** The documented form of a history, as a table states it. */
interface Page {
  /** The parameter of the interval, its usual value, and the legal ones. */
  word: readonly [name: string, usual: string];
  bars: Readonly<Record<string, Bar>>;
  /** The interval where there is one alone; null for that at which a market charges funding. */
  every: Bar | null;
  count: Count | number;
  /** The parameter of the number of the page, from 1 on. */
  number: string | undefined;
  from: string | undefined;
  to: string | undefined;
  kept: number;
  /** The words of the table. */
  is: ReadonlySet<string>;
}

const pageWords = new Set(
  'after before holding onward newest closed ended points taken always seconds iso in every rows page from to kept'.split(
    ' ',
  ),
);

function countOf([rows = '', usual, most, over]: readonly string[]): Page['count'] {
  if (most === undefined) return Number(rows);
  return [rows, Number(usual), Number(most), over === 'cut' ? over : undefined];
}

/**
 * A page out of its table, of parts with `;` between them:
 * - `in interval 1m 5m 60m=1h`: the parameter of the interval, `interval:1m` with its usual value, and its legal words, each ours or
 *   `theirs=ours`; `every 1h` or `every funding` where there is one interval alone;
 * - `rows 500`, or `rows limit 100 500`: the parameter, the usual number and the largest one, and `cut` where more is no error;
 *   `page number` where so many are a page, the first of which is 1;
 * - `from start`, `to end`: the parameters of the bounds, in ms, or in `seconds` or dates (`iso`); `after` and `before` where they do not
 *   count themselves, `holding` where the row that holds the start is one of them;
 * - `onward`: with a start the first rows of the range are given, the last ones of it else; `newest` first;
 * - `kept 1440` rows, counted back from now; `closed`: only intervals that have ended before now, `ended` of those of a whole page;
 * - `points`: rows about the moment at which each interval opens; `taken` with what was traded in it as well;
 * - `always`: markets that do not trade have rows too.
 */
export function pageOf(table: string): Page {
  const parts = table.trim().split(/\s*;\s*/);
  const about = new Map(
    parts.map((part) => {
      const [word = '', ...rest] = part.split(/\s+/);
      if (!pageWords.has(word)) throw new RangeError(`no such word of a page: ${word}`);
      return [word, rest];
    }),
  );
  const [parameter = '', ...legal] = about.get('in') ?? [];
  const [name = '', usual = ''] = parameter.split(':');
  const [every = '1h'] = about.get('every') ?? [];
  const bars = legal.map((word) => {
    const [theirs = '', ours = theirs] = word.split('=');
    return [theirs, barOf(ours)];
  });
  return {
    word: [name, usual],
    bars: Object.fromEntries(bars),
    every: every === 'funding' ? null : barOf(every),
    count: countOf(about.get('rows') ?? []),
    number: about.get('page')?.[0],
    from: about.get('from')?.[0],
    to: about.get('to')?.[0],
    kept: Number(about.get('kept')?.[0] ?? 0),
    is: new Set(about.keys()),
  };
}

/** Times at which rows of a page open. */
export interface Times {
  bar: Bar;
  opens: readonly number[];
}

/** The parameters and pages of an exchange that refuses in one way. */
export class Parameters {
  readonly refuse: Refuse;

  constructor(refuse: Refuse) {
    this.refuse = refuse;
  }

  /** A text that must be there. */
  text(ask: Ask, name: string): string {
    return ask.query.get(name) || this.refuse(name, ask);
  }

  /** A whole number from `least` to `most`; `absent` without the parameter. */
  whole(ask: Ask, name: string, absent: number, [least, most]: readonly [number, number]): number {
    const text = ask.query.get(name);
    if (text === null || text === '') return absent;
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : this.refuse(name, ask);
  }

  /** A number of rows or levels, 1 to the documented limit. */
  count(ask: Ask, [name, usual, most, over]: Count): number {
    const largest = over === 'cut' ? Number.MAX_SAFE_INTEGER : most;
    return Math.min(most, this.whole(ask, name, usual, [1, largest]));
  }

  /** One of the documented numbers. */
  oneOf(ask: Ask, name: string, usual: number, legal: readonly number[]): number {
    const value = Number(ask.query.get(name) ?? usual);
    return legal.includes(value) ? value : this.refuse(name, ask);
  }

  /** A time, Unix ms; null without the parameter. */
  #time({ is }: Page, ask: Ask, name: string | undefined): number | null {
    const text = name === undefined ? null : ask.query.get(name);
    if (text === null || text === '' || name === undefined) return null;
    const value = is.has('iso') ? Date.parse(text) : Number(text) * (is.has('seconds') ? 1000 : 1);
    return value >= 0 ? value : this.refuse(name, ask);
  }

  #barOf({ bars, every, word: [name, usual] }: Page, ask: Ask, market: Market): Bar {
    if (name === '') return every ?? { ms: market.fundingHours * 3_600_000 };
    const asked = ask.query.get(name) ?? usual;
    return (Object.hasOwn(bars, asked) && bars[asked]) || this.refuse(name, ask);
  }

  /** The bounds of a page, Unix ms: a start, null without one, and the last time. */
  #boundsOf(page: Page, ask: Ask, bar: Bar): { start: number | null; until: number } {
    const start = this.#time(page, ask, page.from);
    const end = this.#time(page, ask, page.to) ?? ask.now + 1;
    const last = Math.min(ask.now, page.is.has('before') ? end - 1 : end);
    const until = page.is.has('closed') ? Math.min(last, openOf(bar, ask.now) - 1) : last;
    if (start === null) return { start, until };
    if (page.is.has('holding')) return { start: openOf(bar, start), until };
    return { start: start + (page.is.has('after') ? 1 : 0), until };
  }

  /** How many rows a page has, and how many of the pages before it. */
  #sizeOf({ count: stated, number }: Page, ask: Ask): { count: number; before: number } {
    const count = typeof stated === 'number' ? stated : this.count(ask, stated);
    const at = number === undefined ? 1 : this.count(ask, [number, 1, 1000]);
    return { count, before: count * (at - 1) };
  }

  /** The times of the rows of a page, in its order. */
  times(page: Page, ask: Ask, market: Market): Times {
    const { is, kept } = page;
    const bar = this.#barOf(page, ask, market);
    const { count, before } = this.#sizeOf(page, ask);
    const { start, until } = this.#boundsOf(page, ask, bar);
    if (!is.has('always') && market.state !== 'live') return { bar, opens: [] };
    const isOfMoments = is.has('points') && !is.has('in');
    const first = isOfMoments ? market.listed : openOf(bar, market.listed);
    const oldest = kept > 0 ? (opensUntil(bar, 0, ask.now, kept)[0] ?? 0) : 0;
    const opensOf = is.has('onward') && start !== null ? opensFrom : opensUntil;
    const all = opensOf(bar, Math.max(first, oldest, start ?? 0), until, before + count);
    const found = is.has('ended') ? all.filter((open) => nextOpen(bar, open) <= ask.now) : all;
    const ordered = is.has('newest') ? found.reverse() : found;
    return { bar, opens: ordered.slice(before) };
  }

  /** A page whose rows are made by `row`. */
  page<Made>(row: Row<Made>, table: string) {
    const page = pageOf(table);
    const points = page.is.has('taken') ? 'taken' : page.is.has('points');
    return (ask: Ask, market: Market): Made[] =>
      rowsAt(row, market, this.times(page, ask, market), { ask, points });
  }
}

/** Rows about candles, or about the moments at which they open. */
export function rowsAt<Made>(
  row: Row<Made>,
  market: Market,
  { bar, opens }: Times,
  { ask: { model, now, query }, points }: { ask: Ask; points: boolean | 'taken' },
): Made[] {
  return opens.map((time) => {
    const at = { model, query, now: points ? time : now };
    if (points === true) return row(market, at);
    return row(market, at, market.candle(time, nextOpen(bar, time), now));
  });
}

/** Rows as lists side by side, one for each member; `names` when there is none. */
export const columnsOf = (
  rows: readonly Record<string, unknown>[],
  names: readonly string[],
): Record<string, unknown[]> =>
  Object.fromEntries(names.map((name) => [name, rows.map((one) => one[name])]));
