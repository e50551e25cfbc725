/** Parameters of requests and pages of histories: every candle, funding and ratio history of every exchange is one page declared here. */
import { type Bar, monday, nextOpen, openOf, opensFrom, opensUntil } from './calendar.ts';
import type { Market } from './market.ts';
import type { At, Row } from './rows.ts';
import type { Ask } from './venue.ts';

/** Bars by the words of an exchange. */
export type Bars = Readonly<Record<string, Bar>>;

const lengths: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A bar by our own word for it: `5m`, `1w` from Monday on, `1M`. */
function barOf(word: string, origin: number): Bar {
  const [count, unit = ''] = [Number.parseInt(word, 10), word.at(-1)];
  if (unit === 'M') return origin === 0 ? { months: count } : { months: count, origin };
  const ms = count * (lengths[unit] ?? Number.NaN);
  if (!(ms > 0)) throw new RangeError(`no interval: ${word}`);
  const start = origin + (unit === 'w' ? monday : 0);
  return start === 0 ? { ms } : { ms, origin: start };
}

/** Bars by the words of an exchange: each is our word, or `theirs=ours`. `origin` moves their openings. */
export const barsOf = (words: string, origin = 0): Bars =>
  Object.fromEntries(
    words.split(' ').map((word) => {
      const [theirs = '', ours = theirs] = word.split('=');
      return [theirs, barOf(ours, origin)];
    }),
  );

/** The interval at which a market charges funding. */
const fundings = ({ fundingHours }: Market): Bar => ({ ms: fundingHours * 3_600_000 });
export const hours: Bar = { ms: 3_600_000 };

/** Answers with the exchange's refusal of a parameter. */
export type Refuse = (name: string, ask: Ask) => never;

/** A number of rows: its parameter, the number without it, and the documented limit, over which it is refused, or cut. */
export type Count = readonly [name: string, usual: number, most: number, over?: 'cut' | undefined];

/** The documented form of a history. */
export interface Page {
  /** Legal intervals, or the one that all rows have. */
  bars: Bars | Bar | ((market: Market) => Bar);
  /** The parameter of the interval, and its value when absent. */
  word?: string | readonly [name: string, usual: string] | undefined;
  /** Rows of an answer, fixed or asked for. */
  count: Count | number;
  /** Parameters of the bounds. */
  from?: string | undefined;
  to?: string | undefined;
  /** Milliseconds of one unit of the bounds; `iso` where they are dates. */
  unit?: number | 'iso' | undefined;
  /** Bounds that do not count themselves. */
  after?: true | undefined;
  before?: true | undefined;
  /** The row that holds the start is one of them. */
  holding?: true | undefined;
  /** With a start the first rows of the range are given; the last ones of it else. */
  onward?: true | undefined;
  /** Newest first. */
  newest?: true | undefined;
  /** Rows that are kept, counted back from now. */
  kept?: number | undefined;
  /** Only intervals that have ended: before now, or of those of a whole page. */
  closed?: true | undefined;
  ended?: true | undefined;
  /** Rows about the moment at which each interval opens; `taken` with what was traded in it as well. */
  points?: true | 'taken' | undefined;
  /** Markets that do not trade have rows too. */
  always?: true | undefined;
}

const flags = 'after before holding onward newest closed ended points taken always seconds iso';
const pageWords = new Set([...flags.split(' '), 'in', 'every', 'rows', 'from', 'to', 'kept']);

function countOf([rows = '', usual, most, over]: readonly string[]): Page['count'] {
  if (most === undefined) return Number(rows);
  return [rows, Number(usual), Number(most), over === 'cut' ? over : undefined];
}

