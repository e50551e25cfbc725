/** Events as messages of tardis-machine (https://docs.tardis.dev/api/tardis-machine#normalized-data-types). */
import { less, rounded } from '../../indicators/digits.ts';
import type {
  BookEvent,
  DerivativeEvent,
  EventType,
  MarketEvent,
  ReplayEvent,
  TradeEvent,
} from './events.ts';
import { exchangeName } from './names.ts';

export type Message = Readonly<Record<string, unknown>>;

/** A time (Unix microseconds) as ISO 8601, with microseconds where there are any. */
export function isoOf(time: number): string {
  const text = new Date(Math.floor(time / 1_000)).toISOString();
  const rest = time % 1_000;
  return rest === 0 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

type About = Pick<MarketEvent, 'part' | 'instrument' | 'timestamp' | 'local'>;

/** The members of every message. */
const about = (source: string, type: string, { part, instrument, timestamp, local }: About) => ({
  type,
  symbol: instrument.market,
  exchange: exchangeName(source, part, instrument),
  timestamp: isoOf(timestamp),
  localTimestamp: isoOf(local),
});

const level = (levels: readonly number[], at: number) =>
  at + 1 < levels.length ? { price: levels[at], amount: levels[at + 1] } : {};

const levelsOf = (levels: readonly number[]): Message[] =>
  Array.from({ length: levels.length / 2 }, (_, at) => level(levels, 2 * at));

const known = <T>(value: T | null): T | undefined => value ?? undefined;

const tickerOf = (event: DerivativeEvent): Message => ({
  lastPrice: known(event.last),
  openInterest: known(event.openInterest),
  fundingRate: known(event.fundingRate),
  fundingTimestamp: event.fundingTime === null ? undefined : isoOf(event.fundingTime * 1_000),
  predictedFundingRate: known(event.predictedRate),
  indexPrice: known(event.index),
  markPrice: known(event.mark),
});

/** An event as a message of its own type. */
function messageOf(source: string, event: MarketEvent): Message {
  const head = about(source, event.type, event);
  if (event.type === 'book_change') {
    const { isSnapshot, bids, asks } = event;
    return { ...head, isSnapshot, bids: levelsOf(bids), asks: levelsOf(asks) };
  }
  if (event.type === 'book_ticker') return { ...head, bidPrice: event.bid, askPrice: event.ask };
  if (event.type === 'derivative_ticker') return { ...head, ...tickerOf(event) };
  const { id, price, amount, side } = event;
  return { ...head, id: known(id), price, amount, side };
}

/** Makes messages out of the events of one market. */
type Computed = (source: string, event: MarketEvent) => Message[];

/** A type of messages that can be asked for. */
interface DataType {
  of: EventType;
  /** Made anew for each market, and after each gap. */
  make(): Computed;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Levels joined by price: bids to the step below, asks to the step above. */
function grouped(levels: readonly number[], step: number, round: (value: number) => number) {
  const sums = new Map<number, number>();
  for (let i = 0; i + 1 < levels.length; i += 2) {
    // A multiple of the step is itself: 0.3 / 0.1 is 2.9999999999999996.
    const steps = round(rounded((levels[i] ?? 0) / step));
    const price = rounded(steps * step);
    sums.set(price, (sums.get(price) ?? 0) + (levels[i + 1] ?? 0));
  }
  return [...sums].flatMap(([price, amount]) => [price, rounded(amount)]);
}

interface SnapshotForm {
  /** As it was asked for: all that tells quotes from snapshots. */
  name: string;
  depth: number;
  /** ms; 0 for each change. */
  interval: number;
  grouping?: number | undefined;
}

type Top = Pick<BookEvent, 'bids' | 'asks'>;

function topOf({ book }: BookEvent, { depth, grouping }: SnapshotForm): Top {
  if (grouping === undefined) return book.native(depth);
  const { bids, asks } = book.native(Number.POSITIVE_INFINITY);
  return {
    bids: grouped(bids, grouping, Math.floor).slice(0, 2 * depth),
    asks: grouped(asks, grouping, Math.ceil).slice(0, 2 * depth),
  };
}

function snapshotOf({ name, depth, interval, grouping }: SnapshotForm, { bids, asks }: Top) {
  const sideOf = (levels: readonly number[]) =>
    Array.from({ length: depth }, (_, at) => level(levels, 2 * at));
  return { name, depth, interval, grouping, bids: sideOf(bids), asks: sideOf(asks) };
}

/**
 * The best levels at each change of them, or at first and at the end of each interval in which they have changed, with the next event.
 */
function snapshots(form: SnapshotForm): DataType {
  const { interval } = form;
  const make = (): Computed => {
    let text = '';
    let last = '';
    let bucket = Number.NaN;
    const told = (source: string, event: About): Message[] => {
      if (text === last) return [];
      last = text;
      return [{ ...about(source, 'book_snapshot', event), ...JSON.parse(text) }];
    };
    return (source, event) => {
      if (event.type !== 'book_change') return [];
      const whole = JSON.stringify(snapshotOf(form, topOf(event, form)));
      const now = Math.floor(event.timestamp / 1_000 / interval);
      const end = { ...event, timestamp: (bucket + 1) * interval * 1_000 };
      const before = now > bucket ? told(source, end) : [];
      bucket = now;
      text = whole;
      return interval === 0 || last === '' ? told(source, event) : before;
    };
  };
  return { of: 'book_change', make };
}

interface Bar {
  first: TradeEvent;
  last: TradeEvent;
  bucket: number;
  high: number;
  low: number;
  volume: number;
  bought: number;
  trades: number;
  value: number;
}

/** Adds a trade to its bar. */
function add(bar: Bar, event: TradeEvent): void {
  const { price, amount, side, recovered } = event;
  if (!recovered) bar.last = event;
  bar.high = Math.max(bar.high, price);
  bar.low = Math.min(bar.low, price);
  bar.volume += amount;
  bar.bought += side === 'buy' ? amount : 0;
  bar.value += price * amount;
  bar.trades += 1;
}

const begun = (event: TradeEvent, bucket: number): Bar => {
  const none = { volume: 0, bought: 0, trades: 0, value: 0 };
  return { first: event, last: event, bucket, high: event.price, low: event.price, ...none };
};

/** Bars of trades by time, which come with the trade after their end, or by number or amount, which come with the trade that fills them. */
function bars(name: string, interval: number, kind: 'time' | 'tick' | 'volume'): DataType {
  const barOf = (source: string, bar: Bar, next: TradeEvent): Message => {
    const { first, last, high, low, volume, bought, trades, value } = bar;
    const end = kind === 'time' ? (bar.bucket + 1) * interval * 1_000 : last.timestamp;
    return {
      ...about(source, 'trade_bar', { ...next, timestamp: end }),
      name,
      interval,
      kind,
      open: first.price,
      high,
      low,
      close: last.price,
      volume: rounded(volume),
      buyVolume: rounded(bought),
      sellVolume: rounded(volume - bought),
      trades,
      vwap: rounded(value / volume),
      openTimestamp: isoOf(first.timestamp),
      closeTimestamp: isoOf(last.timestamp),
    };
  };
  const isOver = (bar: Bar, bucket: number) =>
    kind === 'time'
      ? bucket > bar.bucket
      : less(kind === 'tick' ? bar.trades : bar.volume, interval) >= 0;
  const make = (): Computed => {
    let bar: Bar | null = null;
    /** What the stream had missed comes after later trades. */
    const addLate = (event: TradeEvent, bucket: number): Message[] => {
      if (bar && (kind !== 'time' || bucket === bar.bucket)) add(bar, event);
      return [];
    };
    const take = (source: string, event: TradeEvent): Message[] => {
      const bucket = Math.floor(event.timestamp / 1_000 / interval);
      if (event.recovered) return addLate(event, bucket);
      const done: Message[] = [];
      const end = () => {
        if (bar === null || !isOver(bar, bucket)) return;
        done.push(barOf(source, bar, event));
        bar = null;
      };
      end();
      bar ??= begun(event, bucket);
      add(bar, event);
      end();
      return done;
    };
    return (source, event) => (event.type === 'trade' ? take(source, event) : []);
  };
  return { of: 'trade', make };
}

const plain = (of: EventType): DataType => ({
  of,
  make: () => (source, event) => (event.type === of ? [messageOf(source, event)] : []),
});

const plainTypes: ReadonlyMap<string, DataType> = new Map(
  (['trade', 'book_change', 'derivative_ticker', 'liquidation', 'book_ticker'] as const).map(
    (type) => [type, plain(type)],
  ),
);

const lengthOf = (count = '0', unit = 'ms'): number => Number(count) * (units[unit] ?? 1);

function barType(name: string): DataType | null {
  const [, count, unit = ''] = /^trade_bar_([1-9]\d*)(ms|s|m|ticks|vol)$/.exec(name) ?? [];
  if (count === undefined) return null;
  const kind = unit === 'ticks' ? 'tick' : unit === 'vol' ? 'volume' : 'time';
  return bars(name, lengthOf(count, unit), kind);
}

function quoteType(name: string): DataType | null {
  const found = /^quote(?:_(\d+)(ms|s|m))?$/.exec(name);
  if (found === null) return null;
  return snapshots({ name, depth: 1, interval: lengthOf(found[1], found[2]) });
}

function bookType(name: string): DataType | null {
  const form = /^book_snapshot_([1-9]\d*)(?:_grouped([\d.]+))?_(\d+)(ms|s|m)$/;
  const [, depth, step, count, unit] = form.exec(name) ?? [];
  if (depth === undefined) return null;
  const grouping = step === undefined ? undefined : Number(step);
  const interval = lengthOf(count, unit);
  return snapshots({ name, depth: Number(depth), interval, grouping });
}

/** A type by its name; null for one that there is not. */
export const dataTypeOf = (name: string): DataType | null =>
  plainTypes.get(name) ?? barType(name) ?? quoteType(name) ?? bookType(name);

/** Makes the messages of some types out of the events of one exchange. */
export class Messages {
  readonly #source: string;
  readonly #types: readonly DataType[];
  /** The exchange that a gap is told of, by the name that was asked for; null where gaps are not told. */
  readonly #gapsOf: string | null;
  readonly #markets = new Map<string, { part: string; computed: readonly Computed[] }>();

  constructor(source: string, types: readonly DataType[], gapsOf: string | null) {
    this.#source = source;
    this.#types = types;
    this.#gapsOf = gapsOf;
  }

  of(event: ReplayEvent): Message[] {
    if (event.type === 'disconnect') {
      for (const [key, { part }] of this.#markets)
        if (event.part === null || event.part === part) this.#markets.delete(key);
      const localTimestamp = isoOf(event.local);
      const exchange = this.#gapsOf;
      return exchange === null ? [] : [{ type: 'disconnect', exchange, localTimestamp }];
    }
    const { part } = event;
    const key = `${part}/${event.instrument.market}`;
    const market = this.#markets.get(key) ?? {
      part,
      computed: this.#types.map((one) => one.make()),
    };
    this.#markets.set(key, market);
    return market.computed.flatMap((compute) => compute(this.#source, event));
  }
}
