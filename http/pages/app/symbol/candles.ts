/** Candles of one market, with what is recorded beside them. */
import { intervals as lengths } from '../../../../indicators/market/intervals.ts';
import { at, type Path, type Rows } from '../request.ts';
import { follow, once } from '../stream.ts';

/** Intervals of a day at most begin at multiples of their length, on every exchange. */
const ofRows = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d'] as const;
export type Interval = (typeof ofRows)[number] | '3d' | '1w' | '1M';
export const intervals: readonly Interval[] = [...ofRows, '3d', '1w', '1M'];

/** Longer ones are made of days: the exchanges' own begin on different ones. */
const rowsOf = (interval: Interval) => ofRows.find((one) => one === interval) ?? '1d';
export const isOfDays = (interval: Interval): boolean => rowsOf(interval) !== interval;

/** Rows that are read at first, at a step into the past, and at each look at the newest; and candles in all. */
const most = { first: 500, older: 1_000, news: 3, all: 20_000 };
const day = lengths['1d'];
/** A Monday, Unix ms. */
const monday = 4 * day;

/** The start of the interval that holds a time, and that of the next one, Unix ms: months are those of the calendar. */
export function spanOf(time: number, interval: Interval): readonly [start: number, next: number] {
  if (interval === '1M') {
    const at = new Date(time);
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
    return [Date.UTC(year, month), Date.UTC(year, month + 1)];
  }
  const start = time - ((time - (interval === '1w' ? monday : 0)) % lengths[interval]);
  return [start, start + lengths[interval]];
}

const names = [
  'open',
  'high',
  'low',
  'close',
  'volume',
  'volume_usd',
  'open_interest_usd',
  'funding_rate',
  'long_liquidations_usd',
  'short_liquidations_usd',
  'taker_buy_usd',
  'taker_sell_usd',
] as const;

/** One interval; a null is not known. */
export type Candle = { time: number } & Record<(typeof names)[number], number | null>;

export interface Market {
  symbol: string;
  exchange: string;
  kind: 'perpetual' | 'spot';
  interval: Interval;
}

/** The part of a path that stands for a kind of market. */
export const ofKind = { perpetual: 'futures', spot: 'spot' } as const;

interface Asked {
  limit?: number;
  /** Start of the last one, Unix ms. */
  to?: number | undefined;
  columns?: readonly string[];
}

export const rowsPath = (
  { symbol, exchange, kind, interval }: Market,
  { limit = most.first, to, columns = names }: Asked = {},
): Path<Rows> =>
  at('/v1/rows', {
    columns: columns.join(','),
    symbols: symbol,
    exchanges: exchange,
    kind,
    interval: rowsOf(interval),
    limit: isOfDays(interval) ? Math.min((limit * lengths[interval]) / day, most.older) : limit,
    to,
  });

/** Why there are no candles; what is missing under no name is all of it. */
function withoutCandles({ missing }: Rows): string {
  const reason = missing.find(({ column }) => column === null || column === 'close')?.reason;
  if (reason === undefined) return 'This exchange has no candles of this market.';
  return `There are no candles now: ${reason}. They are drawn as soon as they come.`;
}

/** What adds up over days; of prices and open interest the last one counts. */
const sums: readonly string[] = names.filter((name) => /volume|liquidations|taker/.test(name));

/** Days as one candle. */
function together(time: number, all: readonly Candle[]): Candle {
  const ofDays = (name: (typeof names)[number]): number | null => {
    const values = all.flatMap((day) => day[name] ?? []);
    if (values.length === 0) return null;
    if (name === 'open') return values[0] ?? null;
    if (name === 'high') return Math.max(...values);
    if (name === 'low') return Math.min(...values);
    return sums.includes(name) ? values.reduce((sum, one) => sum + one) : (values.at(-1) ?? null);
  };
  return { time, ...Object.fromEntries(names.map((name) => [name, ofDays(name)])) } as Candle;
}

/** Candles of an interval of several days out of those of days, without a first one that lacks days. */
export function joinDays(all: readonly Candle[], interval: Interval): Candle[] {
  const spans = Map.groupBy(all, ({ time }) => spanOf(time, interval)[0]);
  return [...spans].flatMap(([start, own]) =>
    own[0]?.time === start ? [together(start, own)] : [],
  );
}