/**
 * A page as a table, of parts with `;` between them:
 * - `in interval 1m 5m 60m=1h`: the parameter of the interval, `interval:1m` with its usual value, and its legal words;
 *   `every 1h` or `every funding` where there is one interval alone;
 * - `rows 500`, or `rows limit 100 500`: the parameter, the usual number and the largest one, and `cut` where more is no error;
 * - `from start`, `to end`: the parameters of the bounds, in ms, or in `seconds` or dates (`iso`); `kept 1440`;
 * - the names of the other members of a page.
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
  const is = (word: string) => about.has(word) || undefined;
  const after = (word: string) => about.get(word)?.[0];
  const [parameter = '', ...legal] = about.get('in') ?? [];
  const [name = '', usual] = parameter.split(':');
  const every = after('every') === 'funding' ? fundings : barOf(after('every') ?? '1h', 0);
  const kept = after('kept');
  return {
    bars: legal.length > 0 ? barsOf(legal.join(' ')) : every,
    word: usual === undefined ? name : [name, usual],
    count: countOf(about.get('rows') ?? []),
    from: after('from'),
    to: after('to'),
    unit: is('iso') ? 'iso' : is('seconds') && 1000,
    kept: kept === undefined ? undefined : Number(kept),
    points: is('taken') ? 'taken' : is('points'),
    after: is('after'),
    before: is('before'),
    holding: is('holding'),
    onward: is('onward'),
    newest: is('newest'),
    closed: is('closed'),
    ended: is('ended'),
    always: is('always'),
  };
}

/** Times at which rows of a page open. */
export interface Times {
  bar: Bar;
  opens: readonly number[];
  /** The exchange's word for the interval. */
  word: string;
}

const isBar = (bars: Bars | Bar): bars is Bar => 'ms' in bars || 'months' in bars;

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
  time(ask: Ask, name: string | undefined, unit: Page['unit'] = 1): number | null {
    const text = name === undefined ? null : ask.query.get(name);
    if (text === null || text === '' || name === undefined) return null;
    const value = unit === 'iso' ? Date.parse(text) : Number(text) * unit;
    return value >= 0 ? value : this.refuse(name, ask);
  }

  #barOf({ bars, word = '' }: Page, ask: Ask, market: Market): [word: string, bar: Bar] {
    if (typeof bars === 'function') return ['', bars(market)];
    if (isBar(bars)) return ['', bars];
    const [name, usual] = typeof word === 'string' ? [word, ''] : word;
    const asked = ask.query.get(name) ?? usual;
    const bar = Object.hasOwn(bars, asked) ? bars[asked] : undefined;
    return [asked, bar ?? this.refuse(name, ask)];
  }

  /** The bounds of a page, Unix ms: a start, null without one, and the last time. */
  #boundsOf(page: Page, ask: Ask, bar: Bar): { start: number | null; until: number } {
    const start = this.time(ask, page.from, page.unit);
    const end = this.time(ask, page.to, page.unit) ?? ask.now + 1;
    const last = Math.min(ask.now, page.before ? end - 1 : end);
    const until = page.closed ? Math.min(last, openOf(bar, ask.now) - 1) : last;
    if (start === null) return { start, until };
    return { start: page.holding ? openOf(bar, start) : start + (page.after ? 1 : 0), until };
  }

  /** The times of the rows of a page, in its order. */
  times(page: Page, ask: Ask, market: Market): Times {
    const [word, bar] = this.#barOf(page, ask, market);
    const count = typeof page.count === 'number' ? page.count : this.count(ask, page.count);
    const { start, until } = this.#boundsOf(page, ask, bar);
    if (!page.always && market.state !== 'live') return { bar, opens: [], word };
    const first = page.points && !page.word ? market.listed : openOf(bar, market.listed);
    const kept = page.kept ? (opensUntil(bar, 0, ask.now, page.kept)[0] ?? 0) : 0;
    const opensOf = page.onward && start !== null ? opensFrom : opensUntil;
    const all = opensOf(bar, Math.max(first, kept, start ?? 0), until, count);
    const found = page.ended ? all.filter((open) => nextOpen(bar, open) <= ask.now) : all;
    return { bar, opens: page.newest ? found.reverse() : found, word };
  }

  /** A page whose rows are made by `row`. */
  page<Made>(row: Row<Made>, table: Page | string) {
    const page = typeof table === 'string' ? pageOf(table) : table;
    return (ask: Ask, market: Market): Made[] =>
      rowsAt(row, market, this.times(page, ask, market), { ask, points: page.points });
  }
}

/** Rows about candles, or about the moments at which they open. */
export function rowsAt<Made>(
  row: Row<Made>,
  market: Market,
  { bar, opens }: Pick<Times, 'bar' | 'opens'>,
  { ask: { model, now }, points }: { ask: At; points?: Page['points'] },
): Made[] {
  return opens.map((time) => {
    const at = { model, now: points ? time : now };
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
