/** Candles of one market, with what is recorded beside them: read once, then followed at their end. */
import { at, type Path, type Rows } from '../request.ts';
import { follow, once } from '../stream.ts';

export const intervals = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type Interval = (typeof intervals)[number];

const minute = 60_000;
export const lengths: Readonly<Record<Interval, number>> = {
  '1m': minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '1h': 60 * minute,
  '4h': 240 * minute,
  '1d': 1440 * minute,
};

/** Intervals that are read at first, and at each look at the newest. */
const most = { first: 500, news: 3 };

const names = [
  'open',
  'high',
  'low',
  'close',
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

export const rowsPath = (
  { symbol, exchange, kind, interval }: Market,
  limit = most.first,
): Path<Rows> =>
  at('/v1/rows', {
    columns: names.join(','),
    symbols: symbol,
    exchanges: exchange,
    kind,
    interval,
    limit,
  });

/** Why there are no candles; what is missing under no name is all of it. */
function withoutCandles({ missing }: Rows): string {
  const reason = missing.find(({ column }) => column === null || column === 'close')?.reason;
  if (reason === undefined) return 'This exchange has no candles of this market.';
  return `There are no candles now: ${reason}. They are drawn as soon as they come.`;
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

/** Every interval from the first to the last, in order; one without a candle is null. */
export function withGaps(candles: readonly Candle[], interval: Interval): (Candle | number)[] {
  const step = lengths[interval];
  const all: (Candle | number)[] = [];
  let next: number | null = null;
  for (const candle of candles) {
    for (; next !== null && next < candle.time; next += step) all.push(next);
    all.push(candle);
    next = candle.time + step;
  }
  return all;
}

export interface Listener {
  /** All of them, the oldest first. */
  whole(candles: readonly Candle[]): void;
  /** The newest, which has changed or is new. */
  news(candles: readonly Candle[]): void;
  /** An answer has come; `at`: when the newest reading in it was received, Unix ms. */
  onData(rows: Rows, at: number | null): void;
  missing(message: string, code: string): void;
}

/** Reads and follows the candles of a market until the function that is returned is called. */
export function followCandles(market: Market, listener: Listener): () => void {
  let last: number | null = null;
  /** Ends the reading of all of them; null once they are there. */
  let stop: (() => void) | null = null;
  const read = () => {
    stop = once(rowsPath(market), {
      data(data, at) {
        stop = null;
        listener.onData(data, at);
        const candles = candlesOf(data);
        last = candles.at(-1)?.time ?? null;
        if (candles.length === 0) listener.missing(withoutCandles(data), '');
        else listener.whole(candles);
      },
      missing: (...why) => listener.missing(...why),
    });
  };
  read();
  const end = follow(rowsPath(market, most.news), {
    data(data, at) {
      listener.onData(data, at);
      const candles = candlesOf(data);
      const [first] = candles;
      if (first === undefined || stop !== null) return;
      // There were none, the page slept, or the connection was away for long.
      if (last === null || first.time > last + lengths[market.interval]) read();
      else {
        const since = last;
        last = Math.max(since, candles.at(-1)?.time ?? since);
        listener.news(candles.filter(({ time }) => time >= since));
      }
    },
  });
  return () => {
    stop?.();
    end();
  };
}
