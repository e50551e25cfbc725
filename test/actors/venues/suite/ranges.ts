/**
 * Candles and histories by range: what is asked for are the rows of these times, all of them, each once and in order, as the
 * simulator answers through all pages.
 */
import type { Test } from 'tap';
import { candlesQuery } from '../../../../actors/sources/queries/candles.ts';
import type { CandleQuery, MarketQuery } from '../../../../actors/sources/queries/forms.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument, Interval, LongShortParams } from '../../../../actors/topics/index.ts';
import { simulation, sortsIn, upstream, worldOf } from '../readings.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Times of rows: the length of a step, and how far after a multiple of it one opens. */
interface Grid {
  step: number;
  opens?: number;
}

type Question = Pick<LongShortParams, 'limit' | 'from' | 'to'>;

const { now } = simulation({ id: 'binance' });
/** A time inside an interval, and one at the border of two days, both more than a day ago. */
const inside = Math.floor(now / hour) * hour - 30 * hour + 7 * minute;
const border = Math.floor(now / day) * day - day;

/** The rows of a question: the first ones from its start on, else the last ones up to its end, Unix ms. Both ends count. */
function wantedOf({ limit, from, to = now }: Question, { step, opens = 0 }: Grid): number[] {
  const last = Math.floor((to - opens) / step);
  const first = from === undefined ? last - limit + 1 : Math.ceil((from - opens) / step);
  const count = Math.min(limit, last - first + 1);
  return Array.from({ length: Math.max(0, count) }, (_, i) => (first + i) * step + opens);
}

/**
 * Up to a time inside an interval; between two borders; the newest; more than a page; of a start an end in reach, as the front
 * states it (`pageOf` in http/answers/ranges.ts).
 */
const few = ({ step }: Grid): Question[] => [
  { limit: 7, to: inside },
  { limit: 50, from: border - 5 * step, to: border },
];
const many = (grid: Grid): Question[] => [
  ...few(grid),
  { limit: 7 },
  { limit: 7, to: border },
  { limit: 350, to: inside },
  { limit: 3, from: border + 1, to: border + 3 * grid.step },
];

type Answer = ReturnType<typeof upstream>;

interface Listed {
  part: string;
  /** Asks all questions; some of the second and third market of a part. */
  questions(grid: Grid): Question[];
  instrument: Instrument;
  answer: Answer;
}

/** True for the rows that were wanted; of the newest ones the running one may be left out. */
function isRight(found: readonly number[], wanted: readonly number[], question: Question): boolean {
  if (`${found}` === `${wanted}`) return true;
  const isNewest = question.to === undefined && question.from === undefined;
  return isNewest && `${found}` === `${wanted.map((_, i) => wanted[i - 1] ?? found[0])}`;
}

type History = MarketQuery<'longShort'>;
/** True for the entries of the queries for histories; they are typed as the one whose question has the most words. */
export const isHistory = (entry: [string, object]): entry is [string, History] =>
  [
    'fundingHistory',
    'openInterestHistory',
    'longShort',
    'takerVolume',
    'takerCandles',
    'basisHistory',
    'marginHistory',
  ].includes(entry[0]);

/** Rows that are asked for where an exchange keeps or gives fewer (upstreams/analytics.md, section 2): those that surely are there. */
const fewer: Readonly<Record<string, number>> = {
  'bybit openInterestHistory': 200,
  'bybit fundingHistory': 200,
  'bitfinex fundingHistory': 10,
  'bitfinex openInterestHistory': 80,
  'htx fundingHistory': 90,
  'htx openInterestHistory': 100,
  'htx longShort': 100,
  'kucoin openInterestHistory': 200,
  'kucoin fundingHistory': 100,
  // Three months.
  'okx fundingHistory': 250,
};

type Series = Pick<LongShortParams, 'of' | 'interval'>;

/** The times of an answer as the machinery finds it through all steps; null where the venue does not have it. */
function timesOf(query: History, about: Listed, question: Question & Series): number[] | null {
  const { part, instrument, answer } = about;
  const asked = { market: instrument.market, part, instrument, now, ...question };
  const page = query.page?.(asked);
  if (!page) return null;
  const whole = { ...asked, ...page, instrument, now };
  const pages = [];
  let requests = query.requests(whole);
  while (requests.length > 0) {
    pages.push(query.parse(requests.map(answer), whole, now));
    requests = query.more?.(asked, pages) ?? [];
  }
  const last = pages.at(-1);
  if (!last) return null;
  return (query.slice?.(last, asked) ?? last).points.map(({ timestamp }) => timestamp);
}

/** Venues that charge by the hour, whatever the interval of their rates; two write it down a moment later. */
const chargesHourly: ReadonlySet<string> = new Set(['deribit', 'dydx', 'hyperliquid', 'kraken']);
const writesLater: ReadonlySet<string> = new Set(['dydx', 'hyperliquid']);

/** When a market of the simulator is charged. */
function chargeOf(venue: Venue, { market, kind }: Instrument): Grid {
  if (chargesHourly.has(venue.id)) return { step: hour };
  const found = simulation(venue)
    .model.markets(venue.id, now)
    .find((one) => one.id === market && one.kind === kind);
  return { step: (found?.fundingHours ?? Number.NaN) * hour };
}

const sorts = ['accounts', 'top_accounts', 'top_positions'] as const;