/** The rows by the names of their columns, those with a close. */
function candlesOf({ columns, rows }: Rows): Candle[] {
  const places = names.map((name) => [name, columns.indexOf(name)] as const);
  return rows
    .map((row) => {
      const values = places.map(([name, place]) => [name, place < 0 ? null : (row[place] ?? null)]);
      return { time: Number(row[0]), ...Object.fromEntries(values) } as Candle;
    })
    .filter(({ close }) => close !== null);
}

/** Every interval from the first to the last, in order; one without a candle is its start alone. */
export function withGaps(candles: readonly Candle[], interval: Interval): (Candle | number)[] {
  const after = (time: number) => spanOf(time, interval)[1];
  const all: (Candle | number)[] = [];
  let next: number | null = null;
  for (const candle of candles) {
    for (; next !== null && next < candle.time; next = after(next)) all.push(next);
    all.push(candle);
    next = after(candle.time);
  }
  return all;
}

export interface Listener {
  /** All of them, the oldest first. `since`: start of the first that is new or has changed; null for all. */
  candles(all: readonly Candle[], since: number | null): void;
  /** An answer has come; `at`: when the newest reading in it was received, Unix ms. */
  onData?(rows: Rows, at: number | null): void;
  missing(message: string, code: string): void;
}

/** The candles of one market: read once, followed at their end, and lengthened into the past when asked to. */
export class Candles {
  readonly #market: Market;
  readonly #listener: Listener;
  readonly #columns: readonly string[];
  #all: readonly Candle[] = [];
  /** Ends the reading of all of them; null once they are there. */
  #reading: (() => void) | null = null;
  /** Ends the question for older ones; null while there is none. */
  #asking: (() => void) | null = null;
  /** The exchange has none before the first. */
  #isWhole = false;
  readonly #unfollow: () => void;

  constructor(market: Market, listener: Listener, columns: readonly string[] = names) {
    this.#market = { ...market };
    this.#listener = listener;
    this.#columns = columns;
    this.#read();
    this.#unfollow = follow(this.#path(most.news), {
      data: (data, at) => {
        listener.onData?.(data, at);
        this.#news(this.#candlesOf(data));
      },
    });
  }

  end(): void {
    this.#reading?.();
    this.#asking?.();
    this.#unfollow();
  }

  /** Asks for those before the first, once. */
  older(): void {
    const [first] = this.#all;
    if (first === undefined || this.#asking !== null || this.#isWhole) return;
    if (this.#all.length >= most.all) return;
    this.#asking = once(this.#path(most.older, first.time - 1), {
      data: (data) => {
        this.#asking = null;
        const found = this.#candlesOf(data).filter(({ time }) => time < first.time);
        this.#isWhole = found.length === 0;
        this.#all = [...found, ...this.#all];
        this.#listener.candles(this.#all, null);
      },
      missing: (...why) => this.#listener.missing(...why),
    });
  }

  #candlesOf(rows: Rows): Candle[] {
    const all = candlesOf(rows);
    const { interval } = this.#market;
    return isOfDays(interval) ? joinDays(all, interval) : all;
  }

  readonly #path = (limit: number, to?: number) =>
    rowsPath(this.#market, { limit, to, columns: this.#columns });

  #read(): void {
    const { onData, missing } = this.#listener;
    this.#asking?.();
    this.#asking = null;
    this.#isWhole = false;
    this.#reading = once(this.#path(most.first), {
      data: (data, at) => {
        this.#reading = null;
        onData?.(data, at);
        this.#all = this.#candlesOf(data);
        if (this.#all.length === 0) missing(withoutCandles(data), '');
        else this.#listener.candles(this.#all, null);
      },
      missing: (...why) => missing(...why),
    });
  }

  #news(found: readonly Candle[]): void {
    const [first] = found;
    if (first === undefined || this.#reading !== null) return;
    const last = this.#all.at(-1);
    // There were none, the page slept, or the connection was away for long.
    if (last === undefined || first.time > spanOf(last.time, this.#market.interval)[1]) {
      this.#read();
      return;
    }
    const news = found.filter(({ time }) => time >= last.time);
    const start = news[0]?.time ?? Number.POSITIVE_INFINITY;
    this.#all = [...this.#all.filter(({ time }) => time < start), ...news];
    this.#listener.candles(this.#all, last.time);
  }
}