/** Days of what OKX states of a whole currency open at 16:00 UTC. */
const isOfCurrency = (name: string, of: string, part: string): boolean =>
  (name === 'longShort' && of === 'accounts') || (name === 'takerVolume' && part === 'spot');

/** What is asked of a history: the names of its steps, their times and the questions. */
function seriesOf(venue: Venue, name: string, about: Listed): [Series, Grid, Question[]][] {
  const usual = { of: 'accounts', interval: '1h' } as const;
  if (name === 'fundingHistory') {
    const grid = chargeOf(venue, about.instrument);
    return [[usual, grid, about.questions(grid)]];
  }
  const kinds = name === 'longShort' ? sorts : sorts.slice(0, 1);
  const hours = { step: hour };
  const pairs = { step: 2 * hour };
  return kinds.flatMap((of): [Series, Grid, Question[]][] => {
    const isLate = venue.id === 'okx' && isOfCurrency(name, of, about.part);
    const days = { step: day, opens: isLate ? 16 * hour : 0 };
    return [
      [{ of, interval: '1h' }, hours, about.questions(hours)],
      [{ of, interval: '2h' }, pairs, few(pairs)],
      // Bitfinex states three and a half days, minute by minute.
      [{ of, interval: '1d' }, days, venue.id === 'bitfinex' ? [] : few(days)],
    ];
  });
}

const namedBy = ({ part, instrument }: Listed, question: Question): string =>
  `of ${part} ${instrument.market}, ${JSON.stringify(question)}`;

/** A question, the grid of its rows, and the times of the answer; null where the venue does not have it. */
interface Case {
  what: string;
  question: Question;
  grid: Grid;
  times(): readonly number[] | null;
}

function historiesOf(venue: Venue, about: Listed): Case[] {
  // What is written a moment after the full hour is asked for a minute later, and its times are read as full minutes.
  const late = writesLater.has(venue.id) ? minute : 0;
  const later = (at: number | undefined) => (at === undefined ? at : at + late);
  const read = (times: number[] | null) =>
    late ? (times?.map((time) => Math.floor(time / late) * late) ?? null) : times;
  return Object.entries<object>(venue.queries)
    .filter(isHistory)
    .flatMap(([name, query]) =>
      seriesOf(venue, name, about).flatMap(([series, grid, questions]) =>
        questions.map(({ limit: all, from, to }): Case => {
          const limit = Math.min(all, fewer[`${venue.id} ${name}`] ?? all);
          const question = { limit, from: later(from), to: later(to) };
          const what = `${name} ${series.of} ${series.interval} ${namedBy(about, question)}`;
          const times = () => read(timesOf(query, about, { ...question, ...series }));
          return { what, question, grid, times };
        }),
      ),
    );
}

/** Older candles exist for the linear markets of Phemex only. */
const newestOnly: ReadonlySet<string> = new Set(['phemex spot', 'phemex inverse']);

/** The opening times of an answer as the machinery finds it, page after page. */
function opensOf(
  candles: CandleQuery,
  about: Listed,
  asked: Question & { interval: Interval },
): number[] {
  const { part, instrument, answer } = about;
  const query = candlesQuery(candles);
  const full = {
    ...asked,
    market: instrument.market,

    part,
    instrument,
    now,
  };
  const whole = { ...full, ...query.page?.(full), part, instrument, now };
  const pages = [];
  let requests = query.requests(whole);
  while (requests.length > 0) {
    pages.push(query.parse(requests.map(answer), whole, now));
    requests = query.more?.(whole, pages) ?? [];
  }
  const found = query.whole(pages, whole);
  return (query.slice?.(found, full) ?? found).candles.map(({ timestamp }) => timestamp);
}

const steps = [
  ['1h', hour],
  ['2h', 2 * hour],
  ['1d', day],
] as const;

function candlesOf({ id, queries: { candles } }: Venue, about: Listed): Case[] {
  const isShort = newestOnly.has(`${id} ${about.part}`);
  if (!candles) return [];
  return steps.flatMap(([interval, step]) => {
    const asked = interval === '1h' ? about.questions({ step }) : few({ step });
    // The first ones from a time on, far from now.
    const first = { limit: 7, from: border - 40 * step + 1 };
    return [...asked, first]
      .filter(({ limit }) => !isShort || limit < 100)
      .map((question) => ({
        what: `candles ${interval} ${namedBy(about, question)}`,
        question,
        grid: { step },
        times: () => opensOf(candles, about, { ...question, interval }),
      }));
  });
}

/** What is asked of a market of each sort of a venue. */
const casesOf = (venue: Venue, answer: Answer): Case[] =>
  venue.parts.flatMap((part) =>
    sortsIn(worldOf(venue, part, answer)).flatMap((instrument, at) => {
      const about = { part, instrument, answer, questions: at === 0 ? many : few };
      return [...historiesOf(venue, about), ...candlesOf(venue, about)];
    }),
  );

/** Histories and candles of a market of each sort. */
export function ranges(t: Test, venue: Venue): void {
  const asked = casesOf(venue, upstream(venue)).flatMap(({ times, ...about }) => {
    const found = times();
    return found === null ? [] : [{ ...about, found }];
  });
  t.not(asked.length, 0, 'some are answered');
  for (const { what, question, grid, found } of asked) {
    const wanted = wantedOf(question, grid);
    if (!isRight(found, wanted, question)) t.strictSame(found, wanted, what);
  }
}
